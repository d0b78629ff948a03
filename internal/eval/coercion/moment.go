package coercion

import (
	"encoding/binary"

	"tunic/internal/eval/calendar"
	"tunic/internal/eval/class"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/value"
)

// decimalOfTemporal is a date or time as a number: YYYYMMDD, hhmmss or both, and
// the fraction.
func decimalOfTemporal(c *compilation.Compilation, n *program.Node) program.Evaluator {
	as, scale := n.Class, n.Scale
	if as == class.Time && n.Column == nil && !n.Literal {
		return c.RefuseNumber("a computed TIME as a number") // servers lose its sign
	}
	return c.Convert(n, func(_ *program.Run, in, out *program.Datum) *program.Datum {
		return program.TemporalAsDecimal(as, scale, in, out)
	})
}

// Temporal evaluates as a date with time, or as a time. Only constants of text
// are read as such, and only where nothing about them is doubtful.
func Temporal(c *compilation.Compilation, n *program.Node, as class.Class, operation string) program.Evaluator {
	if n.Class != class.Text {
		return n.Ev
	}
	t := &value.Type{Kind: value.DateTime, Decimals: 6}
	if as == class.Time {
		t.Kind = value.Time
	}
	source := value.Source{Form: value.FormString, Collation: n.Collation}
	return c.Convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
		s := source
		s.Bytes = in.B
		var room [8]byte
		b, o := value.Assign(room[:0], t, &s, &r.Lax)
		if len(o.Conditions()) > 0 || !PlainTemporal(in.B, as) {
			return r.Refuse(operation)
		}
		out.N = binary.BigEndian.Uint64(b)
		return out
	})
}

// PlainTemporal reports whether text is written as the servers write it, so that
// no reader can take it for something else.
func PlainTemporal(s []byte, as class.Class) bool {
	if as == class.Time {
		return len(s) >= 8 && s[2] == ':' && s[5] == ':'
	}
	return len(s) >= 10 && s[4] == '-' && s[7] == '-'
}

// Dates with zeros are no dates: some functions have a result for them and some do
// not, with a warning or without. In a session with NO_ZERO_DATE or NO_ZERO_IN_DATE
// it depends on the server and on the function whether they become NULL (MySQL
// manual, "Server SQL Modes"; MariaDB does so wherever values of several types meet).

// RefuseZeros refuses a date with zeros, even if the result is NULL anyway: MariaDB
// warns of it.
func RefuseZeros(n *program.Node, ev program.Evaluator, name string) program.Evaluator {
	if !n.Class.HasDate() {
		return ev
	}
	return func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return d
		}
		if k := calendar.UnpackDateTime(d.N); !k.IsDate() {
			return r.Refuse(name)
		}
		return d
	}
}

// WithoutZeros refuses dates with zeros in modes that do not allow them.
func WithoutZeros(c *compilation.Compilation, n *program.Node, ev program.Evaluator, name string) program.Evaluator {
	if c.Session.Mode&(value.NoZeroDate|value.NoZeroInDate) == 0 {
		return ev
	}
	return RefuseZeros(n, ev, name)
}

// MomentOnce refuses TIMESTAMPs of an hour that is there twice in a place where MariaDB goes by moments.
func MomentOnce(c *compilation.Compilation, n *program.Node, ev program.Evaluator, where string) program.Evaluator {
	if n.Class != class.Timestamp || !c.Session.IsMariaDB() {
		return ev
	}
	return func(r *program.Run) *program.Datum {
		d := ev(r)
		if r.ShowsTwice(d) {
			return r.Refuse(program.HourTwice + where)
		}
		return d
	}
}

// ComparedMoment ends what the refusal of a TIMESTAMP says that is compared with another one.
const ComparedMoment = "compared with another one,"
