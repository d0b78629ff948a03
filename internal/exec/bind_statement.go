package exec

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

// boundStatement is what values are bound to: a Run whose columns have their cryptography, and of which it is
// known which slots are forms of one value. Any number of binders may use it at once.
type boundStatement struct {
	run      recipe.Run // a copy: the Run itself may be forgotten, and the Statement with it
	columns  []*column
	slots    []slot
	operands []operand
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
	// needsNow says that a value may depend on the time of the statement.
	needsNow bool
	listed   []sql.Place // of literals in the list of what is described
	// marks are the parameters that are described, as often as they stand there, and
	// listedParams those in that list.
	marks, listedParams []int
}

// formsOf looks up the cryptography of a protected column.
type formsOf = func(*catalog.Column) (Forms, error)

// column is a column of a table as a statement needs it.
type column struct {
	*catalog.Column
	forms Forms // nil for a plain column
	name  value.Column
	// succeeds is the column whose place it is to take, by the values of which it is written;
	// nil if it is to take none.
	succeeds *column
}

// full is the column's name with those of its schema and table.
func (c *column) full() string { return c.name.Schema + "." + c.name.Table + "." + c.name.Name }

// Forms makes and opens the stored forms of the values of one column: crypt.Column.
type Forms interface {
	AppendSealed(dst, canonical []byte) ([]byte, error)
	AppendOpened(dst, sealed []byte) ([]byte, error)
	AppendToken(dst []byte, capability policy.Capabilities, canonical []byte) ([]byte, error)
}

// slot is a slot of the stored statement: a form of the value of an operand.
type slot struct {
	operand int
	column  *column // whose form it is
	form    recipe.Form
	layer   policy.Capabilities
	seek    int // 1 and the number of the seek whose value it is, 0 for none
	// unpadded says that rows are found by it of a CHAR whose collation tells spaces at the end.
	unpadded bool
}

// operand is a value that is converted to its column's type once, for all slots.
type operand struct {
	column   *column
	of       recipe.Operand
	use      recipe.SlotUse
	constant constant // of FromForm
	row      int      // of the text of an INSERT, from 0
}

// takeColumns looks up the cryptography of the columns of all tables that are named.
func (st *boundStatement) takeColumns(forms formsOf) error {
	if st.run.Table == nil && st.run.Tree == nil {
		return nil // of no table
	}
	if st.run.Tree == nil {
		return st.takeTable(forms, st.run.Table)
	}
	for _, t := range st.run.Tree.Tables {
		if err := st.takeTable(forms, t); err != nil {
			return err
		}
	}
	return nil
}

// takeTable adds the columns of a table.
func (st *boundStatement) takeTable(forms formsOf, t *catalog.Table) error {
	columns, err := st.columnsOf(forms, t)
	st.columns = append(st.columns, columns...)
	return err
}

