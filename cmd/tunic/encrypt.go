package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"tunic/internal/config"
	"tunic/internal/crypt"
	"tunic/internal/ddl"
	"tunic/internal/ddl/pace"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/keys"
	"tunic/internal/ledger"
	"tunic/internal/migrate"
	"tunic/internal/server"
	"tunic/internal/sqlerr"
)

// encryptCmd protects a table that is there, beside the tunics that serve it.
type encryptCmd struct {
	Table string `arg:"" name:"table" help:"The table, as schema.table."`

	Columns      []string `placeholder:"NAMES" help:"Columns to protect, with commas between them; all that the policy protects if none is given."`
	DryRun       bool     `help:"Print what would be done and what stands in the way, and do nothing."`
	Abort        bool     `help:"Take back what was begun, until the columns have been swapped."`
	IgnoreUnseen bool     `help:"Go on though the service account cannot see all programs and views of the server: you have looked yourself, and none names the table."`

	MaxRate int `placeholder:"ROWS" help:"Rows a second to go through at most."`

	MaxLatency time.Duration `placeholder:"TIME" help:"Pause while the server takes longer than this for a small write, such as 20ms."`

	JSON     bool         `name:"json" help:"Print what was done as JSON."`
	Quiet    bool         `short:"q" help:"Show no progress, and log warnings and errors only."`
	Config   string       `placeholder:"FILE" help:"TOML file with settings, that of tunic serve."`
	Settings kong.Plugins `embed:""`
}

// Help is shown by `tunic encrypt --help`.
func (c *encryptCmd) Help() string {
	return `Encrypts columns of an existing table, while clients read and write it through any number of tunics. The table gets a shadow column for each, or for each family of them, which is backfilled in chunks, no faster than the server allows. When all rows have been checked, one statement swaps the columns; then the plain ones are dropped, and the table is rebuilt so that its file has none of their values.

    TUNIC_SERVICE_PASSWORD=... tunic encrypt --config /etc/tunic/tunic.toml shop.patient

The command first looks for everything that stands in the way, and prints it with what to do about it. With --dry-run it does only that. Give it the configuration file of tunic serve: it needs the same policy.

The command can be stopped or killed at any point: clients go on, and the same command continues. Until the swap, --abort takes everything back. From the first step on, write to the table through tunic only.

Old values stay in logs, backups and replicas: the report lists where, and tunic help encrypting says more.

Exit status: 0 the table is protected; 10 something stands in the way, or a step failed; 2 a wrong flag, or no such table; 4 a database server that cannot be reached; 5 a key file; 6 the service account; 8 the ledger of protected tables; 1 anything else, such as an end by a signal.`
}

// errEncryptionCut is an end by a signal.
var errEncryptionCut = errors.New("ended by a signal: clients go on; run the same command again to continue")

// Run does what was asked for.
func (c *encryptCmd) Run(command *kong.Context) error {
	return besideServing(command, c.configuration, func(ctx context.Context, b *beside) error {
		work := &encrypting{encryptCmd: c, command: command, database: b.database, key: b.key, log: b.log, screen: b.screen}
		return work.told(ctx, work.run(ctx))
	})
}

// configuration reads the settings; a key has to be among them.
func (c *encryptCmd) configuration(command *kong.Context) (*config.Config, error) {
	schema, table, ok := strings.Cut(c.Table, ".")
	switch {
	case !ok || schema == "" || table == "" || strings.Contains(table, "."):
		return nil, &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: "the table is to be given as schema.table"}
	}
	if err := checkPace(c.MaxRate, c.MaxLatency); err != nil {
		return nil, err
	}
	for i := range c.Columns { // a list as people write it
		c.Columns[i] = strings.TrimSpace(c.Columns[i])
	}
	given := givenFlags(command)
	if _, some := given["columns"]; some && (len(c.Columns) == 0 || slices.Contains(c.Columns, "")) {
		return nil, &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: "--columns names no column, or an empty one"}
	}
	return settingsBeside(command, c.Config, "columns", "dry-run", "abort", "max-rate", "max-latency", "json", "quiet")
}

// checkPace refuses what is no pace.
func checkPace(rows int, latency time.Duration) error {
	switch {
	case rows < 0:
		return &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: "--max-rate is a number of rows"}
	case latency < 0:
		return &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: "--max-latency is a time"}
	}
	return nil
}

// encrypting is the command under way.
type encrypting struct {
	*encryptCmd
	command  *kong.Context
	database *server.Database
	key      *keys.KEK
	log      *slog.Logger
	screen   *screen
	at       migrate.Step
}

// run looks at the table, and does the work unless something hinders it.
func (w *encrypting) run(ctx context.Context) error {
	rules, err := w.database.Policy()
	if err != nil {
		return err
	}
	db := w.database.Service.DB()
	held, err := ledger.Open(ctx, w.database.Ledger(w.key))
	if err != nil {
		return err
	}
	defer held.Close()
	seals := new(crypt.Seals)
	defer addSeals(ctx, held, seals, w.log)
	work := &migrate.Work{
		DB: db, Ledger: held, Flavor: w.database.Flavor, Columns: w.Columns, IgnoreUnseen: w.IgnoreUnseen, Pace: pace.Pace{RateMax: w.MaxRate, LatencyMax: w.MaxLatency},
		Definer: ddl.New(ddl.Options{DB: db, Ledger: held, Policy: rules, Flavor: w.database.Flavor, Seals: seals, Log: w.log}),
	}
	defer work.Definer.Close()
	work.Schema, work.Table, _ = strings.Cut(w.Table, ".")
	if w.DryRun {
		return w.do(ctx, work)
	}
	return alone(ctx, held, work.Schema, work.Table, func(ctx context.Context) error { return w.do(ctx, work) })
}

