package exec

import (
	"bytes"
	"errors"
	"slices"

	"tunic/internal/arena"
	"tunic/internal/binding"
	"tunic/internal/budget"
	"tunic/internal/description"
	"tunic/internal/environment"
	"tunic/internal/eval"
	"tunic/internal/exec/change"
	"tunic/internal/exec/made"
	"tunic/internal/local"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// adder takes the rows of a query and makes of them, one after the other, the rows that
// are inserted: it converts each value to its column's type, as the server does when it
// stores it, and keeps what comes of it. It is the last taker of the query.
type adder struct {
	made.Maker
	session *Session
	account *budget.Account
	items   []local.Item
	runs    []*local.Running
	copies  []*eval.Run // of items that are columns of the query's rows
	same    []bool      // of those, whose type is the column's
	grouped bool
	// buffered says that a server may have put the rows into a table, constants that it
	// may have so what is the same in all of them.
	buffered, constants bool
	room                []byte
	rows                made.Rows
	count               int
	failed              *sqlerr.Error    // why the row behind the last one cannot be inserted
	said                []binding.Notice // what was raised of it
}

// newAdder is the last taker of a program.
func (w *writer) newAdder(c *choice, p *local.Program, d *description.Description) (*adder, error) {
	a := &adder{Maker: made.NewMaker(w.session.binder, &w.st.Run, w.st.Columns), session: w.session, account: &c.Account, items: p.Items, grouped: p.Grouped}
	if len(a.items) != len(a.Columns) {
		return nil, sqlerr.NotDescribed()
	}
	a.rows.Begin(len(a.Columns))
	a.buffered, a.constants = w.st.from.buffered, w.st.from.constants
	if w.st.readsOwn() {
		a.buffered, a.constants = true, true
	}
	a.copies, a.same, a.Cuts = make([]*eval.Run, len(a.items)), make([]bool, len(a.items)), make([]bool, len(a.items))
	shape := result{session: w.session, items: a.items}
	if w.st.from.params > 0 {
		d = nil // servers describe them otherwise before they know the parameters
	}
	if d != nil {
		shape.columns = d.Columns
	}
	for i := range a.items {
		if d != nil && (len(d.Columns) != len(a.items) || !shape.suits(i)) {
			return nil, sqlerr.ExpressionRefused("a result", a.items[i].Typ.Kind.String())
		}
		if err := a.ready(i, c.Inputs); err != nil {
			return nil, err
		}
	}
	var err error
	a.runs, err = local.StartItems(&c.Execution, a.items)
	return a, err
}

// ready prepares for an item.
func (a *adder) ready(i int, in eval.Inputs) error {
	of, to := &a.items[i], &a.Columns[i].Type
	for _, t := range [...]*value.Type{of.Typ, to} {
		if err := a.session.env.Serves(t); err != nil {
			return err
		}
	}
	if !copied(of, to) {
		return sqlerr.ExpressionRefused("INSERT of the rows of a query", of.Typ.Kind.String()+", into a column of type "+to.Kind.String()+",")
	}
	if of.Expression != nil {
		return nil
	}
	moment := to.Kind == value.Timestamp && a.session.env.Clocks() != nil // MySQL goes by what clocks show of it
	a.same[i], a.Cuts[i] = sameValues(of.Typ, to) && !moment, made.CutsAsCopy(of.Typ, to, a.session.env.Value.Flavor)
	x, err := eval.Compile(&ast.ColName{Name: ast.Identifier("c")}, columnScope{of.Column, of.Typ}, a.session.env.EvalSession())
	if err != nil {
		return err
	}
	in.Binds, in.Lists = nil, nil
	a.copies[i], err = x.Start(in)
	return err
}

// copied reports whether it is known what servers make of a value of an item where they
// copy it into a column of another type. They take some as text that computes otherwise.
func copied(of *local.Item, to *value.Type) bool {
	from, chars := of.Typ, to.Kind.IsText() || to.Kind.IsBytes()
	switch {
	case from.Zerofill, from.Kind == value.Float, from.Kind == value.Bit, from.Kind == value.Year:
		return !chars && to.Kind != value.JSON && to.Kind != value.Enum && to.Kind != value.Set || sameValues(from, to)
	case to.Kind == value.JSON:
		return from.Kind == value.JSON || from.Kind.IsText() || from.Kind == value.VarBinary && from.Length == 0
	}
	return true
}

// sameValues reports whether two types have the same values, so that one is copied into
// the other byte by byte. Dates are looked at anew.
func sameValues(a, b *value.Type) bool {
	if a.Kind != b.Kind || a.Length != b.Length || a.Decimals != b.Decimals || a.Unsigned != b.Unsigned || a.Collation != b.Collation {
		return false
	}
	return a.Kind != value.Date && a.Kind != value.DateTime && slices.EqualFunc(a.Labels, b.Labels, bytes.Equal)
}

// columnScope is one column of a row: an eval.Scope.
type columnScope struct {
	at  int
	typ *value.Type
}

func (s columnScope) Column(*ast.ColName) (int, *value.Type, error) { return s.at, s.typ, nil }

func (columnScope) Bind(*ast.Argument) (int, value.Source, error) {
	return 0, value.Source{}, sqlerr.StatementUnread()
}

func (columnScope) Items(*ast.Argument) (int, []value.Source, error) {
	return 0, nil, sqlerr.StatementUnread()
}

// Row implements taker. A row that cannot be inserted is the last one: those before it
// are, as one of them may fail first.
func (a *adder) Row(r eval.Row) error {
	b := a.session.binder
	b.Row = a.count + 1
	before := b.Notices
	err := a.convert(r)
	b.Row = 0
	if refused, ok := errors.AsType[*sqlerr.Error](err); ok && refused.Code == 0 {
		a.failed, a.said = refused, slices.Clone(b.Notices.All()[len(before.All()):])
		b.Notices.Cut(before)
		return local.ErrEnough
	}
	if err != nil {
		return err
	}
	a.count++
	if err := a.account.Keep(arena.RowBytes(a.Current)); err != nil {
		return err
	}
	a.rows.Add(a.Current)
	return nil
}

func (a *adder) End() error { return nil }

// convert makes a row.
func (a *adder) convert(r eval.Row) error {
	a.Begin()
	for i := range a.items {
		if err := a.items[i].Shown(r, &a.session.env.Value, !a.Columns[i].Type.Kind.IsNumber()); err != nil {
			return err
		}
		if v := a.copyOf(i, r); v != nil {
			a.Current = append(a.Current, v)
			continue
		}
		source, err := a.source(i, r)
		if err != nil {
			return err
		}
		v, err := a.Assign(i, &source)
		if err != nil {
			return err
		}
		a.Current = append(a.Current, v)
	}
	return nil
}

// copyOf is a value that is taken as it is; nil if it is converted.
func (a *adder) copyOf(i int, r eval.Row) []byte {
	if !a.same[i] {
		return nil
	}
	v := r[a.items[i].Column]
	if a.items[i].Typ.Kind == value.Timestamp && environment.IsZero(v) {
		return nil
	}
	return v
}

// source is the value of an item as the server takes it to store it.
func (a *adder) source(i int, r eval.Row) (value.Source, error) {
	it := &a.items[i]
	var computed eval.Result
	var err error
	var raised []value.Condition
	if run := a.runs[i]; run != nil {
		computed, err = run.Eval(r)
		raised = run.Conditions()
	} else {
		computed, err = a.copies[i].Eval(r)
	}
	to := &a.Columns[i].Type
	switch {
	case err != nil:
		return value.Source{}, err
	case len(raised) > 0:
		return value.Source{}, sqlerr.ValueRefused("an expression that the server has a warning for, as the new value of a column,")
	case computed.Null():
		return value.NullSource(), nil
	}
	if err := change.Unstorable(&computed, to, &a.session.env.Value); err != nil {
		return value.Source{}, err
	}
	if it.Typ.Kind == value.Decimal && a.grouped {
		if err := a.whole(i, &computed); err != nil {
			return value.Source{}, err
		}
	}
	source := computed.SourceFor(to, a.room[:0])
	if a.buffered || a.constants && it.Constant {
		return source, local.ShownAll(it.Typ, &source)
	}
	return source, nil
}

// whole refuses a decimal with other digits than its type has: the server may have put
// it into a table meanwhile.
func (a *adder) whole(i int, computed *eval.Result) error {
	text, err := computed.AppendText(nil)
	if err != nil {
		return err
	}
	canonical, err := computed.Append(nil)
	if err != nil {
		return err
	}
	source := computed.Source(nil)
	if s := string(value.AppendText(nil, a.items[i].Typ, canonical, &a.session.env.Value)); s != string(text) || s != string(source.Bytes) {
		return sqlerr.ValueRefused("a DECIMAL of a group")
	}
	return nil
}
