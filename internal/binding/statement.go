package binding

import (
	"fmt"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/local"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/value"
)

// Statement is what values are bound to: a Run whose columns have their cryptography, and of which it is
// known which slots are forms of one value. Any number of binders may use it at once.
type Statement struct {
	Run      recipe.Run // a copy: the Run itself may be forgotten, and the Statement with it
	Columns  []*Column
	Slots    []slot
	Operands []Operand
	// seeks are the conditions whose values are compared with what is opened, and seekAt their
	// numbers by the column of the rows; nil without any.
	seeks  []seek
	seekAt [][]int
	// rowGroups are, for the rows of an INSERT's text, the groups that they stand
	// for, -1 for a row that stands for itself.
	rowGroups []int
	// judging is the column whose sealed form tells the server that a row is bad, of an
	// INSERT whose rows CHECKs are looked at for.
	judging int
	// NeedsNow says that a value may depend on the time of the statement.
	NeedsNow bool
	listed   []sql.Place // of literals in the list of what is described
	elements []sql.Place // of those that are formats, wherever they are
	// marks are the parameters that are described, as often as they stand there, and
	// listedParams those in that list.
	marks, listedParams []int
}

// FormsOf looks up the cryptography of a protected column.
type FormsOf = func(*catalog.Column) (Forms, error)

// Column is a column of a table as a statement needs it.
type Column struct {
	*catalog.Column
	Forms Forms // nil for a plain column
	Names value.Column
	// succeeds is the column whose place it is to take, by the values of which it is written;
	// nil if it is to take none.
	succeeds *Column
}

// Full is the column's name with those of its schema and table.
func (c *Column) Full() string { return c.Names.Schema + "." + c.Names.Table + "." + c.Names.Name }

// Forms makes and opens the stored forms of the values of one column: crypt.Column.
type Forms interface {
	AppendSealed(dst, canonical []byte) ([]byte, error)
	AppendOpened(dst, sealed []byte) ([]byte, error)
	AppendToken(dst []byte, capability policy.Capabilities, canonical []byte) ([]byte, error)
}

// slot is a slot of the stored statement: a form of the value of an operand.
type slot struct {
	operand int
	column  *Column // whose form it is
	form    recipe.Form
	layer   policy.Capabilities
	seek    int // 1 and the number of the seek whose value it is, 0 for none
	// unpadded says that rows are found by it of a CHAR whose collation tells spaces at the end.
	unpadded bool
}

// Operand is a value that is converted to its column's type once, for all slots.
type Operand struct {
	Column   *Column
	Of       recipe.Operand
	Use      recipe.SlotUse
	Constant Constant // of FromForm
	Row      int      // of the text of an INSERT, from 0
}

// TakeColumns looks up the cryptography of the columns of all tables that are named.
func (st *Statement) TakeColumns(forms FormsOf) error {
	if st.Run.Table == nil && st.Run.Tree == nil {
		return nil // of no table
	}
	if st.Run.Tree == nil {
		return st.takeTable(forms, st.Run.Table)
	}
	for _, t := range st.Run.Tree.Tables {
		if err := st.takeTable(forms, t); err != nil {
			return err
		}
	}
	return nil
}

// takeTable adds the columns of a table.
func (st *Statement) takeTable(forms FormsOf, t *catalog.Table) error {
	columns, err := st.ColumnsOf(forms, t)
	st.Columns = append(st.Columns, columns...)
	return err
}

// ColumnsOf looks up the cryptography of the columns of a table.
func (st *Statement) ColumnsOf(forms FormsOf, t *catalog.Table) (all []*Column, err error) {
	for i := range t.Columns {
		c := &Column{Column: &t.Columns[i], Names: value.Column{Schema: t.Schema, Table: t.Name, Name: t.Columns[i].Name}}
		if c.Shadows != "" {
			c.Names.Name = c.Shadows
		}
		if c.Protected() {
			if c.Forms, err = forms(c.Column); err != nil {
				return nil, fmt.Errorf("column %d of table %s: %w", i+1, t.ID, err)
			}
			st.NeedsNow = st.NeedsNow || c.Type.Kind.IsTemporal()
		}
		all = append(all, c)
	}
	for i := range t.Columns {
		if at := t.ShadowOf(i); at >= 0 {
			all[i].succeeds = all[at]
		}
	}
	return all, nil
}

// operandKey tells values apart that are converted separately.
type operandKey struct {
	column int
	of     recipe.Operand
	use    recipe.SlotUse
	row    int
}

