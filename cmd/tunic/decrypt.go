package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"tunic/internal/catalog"
	"tunic/internal/config"
	"tunic/internal/ddl"
	"tunic/internal/ddl/decryption"
	"tunic/internal/ddl/pace"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/ledger"
	"tunic/internal/migrate"
	"tunic/internal/server"
	"tunic/internal/sqlerr"
)

// decryptCmd makes a protected table a plain one, beside the tunics that serve.
type decryptCmd struct {
	Table string `arg:"" name:"table" help:"The table, as schema.table."`

	DryRun  bool `help:"Print what would be done, and do nothing."`
	MaxRate int  `placeholder:"ROWS" help:"Rows a second to go through at most."`

	MaxLatency time.Duration `placeholder:"TIME" help:"Pause while the server takes longer than this for a small write, such as 20ms."`

	JSON     bool         `name:"json" help:"Print what was done as JSON."`
	Quiet    bool         `short:"q" help:"Show no progress, and log warnings and errors only."`
	Config   string       `placeholder:"FILE" help:"TOML file with settings, that of tunic serve."`
	Settings kong.Plugins `embed:""`
}

// Help is shown by `tunic decrypt --help`.
func (c *decryptCmd) Help() string {
	return `Makes all protected columns of a table plain, while clients read and write it through any number of tunics. The table gets a shadow column with the plain value for each; when all rows have been compared, one statement swaps the columns, and the encrypted ones are dropped. The command can be stopped or killed at any point, and continues when it is run again.

    TUNIC_SERVICE_PASSWORD=... tunic decrypt --config tunic.toml shop.patient

The command first looks for everything that stands in the way, and prints it with what to do about it. With --dry-run it does only that.

From the first step on, the server has the values in the clear, in its files, its logs and its backups. Before you run it, have the policy say plain of the columns. An annotation in a column's comment stays, and counts if the table is created again. Statements that drivers have prepared go on; those of SQL's own PREPARE may have to be prepared again (1615).

Exit status: 0 the table is plain; 10 something stands in the way, or a step failed; 2 a wrong flag, or a table that is not protected; 4 a database server that cannot be reached; 5 a key file; 6 the service account; 8 the ledger of protected tables; 1 anything else, such as an end by a signal.`
}

// errDecryptionCut is an end by a signal.
var errDecryptionCut = errors.New("ended by a signal; begun again, it goes on")

// Run does what was asked for.
func (c *decryptCmd) Run(command *kong.Context) error {
	schema, table, _ := strings.Cut(c.Table, ".")
	return besideServing(command, c.configuration, func(ctx context.Context, b *beside) error {
		protects, err := server.PolicyOf(b.cfg)
		if err != nil {
			return err
		}
		work := &decrypting{
			decryptCmd: c, command: command, schema: schema, table: table, began: time.Now(), screen: b.screen,
			ledger:  b.database.Ledger(b.key),
			definer: ddl.Options{DB: b.database.Service.DB(), Policy: protects, Flavor: b.database.Flavor, Log: b.log},
		}
		return work.told(ctx, b.database, work.do(ctx))
	})
}

// configuration reads the settings; a key has to be among them.
func (c *decryptCmd) configuration(command *kong.Context) (*config.Config, error) {
	schema, table, ok := strings.Cut(c.Table, ".")
	if !ok || schema == "" || table == "" {
		return nil, &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: "a table is named as schema.table"}
	}
	if err := checkPace(c.MaxRate, c.MaxLatency); err != nil {
		return nil, err
	}
	return settingsBeside(command, c.Config, "dry-run", "max-rate", "max-latency", "json", "quiet")
}

// decrypting is the command under way.
type decrypting struct {
	*decryptCmd
	command       *kong.Context
	schema, table string
	ledger        ledger.Options
	definer       ddl.Options
	began         time.Time
	screen        *screen
	rows          int64  // that were looked at
	at            string // the step that is under way
}

// told gives an error its code.
func (w *decrypting) told(ctx context.Context, database *server.Database, err error) error {
	if _, coded := errors.AsType[*sqlerr.StartError](err); coded || err == nil {
		return err
	}
	refused, isRefused := errors.AsType[*decryption.NotBared](err)
	switch {
	case ctx.Err() != nil:
		return errDecryptionCut
	case isRefused:
		return sqlerr.DecryptRefused(refused, refused.Fix)
	case errors.Is(err, upkeep.ErrTableGone):
		return sqlerr.DecryptNothing(w.Table)
	case errors.Is(err, ledger.ErrNone):
		return sqlerr.AuditNothing(err)
	}
	if failed := stepFailed(w.Table, w.at, err); failed != nil {
		return failed
	}
	return database.LedgerError(err)
}

