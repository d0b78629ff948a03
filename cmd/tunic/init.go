package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/alecthomas/kong"

	"tunic/internal/config"
	"tunic/internal/keys"
)

// initCmd makes the ledger of a database.
type initCmd struct {
	Config   string       `placeholder:"FILE" help:"TOML file with settings, that of tunic serve."`
	Quiet    bool         `short:"q" help:"Print the project's ID and nothing else."`
	Settings kong.Plugins `embed:""`
}

// Help is shown by `tunic init --help`.
func (c *initCmd) Help() string {
	return `Makes the ledger of protected tables, schema _tunic, with a master key that the key file wraps. Run it once for a database, before the first tunic serves it. If there is a ledger, the command changes nothing and prints its project.

    tunic init --backend 127.0.0.1:3306 --service-user tunic_service --key tunic.key

The ledger belongs to the project that the key file names. If the key file names none, give the printed ID to every tunic before the database, as --project or [project] id. tunic does not start then if the ledger is gone or belongs to another project.

Exit status: 0 the ledger is there; 2 a wrong flag or setting; 4 a database server that cannot be reached; 5 a key file; 6 the service account; 8 the ledger cannot be made or read; 1 anything else.`
}

// errInitInterrupted is an end by a signal.
var errInitInterrupted = errors.New("ended by a signal before the ledger was made")

// Run makes the ledger and says what to do with its project.
func (c *initCmd) Run(command *kong.Context) error {
	return besideServing(command, c.configuration, func(ctx context.Context, b *beside) error {
		project, made, err := b.database.InitLedger(ctx, b.key)
		switch {
		case err != nil && ctx.Err() != nil:
			return errInitInterrupted
		case err != nil:
			return err
		}
		_, err = fmt.Fprint(command.Stdout, c.told(project, made, b))
		return err
	})
}

// told is what is printed.
func (c *initCmd) told(project keys.Project, made bool, b *beside) string {
	if c.Quiet {
		return project.String() + "\n"
	}
	done := "is made"
	if !made {
		done = "is there already; nothing is changed"
	}
	if b.key.Project() == project {
		return fmt.Sprintf(initNamedText, project, done, b.cfg.Key.File)
	}
	return fmt.Sprintf(initText, project, done, project)
}

const initNamedText = `Project %s %s.

%s names it: no tunic that has this key file starts
if the ledger is gone or is another one.
`

const initText = `Project %s %s.

Give it to every tunic before this database, as --project or in its file:

    [project]
    id = "%s"

A tunic that has it does not start if the ledger is gone or is another one.
`

// configuration reads the settings; a key has to be among them.
func (c *initCmd) configuration(command *kong.Context) (*config.Config, error) {
	return settingsBeside(command, c.Config, "quiet")
}
