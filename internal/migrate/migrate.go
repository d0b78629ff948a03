package migrate

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl"
	"tunic/internal/ddl/decryption"
	"tunic/internal/ddl/pace"
	"tunic/internal/ledger"
	"tunic/internal/value"
)

// Errors of the work, beside those of packages ddl, layers and ledger, and the server's.
var (
	// ErrHindered says that something has to be changed first: the findings say what.
	ErrHindered = errors.New("the table cannot be protected as it is")
	// ErrNoTable says that there is no such table.
	ErrNoTable = errors.New("there is no such table")
	// ErrView says that it is a view.
	ErrView = errors.New("it is a view: protect the tables that it reads, and create it again through tunic")
	// ErrKind says that it is neither a table nor a view, or a table with versions of its rows.
	ErrKind = errors.New("it is no ordinary table: sequences and tables WITH SYSTEM VERSIONING cannot be protected")
	// ErrProtected says that the table is protected, and so no work of this kind.
	ErrProtected = errors.New("the table is protected already")
	// ErrDecrypting says that the table is being made plain.
	ErrDecrypting = errors.New("the table is being made plain: tunic decrypt goes on with that")
	// ErrOtherColumns says that work is under way for other columns.
	ErrOtherColumns = errors.New("the table is being protected, by other columns")
)

// Work is what is to be done with one table.
type Work struct {
	// DB is the service account's, whose connections must not give up on a query that takes
	// long.
	DB      *sql.DB
	Ledger  *ledger.Ledger
	Definer *ddl.Definer
	Flavor  value.Flavor

	Schema, Table string
	// Columns are those to protect; all that the policy protects if there is none.
	Columns []string
	// IgnoreUnseen says that somebody has looked for programs and views that the service account cannot see.
	IgnoreUnseen bool
	// Pace is what the work keeps to beside clients. What it tells goes to Progress.
	Pace pace.Pace
	// Progress is told how far it is. It may be nil.
	Progress func(Progress)
}

// Step is one of the steps of the work.
type Step string

// The steps, in their order. Finished is behind the last of them.
const (
	Adopt    Step = "adopt"
	Fence    Step = "fence"
	Backfill Step = "fill"
	Swap     Step = "exchange"
	Purge    Step = "purge"
	Finished Step = "finished"
)

// steps are those of an encryption.
var steps = []Step{Adopt, Fence, Backfill, Swap, Purge, Finished}

// Progress is how far the work is.
type Progress struct {
	Step Step
	// Done of Steps are done.
	Done, Steps int
	// Passed is how far the step is that goes through rows.
	pace.Passed
}

// Report is what was done.
type Report struct {
	Schema, Table string
	// Columns are those that are protected, Plain those that are not.
	Columns, Plain []Column
	// From is the step that it began with; Finished if there was nothing left to do.
	From Step
	// At is the step that it has come to.
	At Step
	// Rows are how many were gone through.
	Rows int64
	Took []Took
	// Unchecked says that the server does not refuse values in the clear that its own programs write: that
	// takes a CHECK, which comes with a copy of the table.
	Unchecked bool
}

// Took is how long a step took.
type Took struct {
	Step Step
	Time time.Duration
}

// Column is a column that is to be protected, or is.
type Column struct {
	Name   string
	Type   string
	Layers []string
	// Family is the stored column of the family that it is in, or comes into; "" of one that is sealed by itself.
	Family string
}

// Encrypt does it. The report is of what was done, with an error as well.
func (w *Work) Encrypt(ctx context.Context) (*Report, error) {
	report := &Report{Schema: w.Schema, Table: w.Table}
	at, err := w.at(ctx)
	if err != nil {
		return report, err
	}
	report.From, report.At = at, at
	e, end, err := w.encryption(ctx)
	if err != nil {
		return report, err
	}
	defer end()
	do := map[Step]func(context.Context, *ddl.Encryption) error{
		Adopt: w.Definer.Adopt, Fence: w.Definer.Fence, Backfill: w.backfill(report), Swap: w.Definer.SwapShadows, Purge: w.Definer.Purge,
	}
	for i := slices.Index(steps, at); steps[i] != Finished; i++ {
		w.tell(Progress{Step: steps[i], Done: i, Steps: len(steps) - 1})
		begun := time.Now()
		if err := w.stillSound(ctx, at, steps[i]); err != nil {
			return report, err
		}
		if err := w.stillFree(ctx, steps[i]); err != nil {
			return report, err
		}
		if err := do[steps[i]](ctx, e); err != nil {
			return report, err
		}
		report.Took = append(report.Took, Took{steps[i], time.Since(begun)})
		report.At = steps[i+1]
		crash.Point("migrate.step")
	}
	if t := w.Ledger.Catalog().Table(w.Schema, w.Table); t != nil {
		report.Columns, report.Plain, report.Unchecked = columnsOf(t), plainOf(t), t.Unchecked
	}
	return report, nil
}

