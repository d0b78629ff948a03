package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/alecthomas/kong"

	"tunic/internal/keys"
	"tunic/internal/secret"
	"tunic/internal/sqlerr"
)

// keygenCmd makes a key file.
type keygenCmd struct {
	Out            string `required:"" placeholder:"FILE" help:"Where the key file is to be; nothing may be there yet."`
	Project        string `placeholder:"ID" help:"The project that the key is for: that of a database with a ledger, for another key file of it, or none for any. By default it is a new one."`
	Passphrase     bool   `help:"Wrap the key with a passphrase: that of --passphrase-file, else of TUNIC_KEY_PASSPHRASE, else asked for at the terminal."`
	PassphraseFile string `placeholder:"FILE" help:"File whose one line is the passphrase, mode 0600; implies --passphrase."`
}

// Help is shown by `tunic keygen --help`.
func (c *keygenCmd) Help() string {
	return `Makes a random key and writes it to a new file of mode 0600, for --key of tunic serve. Keep a copy of the file away from the database and its backups: without it nobody can read what is protected with it. tunic help keys says how to keep it.

    tunic keygen --out /etc/tunic/tunic.key

The file names the project that the key is for, and tunic init makes the ledger of that project: no tunic that has the file starts before another ledger. A further key file of the same project, as tunic rotate --rewrap takes it, is made with the ID that tunic init prints:

    tunic keygen --project 5eb1d3e1fb5afc055ceb679805de2138 --out new.key

With a passphrase (at least 15 bytes) the file alone opens nothing, and neither does the passphrase. tunic serve then needs it at every start, in TUNIC_KEY_PASSPHRASE or --key-passphrase-file. If TUNIC_KEY_PASSPHRASE is set when the key is made, it is used without being asked for.

Exit status: 0 the key file is made; 2 a wrong flag; 5 it is not made.`
}

// Run makes the file and says what to do with it.
func (c *keygenCmd) Run(command *kong.Context) error {
	if err := secret.DenyDumps(); err != nil {
		fmt.Fprintln(command.Stderr, "tunic: core dumps are not switched off: "+err.Error())
	}
	project, err := c.project()
	if err != nil {
		return err
	}
	passphrase, err := c.passphrase()
	if err != nil {
		return err
	}
	defer passphrase.Wipe()
	key, err := keys.Create(c.Out, project, passphrase)
	if err != nil {
		return keygenError(c.Out, err)
	}
	defer key.Wipe()
	_, err = fmt.Fprintf(command.Stdout, keygenText, key.ID(), projectName(project), c.Out, keepPassphrase(passphrase))
	return err
}

const keygenText = `Key %s for %s is in %s.

Keep a copy of this file away from the database and its backups%s.
Without a copy nobody can read what is protected with this key: not you, not
the operator of the database, not the authors of tunic.
`

// projectName is what a key is for.
func projectName(p keys.Project) string {
	if p == (keys.Project{}) {
		return "any project"
	}
	return "project " + p.String()
}

// project is the one that the key is to be for, zero for any.
func (c *keygenCmd) project() (p keys.Project, err error) {
	switch c.Project {
	case "":
		return keys.NewProject(), nil
	case "none":
		return p, nil
	}
	if p, err = keys.ParseProject(c.Project); err != nil {
		return p, &sqlerr.StartError{Code: sqlerr.CodeBadValue, Setting: "--project", Problem: err.Error(), Fix: "give the ID that tunic init has printed, or none"}
	}
	return p, nil
}

func keepPassphrase(passphrase *secret.Bytes) string {
	if passphrase == nil {
		return ""
	}
	return ",\nand its passphrase in another place"
}

// passphrase is nil when the key is not to be wrapped.
func (c *keygenCmd) passphrase() (*secret.Bytes, error) {
	fromEnv := os.Getenv("TUNIC_KEY_PASSPHRASE")
	switch {
	case c.PassphraseFile != "":
		passphrase, err := keys.ReadPassphrase(c.PassphraseFile)
		if err != nil {
			return nil, passphraseError("--passphrase-file", err)
		}
		return longEnough("--passphrase-file", passphrase)
	case fromEnv != "":
		passphrase, err := takePassphrase("TUNIC_KEY_PASSPHRASE", []byte(fromEnv))
		if err != nil {
			return nil, err
		}
		return longEnough("TUNIC_KEY_PASSPHRASE", passphrase)
	case c.Passphrase:
		return askNewPassphrase()
	default:
		return nil, nil //nolint:nilnil // a key file need not have one
	}
}

// longEnough refuses what a new key file does not take, and names where it was
// given.
func longEnough(setting string, passphrase *secret.Bytes) (*secret.Bytes, error) {
	if passphrase.Len() >= keys.PassphraseBytesMin {
		return passphrase, nil
	}
	passphrase.Wipe()
	return nil, passphraseError(setting, fmt.Errorf("the passphrase %w", keys.ErrPassphraseShort))
}

// keygenError gives a file that cannot be made its code.
func keygenError(path string, err error) error {
	start := &sqlerr.StartError{Code: sqlerr.CodeKeyMade, Setting: "--out", Problem: err.Error()}
	if errors.Is(err, fs.ErrExist) {
		start.Problem = path + " is there already, and is not replaced"
		start.Fix = "give another name; delete the file only if nothing was ever protected with its key"
	}
	return start
}
