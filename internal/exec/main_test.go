package exec

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/config"
	"tunic/internal/crypt"
	"tunic/internal/environment"
	"tunic/internal/keys/keystest"
	"tunic/internal/metrics"
	"tunic/internal/policy"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
)

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m, sandboxtest.NoLeaks)) }

// rig is a server with the schemas plain, whose tables are what an application
// would have, and shop, whose tables are their stored forms; and a gateway that
// carries out what is asked of shop.
type rig struct {
	t       testing.TB
	server  *sandbox.Server
	flavor  value.Flavor
	db      *sql.DB
	ring    *crypt.Ring
	catalog *catalog.Catalog
	engine  *Engine
	target  *backend.Target
	alarms  metrics.Counter
	log     log
	// cutAfter cuts connections to the server after so many bytes; 0 does not.
	cutAfter atomic.Int64
	// spy is that of the sessions at addresses to come; nil for none.
	spy *spy
	// families says that the protected columns of each table are one family.
	families bool
}

// log is what sessions have logged.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// onServers runs a test on each server there is.
func onServers(t *testing.T, test func(t *testing.T, r *rig)) {
	t.Helper()
	sandboxtest.Each(t, func(t *testing.T, s *sandbox.Server) { test(t, newRig(t, s)) })
}

// onServersTwice is onServers, with each protected column sealed by itself and with those of a table in one family.
func onServersTwice(t *testing.T, test func(t *testing.T, r *rig)) {
	t.Helper()
	onServers(t, test)
	t.Run("families", func(t *testing.T) {
		onServers(t, func(t *testing.T, r *rig) {
			r.families = true
			test(t, r)
		})
	})
}

// another is a rig of the same kind, without tables.
func (r *rig) another(t testing.TB) *rig {
	made := newRig(t, r.server)
	made.families = r.families
	return made
}

// stored is the stored column of a protected one that a rig has made.
func (r *rig) stored(column string) string {
	if r.families {
		return "`" + familyStored + "`"
	}
	return column
}

func newRig(t testing.TB, s *sandbox.Server) *rig {
	t.Helper()
	r := &rig{t: t, server: s, flavor: value.MySQL, catalog: catalog.New(false)}
	if s.Flavor == sandbox.MariaDB {
		r.flavor = value.MariaDB
	}
	var err error
	if r.db, err = sql.Open("mysql", s.DSN("root", "root", "test")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.db.Close() })
	for _, schema := range []string{"plain", "shop", catalog.Schema} {
		r.exec("DROP DATABASE IF EXISTS "+schema, "CREATE DATABASE "+schema+" CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
	}
	r.connect()
	return r
}

// connect makes what the gateway stands on.
func (r *rig) connect() {
	t := r.t
	var err error
	if r.target, err = backend.NewTarget(config.Backend{Address: r.server.Addr, TLS: config.TLSPreferred, ConnectTimeout: 10 * time.Second}); err != nil {
		t.Fatal(err)
	}
	service, err := backend.NewService(r.target, config.Service{User: sandbox.ServiceUser, Password: config.NewSecret(sandbox.ServicePassword)})
	if err != nil {
		t.Fatal(err)
	}
	describer := backend.NewDescriber(service)
	t.Cleanup(func() { describer.Close(); _ = service.Close() })
	r.ring = crypt.NewRing(keystest.Tree(t))
	r.engine = New(Options{
		Forms:    binding.FormsOf{Column: func(c *catalog.Column) (binding.Forms, error) { return r.ring.Column(c) }, Family: r.ring.Family},
		Describe: describer, OpenFailures: &r.alarms, Log: slog.New(slog.NewTextHandler(&r.log, nil)),
	})
}

func (r *rig) exec(statements ...string) {
	r.t.Helper()
	for _, s := range statements {
		if _, err := r.db.ExecContext(context.Background(), s); err != nil {
			r.t.Fatalf("%s: %v", s, err)
		}
	}
}

