package answer

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/outcome"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// server answers each question with the same, or does not, and notes what it was asked.
type server struct {
	columns  int
	rows     [][]string
	warnings uint16
	err      error
	asked    []string
}

func (s *server) RowsWarned(text []byte) ([]wire.ColumnDefinition, [][]string, uint16, error) {
	s.asked = append(s.asked, string(text))
	columns := make([]wire.ColumnDefinition, s.columns)
	for i := range columns {
		columns[i].Type = wire.TypeLongLong
	}
	if s.columns == len("lcm") {
		columns[0].Type, columns[1].Type, columns[2].Type = wire.TypeVarString, wire.TypeLong, wire.TypeVarString
	}
	return columns, s.rows, s.warnings, s.err
}

func (s *server) Rows(text []byte) ([]wire.ColumnDefinition, [][]string, error) {
	columns, rows, _, err := s.RowsWarned(text)
	return columns, rows, err
}

// carried has carried out a statement, and says of the server's messages that they are.
type carried struct{ notices binding.Notices }

func (c *carried) Notices() *binding.Notices { return &c.notices }
func (c *carried) TellAgain()                {}
func (c *carried) Translate(_ uint16, message []byte) []byte {
	return append([]byte("logical "), message...)
}

// refused is an outcome of a statement that tunic has refused.
func refused() *outcome.Last {
	l := new(outcome.Last)
	l.Refuses(sqlerr.StatementUnread())
	return l
}

// noted is an outcome of one that it has carried out, with a warning.
func noted() (*outcome.Last, *carried) {
	l, c := new(outcome.Last), new(carried)
	c.notices.Begin(64)
	c.notices.Add(value.Warning, 1265, []byte("Data truncated"))
	l.Notes(true)
	return l, c
}

// said is an answer as text.
func said(a Answer, err error) string {
	if err != nil {
		return err.Error()
	}
	var rows []string
	for _, cells := range a.Rows {
		var row []string
		for _, c := range cells {
			row = append(row, string(c.Bytes))
		}
		rows = append(rows, strings.Join(row, " "))
	}
	return strings.Join(rows, "; ")
}

// TestWarnings: what SHOW WARNINGS and the like answer after a statement that tunic has refused or carried out, where
// the server has a list as well.
func TestWarnings(t *testing.T) {
	e := sqlerr.StatementUnread()
	refusal := said(Answer{Rows: [][]wire.Cell{outcome.Notice("Error", int(e.Number), []byte(e.Message))}}, nil)
	list := [][]string{{"Note", "1051", "Unknown table"}}
	for _, c := range []struct {
		question, asked, afterRefusal, afterWarning string
		columns                                     int
		rows                                        [][]string
	}{
		{"SHOW WARNINGS", "SHOW WARNINGS", refusal, "Warning 1265 Data truncated; Note 1051 logical Unknown table", 3, list},
		{"SHOW WARNINGS LIMIT 1, 5", "SHOW WARNINGS", "", "Note 1051 logical Unknown table", 3, list},
		{"SHOW ERRORS", "SHOW ERRORS", refusal, "", 3, nil},
		{"SHOW COUNT(*) WARNINGS", "SHOW COUNT(*) WARNINGS", "1", "3", 1, [][]string{{"2"}}},
		{"SHOW WARNINGS WHERE Level = 'Note'", "", ErrUnknown.Error(), ErrUnknown.Error(), 3, list},
	} {
		for _, after := range []string{"refusal", "warning"} {
			s := &server{columns: c.columns, rows: c.rows}
			teller, want := &Teller{Last: refused(), Server: s}, c.afterRefusal
			if after == "warning" {
				last, by := noted()
				teller, want = &Teller{Last: last, Server: s, Carried: by}, c.afterWarning
			}
			if got := said(teller.Warnings([]byte(c.question), false)); got != want {
				t.Errorf("%s after a %s: %s, want %s", c.question, after, got, want)
			}
			if c.asked != "" && !slices.Equal(s.asked, []string{c.asked}) {
				t.Errorf("%s: the server was asked %q", c.question, s.asked)
			}
		}
	}
}

