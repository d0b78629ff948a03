package recall

import (
	"bytes"
	"fmt"
	"testing"

	"tunic/internal/catalog"
)

var table = &catalog.Table{ID: catalog.ID{1}, Revision: 1, Schema: "shop", Name: "stock"}

// keep keeps a row with forms in the columns from 0 on.
func (r *Rows) keep(t *catalog.Table, key string, forms ...string) {
	r.Take(t)
	if r.Comes() {
		for i, form := range forms {
			r.Cell(i, []byte(form), form == "NULL")
		}
	}
	r.Keep([]byte(key))
}

// has is what is known of a row, column by column.
func (r *Rows) has(t *catalog.Table, key string) (all string) {
	row := r.Find(t, []byte(key))
	if row == nil {
		return "nothing"
	}
	for i := range 4 {
		switch form, ok := row.Cell(i); {
		case !ok:
			all += "-"
		case form == nil:
			all += "NULL"
		default:
			all += string(form)
		}
		all += " "
	}
	return all
}

// TestRows: a row is found by its table, as it is defined, and its key, with what was read of it last and what is known besides.
func TestRows(t *testing.T) {
	var r Rows
	other, changed := *table, *table
	other.ID[0], changed.Revision = 2, 2
	r.keep(table, "1", "a", "NULL", "")
	r.keep(table, "2", "b")
	for _, c := range []struct {
		of        *catalog.Table
		key, want string
	}{{table, "1", "a NULL  - "}, {table, "2", "b - - - "}, {table, "3", "nothing"}, {table, "", "nothing"}, {&other, "1", "nothing"}, {&changed, "1", "nothing"}} {
		if got := r.has(c.of, c.key); got != c.want {
			t.Errorf("%x %d, %s: %q, want %q", c.of.ID[:1], c.of.Revision, c.key, got, c.want)
		}
	}
	r.keep(table, "1", "NULL", "c")
	if got := r.has(table, "1"); got != "NULL c  - " {
		t.Errorf("read again it has %q", got)
	}
	r.Change(table)
	r.Cell(1, []byte("d"), false)
	r.Cell(3, nil, true)
	r.Cell(3, []byte("e"), false)
	r.Keep([]byte("1"))
	if got := r.has(table, "1"); got != "NULL d  e " {
		t.Errorf("written it has %q", got)
	}
	if r.Remove(table, []byte("1")); r.has(table, "1") != "nothing" || r.has(table, "2") == "nothing" {
		t.Error("another row than one is let go of")
	}
}

// TestNotKept: nothing becomes of a row that has not come, has come twice, or was let go of before it was whole.
func TestNotKept(t *testing.T) {
	var r Rows
	for what, take := range map[string]func(){
		"not begun":   func() {},
		"not come":    func() { r.Take(table) },
		"no cells":    func() { r.Take(table); r.Comes() },
		"come twice":  func() { r.Take(table); r.Comes(); r.Cell(0, []byte("a"), false); r.Comes() },
		"discarded":   func() { r.Take(table); r.Comes(); r.Cell(0, []byte("a"), false); r.Discard() },
		"forgotten":   func() { r.Take(table); r.Comes(); r.Cell(0, []byte("a"), false); r.Forget() },
		"long":        func() { r.Take(table); r.Comes(); r.Cell(0, make([]byte, rowBytesMost), false) },
		"long beside": func() { r.Take(table); r.Comes(); r.Cell(0, make([]byte, rowBytesMost), false); r.Cell(1, nil, false) },
	} {
		take()
		if r.Keep([]byte("1")); r.Any() || r.Taking() || r.bytes != 0 {
			t.Errorf("%s: it is kept", what)
		}
	}
	r.keep(table, "1", "a")
	r.Take(table)
	r.Comes()
	r.Cell(1, make([]byte, rowBytesMost-1), false)
	if r.Keep([]byte("1")); r.Any() {
		t.Error("a row that has become long is kept, or what it was")
	}
}

// TestNext: rows stay only from one statement that vouches for them to the next.
func TestNext(t *testing.T) {
	var r Rows
	statement := func(vouches bool) bool {
		r.Next()
		there := r.Any()
		if vouches {
			r.Vouch()
		}
		r.Settle()
		return there
	}
	locks := func() {
		r.Next()
		r.keep(table, "1", "a")
		r.Vouch()
		r.Settle()
	}
	locks()
	for range 2 {
		if !statement(true) {
			t.Error("a row is gone that statements have vouched for")
		}
	}
	if !statement(false) || r.Any() {
		t.Error("a row is there behind a statement that has not vouched for it")
	}
	locks()
	r.Next() // of several in one text nobody settles what was before
	if r.Next(); r.Any() {
		t.Error("a row is there for a statement behind one that has not vouched for it")
	}
	locks()
	if r.Forget(); r.Any() || statement(true) {
		t.Error("a row that was forgotten is there")
	}
}

// TestBounds: a session keeps so many rows and bytes, and the oldest go; what is let go of is overwritten.
func TestBounds(t *testing.T) {
	var r Rows
	for i := range rowsMost + 6 {
		r.keep(table, fmt.Sprint(i), "a")
	}
	if len(r.kept) != rowsMost || r.has(table, "5") != "nothing" || r.has(table, "6") == "nothing" {
		t.Errorf("%d rows, the fifth has %s", len(r.kept), r.has(table, "5"))
	}
	long := string(bytes.Repeat([]byte{'x'}, rowBytesMost-2))
	for i := range 10 {
		r.keep(table, fmt.Sprint(i), long)
	}
	if sum := r.sum(); sum > bytesMost || sum != r.bytes || len(r.kept) != bytesMost/(rowBytesMost-1) {
		t.Errorf("%d rows of %d bytes, counted as %d", len(r.kept), sum, r.bytes)
	}
	data := r.kept[0].data
	if r.Forget(); len(bytes.Trim(data, "\x00")) > 0 || r.bytes != 0 {
		t.Error("what a row had is there")
	}
	if n := testing.AllocsPerRun(100, func() { r.keep(table, "1", "a"); r.Next(); r.Next() }); n > 0 {
		t.Errorf("%v allocations a row", n)
	}
}

func (r *Rows) sum() (n int) {
	for _, row := range r.kept {
		n += len(row.data)
	}
	return n
}
