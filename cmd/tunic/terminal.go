package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"

	"tunic/internal/secret"
	"tunic/internal/sqlerr"
)

// askNewPassphrase asks twice at the terminal for a passphrase. It asks again
// for nothing: a mistake ends the command, which can be started again.
func askNewPassphrase() (*secret.Bytes, error) {
	const setting = "--passphrase"
	// Not standard input: that may be a file or a pipe.
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, passphraseError(setting, errNoTerminal)
	}
	defer terminal.Close() //nolint:errcheck // nothing is written that matters
	first, err := askHidden(terminal, setting, "Passphrase: ")
	if err != nil {
		return nil, err
	}
	if first, err = longEnough(setting, first); err != nil {
		return nil, err
	}
	second, err := askHidden(terminal, setting, "The same again: ")
	if err != nil {
		first.Wipe()
		return nil, err
	}
	defer second.Wipe()
	if !first.Equal(second) {
		first.Wipe()
		return nil, passphraseError(setting, errTypedDiffer)
	}
	return first, nil
}

// askHidden reads a line that the terminal does not show.
func askHidden(terminal *os.File, setting, prompt string) (*secret.Bytes, error) {
	fd := int(terminal.Fd())
	shown, err := term.GetState(fd)
	if err != nil {
		return nil, passphraseError(setting, errNoTerminal)
	}
	defer showOnSignal(terminal, shown)()
	fmt.Fprint(terminal, prompt)
	line, err := term.ReadPassword(fd)
	fmt.Fprintln(terminal)
	if err != nil {
		secret.Zero(line)
		return nil, passphraseError(setting, errors.New("nothing was typed"))
	}
	return takePassphrase(setting, line)
}

// showOnSignal keeps a Ctrl-C at the prompt from leaving a terminal that shows
// nothing any more. The caller ends it with the function it gets.
func showOnSignal(terminal *os.File, shown *term.State) (end func()) {
	signals := make(chan os.Signal, 1)
	done := make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		select {
		case <-signals:
			_ = term.Restore(int(terminal.Fd()), shown)
			fmt.Fprintln(terminal)
			os.Exit(sqlerr.ExitInternal)
		case <-done:
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}
