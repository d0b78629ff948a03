package made

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/dialogue"
	"tunic/internal/environment"
	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// TestRows: rows are shown as they were added, NULL apart from what is empty, until somebody has seen enough.
func TestRows(t *testing.T) {
	var r Rows
	r.Begin(2)
	added := []eval.Row{{[]byte("a"), nil}, {[]byte{}, []byte("bc")}, {nil, nil}}
	scratch := eval.Row{make([]byte, 0, 8), make([]byte, 0, 8)}
	for _, row := range added {
		for i, v := range row {
			if v == nil {
				scratch[i] = nil
			} else {
				scratch[i] = append(make([]byte, 0, 8), v...)
			}
		}
		r.Add(scratch)
		for _, v := range scratch { // the rows are copies
			clear(v)
		}
	}
	if r.Width() != 2 || r.Values() != 6 {
		t.Errorf("%d values a row, %d in all", r.Width(), r.Values())
	}
	seen := 0
	if err := r.Each(func(n int, row eval.Row) error {
		if seen++; n != seen-1 || fmt.Sprintf("%#v", row) != fmt.Sprintf("%#v", added[n]) {
			t.Errorf("row %d: %#v, want %#v", n, row, added[n])
		}
		return nil
	}); err != nil || seen != len(added) {
		t.Errorf("%d rows, %v", seen, err)
	}
	for end, want := range map[error]error{ErrStop: nil, io.EOF: io.EOF} {
		if err := r.Each(func(n int, _ eval.Row) error {
			if n == 1 {
				return end
			}
			return nil
		}); !errors.Is(err, want) {
			t.Errorf("ended by %v: %v", end, err)
		}
	}
	r.End()
	if r.Begin(1); r.Values() != 0 {
		t.Errorf("%d values of a statement before", r.Values())
	}
}

// bound is a binder of an INSERT into a table with a number, a text and a document.
func bound(t *testing.T, strict bool) (*binding.Binder, *binding.Statement) {
	t.Helper()
	utf8mb4, ok := charset.Lookup(value.MySQL, "utf8mb4_bin")
	if !ok {
		t.Fatal("no utf8mb4_bin")
	}
	table := &catalog.Table{Schema: "shop", Name: "item", Columns: []catalog.Column{
		{Name: "id", Type: value.Type{Kind: value.TinyInt}, AutoIncrement: true},
		{Name: "name", Type: value.Type{Kind: value.VarChar, Length: 3, Collation: utf8mb4}},
	}}
	st := &binding.Statement{Run: recipe.Run{Kind: sql.Insert, Table: table, Tables: []*catalog.Table{table}}}
	if err := st.TakeColumns(binding.FormsOf{}); err != nil {
		t.Fatal(err)
	}
	b := binding.New()
	b.Env = &environment.Environment{Connection: utf8mb4, Client: utf8mb4.Charset}
	b.Env.Value = value.Env{Flavor: value.MySQL, Version: 80400}
	if strict {
		b.Env.Value.Mode = value.StrictAllTables
	}
	b.Notices.Begin(64)
	b.Begin(st)
	b.Row = 1
	return b, st
}

// TestMaker: values become what their columns store, as the server would convert them, with what it would say of that.
func TestMaker(t *testing.T) {
	text := func(s string, b *binding.Binder) value.Source {
		return value.Source{Form: value.FormString, Bytes: []byte(s), Collation: b.Env.Connection}
	}
	for what, c := range map[string]struct {
		column int
		source func(*binding.Binder) value.Source
		strict bool
		cuts   bool
		want   string
		code   uint16 // of what is said of it
		fails  bool
	}{
		"a number":              {0, func(*binding.Binder) value.Source { return value.IntSource(7) }, true, false, "7", 0, false},
		"NULL for the next one": {0, func(*binding.Binder) value.Source { return value.NullSource() }, true, false, "", 0, false},
		"too large":             {0, func(*binding.Binder) value.Source { return value.IntSource(700) }, false, false, "127", 1264, false},
		"too large, strict":     {0, func(*binding.Binder) value.Source { return value.IntSource(700) }, true, false, "", 1264, true},
		"a text":                {1, func(b *binding.Binder) value.Source { return text("abc", b) }, true, false, "abc", 0, false},
		"too long":              {1, func(b *binding.Binder) value.Source { return text("abcd", b) }, true, false, "", 1406, true},
		"too long, copied":      {1, func(b *binding.Binder) value.Source { return text("abcd", b) }, true, true, "", 1265, true},
	} {
		b, st := bound(t, c.strict)
		m := Maker{Binder: b, Columns: st.Columns}
		if c.cuts {
			m.Cuts = []bool{true, true}
		}
		m.Begin()
		source := c.source(b)
		got, err := m.Assign(c.column, &source)
		if (err != nil) != c.fails {
			t.Errorf("%s: %v", what, err)
		}
		if err == nil && c.want != "" {
			if shown := string(value.AppendText(nil, &m.Columns[c.column].Type, got, &b.Env.Value)); shown != c.want {
				t.Errorf("%s: %s, want %s", what, shown, c.want)
			}
		}
		if err == nil && c.want == "" && got != nil {
			t.Errorf("%s: %q for NULL", what, got)
		}
		var codes []uint16
		for _, n := range b.Notices.All() {
			codes = append(codes, n.Code)
		}
		if c.code == 0 && len(codes) > 0 || c.code != 0 && !slices.Equal(codes, []uint16{c.code}) {
			t.Errorf("%s: said %d, want %d", what, codes, c.code)
		}
	}
}