// stillSound has the server look through the table before the first step that has it make keys or the table anew, if
// the work was begun by an earlier command, and so was cut off.
func (w *Work) stillSound(ctx context.Context, begun, next Step) error {
	if begun == Adopt || next != Swap && (next != Purge || begun != Purge) {
		return nil
	}
	t := w.Ledger.Catalog().Table(w.Schema, w.Table)
	if t == nil {
		return nil // the step says so
	}
	return w.Definer.Upkeep.Sound(ctx, t)
}

// Abort takes back what Encrypt has begun, before the columns have become protected ones: else it
// is ddl.ErrSwapped. It is upkeep.ErrTableGone where nothing was begun.
func (w *Work) Abort(ctx context.Context) error {
	e, end, err := w.encryption(ctx)
	if err != nil {
		return err
	}
	defer end()
	return w.Definer.Abort(ctx, e, func(s decryption.Step) { w.tell(Progress{Step: Step(s.Name), Done: s.Done, Steps: s.Steps}) })
}

// at is the step that is next.
func (w *Work) at(ctx context.Context) (Step, error) {
	t := w.Ledger.Catalog().Table(w.Schema, w.Table)
	switch {
	case t == nil:
		return Adopt, nil
	case t.Baring():
		return "", ErrDecrypting
	case t.Encrypting() && !w.shadows(t):
		return "", ErrOtherColumns
	case t.Encrypting() && t.Fenced:
		return Backfill, nil
	case t.Encrypting():
		return Fence, nil
	}
	if left, err := w.Definer.HasPlainLeft(ctx, w.Schema, w.Table); err != nil || left {
		return Purge, err
	}
	if column := w.leftPlain(t); column != "" {
		return "", &furtherError{column}
	}
	return Finished, nil
}

// leftPlain is a column that was asked for, or that a rule protects if none was, and that is plain in a protected
// table; "" if there is none.
func (w *Work) leftPlain(t *catalog.Table) string {
	for _, name := range w.Columns {
		if i := t.Column(name); i < 0 || !t.Columns[i].Protected() {
			return name
		}
	}
	if len(w.Columns) > 0 {
		return ""
	}
	rules := w.Definer.Policy()
	for i := range t.Columns {
		if c := &t.Columns[i]; !c.Protected() && c.Shadows == "" && rules.Ruled(w.Schema, w.Table, c.Name) {
			return c.Name
		}
	}
	return ""
}

// furtherError says that a table is protected already, without a column that is to be; it is ErrProtected.
type furtherError struct{ column string }

func (e *furtherError) Error() string {
	return ErrProtected.Error() + ", and column " + e.column + " is not among its protected columns: run tunic decrypt for the table, and then tunic encrypt for all of its columns"
}

func (e *furtherError) Is(other error) bool { return other == ErrProtected }

// shadows reports whether the columns that are being encrypted are those that were asked for.
func (w *Work) shadows(t *catalog.Table) bool {
	if len(w.Columns) == 0 {
		return true
	}
	n := 0
	for i := range t.Columns {
		if of := t.Columns[i].Shadows; of != "" {
			if !slices.ContainsFunc(w.Columns, func(name string) bool { return strings.EqualFold(name, of) }) {
				return false
			}
			n++
		}
	}
	return n == len(w.Columns)
}

// backfill is the step that goes through rows.
func (w *Work) backfill(report *Report) func(context.Context, *ddl.Encryption) error {
	return func(ctx context.Context, e *ddl.Encryption) error {
		at := slices.Index(steps, Backfill)
		kept := w.Pace
		kept.Told = func(p pace.Passed) {
			report.Rows = p.Rows
			w.tell(Progress{Step: Backfill, Done: at, Steps: len(steps) - 1, Passed: p})
		}
		e.Pace = &kept
		return w.Definer.BackfillShadows(ctx, e)
	}
}

func (w *Work) tell(p Progress) {
	if w.Progress != nil {
		w.Progress(p)
	}
}

// columnsOf are the columns of a table that are protected, or become so.
func columnsOf(t *catalog.Table) (all []Column) {
	for i := range t.Columns {
		c := &t.Columns[i]
		if !c.Protected() {
			continue
		}
		one := Column{Name: c.Name, Type: c.TypeText}
		if c.Shadows != "" {
			one.Name = c.Shadows
		}
		if f := t.FamilyOf(i); f != nil {
			one.Family = cmp.Or(f.Takes, f.Stored)
		}
		for _, l := range c.Layers {
			one.Layers = append(one.Layers, l.Capability.String())
		}
		all = append(all, one)
	}
	return all
}

// plainOf are the columns that are plain, and stay so: no other one shadows them.
func plainOf(t *catalog.Table) (all []Column) {
	shadow := func(name string) bool {
		return slices.ContainsFunc(t.Columns, func(c catalog.Column) bool { return strings.EqualFold(c.Shadows, name) })
	}
	for i := range t.Columns {
		if c := &t.Columns[i]; !c.Protected() && !shadow(c.Name) {
			all = append(all, Column{Name: c.Name, Type: c.TypeText})
		}
	}
	return all
}
