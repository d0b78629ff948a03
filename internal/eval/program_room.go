package eval

import (
	"time"

	"tunic/internal/eval/calendar"
	"tunic/internal/eval/number"
	"tunic/internal/value"
)

// write makes a datum of what append appends to the run's arena.
func (r *Run) write(slot int, grow func(dst []byte) []byte) *datum {
	start := len(r.arena)
	r.arena = grow(r.arena)
	return r.slots[slot].setBytes(r.arena[start:len(r.arena):len(r.arena)])
}

// writeParts makes a datum of what grow appends to a buffer of its own: parts use
// the arena.
func (r *Run) writeParts(slot int, grow func(dst []byte) ([]byte, bool)) *datum {
	out, ok := grow(nil)
	if !ok {
		return nullDatum
	}
	return r.slots[slot].setBytes(out)
}

// pieces is room for so many pointers, for the time of one function.
func (r *Run) pieces(n int) []*datum {
	at := len(r.room)
	for range n {
		r.room = append(r.room, nil)
	}
	return r.room[at : at+n : at+n]
}

// evalAll calls evaluators until one of them is NULL, and keeps what they return
// in a slice of the run's.
func evalAll(r *Run, evs []evaluator, into []*datum) bool {
	for i, ev := range evs {
		d := ev(r)
		if d.null {
			return false
		}
		into[i] = d
	}
	return true
}

// known is a truth, refused where it is not known.
func (r *Run) known(operation string) func(is, known bool) *datum {
	return func(is, known bool) *datum {
		if !known {
			return r.refuse(operation)
		}
		return boolDatum(is)
	}
}

// divisionByZero is NULL, with a warning if sql_mode asks for it.
func (r *Run) divisionByZero() *datum {
	if r.in.Env.Mode&value.ErrorForDivisionByZero != 0 {
		r.warn(divisionByZero, "")
	}
	return nullDatum
}

// putInteger checks the range of a result.
func (r *Run) putInteger(slot int, v number.Signed, how number.Outcome, unsigned bool) *datum {
	if how == number.ByZero {
		return r.divisionByZero()
	}
	n, ok := v.Fits(unsigned)
	switch {
	case how != number.Overflow && ok:
		return r.slots[slot].setUint(n)
	case unsigned:
		return r.overflow("BIGINT UNSIGNED")
	default:
		return r.overflow("BIGINT")
	}
}

// grownMax is how many bytes a function makes of what is shorter. Servers make no
// more than max_allowed_packet, which is not less than this but where somebody
// has lowered it.
const grownMax = 1 << 20

// grown refuses text that a server may find too long to make: n times so many
// bytes.
func (r *Run) grown(name string, bytes int, times int64) bool {
	if bytes > 0 && times > grownMax/int64(bytes) {
		r.refuse(name)
		return false
	}
	return true
}

// zone is the session's time zone, if it is known.
func (r *Run) zone() (zone *time.Location, known bool) {
	if r.in.Env.Location == nil {
		return time.UTC, !r.in.ZoneUnknown
	}
	return r.in.Env.Location, true
}

// localTimestamp turns a TIMESTAMP, kept in UTC, into what the session sees.
func (r *Run) localTimestamp(packed uint64) uint64 {
	zone, known := r.zone()
	if !known {
		r.refuse("a TIMESTAMP")
	}
	if packed == 0 || zone == time.UTC {
		return packed
	}
	c := calendar.UnpackDateTime(packed)
	c = calendar.ClockOf(c.Time(time.UTC).In(zone))
	return c.Packed()
}

// showsTwice reports whether a TIMESTAMP is one of two moments at which clocks show the same, and
// whether that matters: MySQL knows no more of it than the clocks, either.
func (r *Run) showsTwice(d *datum) bool {
	return r.clocks != nil && !d.null && value.RepeatsLocal(int64(d.n), r.clocks)
}

// unixOf is the second of a date and time in the session's zone; false if there is
// none, or if the zone is not known.
func (r *Run) unixOf(k *calendar.Clock) (seconds int64, ok bool) {
	zone, known := r.zone()
	if !known {
		return 0, false
	}
	return calendar.UnixOf(k, zone)
}

// hourTwice begins what a refusal says of a TIMESTAMP that stands for two moments.
const hourTwice = "a TIMESTAMP of an hour that is there twice, "
