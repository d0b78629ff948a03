package eval

import (
	"time"

	"tunic/internal/eval/calendar"
	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
)

// compileUnixTimestamp makes UNIX_TIMESTAMP: seconds, as a DECIMAL if there is a
// fraction.
func compileUnixTimestamp(c *compiler, name string, args []*node) (*node, error) {
	if len(args) == 0 {
		slot := c.slot()
		return derive(class.IntegerShape(11), func(r *Run) *datum {
			if r.in.Now.IsZero() {
				return r.refuse(name)
			}
			return r.slots[slot].setInt(r.in.Now.Unix())
		}), nil
	}
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	ev, as, scale, err := c.clockOrText(args[0], false, name)
	if err != nil || as == class.Time {
		return nil, refuse(name)
	}
	ev = c.momentOnce(args[0], ev, "computed,")
	toUTC := (*Run).unixOf
	if n := args[0]; n.column != nil && n.Class == class.Timestamp { // no local time, which may come twice
		ev = wordReader(n.index, c.slot(), func(_ *Run, packed uint64) uint64 { return packed })
		toUTC = func(_ *Run, k *calendar.Clock) (int64, bool) { return k.Time(time.UTC).Unix(), k.IsDate() }
	}
	s, slot := class.IntegerShape(11), c.slot()
	if scale > 0 {
		s = class.Shape{Class: class.Decimal, Digits: 11 + scale, Scale: scale, Coercible: class.CoercibleNumber}
		if c.session.isMariaDB() {
			s.Digits = 16 + scale
		}
	}
	n := derive(s, func(r *Run) *datum {
		in := ev(r)
		if in.null {
			return nullDatum
		}
		k := calendar.UnpackDateTime(in.n)
		seconds, ok := toUTC(r, &k)
		if !ok || seconds < 1 || seconds > calendar.UnixLast {
			return r.refuse(name)
		}
		out := &r.slots[slot]
		out.setInt(seconds)
		if scale > 0 {
			out.d = decimal.OfMicros(false, uint64(seconds), uint64(k.Micro), scale)
		}
		return out
	}, args...)
	n.Nullable, n.constant = true, false
	return n, nil
}

// compileFromUnixTime makes FROM_UNIXTIME, with a format or without.
func compileFromUnixTime(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	n := args[0]
	if !n.Class.IsInteger() && n.Class != class.Decimal && n.Class != class.Null {
		return nil, refuse(name)
	}
	scale, slot, ev := min(n.Scale, 6), c.slot(), c.decimal(n, name)
	made := derive(class.DateTimeShape(scale), func(r *Run) *datum {
		in := ev(r)
		if in.null {
			return nullDatum
		}
		s, ok := calendar.SecondsOf(&in.d)
		zone, known := r.zone()
		if !ok || !known || s.Micros < 0 || s.Micros/calendar.MicrosOfSecond > calendar.UnixLast {
			return r.refuse(name)
		}
		k := calendar.ClockOf(time.UnixMicro(s.Micros).In(zone))
		return r.slots[slot].setUint(k.Packed())
	}, n)
	made.Nullable = true
	if len(args) == 1 {
		return made, nil
	}
	return c.formatted(name, []*node{made, args[1]}, made.ev, class.DateTime, c.formatNeed())
}

// compileConvertTZ makes CONVERT_TZ between offsets that are constant. The names of
// zones are the server's: which it has, and what they mean to it, is not known.
func compileConvertTZ(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	ev, _, scale, err := c.clockOrText(args[0], false, name)
	if err != nil || args[0].Class == class.Time {
		return nil, refuse(name)
	}
	evs := []evaluator{ev}
	for _, n := range args[1:] {
		text, err := c.text(n, name)
		if err != nil || !n.constant || n.Class != class.Text {
			return nil, refuse(name)
		}
		evs = append(evs, text)
	}
	return c.strict(name, class.DateTimeShape(scale), args, evs, func(in []*datum, out *datum) bool {
		from, okFrom := calendar.OffsetOfZone(in[1].b)
		to, okTo := calendar.OffsetOfZone(in[2].b)
		k := calendar.UnpackDateTime(in[0].n)
		if !okFrom || !okTo {
			return false
		}
		packed, ok := calendar.ConvertZone(&k, from, to)
		out.setUint(packed)
		return ok
	}), nil
}
