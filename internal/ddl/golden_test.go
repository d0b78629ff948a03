package ddl

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/service"
	"tunic/internal/sandbox/sandboxtest"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// recorded is what a server has said of twins, by the statements that made them.
type recorded map[string]said

type said struct {
	Facts *definition.Facts `json:",omitempty"`
	Error *sqlerr.Error     `json:",omitempty"`
}

// world is what the pure parts of definitions are tried in: recorded answers in
// the place of a server.
type world struct {
	t       *testing.T
	flavor  value.Flavor
	env     value.Env
	text    *charset.Collation
	known   *catalog.Catalog
	plain   map[string]bool
	answers recorded
	ids     uint64
	server  *service.Connection // asked, and recorded, if there is one
}

var worlds = map[string]struct {
	version   string
	collation string
	mode      value.Mode
}{
	"mariadb": {"10.11.6-MariaDB", "utf8mb4_general_ci", value.StrictTransTables | value.ErrorForDivisionByZero},
	"mysql": {
		"9.7.0", "utf8mb4_0900_ai_ci",
		value.StrictTransTables | value.NoZeroInDate | value.NoZeroDate | value.ErrorForDivisionByZero,
	},
}

// TestCorpus: what becomes of each definition of the corpus, without a server.
func TestCorpus(t *testing.T) {
	for _, of := range flavors {
		t.Run(of.name, func(t *testing.T) {
			for _, file := range corpusFiles(t) {
				name := strings.TrimSuffix(filepath.Base(file), ".sql")
				t.Run(name, func(t *testing.T) {
					w := newWorld(t, of, name)
					var out strings.Builder
					for _, c := range readCorpus(t, file) {
						fmt.Fprintf(&out, "> %s\n%s\n", c.statement, w.define(c))
					}
					golden(t, fmt.Sprintf("testdata/golden/%s.%s", name, of.name), out.String())
				})
			}
		})
	}
}