// TestCutsAsCopy: MySQL alone copies between columns of one kind and character set without looking at the values.
func TestCutsAsCopy(t *testing.T) {
	bin, _ := charset.Lookup(value.MySQL, "utf8mb4_bin")
	general, _ := charset.Lookup(value.MySQL, "utf8mb4_general_ci")
	latin, _ := charset.Lookup(value.MySQL, "latin1_bin")
	of := func(k value.Kind, c *charset.Collation) *value.Type { return &value.Type{Kind: k, Collation: c} }
	for _, c := range []struct {
		from, to *value.Type
		flavor   value.Flavor
		want     bool
	}{
		{of(value.VarChar, bin), of(value.VarChar, general), value.MySQL, true},
		{of(value.VarChar, bin), of(value.VarChar, general), value.MariaDB, false},
		{of(value.VarChar, bin), of(value.VarChar, latin), value.MySQL, false},
		{of(value.VarChar, bin), of(value.Char, bin), value.MySQL, false},
		{of(value.Binary, nil), of(value.Binary, nil), value.MySQL, true},
		{of(value.Int, nil), of(value.Int, nil), value.MySQL, false},
	} {
		if got := CutsAsCopy(c.from, c.to, c.flavor); got != c.want {
			t.Errorf("%v to %v: %t", c.from.Kind, c.to.Kind, got)
		}
	}
}

// counter is a server whose sequences begin with 1.
type counter struct {
	next  int
	asked []int // how many at a time
	err   error
	tells func(n int) string
}

func (s *counter) Rows(text []byte) ([]wire.ColumnDefinition, [][]string, error) {
	if s.err != nil {
		return nil, nil, s.err
	}
	n := strings.Count(string(text), "NEXTVAL")
	row := make([]string, n)
	for i := range row {
		s.next++
		row[i] = s.tells(s.next)
	}
	s.asked = append(s.asked, n)
	return nil, [][]string{row}, nil
}

// TestDrawSequences: values of sequences are drawn in the order of the rows that have them, no more at a time than a query
// may have columns; what the server does not tell as a number fails the statement.
func TestDrawSequences(t *testing.T) {
	run := &recipe.Run{Does: &recipe.Insert{Rows: &recipe.TextRows{Sequences: []recipe.Sequence{
		{Ask: "NEXTVAL(a)", Row: 0, Group: -1}, {Ask: "NEXTVAL(b)", Row: 0, Group: -1}, {Ask: "NEXTVAL(a)", Row: 1, Group: 5}, {Ask: "NEXTVAL(b)", Row: 1, Group: 5},
	}}}}
	numbers := func(n int) string { return fmt.Sprint(n) }
	b := binding.New()
	b.ElementCount = func(int) int { return 600 }
	s := &counter{tells: numbers}
	if err := DrawSequences(s, b, run); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.asked, []int{drawnMax, 202}) {
		t.Errorf("asked for %d", s.asked)
	}
	for at, want := range map[[2]int]int64{{0, 0}: 1, {1, 0}: 2, {2, 0}: 3, {3, 0}: 4, {2, 599}: 1201, {3, 599}: 1202} {
		if got := int64(b.Drawn[at[0]][at[1]].Number); got != want {
			t.Errorf("sequence %d, row %d: %d, want %d", at[0], at[1], got, want)
		}
	}
	b.ElementCount = func(int) int { return 1 }
	if err := DrawSequences(&counter{tells: func(int) string { return "" }}, b, run); err != nil || b.Drawn[0][0].Form != value.FormNull {
		t.Errorf("a sequence that has no value yet: %v", err)
	}
	if err := DrawSequences(&counter{tells: func(int) string { return "x" }}, b, run); err == nil {
		t.Error("what is no number was taken")
	}
	if err := DrawSequences(&counter{err: io.EOF}, b, run); !errors.As(err, new(*dialogue.BrokenError)) {
		t.Errorf("a server that has gone: %v", err)
	}
	full := &backend.AnswerError{Err: wire.Err{Number: 4084, State: "HY000", Message: []byte("Sequence has run out")}}
	if err := DrawSequences(&counter{err: full}, b, run); err == nil || !strings.Contains(err.Error(), "run out") {
		t.Errorf("a sequence that has run out: %v", err)
	}
	if err := DrawSequences(&counter{err: io.EOF}, b, &recipe.Run{}); err != nil || b.Drawn != nil {
		t.Errorf("a statement without sequences: %v", err)
	}
}
