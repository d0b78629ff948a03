package program

import (
	"time"

	"tunic/internal/eval/calendar"
	"tunic/internal/eval/number"
	"tunic/internal/value"
)

// Write makes a datum of what append appends to the run's arena.
func (r *Run) Write(slot int, grow func(dst []byte) []byte) *Datum {
	start := len(r.Arena)
	r.Arena = grow(r.Arena)
	return r.Slots[slot].SetBytes(r.Arena[start:len(r.Arena):len(r.Arena)])
}

// WriteParts makes a datum of what grow appends to a buffer of its own: parts use
// the arena.
func (r *Run) WriteParts(slot int, grow func(dst []byte) ([]byte, bool)) *Datum {
	out, ok := grow(nil)
	if !ok {
		return NullDatum
	}
	return r.Slots[slot].SetBytes(out)
}

// Pieces is room for so many pointers, for the time of one function.
func (r *Run) Pieces(n int) []*Datum {
	at := len(r.room)
	for range n {
		r.room = append(r.room, nil)
	}
	return r.room[at : at+n : at+n]
}

// EvalAll calls evaluators until one of them is NULL, and keeps what they return
// in a slice of the run's.
func EvalAll(r *Run, evs []Evaluator, into []*Datum) bool {
	for i, ev := range evs {
		d := ev(r)
		if d.Null {
			return false
		}
		into[i] = d
	}
	return true
}

// Known is a truth, refused where it is not known.
func (r *Run) Known(operation string) func(is, known bool) *Datum {
	return func(is, known bool) *Datum {
		if !known {
			return r.Refuse(operation)
		}
		return BoolDatum(is)
	}
}

// DivisionByZero is NULL, with a warning if sql_mode asks for it.
func (r *Run) DivisionByZero() *Datum {
	if r.In.Env.Mode&value.ErrorForDivisionByZero != 0 {
		r.warn(divisionByZero, "")
	}
	return NullDatum
}

// PutInteger checks the range of a result.
func (r *Run) PutInteger(slot int, v number.Signed, how number.Outcome, unsigned bool) *Datum {
	if how == number.ByZero {
		return r.DivisionByZero()
	}
	n, ok := v.Fits(unsigned)
	switch {
	case how != number.Overflow && ok:
		return r.Slots[slot].SetUint(n)
	case unsigned:
		return r.Overflow("BIGINT UNSIGNED")
	default:
		return r.Overflow("BIGINT")
	}
}

// GrownMax is how many bytes a function makes of what is shorter. Servers make no
// more than max_allowed_packet, which is not less than this but where somebody
// has lowered it.
const GrownMax = 1 << 20

// Grown refuses text that a server may find too long to make: n times so many
// bytes.
func (r *Run) Grown(name string, bytes int, times int64) bool {
	if bytes > 0 && times > GrownMax/int64(bytes) {
		r.Refuse(name)
		return false
	}
	return true
}

// Zone is the session's time zone, if it is known.
func (r *Run) Zone() (zone *time.Location, known bool) {
	if r.In.Env.Location == nil {
		return time.UTC, !r.In.ZoneUnknown
	}
	return r.In.Env.Location, true
}

// LocalTimestamp turns a TIMESTAMP, kept in UTC, into what the session sees.
func (r *Run) LocalTimestamp(packed uint64) uint64 {
	zone, known := r.Zone()
	if !known {
		r.Refuse("a TIMESTAMP")
	}
	if packed == 0 || zone == time.UTC {
		return packed
	}
	c := calendar.UnpackDateTime(packed)
	c = calendar.ClockOf(c.Time(time.UTC).In(zone))
	return c.Packed()
}

// ShowsTwice reports whether a TIMESTAMP is one of two moments at which clocks show the same, and
// whether that matters: MySQL knows no more of it than the clocks, either.
func (r *Run) ShowsTwice(d *Datum) bool {
	return r.clocks != nil && !d.Null && value.RepeatsLocal(int64(d.N), r.clocks)
}

// UnixOf is the second of a date and time in the session's zone; false if there is
// none, or if the zone is not known.
func (r *Run) UnixOf(k *calendar.Clock) (seconds int64, ok bool) {
	zone, known := r.Zone()
	if !known {
		return 0, false
	}
	return calendar.UnixOf(k, zone)
}

// HourTwice begins what a refusal says of a TIMESTAMP that stands for two moments.
const HourTwice = "a TIMESTAMP of an hour that is there twice, "
