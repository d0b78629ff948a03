package change

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/environment"
	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// folded are forms whose tokens do not tell cases apart, as those of a text without case do not.
type folded struct{}

func (folded) AppendSealed(dst, canonical []byte) ([]byte, error) {
	return append(dst, canonical...), nil
}

func (folded) AppendOpened(dst, sealed []byte) ([]byte, error) { return append(dst, sealed...), nil }

func (folded) AppendToken(dst []byte, _ policy.Capabilities, canonical []byte) ([]byte, error) {
	return append(dst, bytes.ToLower(canonical)...), nil
}

// Columns of the table.
const (
	id = iota
	age
	name
	moment
)

func number(n int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

func literal(digits string) *ast.Literal { return &ast.Literal{Type: ast.IntVal, Val: digits} }

func given(column int, of ast.Expr) recipe.Assignment {
	return recipe.Assignment{Column: column, Given: true, Of: recipe.Operand{Kind: recipe.FromForm, Literal: of}}
}

func computed(column int, to ast.Expr) recipe.Assignment {
	return recipe.Assignment{Column: column, To: to}
}

func column(name string) *ast.ColName { return &ast.ColName{Name: ast.Identifier(name)} }

// half is a second half with a Computer that has begun with it.
type half struct {
	*Write
	Computer
	of *binding.Statement
	b  *binding.Binder
}

// begun makes a second half ready, of a statement of a kind over all columns of the table.
func begun(t *testing.T, kind sql.Kind, mode value.Mode, of *recipe.Write) *half {
	t.Helper()
	text, ok := charset.Lookup(value.MySQL, "utf8mb4_bin")
	if !ok {
		t.Fatal("no utf8mb4_bin")
	}
	sealed := func(n byte, name string, of value.Type) catalog.Column {
		return catalog.Column{ID: catalog.ID{n}, Domain: catalog.ID{n}, Name: name, Type: of, Protection: policy.Protection{Protected: true}}
	}
	table := &catalog.Table{
		ID: catalog.ID{9}, Schema: "shop", Name: "person", Twin: "t_9",
		Columns: []catalog.Column{
			{ID: catalog.ID{1}, Name: "id", Type: value.Type{Kind: value.BigInt}},
			sealed(2, "age", value.Type{Kind: value.TinyInt}),
			sealed(3, "name", value.Type{Kind: value.VarChar, Length: 5, Collation: text}),
			sealed(4, "moment", value.Type{Kind: value.DateTime}),
		},
		Keys: []catalog.Key{{Name: "PRIMARY", Kind: catalog.Primary, Parts: []catalog.Part{{Column: "id"}}}},
	}
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
	run := recipe.Run{Kind: kind, Table: table, Tables: []*catalog.Table{table}, Does: &recipe.Rewrite{Write: of}}
	for i := range table.Columns {
		run.AddFetch(recipe.CellOf(table, i), recipe.Fetch{Column: i})
	}
	h := &half{of: &binding.Statement{Run: run}, b: binding.New()}
	if err := h.of.TakeColumns(binding.FormsOf{Column: func(*catalog.Column) (binding.Forms, error) { return folded{}, nil }}); err != nil {
		t.Fatal(err)
	}
	if err := h.of.TakeValues(); err != nil {
		t.Fatal(err)
	}
	var err error
	if h.Write, err = (&Of{Statement: h.of, Rows: h.of}).Ready(of); err != nil {
		t.Fatal(err)
	}
	h.b.Env = &environment.Environment{
		Connection: text, Client: text.Charset, Value: value.Env{Flavor: value.MySQL, Version: 80400, Mode: mode, Location: time.UTC},
	}
	h.b.Notices.Begin(64)
	h.b.Begin(h.of)
	if err := h.Begin(h.of, local.NewQuery(&h.of.Run, h.of.FetchedColumns()), h.Write, h.b); err != nil {
		t.Fatal(err)
	}
	return h
}

func person(n, years int64, called string) eval.Row {
	return eval.Row{number(n), number(years), []byte(called), number(0)}
}

// TestCompute: a row gets its values one after the other, each from what those before have made of it, and is
// left alone if it stays what it is.
func TestCompute(t *testing.T) {
	older := &ast.BinaryExpr{Operator: ast.PlusOp, Left: column("age"), Right: literal("1")}
	for what, c := range map[string]struct {
		set     []recipe.Assignment
		changed bool
		age     int64
		name    string
	}{
		"nothing is set":              {nil, false, 30, "Ann"},
		"a value":                     {[]recipe.Assignment{given(age, literal("31"))}, true, 31, "Ann"},
		"the value that it has":       {[]recipe.Assignment{given(age, literal("30"))}, false, 30, "Ann"},
		"an expression":               {[]recipe.Assignment{computed(age, older)}, true, 31, "Ann"},
		"itself":                      {[]recipe.Assignment{computed(age, column("age"))}, false, 30, "Ann"},
		"of what was set before":      {[]recipe.Assignment{computed(age, older), computed(name, column("age"))}, true, 31, "31"},
		"before another one sees it":  {[]recipe.Assignment{computed(name, column("age")), computed(age, older)}, true, 31, "30"},
		"twice":                       {[]recipe.Assignment{computed(age, older), computed(age, older)}, true, 32, "Ann"},
		"as a value of another type":  {[]recipe.Assignment{given(name, literal("7"))}, true, 30, "7"},
		"and what another one is set": {[]recipe.Assignment{given(name, &ast.Literal{Type: ast.StrVal, Val: "Bob"}), given(age, literal("30"))}, true, 30, "Bob"},
	} {
		h := begun(t, sql.Update, value.StrictAllTables, &recipe.Write{Set: c.set})
		was := person(1, 30, "Ann")
		changed, err := h.Compute(was)
		if err != nil || changed != c.changed || !bytes.Equal(h.Row[age], number(c.age)) || string(h.Row[name]) != c.name || !bytes.Equal(h.Row[id], number(1)) {
			t.Errorf("%s: changed %v, %v, %q", what, changed, err, h.Row)
		}
		if !bytes.Equal(was[age], number(30)) || string(was[name]) != "Ann" {
			t.Errorf("%s: the row as it was is %q", what, was)
		}
	}
}

// TestTogether: where a session has all assignments see the row as it was, they do.
func TestTogether(t *testing.T) {
	older := &ast.BinaryExpr{Operator: ast.PlusOp, Left: column("age"), Right: literal("1")}
	h := begun(t, sql.Update, 0, &recipe.Write{Set: []recipe.Assignment{computed(age, older), computed(name, column("age"))}})
	h.b.Env.SQLMode = "SIMULTANEOUS_ASSIGNMENT"
	if err := h.Begin(h.of, h.query, h.Write, h.b); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Compute(person(1, 30, "Ann")); err != nil || string(h.Row[name]) != "30" {
		t.Errorf("%v, %q", err, h.Row)
	}
}

// TestComputeNot: what servers have an error or a warning for, in their words; and what becomes of NULL.
func TestComputeNot(t *testing.T) {
	much := &ast.BinaryExpr{Operator: ast.PlusOp, Left: column("age"), Right: literal("100")}
	h := begun(t, sql.Update, value.StrictAllTables, &recipe.Write{Set: []recipe.Assignment{computed(age, much)}})
	_, err := h.Compute(person(1, 30, "Ann"))
	if e, ok := errors.AsType[*sqlerr.Error](err); !ok || e.Number != 1264 || e.Code != 0 {
		t.Errorf("strict: %v", err)
	}
	h = begun(t, sql.Update, 0, &recipe.Write{Set: []recipe.Assignment{computed(age, much)}})
	if changed, err := h.Compute(person(1, 30, "Ann")); err != nil || !changed || !bytes.Equal(h.Row[age], number(127)) || h.b.Notices.Count() != 1 {
		t.Errorf("lenient: %v, %q, %d warnings", err, h.Row, h.b.Notices.Count())
	}
	null := person(1, 30, "Ann")
	null[age] = nil
	if changed, err := h.Compute(null); err != nil || changed || h.Row[age] != nil {
		t.Errorf("of NULL: changed %v, %v, %q", changed, err, h.Row)
	}
}

// TestStamps: a column that takes the time of a change has it in a row that changes, and in no other.
func TestStamps(t *testing.T) {
	h := begun(t, sql.Update, 0, &recipe.Write{Set: []recipe.Assignment{given(age, literal("31"))}, Stamps: []int{moment}})
	if changed, err := h.Compute(person(1, 31, "Ann")); err != nil || changed || !bytes.Equal(h.Row[moment], number(0)) {
		t.Errorf("of a row that does not change: %v, %v, %q", changed, err, h.Row[moment])
	}
	h.b.Env.Value.Now = time.Date(2024, 2, 29, 1, 2, 3, 0, time.UTC)
	changed, err := h.Compute(person(1, 30, "Ann"))
	if err != nil || !changed {
		t.Fatal(changed, err)
	}
	if shown := value.AppendText(nil, &h.stamps[0].Type, h.Row[moment], &h.b.Env.Value); string(shown) != "2024-02-29 01:02:03" {
		t.Errorf("the time of the change is %s", shown)
	}
}

// TestSpells: a value that other rows refer to may become another one, or stay, and not only get another spelling.
func TestSpells(t *testing.T) {
	for to, refused := range map[string]bool{"Ann": false, "Bob": false, "ANN": true} {
		h := begun(t, sql.Update, 0, &recipe.Write{Set: []recipe.Assignment{given(name, &ast.Literal{Type: ast.StrVal, Val: to})}, Spelled: []int{name}})
		if _, err := h.Compute(person(1, 30, "Ann")); (err != nil) != refused {
			t.Errorf("%s: %v", to, err)
		}
	}
}

// TestConcerns: rows that refer to a row follow it if it goes, or if what they refer to changes and may.
func TestConcerns(t *testing.T) {
	h := begun(t, sql.Update, 0, &recipe.Write{Beside: []recipe.Beside{{Changed: []int{name}, Full: []int{age}}}})
	b, row := &h.Followers[0], person(1, 30, "Ann")
	null := person(1, 30, "Bob")
	null[age] = nil
	for what, c := range map[string]struct {
		to   eval.Row
		want bool
	}{
		"deleted":                        {nil, true},
		"another value":                  {person(1, 30, "Bob"), true},
		"no value":                       {eval.Row{row[id], row[age], nil, row[moment]}, true},
		"another column":                 {person(2, 31, "Ann"), false},
		"nothing":                        {row, false},
		"another value, and NULL beside": {null, false},
	} {
		if got := b.Concerns(row, c.to); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
}

// TestUpsert: expressions and values of the row that was to be inserted are of that row, and where it has none
// of a column it has NULL.
func TestUpsert(t *testing.T) {
	h := begun(t, sql.Insert, 0, &recipe.Write{})
	h.of.Operands = append(h.of.Operands, binding.Operand{
		Column: h.of.Columns[age], Use: recipe.Assign, Of: recipe.Operand{Kind: recipe.FromForm, Literal: literal("44")},
	})
	if err := h.of.Operands[0].TakeConstant(); err != nil {
		t.Fatal(err)
	}
	fromNew := recipe.Assignment{Column: age, Given: true, Of: recipe.Operand{Kind: recipe.FromNew}}
	fresh := &ast.ColName{Name: ast.Identifier("age"), Qualifier: ast.TableName{Name: ast.Name(recipe.NewRow)}}
	h.of.Run.Does = &recipe.Insert{Upsert: &recipe.Upsert{Deprecated: 2, Rows: []recipe.UpsertRow{{
		Insert: printed(t, "INSERT INTO person (age) VALUES (1)"), Write: &recipe.Write{Set: []recipe.Assignment{fromNew, computed(name, fresh)}},
		Finds: []recipe.Find{{Key: "by_age", Slots: []recipe.Slot{{Column: age, Of: recipe.Operand{Kind: recipe.FromNew}}, {Column: id}}}},
	}}}}
	u, err := (&Of{Statement: h.of, Rows: h.of}).ReadyUpsert()
	if err != nil {
		t.Fatal(err)
	}
	if u.Deprecated != 2 || u.Numbers || u.NumberAt != -1 || len(u.NewColumns) != 1 || u.NewColumns[0] != age {
		t.Errorf("%+v", u)
	}
	if s := u.Rows[0].Finds[0].Slots; s[0].Operand != 0 || s[1].Operand != -1 {
		t.Errorf("the row is found by other values than its own: %+v", s)
	}
	h.b.Begin(h.of)
	h.Inserted = &u.Rows[0]
	if err := h.Begin(h.of, h.query, u.Rows[0].Write, h.b); err != nil {
		t.Fatal(err)
	}
	v, err := h.Inserted.Value(h.b, h.of.Columns[age].Column, 0)
	if err != nil || !bytes.Equal(v, number(44)) {
		t.Errorf("the new row has %q, %v", v, err)
	}
	if none, err := h.Inserted.Value(h.b, h.of.Columns[name].Column, 0); err != nil || none != nil {
		t.Errorf("the new row has %q for a column without a value, %v", none, err)
	}
	changed, err := h.Compute(append(person(1, 30, "Ann"), v))
	if err != nil || !changed || !bytes.Equal(h.Row[age], number(44)) || string(h.Row[name]) != "44" {
		t.Errorf("%v, %v, %q", changed, err, h.Row)
	}
}

func printed(t *testing.T, text string) *sql.Printed {
	t.Helper()
	all, err := sql.Parse([]byte(text), 0)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := all[0].Tree()
	if err != nil {
		t.Fatal(err)
	}
	p, err := tree.Print(0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
