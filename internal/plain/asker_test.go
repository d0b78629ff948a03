package plain

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/policy"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// told is what a server answers questions that begin alike with, and what it was asked.
type told struct {
	answers  map[string][][]*string
	refusals map[string]*sqlerr.Error
	broken   error
	asked    []string
}

func (s *told) ask(question string) ([][]*string, *sqlerr.Error, error) {
	s.asked = append(s.asked, question)
	for begin, refusal := range s.refusals {
		if strings.HasPrefix(question, begin) {
			return nil, refusal, s.broken
		}
	}
	var longest string
	for begin := range s.answers {
		if strings.HasPrefix(question, begin) && len(begin) >= len(longest) {
			longest = begin
		}
	}
	return s.answers[longest], nil, s.broken
}

// texts is a row.
func texts(cells ...string) []*string {
	row := make([]*string, len(cells))
	for i := range cells {
		row[i] = &cells[i]
	}
	return row
}

// asks is an Asker of a server, by a rule that protects the names of patients.
func asks(t *testing.T, s *told) *Asker {
	t.Helper()
	rule, err := policy.ParseRule("shop.patient.name", "equality")
	if err != nil {
		t.Fatal(err)
	}
	return &Asker{
		Ask: s.ask, Response: new(wire.Response), Types: catalog.TypesOf(value.MySQL), Rules: &policy.Policy{Rules: []policy.Rule{rule}},
		Catalog: catalog.New(false),
	}
}

var (
	item    = resolve.Name{Schema: "shop", Table: "item"}
	patient = resolve.Name{Schema: "shop", Table: "patient"}
	noTable = &sqlerr.Error{Number: 1146, State: "42S02", Message: "Table 'shop.item' doesn't exist"}
)

// code is which refusal it is.
func code(e *sqlerr.Error) string {
	if e == nil {
		return "none"
	}
	return strconv.Itoa(int(e.Number)) + " " + e.Code.String()
}

// TestTables: what a plain table is the server says; one with a fence or a guarded column is none. Its definition is
// asked for if it may be written.
func TestTables(t *testing.T) {
	id, name, fence := row("id", "int", "", "NO", "PRI", ""), row("name", "int", "", "YES", "", ""), row(catalog.FencePrefix+"00$1", "int", "", "YES", "", "")
	for what, c := range map[string]struct {
		of      resolve.Name
		columns [][]*string
		refusal *sqlerr.Error // of the server
		want    *sqlerr.Error
		found   bool
	}{
		"a plain table":                   {item, [][]*string{id, name}, nil, nil, true},
		"one that is not there":           {item, nil, noTable, noTable, false},
		"one that is stored for others":   {item, [][]*string{id, fence}, nil, sqlerr.TableUnlisted(""), false},
		"one with a guarded column":       {patient, [][]*string{id, name}, nil, sqlerr.StatementPlain(""), false},
		"one of which nothing is guarded": {patient, [][]*string{id}, nil, nil, true},
		"one that nobody knows":           {item, [][]*string{texts("id", "int")}, nil, nil, false},
	} {
		s := &told{answers: map[string][][]*string{"SHOW FULL COLUMNS": c.columns, "SHOW CREATE TABLE": {texts("item", "CREATE TABLE `item` (\n  `id` int\n) ENGINE=InnoDB")}}}
		if c.refusal != nil {
			s.refusals = map[string]*sqlerr.Error{"SHOW FULL COLUMNS": c.refusal}
		}
		tables, refusal, err := asks(t, s).Tables([]resolve.Name{c.of}, []plan.Statement{{Kind: sql.Select}})
		if code(refusal) != code(c.want) || (len(tables) == 1) != c.found || err != nil || len(s.asked) != 1 {
			t.Errorf("%s: %d tables, refused %s, %v; the server was asked %q", what, len(tables), code(refusal), err, s.asked)
		}
		if !c.found {
			continue
		}
		if tables, _, _ = asks(t, s).Tables([]resolve.Name{c.of}, []plan.Statement{{Kind: sql.Update}}); len(tables) != 1 || tables[0].Definition == "" {
			t.Errorf("%s: no definition of what is written", what)
		}
	}
	s := &told{broken: errors.New("broken")}
	if _, _, err := asks(t, s).Tables([]resolve.Name{item, patient}, nil); err == nil || len(s.asked) != 1 {
		t.Errorf("a server that has gone: %v, asked %q", err, s.asked)
	}
}

// TestMissing: a table that is there is known from then on; one that is not, or that is none for this client, is not.
func TestMissing(t *testing.T) {
	const like, all = "SHOW COLUMNS FROM `shop`.`item` LIKE", "SHOW COLUMNS FROM `shop`.`patient`"
	for what, c := range map[string]struct {
		of      resolve.Name
		answers map[string][][]*string
		refuses bool
		want    *sqlerr.Error
	}{
		"there":                  {item, nil, false, nil},
		"not there":              {item, nil, true, noTable},
		"stored for others":      {item, map[string][][]*string{like: {texts(catalog.FencePrefix + "00$1")}}, false, sqlerr.TableUnlisted("")},
		"guarded":                {patient, map[string][][]*string{all + " LIKE": nil, all: {texts("id"), texts("NAME")}}, false, sqlerr.StatementPlain("")},
		"has no columns to show": {patient, nil, false, sqlerr.StatementPlain("")},
	} {
		s := &told{}
		if c.refuses {
			s.refusals = map[string]*sqlerr.Error{"SHOW COLUMNS": noTable}
		}
		s.answers = c.answers
		var known Known
		a := asks(t, s)
		refusal, err := a.Missing(&known, 1, c.of)
		if code(refusal) != code(c.want) || err != nil || known.Has(c.of, 1, a.Rules) != (c.want == nil) {
			t.Errorf("%s: %s, %v; known %t", what, code(refusal), err, known.Has(c.of, 1, a.Rules))
		}
	}
}

// TestGuarded: words that may name a guarded table are looked up; where the server may have left a table out, nothing
// is known.
func TestGuarded(t *testing.T) {
	const question = "SELECT COLUMN_NAME"
	found := [][]*string{texts("id", "shop", "item"), texts("name", "shop", "patient")}
	skipped := [][]*string{texts("Warning", strconv.Itoa(sqlerr.TableSkipped), "Table was skipped")}
	for what, c := range map[string]struct {
		rows, list [][]*string
		warnings   uint16
		want       string
		refusal    *sqlerr.Error
	}{
		"one is":                     {found, nil, 0, "patient", nil},
		"none is":                    {found[:1], nil, 0, "", nil},
		"a table was left out":       {found[:1], skipped, 1, "", sqlerr.LockWait()},
		"the list is not whole":      {found[:1], nil, 1, "", sqlerr.LockWait()},
		"it warned of another thing": {found[:1], [][]*string{texts("Note", "1", "x")}, 1, "", nil},
	} {
		s := &told{answers: map[string][][]*string{question: c.rows, "SHOW WARNINGS": c.list}}
		a := asks(t, s)
		a.Response.Warnings = c.warnings
		table, ok, refusal, err := a.Guarded("shop", []string{"item", "patient"})
		if table != c.want || ok != (c.want != "") || code(refusal) != code(c.refusal) || err != nil {
			t.Errorf("%s: %q, refused %s, %v", what, table, code(refusal), err)
		}
	}
}