// TestBinaryWarnings: numbers are binary in the answer to a statement that is prepared.
func TestBinaryWarnings(t *testing.T) {
	a, err := (&Teller{Last: refused(), Server: &server{columns: 3}}).Warnings([]byte("SHOW WARNINGS"), true)
	if err != nil || !a.Binary || len(a.Rows) != 1 || len(a.Rows[0][1].Bytes) != 4 {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestCounts: what counts are after a statement of tunic's, and who knows them after the answer.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		question string
		prepared bool
		warnings uint16
		want     string
	}{
		{"SELECT ROW_COUNT()", false, 0, "-1"},
		{"SELECT @@warning_count", false, 0, "1"},
		{"SELECT @@error_count", true, 0, "1"},
		{"SELECT @@error_count", true, 1, ErrUnknown.Error()},
		{"SELECT ROW_COUNT() + 1", false, 0, ErrUnknown.Error()},
	} {
		teller := &Teller{Last: refused(), Server: &server{columns: 1, rows: [][]string{{"7"}}, warnings: c.warnings}}
		if got := said(teller.Counts([]byte(c.question), c.prepared, false)); got != c.want {
			t.Errorf("%s: %s, want %s", c.question, got, c.want)
		}
		if answered := c.want != ErrUnknown.Error(); teller.Last.IsRefused() == answered {
			t.Errorf("%s: on MySQL the refusal is over once it was answered, and not before: refused %t", c.question, teller.Last.IsRefused())
		}
	}
	teller := &Teller{Last: refused(), Server: &server{columns: 1, rows: [][]string{{"7"}}}, Modes: sql.MariaDB}
	if got := said(teller.Counts([]byte("SELECT ROW_COUNT()"), false, false)); got != "-1" || !teller.Last.IsRefused() {
		t.Errorf("MariaDB: %s, refused %t", got, teller.Last.IsRefused())
	}
}

// TestNoAnswer: a server that says no is not known; one that has gone ends the session.
func TestNoAnswer(t *testing.T) {
	for _, ask := range []func(*Teller) error{
		func(t *Teller) error { _, err := t.Warnings([]byte("SHOW WARNINGS"), false); return err },
		func(t *Teller) error { _, err := t.Counts([]byte("SELECT ROW_COUNT()"), false, false); return err },
		func(t *Teller) error {
			_, err := t.Diagnose([]byte("GET DIAGNOSTICS CONDITION 1 @a = MYSQL_ERRNO"))
			return err
		},
	} {
		if err := ask(&Teller{Last: refused(), Server: &server{err: backend.ErrAnswered}}); !errors.Is(err, ErrUnknown) {
			t.Errorf("a server that has answered with an error: %v", err)
		}
		err := ask(&Teller{Last: refused(), Server: &server{err: io.ErrUnexpectedEOF}})
		if broken, ok := errors.AsType[*BrokenError](err); !ok || !errors.Is(broken, io.ErrUnexpectedEOF) {
			t.Errorf("a server that has gone: %v", err)
		}
	}
}

