package exec

import (
	"fmt"
	"slices"
	"strings"

	"tunic/internal/advice"
	"tunic/internal/catalog"
	"tunic/internal/local"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/value"
)

// Statement is a Run made ready: its columns have their cryptography, and it is
// known which slots are forms of one value. Any number of sessions may run it at
// once.
type Statement struct {
	run      recipe.Run // a copy: the Run itself may be forgotten, and the Statement with it
	columns  []*column
	beside   map[*catalog.Table][]*column // of tables whose rows are written beside others
	slots    []slot
	operands []operand
	// seeks are the conditions whose values are compared with what is opened, and seekAt their
	// numbers by the column of the rows; nil without any.
	seeks  []seek
	seekAt [][]int
	// careful and fallback are the Statements of Run.Careful and Run.Fallback.
	careful, fallback *Statement
	// discreet is that of Run.Discreet; sent is Run.Sent, and plain are those of sent that
	// are computed here, for plain columns only.
	discreet    *Statement
	sent, plain []int
	query       *local.Query // what is computed locally
	// rowGroups are, for the rows of an INSERT's text, the groups that they stand
	// for, -1 for a row that stands for itself.
	rowGroups []int
	// judging is the column whose sealed form tells the server that a row is bad, of an
	// INSERT whose rows CHECKs are looked at for.
	judging int
	// needsNow says that a value may depend on the time of the statement.
	needsNow bool
	params   int
	whole    *Statement  // that this is the careful one of, if it may be run outright
	upsert   *upserting  // nil without ON DUPLICATE KEY UPDATE
	write    *writing    // nil if no rows are read to be written
	targets  []*target   // of a statement that writes rows that it finds in several tables
	listed   []sql.Place // of literals in the list of what is described
	// marks are the parameters that are described, as often as they stand there, and
	// listedParams those in that list.
	marks, listedParams []int
	from                *Statement // of Run.From; nil if no rows of a query are inserted
	returns             *Statement // of Write.Returns or Upsert.Returns; nil if nothing is returned of rows that are read

	described descriptions
	first     firstLevel   // of a query that asks for its first rows
	page      *advice.Page // of what it wishes for; nil for nothing
	// buffered and constants are what buffers says of it.
	buffered, constants bool
}

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

// ready makes a Statement of a Run.
func (e *Engine) ready(run *recipe.Run) (*Statement, error) {
	st := &Statement{run: *run, page: e.options.Advice.Open(run)}
	if err := st.takeColumns(e); err != nil {
		return nil, err
	}
	if err := st.takeBeside(e); err != nil {
		return nil, err
	}
	if err := st.takeSlots(); err != nil {
		return nil, err
	}
	st.takeSeeks()
	if err := st.takeGiven(); err != nil {
		return nil, err
	}
	if err := st.takeWrite(); err != nil {
		return nil, err
	}
	if err := st.takeUpsert(); err != nil {
		return nil, err
	}
	st.query = local.NewQuery(&st.run, st.fetchedColumns())
	var err error
	if returns := returnsOf(run); returns != nil {
		if st.returns, err = e.ready(returns); err != nil {
			return nil, err
		}
	}
	if run.From != nil {
		if st.from, err = e.ready(run.From); err != nil {
			return nil, err
		}
	}
	st.countParams()
	st.findListed()
	if run.Careful != nil {
		if st.careful, err = e.ready(run.Careful); err != nil {
			return nil, err
		}
	}
	if run.Fallback != nil {
		if st.fallback, err = e.ready(run.Fallback); err != nil {
			return nil, err
		}
	}
	if run.Discreet != nil {
		if st.discreet, err = e.ready(run.Discreet); err != nil {
			return nil, err
		}
	}
	st.takeFacts()
	if st.careful != nil && st.careful.write.Outright {
		st.careful.whole = st
	}
	if st.careful != nil && st.careful.fallback == nil {
		st.careful.fallback = st.fallback
	}
	return st, nil
}

// takeFacts finds out what every execution would find out of the run again. The text of an
// INSERT may be long, and no rows of it are finished here.
func (st *Statement) takeFacts() {
	st.sent, st.plain = st.run.Sent(), st.run.ComputedPlain()
	if !st.inserts() {
		st.buffered, st.constants = local.Buffers(&st.run)
	}
}

// returnsOf is what a statement returns of rows that are read for it, nil for nothing.
func returnsOf(run *recipe.Run) *recipe.Run {
	switch {
	case run.Write != nil:
		return run.Write.Returns
	case run.Upsert != nil:
		return run.Upsert.Returns
	}
	return nil
}

// takeColumns looks up the cryptography of the columns of all tables that are named.
func (st *Statement) takeColumns(e *Engine) error {
	if st.run.Table == nil && st.run.Tree == nil {
		return nil // of no table
	}
	if st.run.Tree == nil {
		return st.takeTable(e, st.run.Table)
	}
	for _, t := range st.run.Tree.Tables {
		if err := st.takeTable(e, t); err != nil {
			return err
		}
	}
	return nil
}

// takeTable adds the columns of a table.
func (st *Statement) takeTable(e *Engine, t *catalog.Table) error {
	columns, err := st.columnsOf(e, t)
	st.columns = append(st.columns, columns...)
	return err
}

