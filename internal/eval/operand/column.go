package operand

import (
	"encoding/binary"
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// Column reads a column of the row.
func Column(c *compilation.Compilation, name *ast.ColName) (*program.Node, error) {
	index, t, err := c.Scope.Column(name)
	if err != nil {
		return nil, err
	}
	n := &program.Node{Shape: class.OfColumn(t), Column: t, Index: index}
	n.Ev = columnReader(c, n, t, index)
	if f, ok := c.Scope.(compilation.Filler); ok {
		n.MayFill = f.MayFill(index)
	}
	return n, nil
}

// columnReader turns a canonical form into a datum.
func columnReader(c *compilation.Compilation, n *program.Node, t *value.Type, index int) program.Evaluator {
	slot := c.Slot()
	switch n.Class {
	case class.Decimal:
		digits := t.Decimals
		if finer, ok := c.Scope.(compilation.Finer); ok {
			if more, ok := finer.Digits(index); ok {
				digits = more
			}
		}
		return decimalReader(index, slot, digits)
	case class.Text, class.Bytes, class.JSON, class.Other:
		return bytesReader(c, t, index, slot)
	case class.Float:
		return WordReader(index, slot, func(_ *program.Run, w uint64) uint64 {
			return math.Float64bits(float64(math.Float32frombits(uint32(w))))
		})
	case class.Timestamp:
		return WordReader(index, slot, (*program.Run).LocalTimestamp)
	default:
		return func(r *program.Run) *program.Datum {
			b := r.Row[index]
			if b == nil {
				return program.NullDatum
			}
			d := &r.Slots[slot]
			d.N = binary.BigEndian.Uint64(b)
			return d
		}
	}
}

// decimalReader reads a decimal of so many digits after the point.
func decimalReader(index, slot, digits int) program.Evaluator {
	return func(r *program.Run) *program.Datum {
		b := r.Row[index]
		if b == nil {
			return program.NullDatum
		}
		d := &r.Slots[slot]
		d.D.SetCanonical(b, digits)
		return d
	}
}

// WordReader reads eight bytes that are not yet what a datum has.
func WordReader(index, slot int, convert func(*program.Run, uint64) uint64) program.Evaluator {
	return func(r *program.Run) *program.Datum {
		b := r.Row[index]
		if b == nil {
			return program.NullDatum
		}
		d := &r.Slots[slot]
		d.N = convert(r, binary.BigEndian.Uint64(b))
		return d
	}
}

// bytesReader reads text and bytes; CHAR with the spaces that sql_mode may give
// it back.
func bytesReader(c *compilation.Compilation, t *value.Type, index, slot int) program.Evaluator {
	pad := t.Kind == value.Char && c.Session.Mode&value.PadCharToFullLength != 0
	return func(r *program.Run) *program.Datum {
		b := r.Row[index]
		if b == nil {
			return program.NullDatum
		}
		if pad {
			start := len(r.Arena)
			r.Arena = value.AppendText(r.Arena, t, b, r.In.Env)
			b = r.Arena[start:]
		}
		d := &r.Slots[slot]
		d.B = b
		return d
	}
}
