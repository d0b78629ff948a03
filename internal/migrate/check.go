package migrate

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/remedy"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Finding is something that was found before the work begins.
type Finding struct {
	// Name is that of the hindrance, as Hindrances has it; "" of what is only to be known.
	Name string
	// Check is which look has found it.
	Check string
	// Hinders says that the work cannot begin; else it is to be known.
	Hinders bool
	What    string
	// Of is the name of what hinders, where it is a view: with its schema.
	Of string
	// Fix is what to do about it.
	Fix string
	// Remedy is SQL that does so, where SQL can.
	remedy.Remedy
}

// check is one look at a table that is plain still.
type check struct {
	name string
	look func(context.Context, *subject) ([]Finding, error)
}

// checks are all looks, in the order in which they are told of. Those that come later may
// go by what earlier ones have found out.
var checks = []check{
	{"server", checkServer},
	{"table", checkTable},
	{"columns", checkColumns},
	{"privileges", checkPrivileges},
	{"departed", checkDeparted},
	{"key", checkKey},
	{"foreign keys", checkForeignKeys},
	{"triggers", checkTriggers},
	{"programs", checkPrograms},
	{"sight", checkSight},
	{"expressions", checkExpressions},
	{"views", checkViews},
	{"keys of words", checkWords},
	{"space", checkSpace},
}

// subject is the table that is looked at, and what is known of it.
type subject struct {
	*Work
	// planned is what it would be, without the columns that are left; nil if that is refused.
	planned *catalog.Table
	// refused is why; left are columns for which it is, wanted are those that were asked for.
	refused      []refused
	left, wanted []string
	denied       string             // a privilege without which it cannot be planned
	plain        *remedy.PlainTable // see shown
	textual      []string           // columns of documents
	keyless      []string           // keys that have to go for good
	rows         int64
	bytes        int64
	roomed       Room
	average      map[string]int // of the lengths of values, by column
}

// Plan is what an encryption would do.
type Plan struct {
	Schema, Table string
	// At is the step that is next.
	At Step
	// Columns are those that would be protected, Plain those that would not.
	Columns, Plain []Column
	// Keys are the names of the keys that would be made anew, over layers.
	Keys     []string
	Findings []Finding
	// Rows and Bytes are the server's estimates.
	Rows, Bytes int64
	// Room is how much the table takes of the disk.
	Room Room
	// Would is what it would be; nil where that is refused, and behind the first step.
	Would *catalog.Table

	lengths map[string]int
}

// Hindered reports whether the work cannot begin.
func (p *Plan) Hindered() bool {
	return slices.ContainsFunc(p.Findings, func(f Finding) bool { return f.Hinders })
}

// Unprotected reports whether the policy protects nothing of the table.
func (p *Plan) Unprotected() bool {
	return len(p.Columns) == 0 && slices.ContainsFunc(p.Findings, func(f Finding) bool { return f.Name == unprotected })
}

// Views are the views that hinder it, with their schemas.
func (p *Plan) Views() (names []string) {
	for _, f := range p.Findings {
		if f.Name == view {
			names = append(names, f.Of)
		}
	}
	return names
}

// Look finds out what Encrypt would do, and what hinders it, without doing anything. Where
// the work has begun already, nothing is looked for any more. Errors are ErrNoTable, and
// those of Encrypt.
func (w *Work) Look(ctx context.Context) (*Plan, error) {
	p := &Plan{Schema: w.Schema, Table: w.Table}
	var err error
	if p.At, err = w.at(ctx); err != nil {
		return p, err
	}
	s := &subject{Work: w}
	if err := s.sizes(ctx); err != nil {
		return p, err
	}
	p.Rows, p.Bytes = s.rows, s.bytes
	if p.At != Adopt {
		p.take(w.Ledger.Catalog().Table(w.Schema, w.Table))
		return p, nil
	}
	e, end, err := w.encryption(ctx)
	if err != nil {
		return p, err
	}
	defer end()
	if err := s.plan(ctx, e); err != nil {
		return p, err
	}
	if s.roomed, s.average, err = s.room(ctx); err != nil && !isDenied(err) { // which is told by another check
		return p, err
	}
	p.Room, p.Would, p.lengths = s.roomed, s.planned, s.average
	for _, c := range checks {
		found, err := c.look(ctx, s)
		if err != nil {
			return p, err
		}
		for _, f := range found {
			f.Check = c.name
			p.Findings = append(p.Findings, f)
		}
	}
	if s.planned != nil {
		p.take(s.planned)
	}
	return p, nil
}