// columnsOf looks up the cryptography of the columns of a table.
func (st *Statement) columnsOf(e *Engine, t *catalog.Table) (all []*column, err error) {
	for i := range t.Columns {
		c := &column{Column: &t.Columns[i], name: value.Column{Schema: t.Schema, Table: t.Name, Name: t.Columns[i].Name}}
		if c.Copies != "" {
			c.name.Name = c.Copies
		}
		if c.Protected() {
			if c.forms, err = e.options.Forms(c.Column); err != nil {
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

func (st *Statement) takeSlots() error {
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

// succeeds is the number of the column by whose values another one is written whose place it
// is to take, -1 if it is to take none.
func (st *Statement) succeeds(column int) int {
	if st.columns[column].succeeds == nil {
		return -1
	}
	return slices.Index(st.columns, st.columns[column].succeeds)
}

// rowSlots is how many slots each row of an INSERT has: its rows are alike. It is
// all of them for other statements.
func (st *Statement) rowSlots() int {
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
func (st *Statement) noteRow(row int, of recipe.Operand) {
	for len(st.rowGroups) <= row {
		st.rowGroups = append(st.rowGroups, -1)
	}
	if of.Kind == recipe.FromPlace && of.Place.Group >= 0 {
		st.rowGroups[row] = of.Place.Group
	}
}

// countParams counts the parameters that an execution has.
func (st *Statement) countParams() {
	for i := range st.run.Slots {
		o := &st.run.Slots[i].Of
		st.params = max(st.params, paramsOf(o))
		st.needsNow = st.needsNow || o.Kind == recipe.FromComputed
	}
	for _, w := range st.writings() {
		st.params = max(st.params, w.params)
	}
	if st.from != nil {
		st.params, st.needsNow = max(st.params, st.from.params), true
	}
	for i := range st.query.Inputs.Singles {
		st.params = max(st.params, paramsOf(&st.query.Inputs.Singles[i]))
	}
	for _, p := range [...]*sql.Printed{st.run.Remote, st.run.Describe} {
		if p == nil {
			continue
		}
		for _, h := range p.Holes() {
			if h.Kind == sql.HoleParam && h.Number < sql.FirstVariable {
				st.params = max(st.params, h.Number+1)
			}
		}
	}
}

// rowOf is the number, from 1, of the row that an element of a row of the text is
// in what is inserted.
func (st *Statement) rowOf(row, element int, elements func(group int) int) int {
	n := element + 1
	for i := range st.rowGroups[:min(row, len(st.rowGroups))] {
		n += st.rowsOf(i, elements)
	}
	return n
}

// rowsOf is how many rows a row of the text stands for.
func (st *Statement) rowsOf(row int, elements func(group int) int) int {
	if g := st.rowGroups[row]; g >= 0 {
		return elements(g)
	}
	return 1
}

// oneRow reports whether an INSERT has one row only.
func (st *Statement) oneRow(elements func(group int) int) bool {
	return len(st.rowGroups) == 1 && st.rowsOf(0, elements) == 1
}

// returning reports whether the statement writes rows and returns them.
func (st *Statement) returning() bool {
	return len(st.run.Fetch) > 0 && !st.reads() && !st.rewrites() && st.upsert == nil
}

// rewrites reports whether the statement reads rows to write them.
func (st *Statement) rewrites() bool { return st.write != nil || st.targets != nil }

// reads reports whether the statement is a query.
func (st *Statement) reads() bool {
	return st.run.Kind == sql.Select || st.run.Kind == sql.SetOperation || st.run.Kind == sql.Table
}

// inserts reports whether the statement adds rows of values.
func (st *Statement) inserts() bool { return st.run.Kind == sql.Insert || st.run.Kind == sql.Replace }

// adds reports whether the statement inserts rows that come from elsewhere than its text.
func (st *Statement) adds() bool { return st.run.From != nil || st.run.Load != nil }

// logical is the name of the column whose stored name this is, whatever its case;
// "" if it is none that differs.
func (st *Statement) logical(stored string) string {
	for _, c := range st.columns {
		for i := range c.Layers {
			if strings.EqualFold(c.Layers[i].Stored, stored) {
				return c.Name
			}
		}
	}
	return ""
}

// local reports whether the statement's rows are finished by tunic.
func (st *Statement) local() bool { return len(st.run.Local) > 0 || st.run.Tree != nil }

// fetchedColumns are the columns of the rows that Remote returns.
func (st *Statement) fetchedColumns() []local.Column {
	all := make([]local.Column, len(st.run.Fetch))
	for i, f := range st.run.Fetch {
		if f.Column >= 0 {
			c := st.columns[f.Column]
			all[i] = local.Column{Name: c.Name, Typ: &c.Type}
		}
	}
	return all
}

// written is how many columns the rows have that a statement writes: those of the
// first leaf.
func (st *Statement) written() int {
	if st.run.Tree != nil {
		return st.run.Tree.Leaves[0].To
	}
	return len(st.run.Fetch)
}

// fetched is how many columns the rows have that Remote returns.
func (st *Statement) fetched() int {
	if st.run.Tree != nil {
		return len(st.run.Fetch) + 1 // the number of the leaf
	}
	return len(st.run.Fetch)
}
