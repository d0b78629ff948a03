package report

import (
	"bytes"
	"context"
	"database/sql"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql" // the driver
	"github.com/google/go-cmp/cmp"

	"tunic/internal/catalog"
	"tunic/internal/config"
	"tunic/internal/keys"
	"tunic/internal/ledger"
	"tunic/internal/policy"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
	"tunic/internal/waittest"
)

var rewrite = flag.Bool("rewrite", false, "write golden files instead of comparing them")

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m, sandboxtest.NoLeaks)) }

// canary is in every value, label, default and comment of these tests.
const canary = "kanari"

// evil is a name that is markup, evilColumn one that ends an attribute.
const (
	evil       = "<script>alert(1)</script>"
	evilColumn = `"><img src=x onerror=alert(2)>`
)

const rules = `
[[policy.rules]]
columns = "shop.bill.iban"
protection = "equality"

[[policy.rules]]
columns = "shop.card.pan"
protection = "sealed"
`

// world is a server, a tunic before it, and what a report of them is made of.
type world struct {
	t             *testing.T
	server, tunic *sql.DB
	options       Options
	flavor        string // of the server, in lower case
	dsn           func(user, password, schema string) string
}

// onServers runs a test before each server, with a schema that has a table of every sort.
func onServers(t *testing.T, test func(*world)) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds tunic")
	}
	sandboxtest.Each(t, func(t *testing.T, s *sandbox.Server) {
		w := start(t, s)
		w.exec(w.tunic, "CREATE DATABASE shop",
			"CREATE TABLE shop.patient (id INT AUTO_INCREMENT PRIMARY KEY, ssn CHAR(11) NOT NULL UNIQUE, sex ENUM('kanari','kanara') DEFAULT 'kanari', born DATE COMMENT 'kanari; tunic: order',"+
				" seen DATETIME COMMENT 'tunic: order/day', name VARCHAR(40), age TINYINT UNSIGNED, notes TEXT COMMENT 'tunic: sealed', room VARCHAR(10) COMMENT 'tunic: plain', KEY by_sex (sex), KEY by_name (name, born))",
			"CREATE TABLE shop.bill (id INT PRIMARY KEY COMMENT 'tunic: plain', iban VARCHAR(34), patient CHAR(11), `of` INT, later INT AS (id + 1), FOREIGN KEY by_number (`of`) REFERENCES patient (id), CONSTRAINT whose FOREIGN KEY (patient) REFERENCES patient (ssn), CHECK (iban <> 'kanaria'))",
			"CREATE TABLE shop.visit (id INT PRIMARY KEY COMMENT 'tunic: plain', day DATE COMMENT 'tunic: equality family all', fee INT NOT NULL DEFAULT 5 COMMENT 'tunic: sealed family all', cause VARCHAR(30) COMMENT 'tunic: sealed family text',"+
				" room CHAR(10) COMMENT 'tunic: sealed family text', UNIQUE KEY at_day (day))",
			"INSERT INTO shop.visit VALUES (1, '2020-02-02', 3, 'kanari', 'kanari'), (2, NULL, 4, NULL, 'kanari')",
			"CREATE VIEW shop.old AS SELECT name FROM shop.patient WHERE name <> 'kanari'",
			"INSERT INTO shop.patient (ssn, sex, born, seen, name, notes, room) VALUES ('kanari1', 'kanari', '1990-01-01', NULL, 'kanari', 'kanari', 'kanari'), ('kanari2', 'kanara', NULL, '2020-01-01', 'kanari', NULL, NULL)",
			"INSERT INTO shop.bill (id, iban, patient) VALUES (1, 'kanari', 'kanari1')",
		)
		w.exec(w.server,
			"CREATE TABLE shop.`"+evil+"` (`"+evilColumn+"` INT PRIMARY KEY, state SET('kanari','kana''ra') COMMENT 'kanari', c CHAR(10) DEFAULT 'kanari', KEY `<b>` (c))",
			"INSERT INTO shop.`"+evil+"` VALUES (1, 'kanari', 'kanari')",
			"CREATE VIEW shop.bare AS SELECT c FROM shop.`"+evil+"`",
			"CREATE PROCEDURE shop.reads() SELECT name FROM shop.patient",
		)
		test(w)
	})
}