// comes are the hindrances that everybody could make until the table was adopted, which waits for transactions, and the
// refusal of each. None comes afterwards.
var comes = map[string]func(table string) *sqlerr.Error{
	trigger: func(table string) *sqlerr.Error {
		return sqlerr.DefinitionForm(table, "a trigger that was made before it began (drop it, and begin again)")
	},
	program: func(table string) *sqlerr.Error {
		return sqlerr.DefinitionForm(table, "a trigger, event or routine that names it and was made before it began (drop it, and begin again)")
	},
	view: func(table string) *sqlerr.Error {
		return sqlerr.DefinitionForm(table, "a view that was made before it began (drop it, and begin again)")
	},
	foreignKey: foreignKeyCame, referredTo: foreignKeyCame,
}

func foreignKeyCame(table string) *sqlerr.Error {
	return sqlerr.DefinitionForm(table, "a foreign key that was made before it began (drop it, and begin again)")
}

// stillFree looks once more for what comes, before a step that others depend on. What has been done can be taken back
// still (Abort).
func (w *Work) stillFree(ctx context.Context, next Step) error {
	if next != Fence && next != Swap {
		return nil
	}
	t := w.Ledger.Catalog().Table(w.Schema, w.Table)
	if t == nil {
		return nil // the step says so
	}
	s := &subject{Work: w, planned: t}
	for _, look := range []func(context.Context, *subject) ([]Finding, error){checkTriggers, checkPrograms, checkForeignViews, checkForeignKeys} {
		found, err := look(ctx, s)
		if err != nil {
			return err
		}
		if len(found) > 0 {
			return comes[found[0].Name](w.Table)
		}
	}
	return nil
}

// take takes over what a table has, or is to have.
func (p *Plan) take(t *catalog.Table) {
	p.Columns, p.Plain = columnsOf(t), plainOf(t)
	for i := range t.Keys {
		if slices.ContainsFunc(t.Keys[i].Parts, func(part catalog.Part) bool { return part.Layer != 0 }) {
			p.Keys = append(p.Keys, t.Keys[i].Name)
		}
	}
}

// sizes asks for what the server thinks of the size of the table.
func (s *subject) sizes(ctx context.Context) error {
	var rows, bytes sql.NullInt64
	var kind string
	conn, err := s.DB.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if s.Flavor == value.MySQL { // which else tells what it has told within a day
		if _, err := conn.ExecContext(ctx, "SET SESSION information_schema_stats_expiry = 0"); err != nil {
			return err
		}
	}
	err = conn.QueryRowContext(ctx, "SELECT TABLE_ROWS, DATA_LENGTH + INDEX_LENGTH, TABLE_TYPE FROM information_schema.TABLES"+
		" WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?", s.Schema, s.Table).Scan(&rows, &bytes, &kind)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ErrNoTable
	case err == nil && kind == "VIEW":
		return ErrView
	case err == nil && kind != "BASE TABLE": // one that keeps its versions, or a sequence
		return ErrKind
	}
	s.rows, s.bytes = rows.Int64, bytes.Int64
	return err
}

// names are the columns that would be protected.
func (s *subject) names() (all []string) {
	if s.planned == nil {
		return s.wanted
	}
	for _, c := range columnsOf(s.planned) {
		all = append(all, c.Name)
	}
	return append(all, s.left...)
}

// protects reports whether a column is among them.
func (s *subject) protects(column string) bool {
	return slices.ContainsFunc(s.names(), func(name string) bool { return strings.EqualFold(name, column) })
}

// strings are the rows of a query that returns one column.
func (s *subject) strings(ctx context.Context, query string, args ...any) (all []string, err error) {
	rows, err := s.DB.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var one sql.NullString
		if err := rows.Scan(&one); err != nil {
			return nil, err
		}
		all = append(all, one.String)
	}
	return all, rows.Err()
}

func hinders(name, what, fix string) []Finding {
	return []Finding{{Name: name, Hinders: true, What: what, Fix: fix}}
}

// remedied is a hindrance with SQL.
func remedied(name, what, fix string, r remedy.Remedy) Finding {
	return Finding{Name: name, Hinders: true, What: what, Fix: fix, Remedy: r}
}