// columnsOf looks up the cryptography of the columns of a table.
func (st *boundStatement) columnsOf(forms formsOf, t *catalog.Table) (all []*column, err error) {
	for i := range t.Columns {
		c := &column{Column: &t.Columns[i], name: value.Column{Schema: t.Schema, Table: t.Name, Name: t.Columns[i].Name}}
		if c.Copies != "" {
			c.name.Name = c.Copies
		}
		if c.Protected() {
			if c.forms, err = forms(c.Column); err != nil {
				return nil, fmt.Errorf("column %d of table %s: %w", i+1, t.ID, err)
			}
			st.needsNow = st.needsNow || c.Type.Kind.IsTemporal()
		}
		all = append(all, c)
	}
	for i := range t.Columns {
		if at := t.Succeeds(i); at >= 0 {
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

func (st *boundStatement) takeSlots() error {
	known := map[operandKey]int{}
	period := st.rowSlots()
	for i := range st.run.Slots {
		s := &st.run.Slots[i]
		of := s.Column
		if at := st.succeeds(of); at >= 0 {
			of = at
		}
		k := operandKey{of, s.Of, s.Use, i / period}
		at, there := known[k]
		if !there {
			at = len(st.operands)
			known[k] = at
			o := operand{column: st.columns[of], of: s.Of, use: s.Use, row: k.row}
			if err := o.takeConstant(); err != nil {
				return err
			}
			st.operands = append(st.operands, o)
		}
		c := st.columns[s.Column]
		st.slots = append(st.slots, slot{
			operand: at, column: c, form: s.Form, layer: s.Layer,
			unpadded: s.Form == recipe.Token && s.Use != recipe.Assign && c.Type.Kind == value.Char && !c.Type.Collation.PadSpace,
		})
		st.noteRow(k.row, s.Of)
	}
	if st.adds() { // perhaps all columns are plain
		st.noteRow(0, recipe.Operand{Kind: recipe.FromPlace, Place: sql.Place{Group: sql.QueryRows}})
	}
	return nil
}

// takeValues finds what is bound: the values of slots, those that rows are found by, and those that guards read.
func (st *boundStatement) takeValues() error {
	if err := st.takeSlots(); err != nil {
		return err
	}
	st.takeSeeks()
	return st.takeGiven()
}

// succeeds is the number of the column by whose values another one is written whose place it
// is to take, -1 if it is to take none.
func (st *boundStatement) succeeds(column int) int {
	if st.columns[column].succeeds == nil {
		return -1
	}
	return slices.Index(st.columns, st.columns[column].succeeds)
}

// rowSlots is how many slots each row of an INSERT has: its rows are alike. It is
// all of them for other statements.
func (st *boundStatement) rowSlots() int {
	slots := st.run.Slots
	if k := st.run.Kind; k == sql.Insert || k == sql.Replace {
		for i := 1; i < len(slots); i++ {
			if slots[i].Column == slots[0].Column && slots[i].Form == slots[0].Form && slots[i].Layer == slots[0].Layer {
				return i
			}
		}
	}
	return max(len(slots), 1)
}

// noteRow notes which group the row of a slot stands for.
func (st *boundStatement) noteRow(row int, of recipe.Operand) {
	for len(st.rowGroups) <= row {
		st.rowGroups = append(st.rowGroups, -1)
	}
	if of.Kind == recipe.FromPlace && of.Place.Group >= 0 {
		st.rowGroups[row] = of.Place.Group
	}
}

// rowOf is the number, from 1, of the row that an element of a row of the text is
// in what is inserted.
func (st *boundStatement) rowOf(row, element int, elements func(group int) int) int {
	n := element + 1
	for i := range st.rowGroups[:min(row, len(st.rowGroups))] {
		n += st.rowsOf(i, elements)
	}
	return n
}

// rowsOf is how many rows a row of the text stands for.
func (st *boundStatement) rowsOf(row int, elements func(group int) int) int {
	if g := st.rowGroups[row]; g >= 0 {
		return elements(g)
	}
	return 1
}

// oneRow reports whether an INSERT has one row only.
func (st *boundStatement) oneRow(elements func(group int) int) bool {
	return len(st.rowGroups) == 1 && st.rowsOf(0, elements) == 1
}

// reads reports whether the statement is a query.
func (st *boundStatement) reads() bool {
	return st.run.Kind == sql.Select || st.run.Kind == sql.SetOperation || st.run.Kind == sql.Table
}

// inserts reports whether the statement adds rows of values.
func (st *boundStatement) inserts() bool { return st.run.Kind == sql.Insert || st.run.Kind == sql.Replace }

// adds reports whether the statement inserts rows that come from elsewhere than its text.
func (st *boundStatement) adds() bool { return st.run.From != nil || st.run.Load != nil }

// fetchedColumns are the columns of the rows that Remote returns.
func (st *boundStatement) fetchedColumns() []local.Column {
	all := make([]local.Column, len(st.run.Fetch))
	for i, f := range st.run.Fetch {
		if f.Column >= 0 {
			c := st.columns[f.Column]
			all[i] = local.Column{Name: c.Name, Typ: &c.Type}
		}
	}
	return all
}

// assignedIn is the operand that a row of the text has for a column, -1 if it has
// none.
func (st *boundStatement) assignedIn(row, column int) int {
	if copied := st.run.Table.Copy(column); copied >= 0 {
		column = copied
	}
	for n := range st.operands {
		if o := &st.operands[n]; o.use == recipe.Assign && o.row == row && o.column == st.columns[column] {
			return n
		}
	}
	return -1
}

// besides reports whether there are plain tables beside the protected ones.
func (st *boundStatement) besides() bool {
	return slices.ContainsFunc(st.run.Tables, (*catalog.Table).Plain)
}

// fetchedAt is where a column is in the rows that are read.
func (st *boundStatement) fetchedAt(column int) int {
	for i := range st.run.Fetch {
		if st.run.Fetch[i].Column == column {
			return i
		}
	}
	return -1
}
