package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"tunic/internal/config"
	"tunic/internal/sqlerr"
	"tunic/internal/status"
)

// statusCmd shows the status of a tunic that serves.
type statusCmd struct {
	Admin     string `placeholder:"HOST:PORT" env:"TUNIC_ADMIN" help:"Where it serves its status, as its own --admin (default 127.0.0.1:9307)."`
	TokenFile string `name:"admin-token-file" placeholder:"PATH" env:"TUNIC_ADMIN_TOKEN_FILE" help:"File that holds the token, if it asks for one."`
	Config    string `placeholder:"FILE" help:"TOML file of the tunic, to take both from."`
	Watch     bool   `help:"Show it again every two seconds, until a signal."`
	JSON      bool   `name:"json" help:"Print the JSON of /status.json."`
	Tables    int    `placeholder:"N" default:"20" help:"How many protected tables to list at most (default ${default})."`
	Templates int    `placeholder:"N" default:"10" help:"How many templates of statements to list at most (default ${default})."`
	Search    string `placeholder:"TEXT" help:"List protected tables only whose name has this in it."`
}

// Help is shown by `tunic status --help`.
func (c *statusCmd) Help() string {
	return `Asks a tunic that serves what it is doing, over HTTP, and prints it: health, warnings, sessions, how long statements take, who does the work, what is refused, which statements cost most, and protected tables with their keys, jobs and encryptions. tunic help status.md explains the figures. The same is a page for browsers at the path /status of that address.

    tunic status --admin 127.0.0.1:9307 --watch
    tunic status --config /etc/tunic/tunic.toml

Statements are shown without their values, and nothing else that is shown holds any.

Exit status: 0 it is ready for clients; 10 it is not, or drains, or has an alarm; 2 a wrong flag, or a token file that cannot be used; 4 nobody answers there, or not with a status; 1 anything else.`
}

// watchEvery is the time between two looks with --watch.
const watchEvery = 2 * time.Second

// Run asks and prints.
func (c *statusCmd) Run(command *kong.Context) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	slog.SetDefault(slog.New(slog.DiscardHandler)) // net/http logs what a server says unasked; the error tells it
	return c.run(ctx, command.Stdout)
}

// run asks once, or until ctx is done.
func (c *statusCmd) run(ctx context.Context, out io.Writer) error {
	page, err := c.page()
	if err != nil {
		return err
	}
	for {
		state, text, err := statusOf(ctx, page)
		switch {
		case ctx.Err() != nil:
			return nil //nolint:nilerr // a signal is an orderly end
		case err != nil && !c.Watch:
			return err
		}
		if err := c.show(out, state, text, err); err != nil {
			return err
		}
		if !c.Watch {
			return exitOf(state)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(watchEvery):
		}
	}
}

// show prints a status, or that there was none, which --watch waits through.
func (c *statusCmd) show(out io.Writer, state *status.Snapshot, text []byte, failed error) error {
	if c.JSON {
		if failed != nil {
			return failed
		}
		_, err := out.Write(text)
		return err
	}
	page := ""
	if c.Watch && isTerminalWriter(out) {
		page = "\x1b[H\x1b[2J"
	}
	if failed != nil {
		page += failed.Error() + "\n"
	} else {
		page += statusText(state, widthOf(out))
	}
	_, err := io.WriteString(out, page)
	return err
}

// exitOf is the exit status of one look.
func exitOf(s *status.Snapshot) error {
	alarms := 0
	for _, w := range s.Warnings {
		if w.Level == status.Alarm {
			alarms++
		}
	}
	if s.Health.State != status.Ready || alarms > 0 {
		return sqlerr.StatusBad(s.Health.State, alarms)
	}
	return nil
}

// askTimeout is how long an answer may take; tunic itself waits two seconds for the database.
const askTimeout = 10 * time.Second

// answerBytesMax bounds an answer: a thousand tables are some 250 KiB.
const answerBytesMax = 16 << 20

// page is the page with the status.
func (c *statusCmd) page() (*adminPage, error) {
	address, token, err := c.where()
	if err != nil {
		return nil, err
	}
	query := url.Values{"tables": {strconv.Itoa(c.Tables)}, "templates": {strconv.Itoa(c.Templates)}, "search": {c.Search}}
	page, err := newAdminPage(cmp.Or(address, adminUsual), "/status.json?"+query.Encode())
	if err != nil {
		return nil, err
	}
	page.token = token
	return page, nil
}

// adminUsual is the address of a tunic of which nothing is said.
const adminUsual = "127.0.0.1:9307"

// where is the address to ask and the token that it takes, by the flags, or else by the settings of the tunic.
func (c *statusCmd) where() (address, token string, err error) {
	address, file := c.Admin, c.TokenFile
	if address == "" {
		cfg, err := servingSettings(c.Config)
		switch {
		case err != nil:
			return "", "", err
		case cfg != nil:
			address, file = cfg.Admin.Address, cmp.Or(file, cfg.Admin.TokenFile)
		}
	}
	if file == "" {
		return address, "", nil
	}
	own, err := config.ReadToken(file, "--admin-token-file")
	if err != nil {
		return "", "", configError(err)
	}
	return address, own.Reveal(), nil
}

// errSilent is a tunic that is there and gives no answer.
var errSilent = errors.New("no answer in time")

// errNoStatus is an answer of somebody else's.
var errNoStatus = errors.New("what answers there is not tunic, or another version of it")

// statusOf asks for the status, and gives its JSON as well.
func statusOf(ctx context.Context, page *adminPage) (*status.Snapshot, []byte, error) {
	limited, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	code, body, err := page.get(limited, answerBytesMax)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, nil, sqlerr.StatusUnreachable(page.address, errSilent)
	case err != nil:
		return nil, nil, sqlerr.StatusUnreachable(page.address, err)
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return nil, nil, sqlerr.StatusToken(page.address)
	case code != http.StatusOK:
		return nil, nil, sqlerr.StatusUnreachable(page.address, fmt.Errorf("%w: HTTP status %d", errNoStatus, code))
	}
	state := new(status.Snapshot)
	if err := json.Unmarshal(body, state); err != nil || state.Format != status.Format {
		return nil, nil, sqlerr.StatusUnreachable(page.address, errNoStatus)
	}
	return state, body, nil
}
