package operand

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
)

// Default makes DEFAULT(c): a value of the column's type that is no column's. Servers
// may take it for a constant where it is compared with something of another type, see
// comparisonOf.
func Default(c *compilation.Compilation, e *ast.Default) (*program.Node, error) {
	d, ok := c.Scope.(compilation.Defaulter)
	if !ok || e.ColName == "" {
		return nil, refusal.Of(refusal.NameOf(e))
	}
	t, canonical, err := d.Default(e.ColName)
	if err != nil {
		return nil, err
	}
	n := &program.Node{Shape: class.OfColumn(t), Defaulted: true}
	switch n.Class {
	case class.Int, class.Uint, class.Text, class.Date:
		n.Ev = onRow(columnReader(c, n, t, 0), canonical)
	case class.Decimal:
		n.Ev = onRow(decimalReader(0, c.Slot(), t.Decimals), canonical)
	default:
		return nil, refusal.Of(refusal.NameOf(e))
	}
	return n, nil
}

// onRow evaluates on a row of one value, whatever the row is.
func onRow(ev program.Evaluator, canonical []byte) program.Evaluator {
	own := [][]byte{canonical}
	return func(r *program.Run) *program.Datum {
		row := r.Row
		r.Row = own
		d := ev(r)
		r.Row = row
		return d
	}
}