func newWorld(t *testing.T, of flavorOf, name string) *world {
	t.Helper()
	is := worlds[of.name]
	c, ok := charset.Lookup(of.flavor, is.collation)
	if !ok {
		t.Fatal(is.collation)
	}
	w := &world{
		t: t, flavor: of.flavor, text: c, known: catalog.New(false), plain: map[string]bool{}, answers: recorded{},
		env: value.Env{Flavor: of.flavor, Version: versionNumber(is.version), Mode: is.mode},
	}
	path := fmt.Sprintf("testdata/facts/%s.%s.json", name, of.name)
	if *rewrite {
		if server, ok := sandboxtest.Find(t, of.sandbox); ok {
			w.recordFrom(newBench(t, of.flavor, server), path)
			return w
		}
	}
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &w.answers)
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// recordFrom lets a server give the answers, which are kept in the file of that path.
func (w *world) recordFrom(b *bench, path string) {
	w.t.Helper()
	conn, err := b.db.Conn(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	w.server = &service.Connection{Conn: conn}
	w.t.Cleanup(func() { w.server.Close(); w.keep(path) })
}

// keep writes down what the server has said.
func (w *world) keep(path string) {
	data, err := json.MarshalIndent(w.answers, "", " ")
	if err == nil {
		err = os.WriteFile(path, append(data, '\n'), 0o600)
	}
	if err != nil {
		w.t.Error(err)
	}
}

func (w *world) newID() (id catalog.ID) {
	w.ids++
	binary.BigEndian.PutUint64(id[8:], w.ids)
	return id
}

// ask is what a server does with a twin's statement.
func (w *world) ask(t *definition.Twin) (*definition.Facts, error) {
	if w.server != nil {
		f, _, err := w.server.Make(context.Background(), t)
		said := said{Facts: f}
		said.Error, _ = errors.AsType[*sqlerr.Error](err)
		w.answers[t.Text] = said
	}
	a, ok := w.answers[t.Text]
	if !ok {
		w.t.Fatalf("no answer is recorded; -rewrite asks the servers:\n%s", t.Text)
	}
	if a.Error != nil {
		return nil, a.Error
	}
	return a.Facts, nil
}

// define says what becomes of a definition.
func (w *world) define(c corpusCase) string {
	w.t.Helper()
	stmt, ok := parse(w.t, c.statement, tsql.Modes(0).WithServer(worlds[w.flavorName()].version)).Root().(*ast.CreateTable)
	if !ok || stmt.TableSpec == nil {
		return "  (not by itself)\n"
	}
	d := &definition.Definition{Schema: "shop", Table: stmt.Table.Name.String(), Spec: stmt.TableSpec, Temporary: stmt.Temp, IfNotExists: stmt.IfNotExists}
	if w.flavor == value.MariaDB {
		definition.AdoptJSON(d.Spec)
	}
	r := &definition.Decider{Policy: c.policy, Parents: func(schema, table string) definition.Parent {
		return definition.Parent{Table: w.known.Table(schema, table), Plain: w.plain[table]}
	}}
	if err := r.Decide(d); err != nil {
		return said1(err)
	}
	if !d.Protects() {
		w.plain[d.Table] = true
		return "  forward\n"
	}
	if err := d.Refuse(); err != nil {
		return said1(err)
	}
	t := definition.NewTwin(w.newID(), 1)
	if err := t.Define(d, definition.SchemaDefaults{Charset: "utf8mb4", Collation: w.text.Name}, w.flavor, w.known); err != nil {
		return said1(err)
	}
	f, err := w.ask(t)
	if err != nil {
		return indent("twin", t.Text) + said1(err)
	}
	l, err := t.Compose(d, f, &definition.Surroundings{Env: &w.env, Literals: w.text, Catalog: w.known, NewID: w.newID, Warn: func(value.Level, uint16, string) {}})
	if err != nil {
		return indent("twin", t.Text) + said1(err)
	}
	if w.known.Table("shop", d.Table) == nil && !d.Temporary {
		w.known = w.known.Next(w.known.Version+1, nil, []*catalog.Table{l.Table})
	}
	return indent("twin", t.Text) + indent("definition", l.Table.Definition) + indent("stored", definition.CreateText(d, l.Stored())) + indent("table", describe(l.Table))
}

func (w *world) flavorName() string {
	if w.flavor == value.MariaDB {
		return "mariadb"
	}
	return "mysql"
}

func said1(err error) string { return "  " + err.Error() + "\n" }

func indent(what, text string) string {
	return "  " + what + "\n    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ") + "\n"
}

// describe lists what the catalog says beside the definition.
func describe(t *catalog.Table) string {
	var b strings.Builder
	for i := range t.Columns {
		c := &t.Columns[i]
		fmt.Fprintf(&b, "%s %s", c.Name, c.Protection)
		for _, l := range c.Layers {
			fmt.Fprintf(&b, " %s(%d)", l.Stored, form.TokenBytes(&l, &c.Type))
		}
		if c.Default.Kind == catalog.DefaultValue {
			fmt.Fprintf(&b, " default %x", c.Default.Canonical)
		} else if c.Default.Kind == catalog.DefaultExpression {
			fmt.Fprintf(&b, " default (%s)", c.Default.Text)
		} else if c.Default.Kind != catalog.NoDefault {
			fmt.Fprintf(&b, " default %s", [...]string{catalog.DefaultNull: "null", catalog.DefaultNow: "now", catalog.DefaultServer: "server's"}[c.Default.Kind])
		}
		if c.Domain != c.ID {
			fmt.Fprintf(&b, " domain %x", c.Domain[14:])
		}
		b.WriteString("\n")
	}
	for _, k := range t.Checks {
		fmt.Fprintf(&b, "check %s %s\n", k.Name, k.Clause)
	}
	for i := range t.Keys {
		fmt.Fprintf(&b, "key %s %d", t.Keys[i].Name, t.Keys[i].Kind)
		for _, p := range t.Keys[i].Parts {
			fmt.Fprintf(&b, " %s:%d:%s", p.Column, p.Prefix, p.Layer)
		}
		b.WriteString("\n")
	}
	for _, k := range t.ForeignKeys {
		fmt.Fprintf(&b, "foreign key %s %v %s.%s %v %s %s %v\n", k.Name, k.Columns, k.Schema, k.Table, k.Referenced, k.OnDelete, k.OnRow, k.ReferencedStored)
	}
	return b.String()
}
