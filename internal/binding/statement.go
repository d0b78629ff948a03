package binding

import (
	"fmt"
	"iter"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/local"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
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
	// comparisons are, by the number of a cell, what a family's form in it is compared with; nil without any.
	comparisons [][]comparison
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

// FormsOf looks up the cryptography of protected columns, and of the families of a table.
type FormsOf struct {
	Column func(*catalog.Column) (Forms, error)
	Family func(*catalog.Table, *catalog.Family) (*crypt.Family, error)
}

// Column is a column of a table as a statement needs it.
type Column struct {
	*catalog.Column
	Forms Forms // nil for a plain column; of one that is in a family it makes tokens only
	Names value.Column
	// Family is the family that it is in, nil for none; its value is the InRecord-th of a record.
	Family   *Family
	InRecord int
	// succeeds is the column whose place it is to take, by the values of which it is written;
	// nil if it is to take none.
	succeeds *Column
}

// Family is a family of columns as a statement needs it.
type Family struct {
	*crypt.Family
	columns []*Column // in the order of a record's values
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
	record  []int   // of a Record that is stored, the operands of its values
	first   []int   // operands that are converted before, in their order
	column  *Column // whose form it is
	form    recipe.Form
	layer   policy.Capabilities
	seek    int // 1 and the number of the seek whose value it is, 0 for none
	// unpadded says that rows are found by it of a CHAR whose collation tells spaces at the end.
	unpadded bool
}

// operands are those that a slot takes, and that are converted before.
func (s *slot) operands() iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, n := range s.first {
			if !yield(n) {
				return
			}
		}
		if s.record == nil {
			yield(s.operand)
			return
		}
		for _, n := range s.record {
			if !yield(n) {
				return
			}
		}
	}
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
			if c.Forms, err = forms.Column(c.Column); err != nil {
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
	for i := range t.Families {
		if err := takeFamily(forms, t, &t.Families[i], all); err != nil {
			return nil, fmt.Errorf("family %d of table %s: %w", i+1, t.ID, err)
		}
	}
	return all, nil
}

// takeFamily looks up the cryptography of a family of the table that these are the columns of.
func takeFamily(forms FormsOf, t *catalog.Table, of *catalog.Family, all []*Column) error {
	made, err := forms.Family(t, of)
	if err != nil {
		return err
	}
	f := &Family{Family: made}
	for at, id := range made.Columns() {
		i := slices.IndexFunc(all, func(c *Column) bool { return c.Column.Family == of.Stored && c.ID == id })
		if i < 0 {
			return crypt.ErrLayout
		}
		all[i].Family, all[i].InRecord = f, at
		f.columns = append(f.columns, all[i])
	}
	return nil
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
		s, row := &st.Run.Slots[i], i/period
		made := slot{column: st.Columns[s.Column], form: s.Form, layer: s.Layer}
		c := made.column
		made.unpadded = s.Form == recipe.Token && s.Use != recipe.Assign && c.Type.Kind == value.Char && !c.Type.Collation.PadSpace
		var err error
		if made.first, err = st.takeFirst(s, known, row); err != nil {
			return err
		}
		if s.Form == recipe.Record {
			if made.record, err = st.takeRecord(s, known, row); err == nil {
				made.operand = made.record[0]
			}
		} else {
			made.operand, err = st.takeOperand(known, s.Column, s.Of, s.Use, row)
			st.NoteRow(row, s.Of)
		}
		if err != nil {
			return err
		}
		st.Slots = append(st.Slots, made)
	}
	if st.Adds() { // perhaps all columns are plain
		st.NoteRow(0, recipe.Operand{Kind: recipe.FromPlace, Place: sql.Place{Group: sql.QueryRows}})
	}
	return nil
}

// takeOperand is the number of the operand that has a value, which may be there already.
func (st *Statement) takeOperand(known map[operandKey]int, column int, of recipe.Operand, use recipe.SlotUse, row int) (int, error) {
	if at := st.succeeds(column); at >= 0 {
		column = at
	}
	k := operandKey{column, of, use, row}
	at, there := known[k]
	if there {
		return at, nil
	}
	at = len(st.Operands)
	known[k] = at
	o := Operand{Column: st.Columns[column], Of: of, Use: use, Row: row}
	if err := o.TakeConstant(); err != nil {
		return 0, err
	}
	st.Operands = append(st.Operands, o)
	return at, nil
}

// takeFirst are the operands that are converted before a slot is filled.
func (st *Statement) takeFirst(s *recipe.Slot, known map[operandKey]int, row int) (all []int, err error) {
	for _, m := range s.First {
		n, err := st.takeOperand(known, m.Column, m.Of, s.Use, row)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

// takeRecord are the operands of the values of a family, in the order of its records.
func (st *Statement) takeRecord(s *recipe.Slot, known map[operandKey]int, row int) ([]int, error) {
	f := st.Columns[s.Column].Family
	if f == nil || len(f.columns) != len(s.Members) {
		return nil, sqlerr.StatementUnread()
	}
	all := make([]int, len(s.Members))
	for _, m := range s.Members {
		c := st.Columns[m.Column]
		if c.Family != f {
			return nil, sqlerr.StatementUnread()
		}
		var err error
		if all[c.InRecord], err = st.takeOperand(known, m.Column, m.Of, s.Use, row); err != nil {
			return nil, err
		}
		st.NoteRow(row, m.Of)
	}
	return all, nil
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

// OneRow reports whether the statement under way is an INSERT of one row.
func (b *Binder) OneRow() bool { return b.Statement.Inserts() && b.Statement.oneRow(b.ElementCount) }

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

// FetchedRecord is where a value of the family that a column is the first of is in the rows that are read.
func (st *Statement) FetchedRecord(first int) int {
	return slices.IndexFunc(st.Run.Fetch, func(f recipe.Fetch) bool {
		c := st.Run.Cells[f.Cell]
		return c.Record && c.Column == first
	})
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
