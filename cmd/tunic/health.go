package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"tunic/internal/sqlerr"
)

// healthCmd asks the admin address of a tunic that runs.
type healthCmd struct {
	Admin   string        `placeholder:"HOST:PORT" env:"TUNIC_ADMIN" help:"The admin address of the tunic, as its own setting has it."`
	Config  string        `placeholder:"FILE" help:"TOML file of the tunic, to take the address from."`
	Live    bool          `help:"Ask only whether the process runs (/healthz)."`
	Timeout time.Duration `placeholder:"DURATION" default:"5s" help:"How long the answer may take (default 5s)."`
}

// Help is shown by `tunic health --help`.
func (c *healthCmd) Help() string {
	return `Asks /readyz of the admin address, and prints what it answers. It is for probes of containers and scripts, which then need no other program.

    tunic health --admin 127.0.0.1:9307

An address that stands for all of a machine, such as 0.0.0.0:9307 or :9307, is asked over loopback.

Exit status: 0 tunic would serve a client now; 1 it would not, or nothing answers; 2 a wrong flag or setting.`
}

// Run asks once.
func (c *healthCmd) Run(command *kong.Context) error {
	path := "/readyz"
	if c.Live {
		path = "/healthz"
	}
	address, err := c.address()
	if err != nil {
		return err
	}
	page, err := newAdminPage(address, path)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.Timeout)
	defer cancel()
	text, err := healthOf(ctx, page)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(command.Stdout, text)
	return err
}

// address is where tunic answers: the flag, or what the settings of tunic serve say.
func (c *healthCmd) address() (string, error) {
	if c.Admin != "" {
		return c.Admin, nil
	}
	cfg, err := servingSettings(c.Config)
	switch {
	case err != nil:
		return "", err
	case cfg == nil, cfg.Admin.Address == "":
		return "", &sqlerr.StartError{Code: sqlerr.CodeMissing, Setting: "--admin", Problem: "is not set"}
	}
	return cfg.Admin.Address, nil
}

// healthBytesMax is more than the longest answer of the two pages.
const healthBytesMax = 4 << 10

// healthOf is the text of a page whose HTTP status is 200; any other is an error with the text.
func healthOf(ctx context.Context, page *adminPage) (string, error) {
	code, body, err := page.get(ctx, healthBytesMax)
	text := strings.TrimSpace(string(body))
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "", sqlerr.AskNotReady("no answer from "+page.address+" in time", nil)
	case err != nil && code != 0:
		return "", sqlerr.AskNotReady("the answer of "+page.address+" breaks off", err)
	case err != nil:
		return "", sqlerr.AskNotReady("nothing answers at "+page.address, err)
	case code != http.StatusOK:
		return "", sqlerr.AskNotReady(fmt.Sprintf("%s answers %d: %s", page.address, code, text), nil)
	}
	return text, nil
}
