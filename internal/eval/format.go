package eval

import (
	"bytes"
	"strconv"

	"tunic/internal/eval/class"
	"tunic/internal/eval/notation"
	"tunic/internal/eval/number"
)

// compileNumberFormat makes FORMAT(number, digits) in the locale en_US: rounded, with
// commas between groups of three digits.
func compileNumberFormat(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args[:2]...); err != nil {
		return nil, err
	}
	if len(args) > 2 && !isEnglish(args[2]) {
		return nil, refuse(name + " in other locales than en_US")
	}
	if len(args) > 2 {
		c.pin(args[2])
	}
	s, err := c.asciiShape(name, 0)
	if err != nil {
		return nil, err
	}
	write, most := c.roundedText(name, args[0]), int64(c.rules().ScaleMax())
	ev, slot := c.quiet(c.clampedInteger(args[1], name), name), c.slot()
	return castable(derive(s, func(r *Run) *datum {
		digits := ev(r)
		if digits.null {
			return nullDatum
		}
		if int64(digits.n) != int64(int32(digits.n)) { // which servers take the last 32 bits of
			return r.refuse(name)
		}
		var room [128]byte
		text := write(r, room[:0], int(min(max(int64(digits.n), 0), most)))
		if text == nil {
			return nullDatum
		}
		return r.write(slot, func(dst []byte) []byte { return notation.AppendGrouped(dst, text) })
	}, args...)), nil
}

func isEnglish(n *node) bool {
	return n.example != nil && bytes.EqualFold(n.example.Bytes, []byte("en_US"))
}

// roundedText writes a number rounded to so many digits; nil is NULL.
func (c *compiler) roundedText(name string, n *node) func(r *Run, dst []byte, digits int) []byte {
	if k := c.numberClass(n); k == class.Double || k == class.Null {
		ev := c.real(n, name)
		return func(r *Run, dst []byte, digits int) []byte {
			d := ev(r)
			if d.null {
				return nil
			}
			const most = 1e15 // what has more digits, libraries write with other ones
			f := number.RoundDouble(d.double(), digits, false)
			if f >= most || f <= -most {
				r.refuse(name)
				return nil
			}
			return strconv.AppendFloat(dst, f, 'f', digits, 64)
		}
	}
	ev := c.decimal(n, name)
	return func(r *Run, dst []byte, digits int) []byte {
		d := ev(r)
		if d.null {
			return nil
		}
		x := d.d
		if !x.Round(digits) || !x.Extend(digits) {
			r.refuse(name)
			return nil
		}
		x.DropSign()
		return x.AppendText(dst)
	}
}
