package outcome

import (
	"strings"
	"testing"

	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

func planned(text string) *plan.Plan {
	return plan.New(plan.Options{}).Plan(new(sql.Fingerprinter), []byte(text), 0, "")
}

// passes is a statement that the server gets and answers.
func passes(c *Counts, text string, r wire.Response) {
	p, before := planned(text), c.FoundNow()
	c.Pass(p)
	c.Passed(before, r.Failed)
	c.Hear(p, &r)
}

// rows is what ROW_COUNT() and FOUND_ROWS() are of, where the server has counted 77.
func rows(l *Last) string {
	var all []string
	for _, of := range []sql.Count{sql.RowCount, sql.FoundRows} {
		text, ok := l.Rows(of, "77")
		if !ok {
			text = []byte("?")
		}
		all = append(all, string(text))
	}
	return strings.Join(all, " ")
}

// TestCounts: who knows what ROW_COUNT() and FOUND_ROWS() are, after what.
func TestCounts(t *testing.T) {
	returned := wire.Response{Returned: true}
	for _, c := range []struct {
		what string
		do   func(l *Last)
		want string
	}{
		{"nothing", func(*Last) {}, "77 77"},
		{"a query of the server's", func(l *Last) { passes(&l.Counts, "SELECT 1", returned) }, "77 77"},
		{"a question of tunic's", func(l *Last) { l.Counts.Disturb() }, "? ?"},
		{"a refusal", func(l *Last) { l.Refuses(sqlerr.StatementUnread()) }, "-1 77"},
		{"a refusal, and a question", func(l *Last) { l.Counts.Disturb(); l.Refuses(sqlerr.StatementUnread()) }, "-1 ?"},
		{"a question, and an INSERT", func(l *Last) {
			l.Counts.Disturb()
			passes(&l.Counts, "INSERT INTO t VALUES (1)", wire.Response{Affected: 3})
		}, "77 ?"},
		{"a question, and a query", func(l *Last) { l.Counts.Disturb(); passes(&l.Counts, "SELECT 1", returned) }, "77 77"},
		{"a question, and a query that fails", func(l *Last) { l.Counts.Disturb(); passes(&l.Counts, "SELECT 1", wire.Response{Failed: true}) }, "77 ?"},
		{"a query into a variable", func(l *Last) { l.Counts.Assign(l.Counts.FoundNow(), false, false, 1) }, "1 1"},
		{"the same, asked for all rows", func(l *Last) { l.Counts.Assign(l.Counts.FoundNow(), false, true, 1) }, "1 ?"},
		{"a SET that tunic carries out", func(l *Last) { l.Counts.Assign(l.Counts.FoundNow(), true, false, 1) }, "0 ?"},
		{"the answer to a question for counts", func(l *Last) { l.Counts.Disturb(); l.Counts.Answered() }, "77 77"},
		{"rows that were lost", func(l *Last) { l.Counts.LoseFound() }, "77 ?"},
		{"a statement that is prepared", func(l *Last) {
			before := l.Counts
			l.Counts.Disturb()
			l.Counts.Prepare(before, false)
		}, "77 77"},
		{"the same, with a question", func(l *Last) {
			passes(&l.Counts, "INSERT INTO t VALUES (1)", wire.Response{Affected: 3})
			l.Counts.Prepare(l.Counts, true)
		}, "3 77"},
	} {
		var l Last
		c.do(&l)
		if got := rows(&l); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
		if l.Counts.Known() == strings.ContainsAny(c.want, "?013-") {
			t.Errorf("%s: known %t", c.what, l.Counts.Known())
		}
	}
}

// TestLast: what there is to say of a statement is past behind the next one, and may be recalled.
func TestLast(t *testing.T) {
	var l Last
	if l.IsOwn() || l.HasPast() {
		t.Error("there is something to say of nothing")
	}
	refusal := sqlerr.StatementUnread()
	l.Refuses(refusal)
	if !l.IsOwn() || !l.IsRefused() || l.IsNoted() || l.Refusal() != refusal {
		t.Error("a refusal is not known")
	}
	if l.Leave(0); l.IsOwn() || !l.HasPast() {
		t.Error("behind the next statement a refusal is not past")
	}
	if l.Recall(); l.Refusal() != refusal || l.HasPast() {
		t.Error("a refusal is not recalled")
	}
	kept := l.Keep()
	l.Anew()
	l.Notes(true)
	l.Counts.Disturb()
	if l.Back(kept); l.Refusal() != refusal || l.IsNoted() || rows(&l) != "-1 77" {
		t.Error("a statement of tunic's own has changed what there is to say")
	}
	l.Begins()
	l.Notes(true)
	if rows, warnings := l.Uncertain(); !rows || !warnings {
		t.Error("the server is taken to know what tunic has carried out")
	}
	l.Leave(2)
	if l.IsPastOver(2) || !l.IsPastOver(3) {
		t.Error("notices of a later statement are taken for the past one's")
	}
	if l.Passes(); l.HasPast() {
		t.Error("what the server has by now is past")
	}
}

// TestConditions: items of GET DIAGNOSTICS that are known, and of which statement.
func TestConditions(t *testing.T) {
	var l Last
	cells := Notice("Error", 1062, []byte("it's"))
	for item, want := range map[string]string{"MYSQL_ERRNO": "CAST(1062 AS UNSIGNED)", "MESSAGE_TEXT": "CONVERT('it''s' USING utf8mb3)", "RETURNED_SQLSTATE": "CONVERT('23000' USING utf8mb3)", "TABLE_NAME": ""} {
		got, ok := l.ConditionItem(nil, item, cells, sql.NoBackslashEscapes)
		if string(got) != want || ok != (want != "") {
			t.Errorf("%s: %s, %t, want %s", item, got, ok, want)
		}
	}
	if l.NamesOnly(cells[1].Bytes) || !l.NamesOnly([]byte("1048")) {
		t.Error("a message with a value in it is taken for one without, or the other way round")
	}
	l.Refuses(&sqlerr.Error{Number: 1062, State: "HY000"})
	if got, _ := l.ConditionItem(nil, "RETURNED_SQLSTATE", cells, 0); string(got) != "CONVERT('HY000' USING utf8mb3)" {
		t.Errorf("the state is %s, not that of the refusal", got)
	}
	for item, want := range map[string]string{"NUMBER": "CAST(2 AS UNSIGNED)", "ROW_COUNT": "-1", "MORE": ""} {
		if got, ok := l.StatementItem(nil, item, 2); string(got) != want || ok != (want != "") {
			t.Errorf("%s: %s, %t, want %s", item, got, ok, want)
		}
	}
}

// TestShown: a LIMIT is of all that there is to say.
func TestShown(t *testing.T) {
	all := [][]wire.Cell{Notice("Note", 1, nil), Notice("Warning", 2, nil), Notice("Error", 3, nil)}
	for _, c := range []struct {
		of   sql.ShownWarnings
		text string
		rows int
	}{
		{sql.ShownWarnings{}, "SHOW WARNINGS", 3},
		{sql.ShownWarnings{Errors: true, Limited: true, Rows: 2}, "SHOW ERRORS", 2},
		{sql.ShownWarnings{Count: true, Limited: true, Offset: 2, Rows: 2}, "SHOW COUNT(*) WARNINGS", 1},
		{sql.ShownWarnings{Limited: true, Offset: 9, Rows: 1<<64 - 1}, "SHOW WARNINGS", 0},
	} {
		w := Shown{c.of}
		if got := len(w.Limit(all)); string(w.All()) != c.text || got != c.rows {
			t.Errorf("%s: %d rows, want %s, %d", w.All(), got, c.text, c.rows)
		}
	}
	cells := Notice("Note", 300, []byte("x"))
	if !InBinary(cells, []wire.ColumnDefinition{{Type: wire.TypeVarString}, {Type: wire.TypeLong}, {Type: wire.TypeVarString}}) || string(cells[1].Bytes) != "\x2c\x01\x00\x00" {
		t.Errorf("a number in binary is %q", cells[1].Bytes)
	}
	if InBinary(cells, []wire.ColumnDefinition{{Type: wire.TypeLong}, {}, {}}) {
		t.Error("a word is taken for a number")
	}
}

// TestPastRefusal: what was refused is asked about behind statements that leave it, unless one may have dropped it.
func TestPastRefusal(t *testing.T) {
	var l Last
	refused := &sqlerr.Error{Number: 1366}
	l.Notes(true)
	l.Refuses(refused)
	l.Leave(1)
	if !l.HasPast() || !l.IsPastRefused() || l.IsOwn() || l.IsDoubted() || l.IsPastOver(0) {
		t.Errorf("left: %+v", l)
	}
	l.Doubts()
	before := l.Keep()
	l.Refuses(&sqlerr.Error{Number: 1235})
	if l.Back(before); !l.IsDoubted() || !l.IsPastRefused() {
		t.Error("a question that is refused takes what it is about")
	}
	l.Recall()
	if l.Refusal() != refused || l.HasPast() || l.IsDoubted() {
		t.Errorf("recalled: %+v", l)
	}
	l.Notes(true)
	l.Leave(2)
	if !l.IsPastOver(0) || l.IsPastOver(2) {
		t.Error("notices that are gone are not told")
	}
	l.Notes(true)
	if l.HasPast() {
		t.Error("a statement with warnings of its own leaves others")
	}
}

// TestPassesOver: on MariaDB statements without tables leave what was refused before them.
func TestPassesOver(t *testing.T) {
	for _, c := range []struct {
		st              plan.Statement
		past, doubtedly bool
	}{
		{plan.Statement{Kind: sql.Select, Tableless: true}, true, false},
		{plan.Statement{Kind: sql.Rollback}, true, false},
		{plan.Statement{Kind: sql.SetOperation}, true, true},
		{plan.Statement{Kind: sql.Select}, false, false},
		{plan.Statement{Kind: sql.Set}, true, false},
		{plan.Statement{Kind: sql.ShowTables}, false, false},
	} {
		var l Last
		l.Refuses(&sqlerr.Error{Number: 1366})
		l.Leave(1)
		l.PassesOver(&plan.Plan{Statements: []plan.Statement{c.st}}, sql.MariaDB)
		if l.HasPast() != c.past || l.IsDoubted() != c.doubtedly {
			t.Errorf("%v: past %t, doubted %t", c.st.Kind, l.HasPast(), l.IsDoubted())
		}
	}
}
