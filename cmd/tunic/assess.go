package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"

	"tunic/internal/assess"
	"tunic/internal/config"
	"tunic/internal/ledger"
	"tunic/internal/migrate"
	"tunic/internal/sqlerr"
	"tunic/internal/workload"
)

// assessCmd says what would happen if the tables of a schema were encrypted.
type assessCmd struct {
	Schema string   `arg:"" name:"schema" help:"The schema."`
	Tables []string `arg:"" optional:"" name:"table" help:"Tables of it; all of them if none is given."`

	Log     string `placeholder:"FILE" help:"A general or slow query log of the server: say which of its statements would be refused, or finished by tunic."`
	Digests bool   `help:"Say the same of the statements in the server's table of digests (performance_schema)."`
	Most    int    `default:"50" placeholder:"N" help:"Print so many statements at most (default 50)."`

	NoMeasure bool `help:"Do not measure how fast the server is, for which a private table is made in schema _tunic."`

	JSON     bool         `name:"json" help:"Print what was found as JSON."`
	Config   string       `placeholder:"FILE" help:"TOML file with settings, that of tunic serve."`
	Settings kong.Plugins `embed:""`
}

// Help is shown by 'tunic assess --help'.
func (c *assessCmd) Help() string {
	return `Says what would happen, before anything is protected. For each table of a schema: which columns the policy protects and in which forms; whether tunic encrypt takes it as it is, and if not, all that hinders it, with the SQL that removes it and the SQL that puts it back; how long it takes, and how much room it needs.

    TUNIC_SERVICE_PASSWORD=... tunic assess --config /etc/tunic/tunic.toml shop

With --log or --digests it also says which of the statements that the server was sent would be refused, with code and fix, and which tunic would finish itself, the most frequent first. Values are taken out of them.

Nothing is written to the schema or to the ledger. In schema _tunic an empty table is made for each table for a moment, and one with rows of no meaning for those that are measured; --no-measure leaves these out. The ledger has to be there: tunic init.

Exit status: 0 every table that the policy protects can be encrypted, and no statement is refused; 10 something needs a decision; 2 a wrong flag, no such schema or table, or a log that cannot be read; 4 a database server that cannot be reached; 5 a key file; 6 the service account; 8 the ledger of protected tables; 1 anything else.`
}

// Run looks, and prints what was found.
func (c *assessCmd) Run(command *kong.Context) error {
	return besideServing(command, c.configuration, func(ctx context.Context, b *beside) error {
		found, err := c.look(ctx, b)
		if err != nil {
			return c.told(ctx, b, err)
		}
		if c.JSON {
			err = printJSON(command.Stdout, jsonOf(found))
		} else {
			_, err = io.WriteString(command.Stdout, found.text(c.Most))
		}
		return errors.Join(err, found.decision())
	})
}

func (c *assessCmd) configuration(command *kong.Context) (*config.Config, error) {
	if c.Most < 0 {
		return nil, &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: "--most is a number of statements"}
	}
	if c.Log != "" && c.Digests {
		return nil, &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: "--log and --digests stand alone"}
	}
	return settingsBeside(command, c.Config, "log", "digests", "most", "no-measure", "json")
}

// assessed is what was found.
type assessed struct {
	*assess.Assessment
	of         string // where the statements are from; "" without any
	read       workload.Read
	dropped    int64
	own        int64 // statements of tunics themselves
	counts     map[assess.Verdict]int64
	statements []assess.Statement
}

// look looks at the tables, and then at the statements.
func (c *assessCmd) look(ctx context.Context, b *beside) (*assessed, error) {
	rules, err := b.database.Policy()
	if err != nil {
		return nil, err
	}
	db := b.database.Service.DB()
	held, err := ledger.Inspect(ctx, b.database.Ledger(b.key))
	if err != nil {
		return nil, err
	}
	a, err := assess.Look(ctx, assess.Options{
		DB: db, Ledger: held, Policy: rules, Flavor: b.database.Flavor, Log: b.log, Schema: c.Schema, Tables: c.Tables, Measure: !c.NoMeasure,
	})
	found := &assessed{Assessment: a}
	if err != nil || c.Log == "" && !c.Digests {
		return found, err
	}
	w, err := a.Workload(ctx)
	if err != nil {
		return nil, err
	}
	if c.Digests {
		found.of = "the table of digests"
		found.read, err = workload.Digests(ctx, db, w.Add)
	} else {
		found.of = c.Log
		found.read, err = readLog(c.Log, w.Add)
	}
	if err != nil {
		return nil, err
	}
	found.statements, err = w.Judge(ctx)
	found.counts, found.dropped, found.own = w.Counts, w.Dropped, w.Own
	return found, err
}

// errLog is an error of a log file.
type errLog struct{ error }

func readLog(name string, each func(workload.Statement) error) (read workload.Read, err error) {
	f, err := os.Open(name)
	if err != nil {
		return read, errLog{err}
	}
	defer func() { _ = f.Close() }()
	if read, err = workload.Log(f, each); err != nil {
		return read, errLog{err}
	}
	return read, nil
}

// told gives an error its code.
func (c *assessCmd) told(ctx context.Context, b *beside, err error) error {
	if _, coded := errors.AsType[*sqlerr.StartError](err); coded {
		return err
	}
	if log, ok := errors.AsType[errLog](err); ok {
		return sqlerr.AssessLog("--log", log.error)
	}
	if problem, fix, ok := migrate.Failure(err); ok {
		return sqlerr.AssessNothing(errors.New(problem), cmp.Or(fix, "correct what the server says")+", and assess again")
	}
	switch {
	case ctx.Err() != nil:
		return errors.New("ended by a signal; nothing was changed")
	case errors.Is(err, workload.ErrDenied), errors.Is(err, workload.ErrOff):
		return sqlerr.AssessLog("--digests", err)
	case errors.Is(err, ledger.ErrNone):
		return sqlerr.AssessNothing(errors.New("there is no ledger in this database"), "make it with tunic init; check that --backend is the database")
	case errors.Is(err, assess.ErrNoSchema):
		return sqlerr.AssessNothing(err, "give the name of a schema; check that the service account has privileges on it")
	case errors.Is(err, migrate.ErrNoTable):
		return sqlerr.AssessNothing(err, "give names of tables of the schema, without the schema's")
	}
	return b.database.LedgerError(err)
}

// decision is the error of what needs one; nil without.
func (f *assessed) decision() error {
	hindered := int64(0)
	for i := range f.Tables {
		switch f.Tables[i].State {
		case assess.Hindered, assess.Unseen, assess.Begun:
			hindered++
		default:
		}
	}
	refused := f.counts[assess.Refused]
	switch {
	case hindered == 0 && refused == 0:
		return nil
	case refused == 0:
		return sqlerr.AssessDecides(plural(hindered, "table") + " cannot be encrypted yet")
	case hindered == 0:
		return sqlerr.AssessDecides(plural(refused, "statement") + " would be refused")
	}
	return sqlerr.AssessDecides(fmt.Sprintf("%s cannot be encrypted yet, and %s would be refused", plural(hindered, "table"), plural(refused, "statement")))
}
