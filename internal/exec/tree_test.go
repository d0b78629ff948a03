package exec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/budget"
	"tunic/internal/catalog"
	"tunic/internal/environment"
	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/plan/build"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// memory is a database whose tables are in memory. All columns are sealed, so that a
// server would decide nothing of a query, and the rows of its leaves are all there are.
type memory struct {
	t       testing.TB
	catalog *catalog.Catalog
	rows    map[string][]eval.Row
	engine  *Engine
	env     environment.Environment
	leaving func() bool
	// sifts says that rows come through the sieve, as they do of a server.
	sifts bool
	// change changes a Run before it is carried out, which a statement cannot ask for.
	change func(*recipe.Run)
}

func newMemory(t testing.TB, flavor value.Flavor) *memory {
	t.Helper()
	m := &memory{t: t, catalog: catalog.New(false), rows: map[string][]eval.Row{}}
	m.engine = New(Options{Forms: binding.FormsOf{Column: func(*catalog.Column) (binding.Forms, error) { return nil, nil }}}) //nolint:nilnil // nothing is opened
	m.env = environment.Environment{Value: value.Env{Flavor: flavor, Version: 80400}, Connection: collation(t, flavor, "utf8mb4_general_ci"), Reading: environment.Reading{DivPrecision: 4}}
	if flavor == value.MariaDB {
		m.env.Modes, m.env.Value.Version = sql.MariaDB, 101100
	}
	m.env.Client, _ = charset.CharsetByName(flavor, "utf8mb4")
	m.env.Begin()
	return m
}

// table makes a table: a definition is a name and a type, with NOT NULL or not, and a
// row is its values with commas between them.
func (m *memory) table(name string, definitions []string, rows ...string) {
	m.t.Helper()
	n := byte(m.catalog.Len() + 1)
	t := &catalog.Table{ID: catalog.ID{n}, Schema: "shop", Name: name, Twin: fmt.Sprintf("t_%d", n)}
	for i, d := range definitions {
		column, typeText, _ := strings.Cut(d, " ")
		typeText, notNull := strings.CutSuffix(typeText, " NOT NULL")
		typ, err := catalog.TypesOf(m.env.Value.Flavor)(typeText, "utf8mb4_general_ci", notNull)
		if err != nil {
			m.t.Fatal(err)
		}
		id := catalog.ID{n, byte(i + 1)}
		t.Columns = append(t.Columns, catalog.Column{
			ID: id, Domain: id, Name: column, TypeText: typeText, Type: typ, Protection: policy.Protection{Protected: true},
		})
	}
	if err := t.Check(); err != nil {
		m.t.Fatal(err)
	}
	m.catalog = m.catalog.Next(m.catalog.Version+1, nil, []*catalog.Table{t})
	for _, row := range rows {
		m.rows[name] = append(m.rows[name], m.row(t, strings.Split(row, ",")))
	}
}

func (m *memory) row(t *catalog.Table, values []string) eval.Row {
	m.t.Helper()
	row := make(eval.Row, len(values))
	for i, v := range values {
		if v == "NULL" {
			continue
		}
		source := value.StringSource([]byte(v), m.env.Connection)
		canonical, outcome := value.Assign([]byte{}, &t.Columns[i].Type, &source, &m.env.Value)
		if len(outcome.Conditions()) > 0 {
			m.t.Fatalf("%s for %s", v, t.Columns[i].Name)
		}
		row[i] = canonical
	}
	return row
}

// query is the answer to a query: its rows, with commas between the values.
func (m *memory) query(statement string) (rows []string, err error) {
	m.t.Helper()
	st, in := m.statement(statement)
	x := &local.Execution{Inputs: in, Leaving: m.leaving, Rounds: 1000}
	x.Account = budget.Account{Budget: &m.engine.options.Local, Total: &m.engine.reserved, Hint: st.hint}
	defer func() {
		borrowed := borrowedBy(x)
		x.Close()
		if slices.ContainsFunc(borrowed, func(of *local.Execution) bool { return len(of.Borrowed) > 0 }) {
			m.t.Errorf("%s: memory of a pool is still borrowed", statement)
		}
		if n := m.engine.reserved.Load(); n != 0 {
			m.t.Errorf("%s: %d bytes are still reserved", statement, n)
		}
	}()
	answer := &lines{env: &m.env.Value}
	first, err := st.query.Start(x, m.env.EvalSession(), func(p *local.Program) (local.Sink, error) {
		var err error
		answer.items = p.Items
		answer.runs, err = local.StartItems(x, p.Items)
		return answer, err
	})
	if err != nil {
		return nil, err
	}
	if m.sifts {
		first = &sifted{sieve: x.Sieve, to: first}
	}
	if err := m.feed(st, first); err != nil {
		return answer.rows, err
	}
	return answer.rows, nil
}

// borrowedBy are an execution and those that end with it.
func borrowedBy(x *local.Execution) []*local.Execution {
	all := []*local.Execution{x}
	for _, of := range x.Borrowed {
		if inner, ok := of.(*local.Execution); ok {
			all = append(all, borrowedBy(inner)...)
		}
	}
	return all
}