// col is a column of a table of a test.
type col struct {
	name, typ string
	protect   string // as policy.Parse has it
	null      bool
	def       string // of the plain table: a literal, or CURRENT_TIMESTAMP
	extra     string // AUTO_INCREMENT, CHARACTER SET …
	// copies is the column that a stored one copies; the plain table has none of it. like is the
	// table in which that one has the type that this one has, "" for the same table.
	copies, like string
	// bare says that a protected column has a plain form.
	bare bool
}

// table makes a table in all its forms: in plain, as its twin, stored, and in the
// catalog. keys are of the logical table, "PRIMARY KEY (id)"; a unique one over a
// protected column is over its equality layer.
func (r *rig) table(name string, columns []col, keys ...catalog.Key) *catalog.Table {
	r.t.Helper()
	n := byte(r.catalog.Len() + 1)
	t := &catalog.Table{ID: catalog.ID{n}, Schema: "shop", Name: name, Revision: 1, Twin: fmt.Sprintf("t_%d", n), Keys: keys, Fenced: true}
	var logical []string
	for _, c := range columns {
		if c.copies == "" {
			logical = append(logical, c.definition())
		}
	}
	for _, k := range keys {
		logical = append(logical, keyDefinition(&k, func(p catalog.Part) string { return p.Column }))
	}
	body := " (" + strings.Join(logical, ", ") + ") ENGINE=InnoDB"
	r.exec("CREATE TABLE plain."+name+body, "CREATE TABLE "+catalog.Schema+"."+t.Twin+body)
	var stored []string
	for i, c := range columns {
		column, definitions := r.column(name, catalog.ID{n, byte(i + 1)}, c)
		if r.inFamily(columns, c) && column.Protected() {
			column.Family = familyStored
			definitions[0] = "`" + c.name + "` TINYINT GENERATED ALWAYS AS (NULL) VIRTUAL INVISIBLE"
			if column.Backfilling {
				definitions = definitions[1:] // it has no place yet
			}
		}
		t.Columns = append(t.Columns, column)
		stored = append(stored, definitions...)
	}
	stored = append(stored, r.family(t)...)
	for i := range t.Keys {
		k := &t.Keys[i]
		for j := range k.Parts {
			if at := index(t, k.Parts[j].Column); t.Columns[at].Protected() {
				k.Parts[j].Layer = policy.Equality
			}
		}
		stored = append(stored, keyDefinition(k, func(p catalog.Part) string {
			if p.Layer != 0 {
				return catalog.StoredName(p.Column, p.Layer)
			}
			return p.Column
		}))
	}
	if err := t.Check(); err != nil {
		r.t.Fatal(err)
	}
	stored = append(stored, "`"+t.Fence()+"` TINYINT GENERATED ALWAYS AS (NULL) VIRTUAL INVISIBLE")
	r.exec("CREATE TABLE shop." + name + " (" + strings.Join(stored, ", ") + ") ENGINE=InnoDB")
	r.catalog = r.catalog.Next(r.catalog.Version+1, nil, []*catalog.Table{t})
	return t
}

// familyStored is the stored column of the family that a table of a rig with families has.
const familyStored = "row$form"

// inFamily reports whether a column is in the family of its table: all that are protected and take no other's place; and those that
// copy plain ones, of a family that is being filled.
func (r *rig) inFamily(all []col, c col) bool {
	copied := func(of col) bool { return of.name == c.copies && of.protect == "plain" }
	return r.families && c.protect != "" && (c.copies == "" || slices.ContainsFunc(all, copied))
}