func (st *Statement) takeSlots() error {
	known := map[operandKey]int{}
	period := st.rowSlots()
	for i := range st.Run.Slots {
		s := &st.Run.Slots[i]
		of := s.Column
		if at := st.succeeds(of); at >= 0 {
			of = at
		}
		k := operandKey{of, s.Of, s.Use, i / period}
		at, there := known[k]
		if !there {
			at = len(st.Operands)
			known[k] = at
			o := Operand{Column: st.Columns[of], Of: s.Of, Use: s.Use, Row: k.row}
			if err := o.TakeConstant(); err != nil {
				return err
			}
			st.Operands = append(st.Operands, o)
		}
		c := st.Columns[s.Column]
		st.Slots = append(st.Slots, slot{
			operand: at, column: c, form: s.Form, layer: s.Layer,
			unpadded: s.Form == recipe.Token && s.Use != recipe.Assign && c.Type.Kind == value.Char && !c.Type.Collation.PadSpace,
		})
		st.NoteRow(k.row, s.Of)
	}
	if st.Adds() { // perhaps all columns are plain
		st.NoteRow(0, recipe.Operand{Kind: recipe.FromPlace, Place: sql.Place{Group: sql.QueryRows}})
	}
	return nil
}

// TakeValues finds what is bound: the values of slots, those that rows are found by, and those that guards read.
func (st *Statement) TakeValues() error {
	if err := st.takeSlots(); err != nil {
		return err
	}
	st.takeSeeks()
	return st.takeGiven()
}

// succeeds is the number of the column by whose values another one is written whose place it
// is to take, -1 if it is to take none.
func (st *Statement) succeeds(column int) int {
	if st.Columns[column].succeeds == nil {
		return -1
	}
	return slices.Index(st.Columns, st.Columns[column].succeeds)
}

// rowSlots is how many slots each row of an INSERT has: its rows are alike. It is
// all of them for other statements.
func (st *Statement) rowSlots() int {
	slots := st.Run.Slots
	if k := st.Run.Kind; k == sql.Insert || k == sql.Replace {
		for i := 1; i < len(slots); i++ {
			if slots[i].Column == slots[0].Column && slots[i].Form == slots[0].Form && slots[i].Layer == slots[0].Layer {
				return i
			}
		}
	}
	return max(len(slots), 1)
}

// NoteRow notes which group the row of a slot stands for.
func (st *Statement) NoteRow(row int, of recipe.Operand) {
	for len(st.rowGroups) <= row {
		st.rowGroups = append(st.rowGroups, -1)
	}
	if of.Kind == recipe.FromPlace && of.Place.Group >= 0 {
		st.rowGroups[row] = of.Place.Group
	}
}

// rowOf is the number, from 1, of the row that an element of a row of the text is
// in what is inserted.
func (st *Statement) rowOf(row, element int, elements func(group int) int) int {
	n := element + 1
	for i := range st.rowGroups[:min(max(row, 0), len(st.rowGroups))] { // what is assigned is of no row
		n += st.RowsOf(i, elements)
	}
	return n
}

// RowsOf is how many rows a row of the text stands for.
func (st *Statement) RowsOf(row int, elements func(group int) int) int {
	if g := st.rowGroups[row]; g >= 0 {
		return elements(g)
	}
	return 1
}

// oneRow reports whether an INSERT has one row only.
func (st *Statement) oneRow(elements func(group int) int) bool {
	return len(st.rowGroups) == 1 && st.RowsOf(0, elements) == 1
}

// Reads reports whether the statement is a query.
func (st *Statement) Reads() bool {
	return st.Run.Kind == sql.Select || st.Run.Kind == sql.SetOperation || st.Run.Kind == sql.Table
}

// Inserts reports whether the statement adds rows of values.
func (st *Statement) Inserts() bool { return st.Run.Kind == sql.Insert || st.Run.Kind == sql.Replace }

// Adds reports whether the statement inserts rows that come from elsewhere than its text.
func (st *Statement) Adds() bool { return st.Run.Added() != nil }

// FetchedColumns are the columns of the rows that Remote returns.
func (st *Statement) FetchedColumns() []local.Column {
	all := make([]local.Column, len(st.Run.Fetch))
	for i, f := range st.Run.Fetch {
		if f.Column >= 0 {
			c := st.Columns[f.Column]
			all[i] = local.Column{Name: c.Name, Typ: &c.Type}
		}
	}
	return all
}

// AssignedIn is the operand that a row of the text has for a column, -1 if it has
// none.
func (st *Statement) AssignedIn(row, column int) int {
	if copied := st.Run.Table.PlainShadow(column); copied >= 0 {
		column = copied
	}
	for n := range st.Operands {
		if o := &st.Operands[n]; o.Use == recipe.Assign && o.Row == row && o.Column == st.Columns[column] {
			return n
		}
	}
	return -1
}

// Besides reports whether there are plain tables beside the protected ones.
func (st *Statement) Besides() bool {
	return slices.ContainsFunc(st.Run.Tables, (*catalog.Table).Plain)
}

// FetchedAt is where a column is in the rows that are read.
func (st *Statement) FetchedAt(column int) int {
	for i := range st.Run.Fetch {
		if st.Run.Fetch[i].Column == column {
			return i
		}
	}
	return -1
}