// do does it, or says what it would do.
func (w *decrypting) do(ctx context.Context) error {
	now, err := ledger.Inspect(ctx, w.ledger)
	if err != nil {
		return err
	}
	t := now.Catalog.Table(w.schema, w.table)
	if t != nil {
		if err := w.unhindered(now.Catalog, t); err != nil {
			return err
		}
	}
	switch {
	case w.DryRun && t == nil:
		return upkeep.ErrTableGone
	case w.DryRun:
		return w.print(t, "tunic decrypt would make plain")
	}
	held, err := ledger.Open(ctx, w.ledger)
	if err != nil {
		return err
	}
	defer held.Close()
	w.definer.Ledger = held
	if err := alone(ctx, held, w.schema, w.table, w.decrypt); err != nil {
		return err
	}
	return w.print(t, "made plain")
}

// unhindered prints what keeps a table from being decrypted, of which it is an error then.
func (w *decrypting) unhindered(known *catalog.Catalog, t *catalog.Table) error {
	all, err := decryption.Hindrances(w.definer.Policy, w.definer.Flavor, known, t)
	if err != nil || len(all) == 0 {
		return err
	}
	findings := make([]migrate.Finding, len(all))
	for i, h := range all {
		findings[i] = findingOf(h)
	}
	if w.JSON {
		err = printJSON(w.command.Stdout, decrypted{Schema: w.schema, Table: w.table, Columns: []string{}, DryRun: w.DryRun, Findings: jsonFindings(findings)})
	} else {
		var b strings.Builder
		b.WriteString(w.Table + "\n")
		findingLines(&b, findings, "")
		_, err = io.WriteString(w.command.Stdout, b.String())
	}
	return errors.Join(err, sqlerr.DecryptHindered(hinderedBy(len(all))))
}

// findingOf is a hindrance in the form of those of tunic encrypt.
func findingOf(h *decryption.NotBared) migrate.Finding {
	f := migrate.Finding{Check: "table", Hinders: true, What: h.Why, Fix: h.Fix, Remedy: h.Remedy}
	switch {
	case h.View:
		f.Check = "views"
	case h.Column != "":
		f.Check, f.What = "columns", "column "+h.Column+": "+h.Why
	}
	f.Name = f.Check
	return f
}

// decrypt does the work.
func (w *decrypting) decrypt(ctx context.Context) error {
	bar := newBar(w.screen)
	defer bar.close()
	kept := pace.Pace{RateMax: w.MaxRate, LatencyMax: w.MaxLatency}
	definer := ddl.New(w.definer)
	defer definer.Close()
	return definer.Decryption.Decrypt(ctx, w.schema, w.table, kept, func(s decryption.Step) {
		w.rows, w.at = s.Compared, s.Name
		if !w.Quiet {
			bar.slow, bar.locked = s.Slow, s.Locked
			bar.show(w.Table+" "+s.Name, s.Done, s.Steps, s.Rows, s.Expected)
		}
	})
}

// decrypted is what was done, or would be, as JSON.
type decrypted struct {
	Schema  string   `json:"schema"`
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
	DryRun  bool     `json:"dry_run,omitempty"`
	Rows    int64    `json:"rows_compared"`

	Findings []encryptionFinding `json:"findings"`
}

// print prints what was done. t is the table as it was, nil of one whose last step was left.
func (w *decrypting) print(t *catalog.Table, what string) error {
	v := decrypted{Schema: w.schema, Table: w.table, Columns: []string{}, DryRun: w.DryRun, Rows: w.rows, Findings: []encryptionFinding{}}
	for i := 0; t != nil && i < len(t.Columns); i++ {
		if t.Columns[i].Protected() {
			v.Columns = append(v.Columns, t.Columns[i].Name)
		}
	}
	if w.JSON {
		return printJSON(w.command.Stdout, v)
	}
	text := w.Table + "  " + what
	if len(v.Columns) > 0 {
		text += ": " + strings.Join(v.Columns, ", ")
	}
	if !w.DryRun {
		text += fmt.Sprintf("\n%s compared, %s", plural(v.Rows, "row"), time.Since(w.began).Round(time.Millisecond))
	}
	_, err := io.WriteString(w.command.Stdout, text+"\n")
	return err
}
