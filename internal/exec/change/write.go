package change

import (
	"bytes"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/guard"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// Write is the second half of a statement that reads rows first, made ready.
type Write struct {
	*recipe.Write
	Settings []Setting
	stamps   []Setting
	// derived are the generated columns that follow; columns are, by the numbers of the
	// table's columns, where they are in the rows that are read, -1 for nowhere.
	derived   []Setting
	columns   []int
	Fills     []Slot // the slots of its stored statements
	Followers []Beside
	spelled   []Setting
	// Places are the literals of the text that its stored statements have in them.
	Places []sql.Place
	Params int // that its stored statements have in them
	// Cascades says that a row that is written can take others of the table with it.
	Cascades bool
	computes bool    // an expression
	upsert   *Upsert // that it is of; nil for none
}

// Setting is a column that is set in each row.
type Setting struct {
	*binding.Column
	At int // in the rows that are read
	// Operand is the number of the value among the statement's operands, -1 if it is
	// computed: from expr.
	Operand int
	expr    ast.Expr
	// inserted says that it is set to what the row that was to be inserted has.
	inserted bool
	// Leaves says that servers take NULL over NULL for a change at first: they compare
	// what a row with NULL has there, which is the column's default.
	Leaves bool
	of     *guard.Guard // of a generated column
}

// Of is a statement whose second halves are made ready. Rows is the statement whose rows are written: the statement
// itself, or one over a table of it.
type Of struct {
	Statement, Rows *binding.Statement
	// Beside are the columns of tables whose rows are written beside others: see Columns.
	Beside map[*catalog.Table][]*binding.Column
}

// Ready makes a second half ready. What it takes of the text is an operand of the statement from now on.
func (o *Of) Ready(of *recipe.Write) (*Write, error) {
	st, rows := o.Statement, o.Rows
	w := &Write{Write: of, Cascades: refersToItself(rows.Run.Table)}
	for _, a := range w.Set {
		s := settingOf(rows, a.Column)
		s.expr, s.inserted = a.To, a.Given && a.Of.Kind == recipe.FromNew
		if a.Given && !s.inserted {
			s.Operand = len(st.Operands)
			o := binding.Operand{Column: s.Column, Of: a.Of, Use: recipe.Assign, Row: -1}
			if err := o.TakeConstant(); err != nil {
				return nil, err
			}
			st.Operands = append(st.Operands, o)
		}
		w.computes = w.computes || !a.Given
		w.Settings = append(w.Settings, s)
	}
	for _, i := range w.Stamps {
		w.stamps = append(w.stamps, settingOf(rows, i))
	}
	if w.Guards != nil {
		for _, i := range w.Derived {
			if of := w.Guards.Of(i); !of.Shadows { // else its forms are of what it copies
				s := settingOf(rows, i)
				s.of = of
				w.derived = append(w.derived, s)
			}
		}
		for i := range w.Guards.Table.Columns {
			w.columns = append(w.columns, rows.FetchedAt(i))
		}
	}
	for _, s := range w.Slots {
		fill, err := fillOf(rows, &s)
		if err != nil {
			return nil, err
		}
		w.Fills = append(w.Fills, fill)
	}
	for i := range w.Beside {
		w.Followers = append(w.Followers, o.ready(&w.Beside[i]))
	}
	for _, i := range w.Spelled {
		w.spelled = append(w.spelled, settingOf(rows, i))
	}
	st.NeedsNow = true
	w.findHoles()
	return w, nil
}

func settingOf(st *binding.Statement, column int) Setting {
	c := st.Columns[column]
	return Setting{Column: c, At: st.FetchedAt(column), Operand: -1, Leaves: leavesDefault(c.Column)}
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

// findHoles finds the literals and parameters that are needed when the rows have
// been read.
func (w *Write) findHoles() {
	for _, p := range [...]*sql.Printed{w.Back, w.Plain} {
		if p == nil {
			continue
		}
		for _, h := range p.Holes() {
			switch h.Kind {
			case sql.HolePlace:
				w.Places = append(w.Places, h.Place)
			case sql.HoleParam:
				if h.Number < sql.FirstVariable {
					w.Params = max(w.Params, h.Number+1)
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
