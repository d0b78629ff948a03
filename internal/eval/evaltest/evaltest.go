// Package evaltest compiles expressions and runs them over rows, for tests of the
// families of package eval.
//
// A Table has columns of the types that matter to families, named by them, and rows that
// are given as text. Want evaluates an expression for each row in one run, as a statement
// does it, so that what a run keeps from one row to the next is tested too:
//
//	evaltest.Each(t, func(x *evaltest.Table) {
//		x.Want("`int` + 1", "8", "NULL")
//		x.Refuses("SLEEP(`int`)")
//	}, evaltest.Row{"int": "7"}, evaltest.Row{})
//
// What is expected is what the servers answer. That it is so is tested by package eval,
// which has servers; here it is written down.
package evaltest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"tunic/internal/eval"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// Flavors are those of which answers are known.
var Flavors = []value.Flavor{value.MariaDB, value.MySQL}

// Now is the time at which all runs start.
var Now = time.Date(2026, 3, 14, 15, 9, 26, 535897000, time.UTC)

// Row has the values of columns as text. A column that it does not have is NULL.
type Row map[string]string

// Table is a Scope of columns, and rows of them.
type Table struct {
	t       testing.TB
	Session eval.Session
	Env     *value.Env
	// DrawsValues says that the table is one that rows are written to.
	DrawsValues bool
	columns     []column
	rows        []eval.Row
}

type column struct {
	name string
	t    *value.Type
}

// versions are those of the servers that the list of what is supported was measured on.
var versions = map[value.Flavor]int{value.MariaDB: 110802, value.MySQL: 80408}

// New makes a table of some rows.
func New(t testing.TB, f value.Flavor, rows ...Row) *Table {
	t.Helper()
	text := lookup(t, f, "utf8mb4_general_ci")
	x := &Table{
		t:   t,
		Env: &value.Env{Flavor: f, Version: versions[f], Location: time.UTC},
		Session: eval.Session{
			Flavor: f, Version: versions[f], DivPrecision: 4, ConcatMax: 1 << 20, EnglishNames: true, Collation: text,
		},
		columns: []column{
			{"int", &value.Type{Kind: value.Int}},
			{"uint", &value.Type{Kind: value.BigInt, Unsigned: true}},
			{"decimal", &value.Type{Kind: value.Decimal, Length: 10, Decimals: 2}},
			{"double", &value.Type{Kind: value.Double}},
			{"text", &value.Type{Kind: value.VarChar, Length: 40, Collation: text}},
			{"latin", &value.Type{Kind: value.VarChar, Length: 40, Collation: lookup(t, f, "latin1_swedish_ci")}},
			{"bytes", &value.Type{Kind: value.VarBinary, Length: 40}},
			{"date", &value.Type{Kind: value.Date}},
			{"datetime", &value.Type{Kind: value.DateTime, Decimals: 6}},
			{"time", &value.Type{Kind: value.Time}},
			{"enum", &value.Type{Kind: value.Enum, Labels: [][]byte{[]byte("one"), []byte("two")}, Collation: text}},
			{"set", &value.Type{Kind: value.Set, Labels: [][]byte{[]byte("a"), []byte("b"), []byte("c")}, Collation: text}},
		},
	}
	for _, row := range rows {
		x.rows = append(x.rows, x.row(row))
	}
	return x
}

func lookup(t testing.TB, f value.Flavor, name string) *charset.Collation {
	t.Helper()
	c, ok := charset.Lookup(f, name)
	if !ok {
		t.Fatalf("%v has no %s", f, name)
	}
	return c
}

// Each checks a table of some rows on each flavor.
func Each(t testing.TB, check func(*Table), rows ...Row) {
	t.Helper()
	for _, f := range Flavors {
		check(New(t, f, rows...))
	}
}

// IsMariaDB reports whether the table is of that server.
func (x *Table) IsMariaDB() bool { return x.Session.IsMariaDB() }

// row is a row of canonical forms.
func (x *Table) row(given Row) eval.Row {
	x.t.Helper()
	row := make(eval.Row, len(x.columns))
	for name, text := range given {
		i := slices.IndexFunc(x.columns, func(c column) bool { return c.name == name })
		if i < 0 {
			x.t.Fatalf("no column %s", name)
		}
		source := value.StringSource([]byte(text), x.Session.Collation)
		b, o := value.Assign([]byte{}, x.columns[i].t, &source, x.Env)
		if len(o.Conditions()) > 0 {
			x.t.Fatalf("%s is no value of %s", text, name)
		}
		row[i] = b
	}
	return row
}

// Column finds a column.
func (x *Table) Column(name *ast.ColName) (int, *value.Type, error) {
	for i, c := range x.columns {
		if c.name == name.Name.String() {
			return i, c.t, nil
		}
	}
	return 0, nil, errors.New("evaltest: no such column")
}