// do takes back what was begun, says what would be done, or does it.
func (w *encrypting) do(ctx context.Context, work *migrate.Work) error {
	if w.Abort {
		return w.abort(ctx, work)
	}
	plan, err := work.Look(ctx)
	switch {
	case err != nil:
		return err
	case w.DryRun || plan.Hindered():
		return errors.Join(w.printPlan(plan), hindranceOf(plan))
	}
	return w.encrypt(ctx, work, plan)
}

// hindranceOf is the error of a table that cannot be protected; nil of one that can.
func hindranceOf(p *migrate.Plan) error {
	n := 0
	for _, f := range p.Findings {
		if f.Hinders {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return sqlerr.MigrationHindered(hinderedBy(n))
}

// hinderedBy says how many things hinder a table.
func hinderedBy(n int) string {
	if n == 1 {
		return "1 thing hinders it"
	}
	return fmt.Sprintf("%d things hinder it", n)
}

// encrypt does the work.
func (w *encrypting) encrypt(ctx context.Context, work *migrate.Work, plan *migrate.Plan) error {
	bar := w.watch(work)
	report, err := work.Encrypt(ctx)
	bar.close()
	if err != nil {
		return err
	}
	return w.print(report, plan)
}

// watch shows how far the work is.
func (w *encrypting) watch(work *migrate.Work) *bar {
	bar := newBar(w.screen)
	work.Progress = func(p migrate.Progress) {
		w.at = p.Step
		if !w.Quiet {
			bar.slow, bar.locked = p.Slow, p.Locked
			bar.show(w.Table+" "+string(p.Step), p.Done, p.Steps, p.Rows, p.Expected)
		}
	}
	return bar
}

// abort takes back what was begun.
func (w *encrypting) abort(ctx context.Context, work *migrate.Work) error {
	bar := w.watch(work)
	err := work.Abort(ctx)
	bar.close()
	if err != nil {
		return err
	}
	if w.JSON {
		return printJSON(w.command.Stdout, encryptionAborted{work.Schema, work.Table, true})
	}
	_, err = fmt.Fprintf(w.command.Stdout, "%s is a plain table, as it was\n", w.Table)
	return err
}

// encryptionAborted is what was taken back, as JSON.
type encryptionAborted struct {
	Schema  string `json:"schema"`
	Table   string `json:"table"`
	Aborted bool   `json:"aborted"`
}

// noWork are the reasons for which there is nothing to be done with a table, each with what to do.
var noWork = []struct {
	is  error
	fix string
}{
	{migrate.ErrNoTable, "give the name as schema.table; check that --backend is the database, and that the service account has privileges on the schema"},
	{migrate.ErrView, "give the name of a table"},
	{migrate.ErrKind, "give the name of another table"},
	{migrate.ErrProtected, "to protect more of its columns, make it plain with tunic decrypt, and name all of them with --columns"},
	{migrate.ErrOtherColumns, "give the columns that it was begun with, or no --columns; or take it back with --abort"},
	{migrate.ErrDecrypting, "let tunic decrypt end, and begin again"},
}

// nothingToDo is the error of a table with which there is nothing to be done; nil of others.
func (w *encrypting) nothingToDo(err error) error {
	for _, none := range noWork {
		if errors.Is(err, none.is) {
			return sqlerr.MigrationNothing(err, none.fix)
		}
	}
	switch {
	case errors.Is(err, ledger.ErrNone):
		return sqlerr.MigrationNothing(errors.New("no tunic has served this database with a key file"),
			"check that --backend is the database that tunics with this key serve; make the ledger with tunic init if there is none")
	case w.Abort && errors.Is(err, ddl.ErrSwapped):
		return sqlerr.MigrationNothing(errors.New("the columns are protected by now"), "go on to the end with tunic encrypt; then tunic decrypt makes them plain")
	case w.Abort && errors.Is(err, upkeep.ErrTableGone):
		return sqlerr.MigrationNothing(errors.New("no encryption of the table was begun"), "check the name: there is nothing to take back")
	}
	return nil
}

// told gives an error its code.
func (w *encrypting) told(ctx context.Context, err error) error {
	if _, coded := errors.AsType[*sqlerr.StartError](err); coded || err == nil {
		return err
	}
	if ctx.Err() != nil {
		return errEncryptionCut
	}
	if none := w.nothingToDo(err); none != nil {
		return none
	}
	if failed := stepFailed(w.Table, string(w.at), err); failed != nil {
		w.log.Debug("a step has failed", "step", string(w.at), "error", err)
		return failed
	}
	return w.database.LedgerError(err)
}

// stepFailed is the error of a step of a table, or of the look before the first one, whose name is ""; nil if it is
// of the ledger.
func stepFailed(table, step string, err error) error {
	problem, fix, ok := migrate.Failure(err)
	unsound, isUnsound := errors.AsType[*upkeep.UnsoundError](err)
	switch {
	case !ok:
		return nil
	case isUnsound && unsound.Damaged:
		return sqlerr.MigrationDamaged(table + ": " + step + ": " + problem)
	case step == "":
		return sqlerr.MigrationUnseen(table+": "+problem, fix)
	}
	return sqlerr.MigrationCut(table+": "+step+": "+problem, fix)
}
