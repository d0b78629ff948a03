package local

import (
	"encoding/binary"

	"tunic/internal/eval"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// partDates are the columns of rows that are put together by their values in which
// dates may have no month or day. A server with NO_ZERO_IN_DATE puts rows into a
// table to do so, and makes a date without a month or day 0000-00-00 there: which rows
// are equal is another matter then.
type partDates []int

// partDatesOf are the columns of these types, none if the session allows such dates.
func partDatesOf(env *value.Env, types []*value.Type) (all partDates) {
	if env.Mode&value.NoZeroInDate == 0 {
		return nil
	}
	for i, t := range types {
		if t.Kind == value.Date || t.Kind == value.DateTime {
			all = append(all, i)
		}
	}
	return all
}

// allow refuses a row with one of them.
func (p partDates) allow(r eval.Row) error {
	for _, i := range p {
		if r[i] == nil {
			continue
		}
		if IsPartDate(r[i]) {
			return ErrPartDate
		}
	}
	return nil
}

// ErrPartDate is the refusal of what is put together by such a date.
var ErrPartDate = sqlerr.ValueRefused("a group of dates")

// IsPartDate reports whether the canonical form of a date is of one that has no month
// or no day, and is not all zeros.
func IsPartDate(canonical []byte) bool {
	k := value.UnpackDateTime(int64(binary.BigEndian.Uint64(canonical)))
	return k.Year|k.Month|k.Day != 0 && (k.Month == 0 || k.Day == 0)
}
