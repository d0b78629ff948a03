package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"tunic/internal/config"
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
	address, err := c.address()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.Timeout)
	defer cancel()
	page := "/readyz"
	if c.Live {
		page = "/healthz"
	}
	answer, err := askPage(ctx, address, page)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(command.Stdout, answer)
	return err
}

// address is where tunic answers: the flag, or what the settings of tunic serve say.
func (c *healthCmd) address() (string, error) {
	admin := c.Admin
	if admin == "" && cmp.Or(c.Config, os.Getenv("TUNIC_CONFIG")) != "" {
		cfg, err := config.Load(config.Sources{Environ: os.Environ(), File: c.Config})
		if err != nil {
			return "", configError(err)
		}
		admin = cfg.Admin.Address
	}
	if admin == "" {
		return "", &sqlerr.StartError{Code: sqlerr.CodeMissing, Setting: "--admin", Problem: "is not set"}
	}
	host, port, err := net.SplitHostPort(admin)
	if err != nil || port == "" || port == "0" {
		return "", &sqlerr.StartError{Code: sqlerr.CodeBadValue, Setting: "--admin", Problem: "is not HOST:PORT", Fix: "give it as HOST:PORT, with the port that tunic listens on"}
	}
	switch host {
	case "", "0.0.0.0":
		host = "127.0.0.1"
	case "::":
		host = "::1"
	}
	return net.JoinHostPort(host, port), nil
}

// healthBytesMax is more than the longest answer of the two pages.
const healthBytesMax = 4 << 10

// askPage is the text of a page whose status is 200; any other is an error with the text.
func askPage(ctx context.Context, address, page string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+page, http.NoBody)
	if err != nil {
		return "", sqlerr.AskNotReady(address+" is no address", nil)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // no proxy: it is this machine, or one near it
	answer, err := client.Do(request)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "", sqlerr.AskNotReady("no answer from "+address+" in time", nil)
	case err != nil:
		return "", sqlerr.AskNotReady("nothing answers at "+address, withoutURL(err))
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	body, err := io.ReadAll(io.LimitReader(answer.Body, healthBytesMax))
	if err != nil {
		return "", sqlerr.AskNotReady("the answer of "+address+" breaks off", err)
	}
	text := strings.TrimSpace(string(body))
	if answer.StatusCode != http.StatusOK {
		return "", sqlerr.AskNotReady(fmt.Sprintf("%s answers %d: %s", address, answer.StatusCode, text), nil)
	}
	return text, nil
}

// withoutURL strips what net/http adds before the reason.
func withoutURL(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}