// statement makes a Statement ready.
func (m *memory) statement(text string) (*Statement, eval.Inputs) {
	m.t.Helper()
	var f sql.Fingerprinter
	f.Record(true)
	if !f.Fingerprint([]byte(text), m.env.Modes).Clean {
		m.t.Fatalf("%s: unclean", text)
	}
	all, err := sql.Parse([]byte(text), m.env.Modes)
	if err != nil {
		m.t.Fatalf("%s: %v", text, err)
	}
	tree, err := all[0].TreeWithPlaces(f.Literals())
	if err != nil {
		m.t.Fatalf("%s: %v", text, err)
	}
	run, err := build.Build(tree, m.catalog, "shop", m.env.Modes)
	if err != nil {
		m.t.Fatalf("%s: %v", text, err)
	}
	if m.change != nil {
		m.change(run)
	}
	st, err := m.engine.ready(run)
	if err != nil {
		m.t.Fatalf("%s: %v", text, err)
	}
	b := binding.New()
	b.Env, b.Text, b.Literals = &m.env, []byte(text), f.Literals()
	b.Begin(&st.Statement)
	in, err := b.BindInputs(st.query.Inputs.Singles, st.query.Inputs.Lists)
	if err != nil {
		m.t.Fatalf("%s: %v", text, err)
	}
	return st, in
}

// feed gives the rows of all leaves to a taker, as the fetcher would.
func (m *memory) feed(st *Statement, to local.Sink) error {
	for number, leaf := range st.Run.Tree.Leaves {
		table := st.Run.Tree.Tables[number] // no two of them are joined by the server
		var at []int
		for _, f := range st.Run.Fetch[leaf.From:leaf.To] {
			at = append(at, table.Column(st.Columns[f.Column].Name))
		}
		for _, r := range m.rows[table.Name] {
			var row eval.Row
			for _, i := range at {
				row = append(row, r[i])
			}
			if err := to.Row(append(row, binary.BigEndian.AppendUint64(nil, uint64(number)))); err != nil {
				return err
			}
		}
	}
	return to.End()
}

// lines takes rows as lines.
type lines struct {
	env   *value.Env
	items []local.Item
	runs  []*local.Running
	cells local.Cells
	rows  []string
}

func (l *lines) Row(r eval.Row) error {
	var line []string
	for i := range l.items {
		v, err := l.cells.One(l.runs[i], l.items[i].Column, r)
		if err != nil {
			return err
		}
		text := "NULL"
		if v != nil {
			text = string(value.AppendText(nil, l.items[i].Typ, v, l.env))
		}
		line = append(line, text)
	}
	l.rows = append(l.rows, strings.Join(line, ","))
	return nil
}

func (l *lines) End() error { return nil }

// newShop has people, and what they have bought.
func newShop(t testing.TB, flavor value.Flavor) *memory {
	m := newMemory(t, flavor)
	m.table("p", []string{"id int NOT NULL", "name varchar(10)", "age int", "money decimal(8,2)", "born date"},
		"1,ann,30,1.50,2020-01-01", "2,Bob,NULL,2.50,NULL", "3,cid,30,NULL,2020-02-01", "4,NULL,7,-1.50,2020-01-01")
	m.table("b", []string{"id int NOT NULL", "who bigint", "name varchar(12)", "price decimal(10,3)", "day datetime"},
		"1,1,ANN,1.500,2020-01-01 00:00:00", "2,1,bob ,2.500,2020-01-01 10:00:00", "3,3,x,NULL,NULL", "4,NULL,NULL,30.000,2020-02-01 00:00:00", "5,9,cid,7.125,NULL")
	m.table("none", []string{"id int NOT NULL", "a int"})
	return m
}

// TestTreeAnswers: queries over several tables have the answers that SQL gives them.
func TestTreeAnswers(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MySQL, value.MariaDB} {
		m := newShop(t, flavor)
		for _, c := range treeAnswers {
			rows, err := m.query(c.statement)
			if err != nil {
				t.Errorf("%s\n%v", c.statement, err)
				continue
			}
			want := strings.Fields(c.rows)
			if !ordered(c.statement) {
				slices.Sort(rows)
				slices.Sort(want)
			}
			for i := range rows {
				rows[i] = strings.TrimRight(rows[i], " ")
			}
			if !slices.Equal(rows, want) {
				t.Errorf("%s\n%q, want %q", c.statement, rows, want)
			}
		}
	}
}