// start is a tunic with rules before a server, and a report's options.
func start(t *testing.T, s *sandbox.Server) *world {
	t.Helper()
	if err := s.Exec(t.Context(), "SET foreign_key_checks = 0", "DROP DATABASE IF EXISTS _tunic", "DROP DATABASE IF EXISTS shop"); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "tunic.toml")
	if err := os.WriteFile(file, []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	tunic, err := sandbox.StartTunic(t.Context(), sandbox.TunicOptions{Backend: s.Addr, Protect: true, Dir: dir, Args: []string{"--config", file}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tunic.Stop(); err != nil {
			t.Error(err)
		}
	})
	kek, err := keys.File{Path: filepath.Join(dir, "key")}.KEK(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(config.Sources{File: file, Flags: map[string]string{
		"backend": s.Addr, "listen": "127.0.0.1:3306", "service-user": sandbox.ServiceUser, "key": filepath.Join(dir, "key"),
	}, Environ: []string{"TUNIC_SERVICE_PASSWORD=" + sandbox.ServicePassword}})
	if err != nil {
		t.Fatal(err)
	}
	flavor := map[sandbox.Flavor]value.Flavor{sandbox.MariaDB: value.MariaDB, sandbox.MySQL: value.MySQL}[s.Flavor]
	db := sandboxtest.Open(t, s.DSN(sandbox.ServiceUser, sandbox.ServicePassword, ""))
	return &world{t: t, flavor: strings.ToLower(string(s.Flavor)), dsn: s.DSN, server: sandboxtest.Open(t, s.DSN("root", "root", "")), tunic: sandboxtest.Open(t, tunic.DSN(sandbox.AppUser, sandbox.AppPassword, "")), options: Options{
		DB: db, KeyID: kek.ID(), Config: cfg, Policy: policyOf(t, cfg), Tunic: "v1.2.3", Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Ledger: ledger.Options{DB: db, KEK: kek, Types: catalog.TypesOf(flavor), Log: slog.New(slog.DiscardHandler)},
	}}
}

// policyOf is the policy of the settings.
func policyOf(t *testing.T, cfg *config.Config) *policy.Policy {
	t.Helper()
	p := &policy.Policy{Default: policy.Protection{Protected: true, Allowed: policy.Equality | policy.Order}}
	for _, r := range cfg.Policy.Rules {
		rule, err := policy.ParseRule(r.Columns, r.Protection)
		if err != nil {
			t.Fatal(err)
		}
		rule.Waits = r.Waits
		p.Rules = append(p.Rules, rule)
	}
	return p
}

func (w *world) exec(db *sql.DB, statements ...string) {
	w.t.Helper()
	for _, s := range statements {
		if _, err := db.ExecContext(context.WithoutCancel(w.t.Context()), s); err != nil {
			w.t.Fatalf("%.200s: %v", s, err)
		}
	}
}

func (w *world) gather(change ...func(*Options)) *Report {
	w.t.Helper()
	o := w.options
	for _, c := range change {
		c(&o)
	}
	r, err := Gather(w.t.Context(), o)
	if err != nil {
		w.t.Fatal(err)
	}
	w.silent(r)
	return r
}

// renderings are the three forms of a report, by the endings of their files.
func renderings(t *testing.T, r *Report) map[string]string {
	t.Helper()
	var text, json, html bytes.Buffer
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteJSON(&json); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteHTML(&html); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"txt": text.String(), "json": json.String(), "html": html.String()}
}

// silent holds a report to saying no value, label, default or comment in any form.
func (w *world) silent(r *Report) {
	w.t.Helper()
	for form, text := range renderings(w.t, r) {
		if strings.Contains(text, "kana") {
			w.t.Errorf("the %s has a value", form)
		}
	}
}

// about leaves out what is another one in each run or release of a server.
func about(r *Report) *Report {
	r.Server.Version, r.Server.Address = "1.0", "db:3306"
	r.Keys.Project, r.Keys.KeyID = strings.Repeat("0", 32), strings.Repeat("1", 16)
	r.Keys.MostSealed = 64
	for i := range r.Links {
		r.Links[i].Now = ""
		if r.Links[i].Of == "server" {
			r.Links[i].Address = "db:3306"
		}
	}
	for i := range r.Logs {
		r.Logs[i].Where = regexp.MustCompile(`[^ ]*/`).ReplaceAllString(r.Logs[i].Where, "/")
	}
	return r
}

// TestServers: everything about a report of each server, one after the other.
func TestServers(t *testing.T) {
	onServers(t, func(w *world) {
		for _, part := range []struct {
			name string
			test func(*world)
		}{{"golden", (*world).golden}, {"decisions", (*world).decisions}, {"sample", (*world).sample}, {"asked", (*world).asked}, {"narrow", (*world).narrow}, {"without", (*world).without}} {
			t := w.t
			t.Run(part.name, func(t *testing.T) {
				of := *w
				of.t = t
				part.test(&of)
			})
		}
	})
}