// Bind has no bind variables: literals are in the tree.
func (x *Table) Bind(*ast.Argument) (int, value.Source, error) {
	return 0, value.Source{}, errors.New("evaltest: a bind variable")
}

// Items has none either.
func (x *Table) Items(*ast.Argument) (int, []value.Source, error) {
	return 0, nil, errors.New("evaltest: a list of items")
}

// Draws reports whether functions are computed that draw.
func (x *Table) Draws() bool { return x.DrawsValues }

// Parse parses an expression.
func Parse(t testing.TB, text string) ast.Expr {
	t.Helper()
	statements, err := sql.Parse([]byte("SELECT "+text), 0)
	if err != nil {
		t.Fatal(text, err)
	}
	tree, err := statements[0].Tree()
	if err != nil {
		t.Fatal(text, err)
	}
	s, ok := tree.Root().(*ast.Select)
	if !ok {
		t.Fatalf("%s is no query", text)
	}
	e, ok := s.SelectExprs.Exprs[0].(*ast.AliasedExpr)
	if !ok {
		t.Fatalf("%s is no expression", text)
	}
	return e.Expr
}

// Compile compiles an expression that is not refused.
func (x *Table) Compile(text string) *eval.Expression {
	x.t.Helper()
	e, err := eval.Compile(Parse(x.t, text), x, x.Session)
	if err != nil {
		x.t.Fatalf("%v: %s: %v", x.Session.Flavor, text, err)
	}
	return e
}

// Evaluate is an expression for each row: as the server writes it, "NULL", or
// "refused".
func (x *Table) Evaluate(text string) []string {
	x.t.Helper()
	r, err := x.Compile(text).Start(eval.Inputs{Env: x.Env, Now: Now})
	if isRefusal(err) {
		return slices.Repeat([]string{"refused"}, len(x.rows))
	}
	if err != nil {
		x.t.Fatalf("%v: %s: %v", x.Session.Flavor, text, err)
	}
	var all []string
	for _, row := range x.rows {
		all = append(all, x.written(func() (eval.Result, error) { return r.Eval(row) }))
	}
	return all
}

// written is a result as text.
func (x *Table) written(of func() (eval.Result, error)) string {
	x.t.Helper()
	v, err := of()
	var b []byte
	if err == nil && v.Null() {
		return "NULL"
	}
	if err == nil {
		b, err = v.AppendText(nil)
	}
	switch {
	case isRefusal(err):
		return "refused"
	case err != nil:
		return "error: " + err.Error()
	}
	return string(b)
}

// Want compares the results of an expression, one for each row.
func (x *Table) Want(text string, want ...string) {
	x.t.Helper()
	if got := x.Evaluate(text); !slices.Equal(got, want) {
		x.t.Errorf("%v: %s: %q, want %q", x.Session.Flavor, text, got, want)
	}
}

// WantGroup compares the result of an aggregate of all rows.
func (x *Table) WantGroup(text, want string) {
	x.t.Helper()
	e, ok := Parse(x.t, text).(ast.AggrFunc)
	if !ok {
		x.t.Fatalf("%s is no aggregate", text)
	}
	a, err := eval.CompileAggregate(e, x, x.Session)
	if err != nil {
		x.t.Fatalf("%v: %s: %v", x.Session.Flavor, text, err)
	}
	acc, err := a.Start(eval.Inputs{Env: x.Env, Now: Now})
	if err != nil {
		x.t.Fatalf("%v: %s: %v", x.Session.Flavor, text, err)
	}
	got := x.written(func() (eval.Result, error) {
		var g eval.Group
		for _, row := range x.rows {
			if err := acc.Add(&g, row); err != nil {
				return eval.Result{}, err
			}
		}
		return acc.Result(&g)
	})
	if got != want {
		x.t.Errorf("%v: %s: %q, want %q", x.Session.Flavor, text, got, want)
	}
}

// Refuses checks that expressions are refused when they are compiled.
func (x *Table) Refuses(texts ...string) {
	x.t.Helper()
	for _, text := range texts {
		if _, err := x.compileAny(Parse(x.t, text)); !isRefusal(err) {
			x.t.Errorf("%v: %s is not refused: %v", x.Session.Flavor, text, err)
		}
	}
}

func (x *Table) compileAny(e ast.Expr) (any, error) {
	if a, ok := e.(ast.AggrFunc); ok {
		return eval.CompileAggregate(a, x, x.Session)
	}
	return eval.Compile(e, x, x.Session)
}

func isRefusal(err error) bool {
	var own *sqlerr.Error
	return errors.As(err, &own) && own.Code != 0
}