// TestSets: INTERSECT and EXCEPT, with and without ALL.
func TestSets(t *testing.T) {
	m := newMemory(t, value.MySQL)
	m.table("l", []string{"a int"}, "1", "1", "1", "2", "NULL", "NULL", "3")
	m.table("r", []string{"a bigint"}, "1", "1", "2", "2", "NULL", "4")
	for operator, want := range map[string]string{
		"INTERSECT":     "1 2 NULL",
		"INTERSECT ALL": "1 1 2 NULL",
		"EXCEPT":        "3",
		"EXCEPT ALL":    "1 3 NULL",
		"UNION":         "1 2 3 4 NULL",
	} {
		rows, err := m.query("SELECT a FROM l " + operator + " SELECT a FROM r")
		slices.Sort(rows)
		if got := strings.Join(rows, " "); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", operator, got, err, want)
		}
	}
}

// TestTreeRefused: what is not known to be the server's answer is refused, and what is
// known to be its error is that.
func TestTreeRefused(t *testing.T) {
	m := newShop(t, value.MySQL)
	m.table("u", []string{"a bigint unsigned", "f bit(3)"})
	for statement, want := range map[string]string{
		"SELECT id FROM p WHERE id > ALL (SELECT a FROM u)":               "TUNIC-2010",
		"SELECT id, f FROM p, u UNION SELECT id, f FROM p, u":             "TUNIC-2010",
		"SELECT id FROM p WHERE age = (SELECT id FROM b)":                 "Subquery returns more than 1 row",
		"SELECT id, (SELECT id FROM b WHERE b.who = p.id) FROM p":         "Subquery returns more than 1 row",
		"SELECT id FROM p WHERE id = 9 OR age = (SELECT id FROM b)":       "TUNIC-2011",
		"SELECT id, (SELECT id FROM b) FROM p ORDER BY id + 1 LIMIT 0":    "TUNIC-2011", // else the LIMIT is the server's
		"SELECT id FROM p WHERE born = (SELECT MAX(name) FROM b)":         "TUNIC-2010",
		"SELECT id FROM p UNION SELECT name FROM b":                       "TUNIC-2010",
		"SELECT p.id FROM p JOIN b ON p.age * 9223372036854775807 > b.id": "TUNIC-2011",
	} {
		if rows, err := m.query(statement); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v, want %s", statement, rows, err, want)
		}
	}
}

// TestTreeBounds: joins and subqueries end, whatever they would look at, and give back
// what they have kept.
func TestTreeBounds(t *testing.T) {
	m := newMemory(t, value.MySQL)
	rows := make([]string, 1000)
	for i := range rows {
		rows[i] = fmt.Sprintf("%d,%d", i, i%10)
	}
	m.table("l", []string{"id int", "a int"}, rows...)
	m.table("r", []string{"id bigint", "a int"}, rows...)
	m.engine.options.Local = budget.Budget{Rows: 4000}.WithDefaults() // 128000 combinations
	combinations := []string{
		"SELECT COUNT(*) FROM l, r",
		"SELECT COUNT(*) FROM l JOIN r ON l.id < r.id",
		"SELECT COUNT(*) FROM l WHERE EXISTS (SELECT 1 FROM r WHERE r.a + l.id < 0)",
		"SELECT COUNT(*) FROM l WHERE id > ALL (SELECT r.id - 1000 FROM r WHERE r.a < l.id)",
		"SELECT COUNT(*) FROM l WHERE id + 0.5 > ALL (SELECT id - 1000 FROM r)",
	}
	for _, s := range combinations {
		if _, err := m.query(s); err == nil || !strings.Contains(err.Error(), "TUNIC-2016") {
			t.Errorf("%s: %v", s, err)
		}
	}
	for s, want := range map[string]string{
		"SELECT COUNT(*) FROM l JOIN r ON l.id = r.id":                                     "1000",
		"SELECT COUNT(*) FROM l WHERE id IN (SELECT id FROM r WHERE a = 1)":                "100",
		"SELECT COUNT(*) FROM l WHERE a = (SELECT MAX(r.a) FROM r WHERE r.id = l.id)":      "1000",
		"SELECT COUNT(*) FROM l WHERE 100 = (SELECT COUNT(*) FROM r WHERE r.a = l.a)":      "1000",
		"SELECT COUNT(*) FROM (SELECT l.id FROM l JOIN r ON r.id = l.id AND r.a < 5) AS d": "500",
	} {
		if rows, err := m.query(s); err != nil || len(rows) != 1 || rows[0] != want {
			t.Errorf("%s: %q, %v, want %s", s, rows, err, want)
		}
	}
	m.engine.options.Local = budget.Budget{Bytes: 60_000}.WithDefaults()
	if _, err := m.query("SELECT l.id FROM l JOIN r ON l.id = r.id"); err == nil || !strings.Contains(err.Error(), "TUNIC-2014") {
		t.Errorf("beyond the bytes: %v", err)
	}
	m.engine.options.Local = budget.Budget{}.WithDefaults()
	asked := 0
	m.leaving = func() bool { asked++; return asked > 2 }
	_, err := m.query("SELECT COUNT(*) FROM l, r")
	if e, ok := errors.AsType[*sqlerr.Error](err); !ok || asked != 3 {
		t.Errorf("nobody waits: %v after %d questions, %v", err, asked, e)
	}
}
