package columns

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/explanation"
	"tunic/internal/plan/plantest"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// of are the columns of a table of the tests' catalog.
func of(t *testing.T, table string) *Of {
	t.Helper()
	return Named(plantest.Tables(t).Table("test", table), table)
}

func parsed[S ast.Statement](t *testing.T, text string) S {
	t.Helper()
	read, err := sql.Parse([]byte(text), plantest.MariaDB)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	tree, err := read[0].Tree()
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	root, ok := tree.Root().(S)
	if !ok {
		t.Fatalf("%s is a %T", text, tree.Root())
	}
	return root
}

// condition is a WHERE over the table.
func condition(t *testing.T, text string) *ast.Where {
	t.Helper()
	return parsed[*ast.Select](t, "SELECT 1 FROM x WHERE "+text).Where
}

// names are columns by their numbers, of which -1 is none.
func names(o *Of, columns ...int) string {
	var all []string
	for _, i := range columns {
		if i < 0 {
			all = append(all, "none")
			continue
		}
		all = append(all, o.At(i).Name)
	}
	return strings.Join(all, " ")
}

// TestProtected: a protected column is one by its own name, with its table's or without, and no expression over it.
func TestProtected(t *testing.T) {
	person := of(t, "person")
	for text, want := range map[string]string{
		"name": "name", "person.age": "age", "id": "none", "town": "none", "other.name": "none", "nobody": "none", "name + 1": "none",
	} {
		if got := names(person, person.Protected(condition(t, text).Expr)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if got := names(person, person.ProtectedIn(condition(t, "age + id > 1 AND (name = town OR age IS NULL)"))...); got != "age name" {
		t.Errorf("protected in a condition: %s", got)
	}
	for text, want := range map[string]bool{
		"SELECT town FROM person": false, "SELECT 1 FROM person WHERE town = 'a'": false, "SELECT 1 FROM person ORDER BY note": true, "SELECT nobody FROM person": true,
	} {
		if got := person.AnyProtected(parsed[*ast.Select](t, text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// TestDerived: what is selected is of a protected column if one is in it, or a name that means none.
func TestDerived(t *testing.T) {
	person := of(t, "person")
	var items []recipe.Item
	for _, text := range []string{"name", "UPPER(name)", "town", "id + 1", "1", "nobody"} {
		items = append(items, recipe.Item{Expr: condition(t, text).Expr})
	}
	if got, want := person.Derived(items), []bool{true, true, false, false, false, true}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestKinds: dates may lack a month, and moments hang on a zone.
func TestKinds(t *testing.T) {
	visit, log := of(t, "visit"), of(t, "log")
	if day := visit.Table.Column("day"); !visit.IsDate(day) || visit.IsMoment(day) {
		t.Error("a DATE")
	}
	if at := log.Table.Column("at"); log.IsDate(at) || !log.IsMoment(at) {
		t.Error("a TIMESTAMP")
	}
}

// TestUnqualified: columns of the table lose its name, and others keep theirs.
func TestUnqualified(t *testing.T) {
	n := parsed[*ast.Select](t, "SELECT person.*, person.name, other.name FROM person")
	person := of(t, "person")
	said := func(list *ast.SelectExprs) string {
		p, err := sql.NewTree(&ast.Select{SelectExprs: list, From: n.From}, nil).Print(plantest.MariaDB)
		if err != nil {
			t.Fatal(err)
		}
		return p.String()
	}
	before := said(n.SelectExprs)
	if got := said(person.Unqualified(n.SelectExprs)); !strings.Contains(got, "select *, `name`, `other`.`name`") {
		t.Errorf("got %s", got)
	}
	if said(n.SelectExprs) != before {
		t.Error("the client's own list has changed")
	}
	if got := person.StarsOf(n.SelectExprs.Exprs); !slices.Equal(got, []int{len(person.Table.Columns)}) {
		t.Errorf("* stands for %v columns", got)
	}
}

// TestLayers: which layer compares a column's values exactly, which is only around them, and which tells them apart.
func TestLayers(t *testing.T) {
	stored := func(l *catalog.Layer) string {
		if l == nil {
			return "none"
		}
		return l.Stored
	}
	for _, c := range []struct{ table, column, equal, less, around, distinguishes string }{
		{"person", "name", "name$eq", "none", "name$ord", "none"},
		{"person", "age", "age$eq", "age$ord", "none", "age$eq"},
		{"person", "note", "none", "none", "none", "none"},
		{"visit", "day", "none", "none", "day$ord", "none"},
		{"visit", "fee", "fee$eq", "none", "fee$ord", "fee$eq"},
		{"bill", "due", "due$ord", "due$ord", "none", "due$eq"},        // the key is over the order layer
		{"bill", "total", "total$eq", "total$ord", "none", "total$eq"}, // keys are over both
		{"sbtest1", "k", "k$eq", "none", "none", "k$eq"},
	} {
		o := of(t, c.table)
		i := o.Table.Column(c.column)
		got := [4]string{stored(o.LayerFor(i, recipe.Equal)), stored(o.LayerFor(i, recipe.Less)), stored(o.LayerAround(i)), stored(o.Distinguishes(i))}
		if want := [4]string{c.equal, c.less, c.around, c.distinguishes}; got != want {
			t.Errorf("%s.%s: %v, want %v", c.table, c.column, got, want)
		}
	}
	if of(t, "person").LayerAround(-1) != nil {
		t.Error("a layer is around no column")
	}
	visit := of(t, "visit")
	fee := visit.Table.Column("fee")
	if !visit.KeyedAround(fee, visit.At(fee).Layer(policy.Equality)) || visit.KeyedAround(fee, visit.At(fee).Layer(policy.Order)) {
		t.Error("a key is over the order layer around fee, and none over its equality layer")
	}
}

// TestNullIndicator: a layer that rows are found by is NULL where its column is, and the one with a key goes first; a column
// without such a layer has its sealed form.
func TestNullIndicator(t *testing.T) {
	for column, want := range map[string]string{
		"person.name": "name$eq", "person.note": "note", "person.age": "age$eq", "visit.day": "day$ord", "visit.fee": "fee$ord", "bill.due": "due$ord", "bill.total": "total$eq",
	} {
		table, name, _ := strings.Cut(column, ".")
		o := of(t, table)
		if got := o.NullIndicator(o.Table.Column(name)).Name.String(); got != want {
			t.Errorf("%s: %s, want %s", column, got, want)
		}
	}
	for _, l := range []catalog.Layer{{State: catalog.Backfilling}, {State: catalog.Retiring}, {State: catalog.Ready, Late: true}} {
		late := Named(&catalog.Table{Columns: []catalog.Column{{Name: "c"}}}, "t")
		l.Capability, l.Stored = policy.Equality, "c$eq"
		late.Table.Columns[0].Layers = []catalog.Layer{l}
		if got := late.NullIndicator(0).Name.String(); got != "c" {
			t.Errorf("%+v: %s", l, got)
		}
	}
}

// TestReady: rows are found by a layer that all of them have; in every transaction, if none is older than it.
func TestReady(t *testing.T) {
	for _, c := range []struct {
		layer         *catalog.Layer
		ready, filled bool
	}{
		{nil, false, false},
		{&catalog.Layer{State: catalog.Ready}, true, true},
		{&catalog.Layer{State: catalog.Ready, Late: true}, false, true},
		{&catalog.Layer{State: catalog.Backfilling}, false, false},
	} {
		if ready, filled := Ready(c.layer) != nil, Filled(c.layer) != nil; ready != c.ready || filled != c.filled {
			t.Errorf("%+v: %v, %v", c.layer, ready, filled)
		}
	}
}

// TestStoredNames: a column is stored in its sealed form and its layers; a representative of a group is any sealed
// form, if the tokens tell values apart.
func TestStoredNames(t *testing.T) {
	person := of(t, "person")
	name, age := person.Table.Column("name"), person.Table.Column("age")
	var all []string
	for _, n := range person.StoredNames([]int{0, name, age}) {
		all = append(all, n.String())
	}
	if got := strings.Join(all, " "); got != "id name name$eq name$ord age age$eq age$ord" {
		t.Errorf("stored columns: %s", got)
	}
	by := []ast.Expr{condition(t, "name").Expr, condition(t, "age").Expr}
	if got := person.Representative(by[1], by); got == nil || recipe.Phrase(got) != "min(`age`)" {
		t.Errorf("of age: %v", got)
	}
	if person.Representative(by[0], by) != nil || person.Representative(by[1], by[:1]) != nil {
		t.Error("a text, or what rows are not grouped by, has a representative")
	}
}

// TestSets: what an UPDATE's assignments say of rows.
func TestSets(t *testing.T) {
	log, person, bill := of(t, "log"), of(t, "person"), of(t, "bill")
	set := func(o *Of, column string, to string, given bool) recipe.Assignment {
		return recipe.Assignment{Column: o.Table.Column(column), To: condition(t, to).Expr, Given: given}
	}
	at := log.Table.Column("at")
	if got := log.Stamps([]recipe.Assignment{set(log, "line", "1", true)}); !slices.Equal(got, []int{at}) {
		t.Errorf("stamps: %v", got)
	}
	if got := log.Stamps([]recipe.Assignment{set(log, "at", "1", true)}); got != nil {
		t.Errorf("stamps of a statement that sets them: %v", got)
	}
	for _, c := range []struct {
		set  recipe.Assignment
		want bool
	}{
		{set(person, "name", "1", true), true}, {set(person, "name", "town", false), false},
		{set(person, "town", "id", false), true}, {set(person, "town", "name", false), false},
	} {
		if got := person.Constants([]recipe.Assignment{c.set}); got != c.want {
			t.Errorf("%s = %s: constants %v", names(person, c.set.Column), recipe.Phrase(c.set.To), got)
		}
	}
	age := map[int]bool{person.Table.Column("age"): true}
	if !person.Reads(condition(t, "id = age + 1").Expr, age) || person.Reads(condition(t, "id = 1 OR name = 'a'").Expr, age) {
		t.Error("what a condition reads")
	}
	bill.Table.Definition = "CREATE TABLE `bill` (\n) ENGINE=InnoDB"
	id, rest := []recipe.Assignment{set(bill, "id", "1", true)}, []recipe.Assignment{set(bill, "rest", "1", true)}
	if !bill.SetsPrimary(id, condition(t, "rest > 1")) || bill.SetsPrimary(rest, condition(t, "rest > 1")) || bill.SetsPrimary(id, condition(t, "number = 1")) {
		t.Error("a statement sets the primary key if it does, and does not find its row by a unique key")
	}
}

// TestStaysInOrder: MariaDB leaves out what rows are in order of if WHERE says that it is equal to something.
func TestStaysInOrder(t *testing.T) {
	person := of(t, "person")
	for _, c := range []struct {
		where, by string
		want      bool
	}{
		{"id = 1", "id", false}, {"id > 1", "id", true}, {"id > 1 AND id = 2", "id", false}, {"id + 0 > 1", "id", false}, {"id = 1", "id, town", true},
		{"nobody = 1", "id", false}, {"town = 'a'", "UPPER(town)", false},
	} {
		by := parsed[*ast.Select](t, "SELECT 1 FROM x ORDER BY "+c.by).OrderBy
		if got := person.StaysInOrder(condition(t, c.where), by); got != c.want {
			t.Errorf("%s in order of %s: %v", c.where, c.by, got)
		}
	}
}

// TestTries: one layer is tried before several, and equality before order; layers that are there are not, and no more
// than so many columns are looked at.
func TestTries(t *testing.T) {
	c := plantest.Tables(t)
	sbtest := of(t, "sbtest1")
	said := func(o *Of, text string) string {
		var all []string
		for _, try := range o.Tries(condition(t, text)) {
			var one []string
			for _, a := range try {
				one = append(one, o.At(a.Column).Name+" "+recipe.CapabilityNames[a.Layer])
			}
			all = append(all, strings.Join(one, " + "))
		}
		return strings.Join(all, ", ")
	}
	for text, want := range map[string]string{
		"id = 1": "", "k = 1": "k order",
		"c = pad": "pad equality, c equality, pad order, c order, c equality + pad equality, c equality + pad order, c order + pad equality, c order + pad order",
	} {
		if got := said(sbtest, text); got != want {
			t.Errorf("%s: %s\nwant %s", text, got, want)
		}
	}
	bill := Named(WithLayers(c.Table("test", "bill"), nil), "bill")
	for i := range bill.Table.Columns {
		bill.Table.Columns[i].Layers = nil
	}
	if got := bill.Tries(condition(t, "number + total + rest > 1")); len(got) != 26 {
		t.Errorf("%d tries of three columns", len(got))
	}
	if got := bill.Tries(condition(t, "number + total + rest > 1 AND due > '2000-01-01'")); got != nil {
		t.Errorf("%d tries of four columns", len(got))
	}
}

// TestMissing: a layer that is being filled is missing still, and with it the column has it.
func TestMissing(t *testing.T) {
	person := of(t, "person")
	note := person.Table.Column("note")
	a, ok := person.Missing(note, policy.Equality)
	if !ok || a.Allowed || a.Backfilling || a.Price.Bytes == 0 {
		t.Errorf("of note: %+v, %v", a, ok)
	}
	if _, ok := person.Missing(person.Table.Column("age"), policy.Order); ok {
		t.Error("a layer that is there is missing")
	}
	a.Column = note
	with := person.With([]explanation.Advice{a})
	if l := with.LayerFor(note, recipe.Equal); l == nil || person.LayerFor(note, recipe.Equal) != nil {
		t.Errorf("with the layer: %v; without: %v", l, person.LayerFor(note, recipe.Equal))
	}
	with.At(note).Layers[0].State = catalog.Backfilling
	if a, ok := with.Missing(note, policy.Equality); !ok || !a.Backfilling {
		t.Errorf("of one that is being filled: %+v, %v", a, ok)
	}
	if use, err := with.UseOf(condition(t, "note").Expr); err != nil || use != resolve.Protected {
		t.Errorf("names mean something else: %v, %v", use, err)
	}
}
