package eval

import (
	"encoding/binary"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/value"
)

// decimalOfTemporal is a date or time as a number: YYYYMMDD, hhmmss or both, and
// the fraction.
func decimalOfTemporal(c *compiler, n *program.Node) program.Evaluator {
	as, scale := n.Class, n.Scale
	if as == class.Time && n.Column == nil && !n.Literal {
		return c.refuseNumber("a computed TIME as a number") // servers lose its sign
	}
	return c.convert(n, func(_ *program.Run, in, out *program.Datum) *program.Datum {
		return program.TemporalAsDecimal(as, scale, in, out)
	})
}

// Temporal evaluates as a date with time, or as a time. Only constants of text
// are read as such, and only where nothing about them is doubtful.
func Temporal(c *compiler, n *program.Node, as class.Class, operation string) program.Evaluator {
	if n.Class != class.Text {
		return n.Ev
	}
	t := &value.Type{Kind: value.DateTime, Decimals: 6}
	if as == class.Time {
		t.Kind = value.Time
	}
	source := value.Source{Form: value.FormString, Collation: n.Collation}
	return c.convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
		s := source
		s.Bytes = in.B
		var room [8]byte
		b, o := value.Assign(room[:0], t, &s, &r.Lax)
		if len(o.Conditions()) > 0 || !plainTemporal(in.B, as) {
			return r.Refuse(operation)
		}
		out.N = binary.BigEndian.Uint64(b)
		return out
	})
}

// plainTemporal reports whether text is written as the servers write it, so that
// no reader can take it for something else.
func plainTemporal(s []byte, as class.Class) bool {
	if as == class.Time {
		return len(s) >= 8 && s[2] == ':' && s[5] == ':'
	}
	return len(s) >= 10 && s[4] == '-' && s[7] == '-'
}