// TestDiagnose: what the server sets variables to by itself, and which message it does not get.
func TestDiagnose(t *testing.T) {
	for _, c := range []struct {
		question, want string
		last           *outcome.Last
		carried        *carried
	}{
		{"GET DIAGNOSTICS @n = NUMBER, @r = ROW_COUNT", "SET @`n` = CAST(1 AS UNSIGNED), @`r` = -1", refused(), nil},
		{"GET DIAGNOSTICS CONDITION 2 @n = MYSQL_ERRNO", ErrUnknown.Error(), refused(), nil},
		{"GET DIAGNOSTICS CONDITION 1 @n = CLASS_ORIGIN", ErrUnknown.Error(), refused(), nil},
	} {
		d, err := (&Teller{Last: c.last, Server: &server{columns: 3}}).Diagnose([]byte(c.question))
		got := string(d.Set)
		if err != nil {
			got = err.Error()
		}
		if got != c.want || len(d.Kept) > 0 {
			t.Errorf("%s: %s, kept %d; want %s", c.question, got, len(d.Kept), c.want)
		}
	}
	const message = "Duplicate entry 'canary' for key 'a'"
	last, by := noted()
	by.notices.Begin(64)
	by.notices.Add(value.Error, 1062, []byte(message))
	s := &messages{server{columns: 3}}
	d, err := (&Teller{Last: last, Server: s, Carried: by}).Diagnose([]byte("GET DIAGNOSTICS CONDITION 1 @m = MESSAGE_TEXT, @e = MYSQL_ERRNO"))
	kept := d.Kept["m"]
	if err != nil || string(kept.Source.Bytes) != message || !kept.Secret || kept.Null || !slices.Equal(d.AtServer, []string{"e"}) {
		t.Errorf("kept %+v, at the server %q, %v", kept, d.AtServer, err)
	}
	if all := strings.Join(s.asked, "\n") + string(d.Set); strings.Contains(all, "canary") || strings.Contains(all, "@`m`") {
		t.Errorf("the server gets %s", all)
	}
}

// messages is a server that tells the type of a text.
type messages struct{ server }

func (s *messages) Rows(text []byte) ([]wire.ColumnDefinition, [][]string, error) {
	if !strings.HasPrefix(string(text), "SELECT ") {
		return s.server.Rows(text)
	}
	s.asked = append(s.asked, string(text))
	return []wire.ColumnDefinition{{Type: wire.TypeVarString, Charset: 45}, {}, {}, {}}, [][]string{{"", "0", "", "utf8mb4_general_ci"}}, nil
}

// TestRecall: the outcome before the last is asked about again while the server has its list still, and of what was
// refused, which no server has, only on MariaDB.
func TestRecall(t *testing.T) {
	leave := func(l *outcome.Last, notices int) *outcome.Last { l.Leave(notices); return l }
	one := [][]string{{"Note", "1051", "Unknown table"}}
	for name, c := range map[string]struct {
		notices int // that there were
		rows    [][]string
		err     error
		want    error
		recalls bool
	}{
		"the server has its list":         {1, one, nil, nil, true},
		"the server has none":             {1, nil, nil, nil, false},
		"a statement since had notices":   {2, one, nil, nil, false},
		"the server does not say":         {1, nil, backend.ErrAnswered, nil, false},
		"the server has gone, and is not": {1, nil, io.EOF, io.EOF, false},
	} {
		last, by := noted()
		teller := &Teller{Last: leave(last, c.notices), Server: &server{columns: 3, rows: c.rows, err: c.err}, Carried: by}
		if err := teller.Recall(); !errors.Is(err, c.want) || teller.Last.IsOwn() != c.recalls {
			t.Errorf("%s: %v, recalled %t", name, err, teller.Last.IsOwn())
		}
	}
	teller := &Teller{Last: leave(refused(), 0), Server: &server{err: io.EOF}, Modes: sql.MariaDB}
	if err := teller.Recall(); err != nil || !teller.Last.IsRefused() {
		t.Errorf("what was refused, on MariaDB: %v, refused %t", err, teller.Last.IsRefused())
	}
	teller.Last = leave(refused(), 0)
	teller.Last.Doubts()
	if err := teller.Recall(); !errors.Is(err, ErrUnknown) {
		t.Errorf("in doubt: %v", err)
	}
}

// TestAnswers: which questions can be answered when they are asked, so that they may be prepared.
func TestAnswers(t *testing.T) {
	for text, want := range map[string]bool{
		"SHOW WARNINGS": true, "SHOW COUNT(*) ERRORS": true, "SELECT @@warning_count": true,
		"GET DIAGNOSTICS @n = NUMBER": true, "SELECT ROW_COUNT() + 1": false, "SELECT 1": false,
	} {
		p := plan.New(plan.Options{}).Plan(new(sql.Fingerprinter), []byte(text), 0, "")
		if got := new(Teller).Answers(p, []byte(text)); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
