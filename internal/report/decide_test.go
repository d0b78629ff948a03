package report

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/audit"
	"tunic/internal/ddl/examination"
)

// TestEveryKind: each kind of decision comes of what it is about, and of nothing else; and the page on
// reports has it.
func TestEveryKind(t *testing.T) {
	layer := func(f Form) *Report {
		f.Form = formEquality
		return &Report{Tables: []Table{{Schema: "s", Name: "t", Protected: true, Columns: []Column{{Name: "c", Forms: []Form{f}}}}}}
	}
	table := func(found audit.Table) *Report {
		found.Schema, found.Name = "s", "t"
		g := &gathering{looked: map[string]*audit.Table{"s.t": &found}}
		out := Table{Schema: "s", Name: "t", Protected: true}
		g.found(&out)
		return &Report{Tables: []Table{out}}
	}
	column := func(c Column) *Report {
		c.Name = "c"
		return &Report{Tables: []Table{{Schema: "s", Name: "t", Columns: []Column{c}}}}
	}
	against := &Values{Basis: "sample", Against: true, Says: "few"}
	cases := map[Kind]struct {
		is, not *Report
		object  string
	}{
		Unencrypted: {table(audit.Table{Plain: []audit.Plain{{Column: "c", Next: "encrypt"}}}), table(audit.Table{}), "s.t.c"},
		NotPlain:    {column(Column{guarded: "a rule protects it"}), column(Column{}), "s.t.c"},
		Changed:     {table(audit.Table{Mismatches: []examination.Mismatch{{Of: "key", Name: "k", Problem: "missing"}}}), table(audit.Table{Unchecked: true}), "s.t"},
		Unopened:    {layer(Form{Values: &Values{foreign: true}}), layer(Form{Values: &Values{}}), "s.t.c"},
		Stranger:    {&Report{Strangers: []string{"s.t"}}, &Report{}, "s.t"},
		Weaker:      {column(Column{weaker: "more than the rule"}), column(Column{}), "s.t.c"},
		Readable:    {layer(Form{Values: against, AskedBy: []Asker{{By: "job"}, {By: "key"}}}), layer(Form{Values: against, AskedBy: []Asker{{By: "rule"}}}), "s.t.c"},
		Unasked:     {layer(Form{unasked: true}), layer(Form{}), "s.t.c"},
		NoCheck:     {table(audit.Table{Unchecked: true}), table(audit.Table{}), "s.t"},
		Leftover:    {table(audit.Table{Mismatches: []examination.Mismatch{{Of: "column", Name: "c$eq", Problem: "not made by tunic"}}}), table(audit.Table{}), "s.t.c$eq"},
		Stopped:     {&Report{Jobs: []Job{{Object: "s.t.c", State: "failed"}}}, &Report{Jobs: []Job{{Object: "s.t.c", State: "running"}}}, "s.t.c"},
		Moving:      {table(audit.Table{Changing: true}), table(audit.Table{}), "s.t"},
		OpenLink:    {&Report{Links: []Link{{Of: "server"}}}, &Report{Links: []Link{{Of: "server", Safe: true}, {Of: "clients", Local: true}}}, "server"},
		KeepsText:   {&Report{Logs: []Log{{Name: "general_log", On: true, Literals: true}}}, &Report{Logs: []Log{{Name: "general_log", Literals: true}, {Name: "log_bin", On: true}}}, "general_log"},
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range kinds {
		c, ok := cases[kind]
		if !ok {
			t.Errorf("%s is not tested", kind)
			continue
		}
		c.is.decide(nil)
		if len(c.is.Decisions) != 1 || c.is.Decisions[0].Kind != kind || c.is.Decisions[0].Object != c.object || c.is.Decisions[0].Fix == "" {
			t.Errorf("%s: %+v", kind, c.is.Decisions)
		}
		c.not.decide(nil)
		if slices.ContainsFunc(c.not.Decisions, func(d Decision) bool { return d.Kind == kind }) {
			t.Errorf("%s without a reason: %+v", kind, c.not.Decisions)
		}
		if !strings.Contains(string(page), "\n| `"+string(kind)+"` | ") {
			t.Errorf("docs/report.md has not %s", kind)
		}
	}
}

// TestAccept: a kind alone, or with objects.
func TestAccept(t *testing.T) {
	d := &Decision{Kind: KeepsText, Object: "general_log"}
	for accept, want := range map[string]bool{"log": true, "log:general_log": true, "log:gen*": true, "log:slow*": false, "no-check": false} {
		if a := (Accept{accept}); a.has(d) != want || a.Check() != nil {
			t.Errorf("%s: %v", accept, a.has(d))
		}
	}
	for _, wrong := range []string{"", "logs", ":x"} {
		if (Accept{wrong}).Check() == nil {
			t.Errorf("%q is a kind", wrong)
		}
	}
}

// TestTypeWords: labels are left out of types, and counted.
func TestTypeWords(t *testing.T) {
	for typ, want := range map[string]string{
		"enum('a','b')": "enum of 2 labels", "enum('')": "enum of 1 label", "set('it''s','a,''b''','','''')": "set of 4 labels", "ENUM('x')": "enum of 1 label",
		"varchar(20)": "varchar(20)", "int unsigned": "int unsigned", "": "",
	} {
		if got := typeWords(typ); got != want {
			t.Errorf("%s: %s; want %s", typ, got, want)
		}
	}
}

// TestTextHoldsLines: a name cannot begin a line of the text, nor move the cursor of a terminal.
func TestTextHoldsLines(t *testing.T) {
	r := &Report{Tables: []Table{{Schema: "s", Name: "a\nNothing needs a decision.\x1b[2J", Columns: []Column{}}}}
	var b strings.Builder
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b") || !strings.Contains(b.String(), "s.a?Nothing") {
		t.Error("a name has a line of its own")
	}
}

// TestDocumented: docs/report.md has every field of the JSON form.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[reflect.Type]bool{}
	var walk func(of reflect.Type)
	walk = func(of reflect.Type) {
		for of.Kind() == reflect.Slice || of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct || seen[of] || of == reflect.TypeFor[time.Time]() {
			return
		}
		seen[of] = true
		for i := range of.NumField() {
			f := of.Field(i)
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); f.IsExported() && !strings.Contains(string(page), "`"+name+"`") {
				t.Errorf("%s.%s: %q is not in docs/report.md", of.Name(), f.Name, name)
			}
			if f.IsExported() {
				walk(f.Type)
			}
		}
	}
	walk(reflect.TypeFor[Report]())
}

// TestDecidesReaders: a view of the server's over what is tunic's is told of with its own fix, and does
// not make the table another one than the catalog says.
func TestDecidesReaders(t *testing.T) {
	for _, view := range []bool{false, true} {
		g := &gathering{looked: map[string]*audit.Table{"s.t": {
			Schema: "s", Name: "t", View: view, Mismatches: []examination.Mismatch{{Of: "view", Name: "s.a", Problem: "not made by tunic"}},
		}}}
		out := Table{Schema: "s", Name: "t", View: view, Protected: true}
		g.found(&out)
		r := &Report{Tables: []Table{out}}
		r.decide(nil)
		want := []Decision{{Kind: Changed, Object: "s.t", What: "view s.a is not tunic's, and shows stored forms or no rows of it", Fix: audit.ReaderFix}}
		if diff := cmp.Diff(want, r.Decisions); diff != "" || out.changed {
			t.Errorf("of a view (%v): %s", view, diff)
		}
	}
}
