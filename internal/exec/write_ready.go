package exec

import (
	"bytes"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/guard"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// writing is the second half of a statement that reads rows first, made ready.
type writing struct {
	*recipe.Write
	set    []setting
	stamps []setting
	// derived are the generated columns that follow; columns are, by the numbers of the
	// table's columns, where they are in the rows that are read, -1 for nowhere.
	derived []setting
	columns []int
	slots   []backSlot
	beside  []beside
	spelled []setting
	// places are the literals of the text that its stored statements have in them.
	places []sql.Place
	params int // that its stored statements have in them
	// cascades says that a row that is written can take others of the table with it.
	cascades bool
	computes bool // an expression
}

// setting is a column that is set in each row.
type setting struct {
	*binding.Column
	at int // in the rows that are read
	// operand is the number of the value among the statement's operands, -1 if it is
	// computed: from expr.
	operand int
	expr    ast.Expr
	// inserted says that it is set to what the row that was to be inserted has.
	inserted bool
	// leaves says that servers take NULL over NULL for a change at first: they compare
	// what a row with NULL has there, which is the column's default.
	leaves bool
	of     *guard.Guard // of a generated column
}

// backSlot is a slot of a stored statement of the second half.
type backSlot struct {
	*binding.Column
	at    int // in the rows that are read
	form  recipe.Form
	layer policy.Capabilities
	// of is FromSet for what the row becomes, FromRow for what was read, or a value of
	// the statement's own, of a plain column.
	of recipe.Operand
}

// takeWrite makes the second half ready.
func (st *Statement) takeWrite() (err error) {
	if st.Run.Write == nil {
		return st.takeTargets()
	}
	st.write, err = st.writingOf(st.Run.Write, st)
	return err
}

// writingOf makes a second half ready. rows is the statement whose rows are written: st
// itself, or one over a table of it.
func (st *Statement) writingOf(of *recipe.Write, rows *Statement) (*writing, error) {
	w := &writing{Write: of, cascades: refersToItself(rows.Run.Table)}
	for _, a := range w.Set {
		s := rows.settingOf(a.Column)
		s.expr, s.inserted = a.To, a.Given && a.Of.Kind == recipe.FromNew
		if a.Given && !s.inserted {
			s.operand = len(st.Operands)
			o := binding.Operand{Column: s.Column, Of: a.Of, Use: recipe.Assign, Row: -1}
			if err := o.TakeConstant(); err != nil {
				return nil, err
			}
			st.Operands = append(st.Operands, o)
		}
		w.computes = w.computes || !a.Given
		w.set = append(w.set, s)
	}
	for _, i := range w.Stamps {
		w.stamps = append(w.stamps, rows.settingOf(i))
	}
	if w.Guards != nil {
		for _, i := range w.Derived {
			if of := w.Guards.Of(i); !of.Shadows { // else its forms are of what it copies
				s := rows.settingOf(i)
				s.of = of
				w.derived = append(w.derived, s)
			}
		}
		for i := range w.Guards.Table.Columns {
			w.columns = append(w.columns, rows.FetchedAt(i))
		}
	}
	for _, s := range w.Slots {
		w.slots = append(w.slots, backSlot{
			Column: rows.Columns[s.Column], at: rows.readAt(s.Column), form: s.Form, layer: s.Layer, of: s.Of,
		})
	}
	for i := range w.Beside {
		w.beside = append(w.beside, st.besideOf(&w.Beside[i], rows))
	}
	for _, i := range w.Spelled {
		w.spelled = append(w.spelled, rows.settingOf(i))
	}
	st.NeedsNow = true
	w.findHoles()
	return w, nil
}

func (st *Statement) settingOf(column int) setting {
	c := st.Columns[column]
	return setting{Column: c, at: st.FetchedAt(column), operand: -1, leaves: leavesDefault(c.Column)}
}

// leavesDefault reports whether the default of a column is another value than none.
func leavesDefault(c *catalog.Column) bool {
	switch c.Default.Kind {
	case catalog.DefaultNow:
		return true
	case catalog.DefaultValue:
		none := value.AppendImplicitDefault(nil, &c.Type)
		return c.Type.Kind == value.Enum || !bytes.Equal(c.Default.Canonical, none)
	default:
		return false
	}
}

// readAt is binding.Statement.FetchedAt for a column whose forms are written: those of one that copies another
// are of that one's value.
func (st *Statement) readAt(column int) int {
	if c := st.Columns[column]; c.Shadows != "" {
		table := st.Run.Table
		return st.FetchedAt(table.Column(c.Shadows))
	}
	return st.FetchedAt(column)
}

// findHoles finds the literals and parameters that are needed when the rows have
// been read.
func (w *writing) findHoles() {
	for _, p := range [...]*sql.Printed{w.Back, w.Plain} {
		if p == nil {
			continue
		}
		for _, h := range p.Holes() {
			switch h.Kind {
			case sql.HolePlace:
				w.places = append(w.places, h.Place)
			case sql.HoleParam:
				if h.Number < sql.FirstVariable {
					w.params = max(w.params, h.Number+1)
				}
			default:
			}
		}
	}
}

// refersToItself reports whether a foreign key of the table refers to the table.
func refersToItself(t *catalog.Table) bool {
	for i := range t.ForeignKeys {
		if f := &t.ForeignKeys[i]; f.Schema == t.Schema && f.Table == t.Name {
			return true
		}
	}
	return false
}
