package predicate

import (
	"bytes"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/value"
)

// Among several rows servers do not compare as by = (sql/item_cmpfunc.cc, cmp_item_row); of a list of one row they make a
// comparison by =.
//
//   - Text is compared in the collation of the left side, whatever the row has, and in MariaDB byte for byte, without a conversion of
//     character sets.
//   - MySQL compares by the type of the left side: an integer with '1.5' as integers, without a look at the sign, and text with 1 as text.
//   - MariaDB compares a column of all rows in one way: an integer with 1 as doubles if another row has '2'.

// amongSeveral refuses what would make a difference: by its type, or by its value where it is read.
func amongSeveral(c *compilation.Compilation, columns []*program.Node, members []comparison.RowMember) error {
	for i, left := range columns {
		var items []*comparison.Member
		for k := range members {
			for n := range members[k].Cells[i] {
				if item := &members[k].Cells[i][n]; item.Node.Class != class.Null {
					items = append(items, item)
				}
			}
		}
		for _, item := range items {
			if err := asText(c, left, item); err != nil {
				return err
			}
		}
		check := byLeft
		if c.Session.IsMariaDB() {
			check = inOneWay
		}
		if err := check(left, items); err != nil {
			return err
		}
	}
	return nil
}

// asText holds a cell to how text is compared.
func asText(c *compilation.Compilation, left *program.Node, item *comparison.Member) error {
	switch {
	case item.By == class.Bytes && left.Class == class.Text:
		return refusal.Of("IN of rows with text and bytes")
	case item.By != class.Text:
		return nil
	case item.Collation != coercion.TextCollation(c, left):
		return refusal.Of("IN of rows with text in two collations")
	case c.Session.IsMariaDB() && coercion.TextCollation(c, item.Node).Charset != item.Collation.Charset:
		unconverted := item.Node.Ev
		item.Otherwise = func(r *program.Run, d *program.Datum) string {
			if bytes.Equal(d.B, unconverted(r).B) {
				return ""
			}
			return "IN of rows with text in two character sets"
		}
	}
	return nil
}

// byLeft holds cells to how MySQL compares.
func byLeft(left *program.Node, items []*comparison.Member) error {
	for _, item := range items {
		l, n := left.Class, item.Node.Class
		switch {
		case isText(l):
			if !isText(n) {
				return errKinds
			}
		case l.IsInteger() && n.IsInteger():
			if l.IsUnsigned() != n.IsUnsigned() {
				item.Otherwise = refuseWhere(item.Node, func(d *program.Datum) bool { return d.N>>63 != 0 })
			}
		case l.IsInteger() && n == class.Hex:
			if !l.IsUnsigned() {
				item.Otherwise = refuseWhere(item.Node, func(d *program.Datum) bool { return len(d.B) >= bytesOfInteger })
			}
		case l.IsExact() && n == class.Text:
			item.Otherwise = refuseWhere(item.Node, func(d *program.Datum) bool { return !value.IsPlainInteger(d.B) })
		case l.IsInteger(), l == class.Decimal && !n.IsExact():
			return errKinds
		case l.IsTemporal() && !n.IsTemporal() && n != class.Text:
			return errKinds
		}
	}
	return nil
}

// inOneWay holds cells to how MariaDB compares.
func inOneWay(left *program.Node, items []*comparison.Member) error {
	exact, approximate, text := 0, 0, 0
	for _, item := range items {
		n := item.Node.Class
		switch {
		case n.IsExact():
			exact++
		case n == class.Text || n.IsReal():
			approximate++
		}
		if isText(n) {
			text++
		}
	}
	if isText(left.Class) && text > 0 && text < len(items) || left.Class == class.Decimal && exact > 0 && approximate > 0 {
		return errKinds
	}
	if !left.Class.IsInteger() || approximate == 0 {
		return nil
	}
	for _, item := range items { // all are compared as doubles
		switch n := item.Node.Class; {
		case n == class.Text:
			item.Otherwise = refuseWhere(item.Node, func(d *program.Datum) bool { return !value.IsPlainInteger(d.B) })
		case n.IsInteger():
			item.Otherwise = refuseWhere(item.Node, func(d *program.Datum) bool { return !isDouble(int64(d.N)) })
		default:
			return errKinds
		}
	}
	return nil
}

var errKinds = refusal.Of("IN of rows with values of several types")

// refuseWhere refuses some values of a node.
func refuseWhere(n *program.Node, bad func(d *program.Datum) bool) func(*program.Run, *program.Datum) string {
	ev := n.Ev
	return func(r *program.Run, _ *program.Datum) string {
		if d := ev(r); !d.Null && bad(d) {
			return "IN of rows with values of several types"
		}
		return ""
	}
}

// isText reports whether MySQL compares by characters or bytes.
func isText(c class.Class) bool { return c.IsString() || c == class.Enum || c == class.Set }

// bytesOfInteger is how many bytes a literal in hexadecimal has whose highest bit may be the sign of an integer.
const bytesOfInteger = 8

// isDouble reports whether no other integer is the same double; unsigned ones of 64 bits are none.
func isDouble(n int64) bool { return n > -1<<53 && n < 1<<53 }
