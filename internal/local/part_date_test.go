package local

import (
	"encoding/binary"
	"testing"

	"tunic/internal/eval"
	"tunic/internal/value"
)

// TestPartDates: a date without a month or day is refused where rows are compared, if
// the session does not allow it.
func TestPartDates(t *testing.T) {
	types := []*value.Type{{Kind: value.Int}, {Kind: value.Date}, {Kind: value.DateTime}}
	row := func(k value.Clock) eval.Row {
		return eval.Row{nil, nil, binary.BigEndian.AppendUint64(nil, uint64(k.PackDateTime()))}
	}
	strict := partDatesOf(&value.Env{Mode: value.NoZeroInDate}, types)
	lax := partDatesOf(&value.Env{}, types)
	for _, c := range []struct {
		name    string
		date    value.Clock
		refused bool
	}{
		{"a date", value.Clock{Year: 2024, Month: 2, Day: 29}, false},
		{"zeros", value.Clock{}, false},
		{"no day", value.Clock{Year: 2024, Month: 2}, true},
		{"no month", value.Clock{Year: 2024}, true},
		{"no year", value.Clock{Month: 2, Day: 1}, false},
	} {
		if err := strict.allow(row(c.date)); (err != nil) != c.refused {
			t.Errorf("%s: %v", c.name, err)
		}
		if err := lax.allow(row(c.date)); err != nil {
			t.Errorf("%s, in a session that allows it: %v", c.name, err)
		}
	}
	if err := strict.allow(eval.Row{nil, nil, nil}); err != nil {
		t.Errorf("NULL: %v", err)
	}
}
