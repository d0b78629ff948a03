package encoding

import (
	"bytes"
	"strconv"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/notation"
	"tunic/internal/eval/number"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
)

// compileNumberFormat makes FORMAT(number, digits) in the locale en_US: rounded, with
// commas between groups of three digits.
func compileNumberFormat(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args[:2]...); err != nil {
		return nil, err
	}
	if len(args) > 2 && !isEnglish(args[2]) {
		return nil, refusal.Of(name + " in other locales than en_US")
	}
	if len(args) > 2 {
		c.Pin(args[2])
	}
	s, err := coercion.ASCIIShape(c, name, 0)
	if err != nil {
		return nil, err
	}
	write, most := roundedText(c, name, args[0]), int64(c.Rules().ScaleMax())
	ev, slot := c.Quiet(coercion.ClampedInteger(c, args[1], name), name), c.Slot()
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		digits := ev(r)
		if digits.Null {
			return program.NullDatum
		}
		if int64(digits.N) != int64(int32(digits.N)) { // which servers take the last 32 bits of
			return r.Refuse(name)
		}
		var room [128]byte
		text := write(r, room[:0], int(min(max(int64(digits.N), 0), most)))
		if text == nil {
			return program.NullDatum
		}
		return r.Write(slot, func(dst []byte) []byte { return notation.AppendGrouped(dst, text) })
	}, args...)), nil
}

func isEnglish(n *program.Node) bool {
	return n.Example != nil && bytes.EqualFold(n.Example.Bytes, []byte("en_US"))
}

// roundedText writes a number rounded to so many digits; nil is NULL.
func roundedText(c *compilation.Compilation, name string, n *program.Node) func(r *program.Run, dst []byte, digits int) []byte {
	if k := c.NumberClass(n); k == class.Double || k == class.Null {
		ev := coercion.Real(c, n, name)
		return func(r *program.Run, dst []byte, digits int) []byte {
			d := ev(r)
			if d.Null {
				return nil
			}
			const most = 1e15 // what has more digits, libraries write with other ones
			f := number.RoundDouble(d.Double(), digits, false)
			if f >= most || f <= -most {
				r.Refuse(name)
				return nil
			}
			return strconv.AppendFloat(dst, f, 'f', digits, 64)
		}
	}
	ev := coercion.Decimal(c, n, name)
	return func(r *program.Run, dst []byte, digits int) []byte {
		d := ev(r)
		if d.Null {
			return nil
		}
		x := d.D
		if !x.Round(digits) || !x.Extend(digits) {
			r.Refuse(name)
			return nil
		}
		x.DropSign()
		return x.AppendText(dst)
	}
}