// golden: the three renderings of a schema with everything in it.
func (w *world) golden() {
	r := about(w.gather())
	for ending, got := range renderings(w.t, r) {
		name := filepath.Join("testdata", w.flavor+"."+ending)
		if *rewrite {
			if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
				w.t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil {
			w.t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			w.t.Errorf("%s (-want +got; -rewrite accepts):\n%s", name, diff)
		}
	}
	html := renderings(w.t, r)["html"]
	for _, markup := range []string{evil, "<script", "<img", "<b>b", "onerror=alert(2)>"} {
		if strings.Contains(html, markup) {
			w.t.Errorf("a name is markup: %s", markup)
		}
	}
}

// wanted are the decisions of a report as kind and object.
func wanted(r *Report) (all []string) {
	for _, d := range r.Decisions {
		all = append(all, string(d.Kind)+" "+d.Object)
	}
	return all
}

// decisions: what is done to a database brings a decision, and what is undone takes it away.
func (w *world) decisions() {
	before := wanted(w.gather())
	want := []string{"readable-layer shop.patient.sex", "readable-layer shop.patient.born"}
	if diff := cmp.Diff(want, before); diff != "" {
		w.t.Fatalf("of the schema as it is: %s", diff)
	}
	for _, c := range []struct {
		name     string
		do, undo []string
		change   func(*Options)
		want     string
	}{
		{name: "column", do: []string{"ALTER TABLE shop.bill ADD COLUMN mine INT"}, undo: []string{"ALTER TABLE shop.bill DROP COLUMN mine"}, want: "changed shop.bill"},
		{name: "trigger", do: []string{"CREATE TRIGGER shop.sees BEFORE INSERT ON shop.bill FOR EACH ROW SET NEW.id = NEW.id"}, undo: []string{"DROP TRIGGER shop.sees"}, want: "changed shop.bill"},
		{name: "leftover", do: []string{"ALTER TABLE shop.bill ADD COLUMN `x$eq` INT"}, undo: []string{"ALTER TABLE shop.bill DROP COLUMN `x$eq`"}, want: "leftover-column shop.bill.x$eq"},
		{name: "copied", do: []string{"CREATE TABLE shop.copied LIKE shop.bill"}, undo: []string{"DROP TABLE shop.copied"}, want: "unknown-table shop.copied"},
		{name: "guarded", do: []string{"CREATE TABLE shop.card (pan INT)"}, undo: []string{"DROP TABLE shop.card"}, want: "plain-column shop.card.pan"},
		{name: "annotated", do: []string{"CREATE TABLE shop.card (a INT COMMENT 'tunic: sealed')"}, undo: []string{"DROP TABLE shop.card"}, want: "plain-column shop.card.a"},
		{name: "log", do: []string{"SET GLOBAL general_log = 1"}, undo: []string{"SET GLOBAL general_log = 0"}, want: "log general_log"},
		{name: "slow log", do: []string{"SET GLOBAL slow_query_log = 1"}, undo: []string{"SET GLOBAL slow_query_log = 0"}, want: "log slow_query_log"},
		{name: "does not open", do: []string{"UPDATE shop.bill SET `row$form` = CONCAT(CHAR(1), REVERSE(`row$form`))"}, undo: []string{"DO 1"}, change: func(o *Options) { o.Sample = 100 }, want: "unopened shop.bill.iban"},
		{name: "stricter rule", change: func(o *Options) { o.Policy = stricter(w.t) }, want: "above-policy shop.patient.name"},
		{name: "clients", change: func(o *Options) { o.Config = with(o.Config, func(c *config.Config) { c.Listen = "0.0.0.0:3306" }) }, want: "connection clients"},
		{name: "server", change: func(o *Options) {
			o.Config = with(o.Config, func(c *config.Config) { c.Backend.Address, c.Backend.TLS = "db.example.com:3306", config.TLSRequired })
		}, want: "connection server"},
	} {
		w.exec(w.server, c.do...)
		var change []func(*Options)
		if c.change != nil {
			change = append(change, c.change)
		}
		got := wanted(w.gather(change...))
		if !slices.Contains(got, c.want) {
			w.t.Errorf("%s: %v; want %s", c.name, got, c.want)
		}
		w.exec(w.server, c.undo...)
	}
	if diff := cmp.Diff(before, wanted(w.gather())); diff != "" {
		w.t.Errorf("after all was undone: %s", diff)
	}
}

// asked: a job's reason is a decision, a layer without its key is asked for by nobody, and a job
// that is paused is told of.
func (w *world) asked() {
	w.exec(w.tunic, "CALL tunic.add_layer('shop.patient', 'age', 'equality', 'the ministry asks for it')")
	var r *Report
	waittest.Until(w.t, "the layer is there", func() bool {
		r = w.gather()
		return len(r.Jobs) == 0 && r.Scope.Layers > 0 && form(r, "shop.patient", "age", "equality") != nil
	})
	f := form(r, "shop.patient", "age", "equality")
	if len(f.AskedBy) != 1 || f.AskedBy[0].By != "job" || f.AskedBy[0].Reason != "the ministry asks for it" || f.AskedBy[0].When == nil || f.unasked {
		w.t.Errorf("a job with a reason: %+v", f.AskedBy)
	}
	if slices.Contains(wanted(r), "readable-layer shop.patient.age") {
		w.t.Error("a reason is no decision")
	}
	w.exec(w.tunic, "DROP INDEX by_name ON shop.patient")
	r = w.gather()
	if f := form(r, "shop.patient", "name", "equality"); f == nil || !slices.Contains(wanted(r), "unasked-layer shop.patient.name") {
		w.t.Errorf("without its key: %v", wanted(r))
	}
	if got := w.gather(func(o *Options) { o.Accept = Accept{"unasked-layer:shop.*", "readable-layer"} }); len(got.Decisions) != 0 || len(got.Accepted) < 3 {
		w.t.Errorf("accepted: %v of %v", wanted(got), got.Accepted)
	}
}

// form finds a form of a column.
func form(r *Report, table, column, of string) *Form {
	for i := range r.Tables {
		for j := range r.Tables[i].Columns {
			c := &r.Tables[i].Columns[j]
			for k := range c.Forms {
				if r.Tables[i].FullName() == table && c.Name == column && c.Forms[k].Form == of {
					return &c.Forms[k]
				}
			}
		}
	}
	return nil
}

// sample: values that are read speak for and against layers.
func (w *world) sample() {
	var rows []string
	for i := range 200 {
		rows = append(rows, "('"+canary+string(rune('A'+i%20))+string(rune('a'+i/20))+"', '"+canary+"', '2001-01-01')")
	}
	w.exec(w.tunic, "INSERT INTO shop.patient (ssn, name, born) VALUES "+strings.Join(rows, ", "))
	r := w.gather(func(o *Options) { o.Sample = 1000 })
	for column, want := range map[string]string{"ssn": "key", "name": "sample", "born": "sample", "sex": "sample"} {
		f := form(r, "shop.patient", column, "equality")
		if f == nil || f.Values == nil || f.Values.Basis != want || f.Values.Against != (want == "sample") {
			w.t.Errorf("%s: %+v", column, f)
		}
	}
}

// stricter is a policy that lets a column have less than it has.
func stricter(t *testing.T) *policy.Policy {
	t.Helper()
	rule, err := policy.ParseRule("shop.patient.name", "sealed")
	if err != nil {
		t.Fatal(err)
	}
	return &policy.Policy{Default: policy.Protection{Protected: true, Allowed: policy.Equality | policy.Order}, Rules: []policy.Rule{rule}}
}

// with is a copy of a configuration that is changed.
func with(c *config.Config, change func(*config.Config)) *config.Config {
	next := *c
	change(&next)
	return &next
}

// narrow: an account with the privileges that docs/operating.md lists is enough, and the report says that there
// may be tables that it does not see.
func (w *world) narrow() {
	sandboxtest.Narrow(w.t, func(statement string) { w.exec(w.server, statement) }, "tunic_narrow", "shop")
	w.exec(w.server, "CREATE DATABASE IF NOT EXISTS unseen", "CREATE TABLE unseen.t (a INT)")
	defer w.exec(w.server, "DROP DATABASE unseen", "DROP USER 'tunic_narrow'@'%'")
	all := w.gather()
	db := sandboxtest.Open(w.t, w.dsn("tunic_narrow", "tunic_narrow", ""))
	r := w.gather(func(o *Options) { o.DB, o.Ledger.DB, o.Sample = db, db, 100 })
	if !all.Scope.Whole || r.Scope.Whole || r.Scope.Protected != all.Scope.Protected || len(r.Tables) >= len(all.Tables) {
		w.t.Errorf("an account of few privileges: %+v; of all: %+v", r.Scope, all.Scope)
	}
}

// without: without a ledger, and of a schema that is not there.
func (w *world) without() {
	o := w.options
	o.Schemas = []string{"nothing"}
	if _, err := Gather(w.t.Context(), o); err == nil {
		w.t.Error("a schema that is not there is none")
	}
	only := w.gather(func(o *Options) { o.Schemas = []string{"shop"} })
	if len(only.Tables) != 6 {
		w.t.Errorf("%d tables in the schema", len(only.Tables))
	}
	w.exec(w.server, "DROP DATABASE _tunic")
	r := w.gather()
	if !r.Keys.None || r.Scope.Protected != 0 || r.Scope.Plain < 3 || !slices.Contains(wanted(r), "plain-column shop.bill.iban") {
		w.t.Errorf("without a ledger: %+v, %v", r.Scope, wanted(r))
	}
}
