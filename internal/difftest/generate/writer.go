package generate

import (
	"fmt"
	"strings"
)

// writer builds one statement.
type writer struct {
	*generator
	sql      strings.Builder
	params   []string
	prepared bool // values become parameters
	// qualifier stands before the names of columns: "x." where the query gives the
	// table that name.
	qualifier string
}

// write begins a statement, of literals or of parameters.
func (g *generator) write(format string, args ...any) *writer {
	w := &writer{generator: g, prepared: g.chance(1, 3)}
	w.add(format, args...)
	return w
}

func (w *writer) add(format string, args ...any) { fmt.Fprintf(&w.sql, format, args...) }

// value writes a value.
func (w *writer) value(v value) {
	if !w.prepared {
		w.sql.WriteString(v.literal)
		return
	}
	w.sql.WriteString("?")
	w.params = append(w.params, v.param)
}

// done is the statement.
func (w *writer) done() Statement {
	return Statement{SQL: w.sql.String(), Params: strings.Join(w.params, " ")}
}

// ordered is the statement where the order of its rows is determined.
func (w *writer) ordered() Statement {
	s := w.done()
	s.Ordered = true
	return s
}

// list writes the items with commas between them.
func list[T any](w *writer, items []T, write func(T)) {
	for i, item := range items {
		if i > 0 {
			w.add(", ")
		}
		write(item)
	}
}
