package recall

import (
	"bytes"

	"tunic/internal/arena"
	"tunic/internal/binding"
	"tunic/internal/sql"
)

// Key is what a row is known by that a statement locks. Its buffers stay.
type Key struct {
	text []byte
	ends []int // of its parts in text, each with a byte behind it
}

// Of makes it of the statement under way; false if it is not certain which row that is.
func (k *Key) Of(b *binding.Binder) bool {
	k.text, k.ends = k.text[:0], k.ends[:0]
	for _, p := range b.Statement.Run.Key {
		begin := len(k.text)
		var err error
		switch {
		case p.Slot >= 0:
			k.text, err = b.AppendKey(k.text, p.Slot)
		case p.Param >= 0:
			k.text, err = b.AppendParamAt(k.text, sql.Hole{Kind: sql.HoleParam, Number: p.Param})
		default:
			k.text, err = b.AppendPlace(k.text, p.Place, 0)
		}
		if err != nil || p.Slot < 0 && !isWhole(k.text[begin:]) {
			k.text = arena.Bounded(k.text, 1)
			return false
		}
		k.ends = append(k.ends, len(k.text))
		k.text = append(k.text, ',')
	}
	return true
}

// digitsMost is how many digits a whole number of a column has at most.
const digitsMost = 20

// isWhole reports whether a text is a whole number of a column as a server writes it: one that is written otherwise, as 007 or -0, would
// be another key of the same row. A longer one is in no row, and would be kept.
func isWhole(text []byte) bool {
	digits := bytes.TrimPrefix(text, []byte("-"))
	switch {
	case len(digits) == 0, len(digits) > digitsMost, len(bytes.Trim(digits, "0123456789")) > 0:
		return false
	case digits[0] == '0':
		return len(text) == 1
	}
	return true
}

// digits are a plain column of the key, as a server would send it.
func (k *Key) digits(st *binding.Statement, column int) (digits []byte, ok bool) {
	begin := 0
	for i, p := range st.Run.Key {
		if p.Column == column && p.Slot < 0 {
			return k.text[begin:k.ends[i]], true
		}
		begin = k.ends[i] + 1
	}
	return nil, false
}
