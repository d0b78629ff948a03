package main

import (
	"context"
	"errors"
	"io/fs"

	"tunic/internal/config"
	"tunic/internal/keys"
	"tunic/internal/secret"
	"tunic/internal/sqlerr"
)

// loadKey opens the key file of a configuration, nil if it names none.
func loadKey(ctx context.Context, cfg *config.Config) (*keys.KEK, error) {
	if cfg.Key.File == "" {
		return nil, nil //nolint:nilnil // no key is no mistake
	}
	key, err := openKey(ctx, cfg.Key, cfg.Key.From, cfg.Key.PassphraseFrom)
	if err != nil || cfg.Project.ID == (keys.Project{}) || key.Project().Admits(cfg.Project.ID) {
		return key, err
	}
	defer key.Wipe()
	return nil, &sqlerr.StartError{Code: sqlerr.CodeKeyProject, Setting: "--project", Problem: cfg.Key.File + " is for project " + key.Project().String()}
}

// loadNextKey opens the key file that is to take the place of the one in the settings.
func loadNextKey(ctx context.Context, from config.Key) (*keys.KEK, error) {
	key, err := openKey(ctx, from, "--rewrap", "--rewrap-passphrase-file")
	if start, ok := errors.AsType[*sqlerr.StartError](err); ok { // whose fixes are about --key
		switch start.Code {
		case sqlerr.CodeKeyFile:
			start.Fix = "give --rewrap the path of a key file that tunic keygen made"
		case sqlerr.CodePassphraseNone:
			start.Fix = "give --rewrap-passphrase-file"
		default: // no other names --key
		}
	}
	return key, err
}

// openKey opens a key file; what is wrong with it is said of the flags that name it.
func openKey(ctx context.Context, from config.Key, file, passphraseFile string) (*keys.KEK, error) {
	passphrase, err := configuredPassphrase(from, passphraseFile)
	if err != nil {
		return nil, err
	}
	defer passphrase.Wipe()
	var provider keys.Provider = keys.File{Path: from.File, Passphrase: passphrase}
	key, err := provider.KEK(ctx)
	if err != nil {
		return nil, keyError(file, from.File, err)
	}
	return key, nil
}

// keyName is the id of the key for logs, "none" without one.
func keyName(key *keys.KEK) string {
	if key == nil {
		return "none"
	}
	return key.ID().String()
}

// configuredPassphrase is the one that the settings give, nil if they give none; setting
// names its file.
func configuredPassphrase(from config.Key, setting string) (*secret.Bytes, error) {
	switch {
	case from.PassphraseFile != "":
		passphrase, err := keys.ReadPassphrase(from.PassphraseFile)
		if err != nil {
			return nil, passphraseError(setting, err)
		}
		return passphrase, nil
	case !from.Passphrase.Empty():
		return takePassphrase("TUNIC_KEY_PASSPHRASE", []byte(from.Passphrase.Reveal()))
	default:
		return nil, nil //nolint:nilnil // a key file need not have one
	}
}

// takePassphrase moves a passphrase out of text, if it is not too long.
func takePassphrase(setting string, text []byte) (*secret.Bytes, error) {
	if len(text) > secret.BytesMax {
		secret.Zero(text)
		return nil, passphraseError(setting, errors.New("the passphrase is too long"))
	}
	return secret.Take(text), nil
}

// keyError gives a mistake about a key file its code and fix.
func keyError(setting, path string, err error) error {
	start := &sqlerr.StartError{Code: sqlerr.CodeKeyFile, Setting: setting, Problem: err.Error()}
	switch {
	case errors.Is(err, keys.ErrMode):
		start.Code, start.Fix = sqlerr.CodeKeyMode, "chmod 600 "+path
	case errors.Is(err, fs.ErrPermission):
		start.Fix = "let the user that runs tunic read it: chown it to that user, or leave it to root, chgrp it to a group of that user and chmod 640"
	case errors.Is(err, keys.ErrPassphraseNeeded):
		start.Code = sqlerr.CodePassphraseNone
	case errors.Is(err, keys.ErrPassphraseWrong), errors.Is(err, keys.ErrPassphraseUnused):
		start.Code = sqlerr.CodePassphraseOdd
	}
	return start
}

// passphraseError is a passphrase that cannot be read or used.
func passphraseError(setting string, err error) error {
	start := &sqlerr.StartError{Code: sqlerr.CodePassphraseFile, Setting: setting, Problem: err.Error()}
	file, isFile := errors.AsType[*keys.FileError](err)
	switch {
	case isFile && errors.Is(err, keys.ErrMode):
		start.Fix = "chmod 600 " + file.Path
	case errors.Is(err, keys.ErrPassphraseShort):
		start.Fix = "take a longer one, such as several words"
	case errors.Is(err, errNoTerminal):
		start.Fix = "give --passphrase-file or set TUNIC_KEY_PASSPHRASE"
	case errors.Is(err, errTypedDiffer):
		start.Fix = "try again"
	}
	return start
}

// Mistakes at the terminal.
var (
	errNoTerminal  = errors.New("there is no terminal to ask for it")
	errTypedDiffer = errors.New("the two are not the same")
)