// opener is the stored column that has the values of a column, and what makes canonical forms of its cells: nil of NULL.
func (r *rig) opener(t *testing.T, table string, c *catalog.Column) (selected string, open func(cell []byte) ([]byte, error)) {
	t.Helper()
	selected = "`" + c.Stored() + "`"
	of := r.catalog.Table("shop", table)
	f := of.FamilyOf(slices.IndexFunc(of.Columns, func(x catalog.Column) bool { return x.ID == c.ID && x.Name == c.Name }))
	if f == nil {
		made, err := r.ring.Column(c)
		if err != nil {
			t.Fatal(err)
		}
		return selected, func(cell []byte) ([]byte, error) {
			if cell == nil {
				return nil, nil
			}
			return made.AppendOpened([]byte{}, cell)
		}
	}
	family, err := r.ring.Family(of, f)
	if err != nil {
		t.Fatal(err)
	}
	return selected, func(cell []byte) ([]byte, error) {
		_, record, err := family.AppendOpened([]byte{}, cell)
		if err != nil {
			return nil, err
		}
		value, _, _ := record.Value(nil, slices.Index(family.Columns(), c.ID))
		return value, nil
	}
}

// family gives a table the family that its columns name, and is the definition of its stored column; nothing if there is none.
func (r *rig) family(t *catalog.Table) []string {
	r.t.Helper()
	f := catalog.Family{ID: catalog.ID{t.ID[0], 0xff}, Stored: familyStored}
	var members []*catalog.Column
	for _, i := range t.Members(&f) {
		members = append(members, &t.Columns[i])
	}
	if len(members) == 0 {
		return nil
	}
	slices.Reverse(members) // the order of a layout is not that of the table
	written, err := crypt.AppendLayout(nil, members)
	if err != nil {
		r.t.Fatal(err)
	}
	f.Layouts = []catalog.Layout{{Number: 1, Written: written}}
	if f.Bytes, err = crypt.FamilyMost(members); err != nil {
		r.t.Fatal(err)
	}
	null := " NOT NULL"
	if members[0].Backfilling {
		f.Takes, null = "taken$form", " NULL"
	}
	t.Families = []catalog.Family{f}
	return []string{"`" + familyStored + "` LONGBLOB" + null}
}

