package date

import (
	"strings"
	"time"

	"tunic/internal/eval/calendar"
	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/decimal"
	"tunic/internal/eval/operand"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// compileUnixTimestamp makes UNIX_TIMESTAMP: seconds, as a DECIMAL if there is a
// fraction.
func compileUnixTimestamp(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if len(args) == 0 {
		slot := c.Slot()
		return program.Derive(class.IntegerShape(11), func(r *program.Run) *program.Datum {
			if r.In.Now.IsZero() {
				return r.Refuse(name)
			}
			return r.Slots[slot].SetInt(r.In.Now.Unix())
		}), nil
	}
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	ev, as, scale, err := clockOrText(c, args[0], false, name)
	if err != nil || as == class.Time {
		return nil, refusal.Of(name)
	}
	ev = coercion.MomentOnce(c, args[0], ev, "computed,")
	toUTC := (*program.Run).UnixOf
	if n := args[0]; n.Column != nil && n.Class == class.Timestamp { // no local time, which may come twice
		ev = operand.WordReader(n.Index, c.Slot(), func(_ *program.Run, packed uint64) uint64 { return packed })
		toUTC = func(_ *program.Run, k *calendar.Clock) (int64, bool) { return k.Time(time.UTC).Unix(), k.IsDate() }
	}
	s, slot := class.IntegerShape(11), c.Slot()
	if scale > 0 {
		s = class.Shape{Class: class.Decimal, Digits: 11 + scale, Scale: scale, Coercible: class.CoercibleNumber}
		if c.Session.IsMariaDB() {
			s.Digits = 16 + scale
		}
	}
	n := program.Derive(s, func(r *program.Run) *program.Datum {
		in := ev(r)
		if in.Null {
			return program.NullDatum
		}
		k := calendar.UnpackDateTime(in.N)
		seconds, ok := toUTC(r, &k)
		if !ok || seconds < 1 || seconds > calendar.UnixLast {
			return r.Refuse(name)
		}
		out := &r.Slots[slot]
		out.SetInt(seconds)
		if scale > 0 {
			out.D = decimal.OfMicros(false, uint64(seconds), uint64(k.Micro), scale)
		}
		return out
	}, args...)
	n.Nullable, n.Constant = true, false
	return n, nil
}

// compileFromUnixTime makes FROM_UNIXTIME, with a format or without.
func compileFromUnixTime(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	n := args[0]
	if !n.Class.IsInteger() && n.Class != class.Decimal && n.Class != class.Null {
		return nil, refusal.Of(name)
	}
	scale, slot, ev := min(n.Scale, 6), c.Slot(), coercion.Decimal(c, n, name)
	made := program.Derive(class.DateTimeShape(scale), func(r *program.Run) *program.Datum {
		in := ev(r)
		if in.Null {
			return program.NullDatum
		}
		s, ok := calendar.SecondsOf(&in.D)
		zone, known := r.Zone()
		if !ok || !known || s.Micros < 0 || s.Micros/calendar.MicrosOfSecond > calendar.UnixLast {
			return r.Refuse(name)
		}
		k := calendar.ClockOf(time.UnixMicro(s.Micros).In(zone))
		return r.Slots[slot].SetUint(k.Packed())
	}, n)
	made.Nullable = true
	if len(args) == 1 {
		return made, nil
	}
	return formatted(c, name, []*program.Node{made, args[1]}, made.Ev, class.DateTime, formatNeed(c))
}

// compileConvertTZ makes CONVERT_TZ between offsets that are constant. The names of
// zones are the server's: which it has, and what they mean to it, is not known.
func compileConvertTZ(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	ev, _, scale, err := clockOrText(c, args[0], false, name)
	if err != nil || args[0].Class == class.Time {
		return nil, refusal.Of(name)
	}
	evs := []program.Evaluator{ev}
	for _, n := range args[1:] {
		text, err := coercion.Text(c, n, name)
		if err != nil || !n.Constant || n.Class != class.Text {
			return nil, refusal.Of(name)
		}
		evs = append(evs, text)
	}
	return strict(c, name, class.DateTimeShape(scale), args, evs, func(in []*program.Datum, out *program.Datum) bool {
		from, okFrom := calendar.OffsetOfZone(in[1].B)
		to, okTo := calendar.OffsetOfZone(in[2].B)
		k := calendar.UnpackDateTime(in[0].N)
		if !okFrom || !okTo {
			return false
		}
		packed, ok := calendar.ConvertZone(&k, from, to)
		out.SetUint(packed)
		return ok
	}), nil
}

// Current compiles NOW and its kin, whose clock stands still for a statement.
func Current(c *compilation.Compilation, e *ast.CurTimeFuncExpr) (*program.Node, error) {
	name := e.Name.Lowered()
	s, ok := currentShapes[strings.TrimPrefix(name, "utc_")]
	if !ok || e.Fsp < 0 || e.Fsp > 6 {
		return nil, refusal.Of(strings.ToUpper(name)) // SYSDATE is not of the statement
	}
	utc := strings.HasPrefix(name, "utc_")
	if s != class.Date {
		return nowOf(c, strings.ToUpper(name), s, e.Fsp, utc), nil
	}
	return nowOf(c, strings.ToUpper(name), s, 0, utc), nil
}

// currentShapes are the classes of what tells the time, without UTC_ before them.
var currentShapes = map[string]class.Class{
	"now": class.DateTime, "current_timestamp": class.DateTime, "localtime": class.DateTime,
	"localtimestamp": class.DateTime, "timestamp": class.DateTime,
	"curdate": class.Date, "current_date": class.Date, "date": class.Date,
	"curtime": class.Time, "current_time": class.Time, "time": class.Time,
}

func nowOf(c *compilation.Compilation, name string, of class.Class, scale int, utc bool) *program.Node {
	slot := c.Slot()
	return program.Derive(class.Shape{Class: of, Scale: scale, Coercible: class.CoercibleNumber}, func(r *program.Run) *program.Datum {
		zone, known := time.UTC, true
		if !utc {
			zone, known = r.Zone()
		}
		if !known || r.In.Now.IsZero() {
			return r.Refuse(name)
		}
		k := calendar.ClockOf(r.In.Now.In(zone))
		k.Micro -= k.Micro % calendar.MicroUnits[scale]
		d := &r.Slots[slot]
		switch of {
		case class.Time:
			return d.SetUint(k.PackedTime())
		case class.Date:
			return d.SetUint(k.Packed() >> value.DayShift << value.DayShift)
		default:
			return d.SetUint(k.Packed())
		}
	})
}

// compileToday compiles CURDATE and what else the parser takes for a function like
// others.
func compileToday(c *compilation.Compilation, name string, _ []*program.Node) (*program.Node, error) {
	return Current(c, &ast.CurTimeFuncExpr{Name: ast.Identifier(name)})
}
