package sql

import (
	"strconv"
	"strings"

	"vitess.io/vitess/go/vt/sqlparser"

	"tunic/internal/sql/ast"
)

// The bind variables of a tree, by their names. A group's are told apart by
// what its elements are, because a printer has to know what to repeat.
//
//	p3      the single place 3
//	r0_1    cell 1 of group 0, whose elements are rows of VALUES
//	g0_1    cell 1 of group 0, whose elements are items of IN
//	v1      the first parameter
//	s5      slot 5
//	s5r0    slot 5, once for each element of group 0, a group of rows
//	s5g0    the same of a group of items

// hole is what a bind variable's name says.
type hole struct {
	what  byte // p, v or s
	n     int  // the number of the single, the cell, the parameter or the slot
	group int  // -1 if none
	rows  bool // the group's elements are rows
}

// PlaceOf says which place a bind variable of a tree with places stands for.
func PlaceOf(a *ast.Argument) (p Place, ok bool) {
	h, ok := readHole(a.Name)
	return Place{Group: h.group, Cell: h.n}, ok && h.what == 'p'
}

// ParamOf says which parameter a bind variable of a tree with places stands
// for; the first is 0.
func ParamOf(a *ast.Argument) (n int, ok bool) {
	h, ok := readHole(a.Name)
	return h.n, ok && h.what == 'v'
}

// SlotOf says which slot a bind variable made by [Slot] stands for.
func SlotOf(a *ast.Argument) (n int, ok bool) {
	h, ok := readHole(a.Name)
	return h.n, ok && h.what == 's'
}

// Param makes a bind variable for the parameter of a number, as of ParamOf.
func Param(n int) *ast.Argument { return sqlparser.NewArgument("v" + strconv.Itoa(n+1)) }

// Slot makes a bind variable for slot n, a number of the caller's choice that
// is not negative. If of, a bind variable of the same tree, is of a group, the
// slot has a value for each element of that group; of may be nil. Its place in
// the tree has then to be in the element.
func Slot(n int, of *ast.Argument) *ast.Argument {
	name := "s" + strconv.Itoa(n)
	if of != nil {
		if h, ok := readHole(of.Name); ok && h.group >= 0 {
			name += groupLetter(h.rows) + strconv.Itoa(h.group)
		}
	}
	return sqlparser.NewArgument(name)
}

// QueryRows is a group of rows that no text has: an INSERT's whose rows come from
// elsewhere, as those of a query.
const QueryRows = 1 << 20

// QueryCell makes a bind variable for a cell of QueryRows.
func QueryCell(cell int) *ast.Argument {
	return sqlparser.NewArgument(hole{what: 'p', n: cell, group: QueryRows, rows: true}.name())
}

func groupLetter(rows bool) string {
	if rows {
		return "r"
	}
	return "g"
}

// name is the name of the bind variable.
func (h hole) name() string {
	switch {
	case h.what == 'v':
		return "v" + strconv.Itoa(h.n+1)
	case h.what == 'p' && h.group >= 0:
		return groupLetter(h.rows) + strconv.Itoa(h.group) + "_" + strconv.Itoa(h.n)
	case h.group >= 0:
		return "s" + strconv.Itoa(h.n) + groupLetter(h.rows) + strconv.Itoa(h.group)
	}
	return string(h.what) + strconv.Itoa(h.n)
}

// readHole reads the name of a bind variable; ok only for what name writes.
func readHole(name string) (h hole, ok bool) {
	h.group = -1
	if name == "" {
		return h, false
	}
	var number, group string
	switch rest := name[1:]; name[0] {
	case 'p', 'v':
		h.what, number = name[0], rest
	case 'r', 'g':
		h.what, h.rows = 'p', name[0] == 'r'
		group, number, _ = strings.Cut(rest, "_")
	case 's':
		h.what, number = 's', rest
		if i := strings.IndexAny(rest, "rg"); i >= 0 {
			number, group, h.rows = rest[:i], rest[i+1:], rest[i] == 'r'
		}
	}
	h.n, _ = strconv.Atoi(number)
	if h.what == 'v' {
		h.n--
	}
	if group != "" {
		h.group, _ = strconv.Atoi(group)
	}
	return h, h.what != 0 && h.n >= 0 && h.group >= -1 && h.name() == name
}

// TemporalOf is what kind of literal the word before a place makes of the
// string there: LiteralDate, LiteralTime or LiteralTimestamp; LiteralInvalid if
// there is no such word.
func TemporalOf(a *ast.Argument) LiteralKind {
	for val, kind := range temporalKinds {
		if a.Type == (&sqlparser.Literal{Type: val}).SQLType() {
			return kind
		}
	}
	return LiteralInvalid
}

var temporalKinds = map[sqlparser.ValType]LiteralKind{
	sqlparser.DateVal: LiteralDate, sqlparser.TimeVal: LiteralTime, sqlparser.TimestampVal: LiteralTimestamp,
}

// bindTemporal makes bind variables of the temporal literals that hold the name
// of one.
func (t *Tree) bindTemporal() {
	for _, n := range t.nodes() {
		sqlparser.Rewrite(n, nil, func(c *sqlparser.Cursor) bool {
			if n, ok := c.Node().(*sqlparser.Literal); ok {
				if _, temporal := temporalKinds[n.Type]; temporal {
					if _, ok := readHole(n.Val); ok {
						c.Replace(sqlparser.NewTypedArgument(n.Val, n.SQLType()))
					}
				}
			}
			return true
		})
	}
}