func index(t *catalog.Table, name string) int {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

func (c col) definition() string {
	s := "`" + c.name + "` " + c.typ + " " + c.extra
	if !c.null {
		return s + " NOT NULL" + c.defaultClause()
	}
	return s + " NULL" + c.defaultClause()
}

func (c col) defaultClause() string {
	if c.def == "" {
		return ""
	}
	return " DEFAULT " + c.def
}

func keyDefinition(k *catalog.Key, column func(catalog.Part) string) string {
	var parts []string
	for _, p := range k.Parts {
		parts = append(parts, "`"+column(p)+"`")
	}
	list := "(" + strings.Join(parts, ", ") + ")"
	switch k.Kind {
	case catalog.Primary:
		return "PRIMARY KEY " + list
	case catalog.Unique:
		return "UNIQUE KEY `" + k.Name + "` " + list
	default:
		return "KEY `" + k.Name + "` " + list
	}
}

// column is a column of the catalog, and the definitions of its stored forms. What
// its type comes to is asked of the server.
func (r *rig) column(table string, id catalog.ID, c col) (catalog.Column, []string) {
	r.t.Helper()
	var typeText string
	var collation sql.NullString
	row := r.db.QueryRowContext(context.Background(),
		"SELECT COLUMN_TYPE, COLLATION_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'plain' AND TABLE_NAME = ? AND COLUMN_NAME = ?", cmp.Or(c.like, table), cmp.Or(c.copies, c.name))
	if err := row.Scan(&typeText, &collation); err != nil {
		r.t.Fatal(err)
	}
	typ, err := catalog.TypesOf(r.flavor)(typeText, collation.String, !c.null)
	if err != nil {
		r.t.Fatalf("%s: %v", typeText, err)
	}
	protection, err := policy.Parse(c.protect)
	if err != nil {
		r.t.Fatal(err)
	}
	column := catalog.Column{
		ID: id, Domain: id, Name: c.name, TypeText: typeText, CollationName: collation.String, Type: typ,
		Protection: protection, AutoIncrement: strings.Contains(c.extra, "AUTO_INCREMENT"), Invisible: strings.Contains(c.extra, "INVISIBLE"),
	}
	if !column.Protected() {
		column.Domain = catalog.ID{}
		if column.Default.Kind = catalog.DefaultServer; c.def == "" && !c.null {
			column.Default.Kind = catalog.NoDefault
		}
		return column, []string{c.definition()}
	}
	r.setDefault(&column, c)
	null := " NOT NULL"
	if c.null || c.copies != "" {
		null = " NULL"
	}
	if c.copies != "" {
		column.Shadows, column.Backfilling, column.Invisible = c.copies, true, true
	}
	sealed := "LONGBLOB"
	if !strings.Contains(typeText, "text") && !strings.Contains(typeText, "blob") && !strings.Contains(typeText, "json") {
		sealed = "VARBINARY(2048)"
	}
	definitions := []string{"`" + c.name + "` " + sealed + null}
	for _, capability := range policy.Each() {
		if !protection.Allowed.Has(capability) {
			continue
		}
		if l, size := r.layer(&column, capability); size > 0 {
			if c.copies != "" {
				l.State, l.Stored = catalog.Backfilling, catalog.StoredName(c.name, capability)
			}
			column.Layers = append(column.Layers, l)
			definitions = append(definitions, fmt.Sprintf("`%s` BINARY(%d)%s", l.Stored, size, null))
		}
	}
	if c.bare {
		l := catalog.Layer{Capability: catalog.PlainForm, Scheme: catalog.AsIs, State: catalog.Backfilling, Nullable: true, Stored: catalog.StoredName(c.name, catalog.PlainForm)}
		column.Layers = append(column.Layers, l)
		definitions = append(definitions, "`"+l.Stored+"` "+c.typ+" "+c.extra+" NULL INVISIBLE")
	}
	return column, definitions
}

// layer is the layer of a capability that fits the column, with the size of its
// tokens; 0 if none fits.
func (r *rig) layer(c *catalog.Column, capability policy.Capabilities) (catalog.Layer, int) {
	for _, scheme := range []catalog.Scheme{catalog.PRP64, catalog.CMAC, catalog.ORD1} {
		l := catalog.Layer{Capability: capability, Scheme: scheme, State: catalog.Ready, Stored: catalog.StoredName(c.Name, capability)}
		tried := *c
		tried.Layers = []catalog.Layer{l}
		made, err := r.ring.Column(&tried)
		if err != nil {
			continue
		}
		token, err := made.AppendToken(nil, capability, value.AppendImplicitDefault(nil, &c.Type))
		if err != nil {
			r.t.Fatal(err)
		}
		return l, len(token)
	}
	return catalog.Layer{}, 0
}

func (r *rig) setDefault(column *catalog.Column, c col) {
	switch {
	case strings.HasPrefix(c.def, "CURRENT_TIMESTAMP"):
		column.Default = catalog.Default{Kind: catalog.DefaultNow, Fraction: column.Type.Decimals}
	case c.def == "" && c.null, strings.EqualFold(c.def, "NULL"):
		column.Default.Kind = catalog.DefaultNull
	case c.def != "":
		b := binding.New()
		env, o := &environment.Environment{}, binding.Operand{}
		env.Value.Flavor = r.flavor
		o.Constant = binding.Constant{Bytes: []byte(strings.Trim(c.def, "'"))}
		b.Env = env
		b.Source = value.StringSource(o.Constant.Bytes, column.Type.Collation)
		if column.Type.Collation == nil {
			b.Source.Collation = collation(r.t, r.flavor, "utf8mb4_general_ci")
		}
		canonical, outcome := value.Assign(nil, &column.Type, &b.Source, &env.Value)
		if outcome.Failed() {
			r.t.Fatalf("%s DEFAULT %s", c.typ, c.def)
		}
		column.Default = catalog.Default{Kind: catalog.DefaultValue, Canonical: canonical}
	}
}
