package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"tunic/internal/config"
	"tunic/internal/disk"
	"tunic/internal/report"
	"tunic/internal/sqlerr"
)

// reportCmd says what the database holds and what the server learns from it, for an auditor.
type reportCmd struct {
	Schemas []string `arg:"" optional:"" name:"schema" help:"Schemas to look at; all but the server's own if none is given."`

	HTML   string   `name:"html" placeholder:"FILE" help:"Write the report to one HTML file, and print only the decisions."`
	JSON   bool     `name:"json" help:"Print the report as JSON."`
	Sample int64    `placeholder:"N" help:"Read and open about so many values of each column that has layers, and judge the layers by them."`
	Accept []string `placeholder:"KIND" sep:"none" help:"What has been decided: a kind of decision, or KIND:OBJECTS with * and ? in it. May be given again."`

	Quiet    bool         `short:"q" help:"Show no progress, and log warnings and errors only."`
	Config   string       `placeholder:"FILE" help:"TOML file with settings, that of tunic serve."`
	Settings kong.Plugins `embed:""`
}

// Help is shown by `tunic report --help`.
func (c *reportCmd) Help() string {
	return `Prints of every table, plain ones too, what is stored of each column, who asked for it, and what the server learns; which keys and algorithms are used; what the server's logs keep; and how connections are protected. What needs a decision comes first.

    tunic report --config /etc/tunic/tunic.toml
    tunic report --config /etc/tunic/tunic.toml --sample 20000 --html report.html shop
    tunic report --config /etc/tunic/tunic.toml --accept log:slow_query_log

It changes nothing, and runs beside the tunics that serve. Give it the configuration file of tunic serve: the report takes policy, accounts and TLS from there. It compares definitions with the catalog; tunic verify checks rows. It never prints a value. tunic help report.md explains the report and the kinds of decisions.

Without --sample no value is read. With it the server reads a table twice for each column that has layers.

Exit status: 0 nothing needs a decision; 10 something does; 2 a wrong flag, or no such schema; 4 a database server that cannot be reached; 5 a key file; 6 the service account; 8 the ledger of protected tables; 1 anything else, such as an end by a signal.`
}

// errReportCut is an end by a signal.
var errReportCut = errors.New("ended by a signal before all was looked at")

// Run gathers the report and writes it.
func (c *reportCmd) Run(command *kong.Context) error {
	return besideServing(command, c.configuration, func(ctx context.Context, b *beside) error {
		rules, err := b.database.Policy()
		if err != nil {
			return err
		}
		bar := newBar(b.screen)
		o := report.Options{
			DB: b.database.Service.DB(), Ledger: b.database.Ledger(b.key), KeyID: b.key.ID(), Config: b.cfg, Policy: rules,
			Schemas: c.Schemas, Sample: c.Sample, Accept: c.Accept, Tunic: version, Now: time.Now().UTC().Truncate(time.Second),
		}
		if !c.Quiet {
			o.Progress = func(table string, done, of int) { bar.show(table, done, of, 0, 0) }
		}
		r, err := report.Gather(ctx, o)
		bar.close()
		switch {
		case errors.Is(err, report.ErrNoSchema):
			return sqlerr.ReportNothing(err)
		case err != nil && ctx.Err() != nil:
			return errReportCut
		case err != nil:
			return b.database.LedgerError(err)
		}
		if err := c.write(command.Stdout, r); err != nil {
			return err
		}
		if n := len(r.Decisions); n > 0 {
			return sqlerr.ReportDecisions(n)
		}
		return nil
	})
}

// configuration reads the settings; a key has to be among them.
func (c *reportCmd) configuration(command *kong.Context) (*config.Config, error) {
	if c.Sample < 0 {
		return nil, &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: "--sample is a number of values"}
	}
	if err := report.Accept(c.Accept).Check(); err != nil {
		return nil, &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: "--accept names " + err.Error() + "; there are " + strings.Join(report.KindNames(), ", ")}
	}
	if given, some := givenFlags(command)["html"]; some && given == "" {
		return nil, &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: "--html names no file"}
	}
	return settingsBeside(command, c.Config, "html", "json", "sample", "accept", "quiet")
}

// write writes the report in the forms that were asked for.
func (c *reportCmd) write(out io.Writer, r *report.Report) error {
	if c.HTML != "" {
		var page bytes.Buffer
		if err := r.WriteHTML(&page); err != nil {
			return err // and not a part of a page in the place of the last report
		}
		if err := disk.ReplaceFile(c.HTML, page.Bytes()); err != nil {
			return &sqlerr.StartError{Code: sqlerr.CodeUsage, Setting: "--html", Problem: "the report cannot be written", Fix: "name a file in a folder that this user can write to", Err: err}
		}
	}
	switch {
	case c.JSON:
		return r.WriteJSON(out)
	case c.HTML == "":
		return r.WriteText(out)
	}
	if err := r.WriteDecisions(out); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "The report is in %s.\n", c.HTML)
	return err
}
