package binding

import (
	"bytes"

	"tunic/internal/arena"
)

// computedTokens are tokens of values of a comparison that came before: in the order of a key its first parts come many times
// in a row, and others, such as the number of a line, again and again.
type computedTokens struct {
	canonical, token []byte // the last
	come             int    // values that were not the last
	short            []shortToken
}

// shortToken is the token of a short value.
type shortToken struct {
	canonical, token [shortBytes]byte
	sizes            [2]uint8 // of both; 0 for none
}

// Few tokens are computed again of a few hundred values. They are kept once a statement has had many.
const (
	shortBytes  = 8
	shortTokens = 1 << 8 // that are kept, a power of two
	shortAfter  = 64     // values that were not the last
)

// of is the token of a value, until the next one.
func (k *computedTokens) of(c *comparison, value []byte) (token []byte, err error) {
	if len(k.token) > 0 && bytes.Equal(k.canonical, value) {
		return k.token, nil
	}
	at := k.place(value)
	if at != nil && at.sizes[1] > 0 && bytes.Equal(at.canonical[:at.sizes[0]], value) {
		return at.token[:at.sizes[1]], nil
	}
	k.canonical = append(k.canonical[:0], value...)
	if k.token, err = c.column.Forms.AppendToken(k.token[:0], c.layer, value); err != nil {
		k.token = k.token[:0]
		return nil, err
	}
	if at != nil && len(k.token) <= shortBytes {
		at.sizes = [2]uint8{uint8(len(value)), uint8(len(k.token))}
		copy(at.canonical[:], value)
		copy(at.token[:], k.token)
	}
	return k.token, nil
}

// place is where the token of a value is kept, nil for a value whose is not.
func (k *computedTokens) place(value []byte) *shortToken {
	if k.come++; k.come <= shortAfter || len(value) > shortBytes || len(value) == 0 {
		return nil
	}
	if k.short == nil {
		k.short = make([]shortToken, shortTokens)
	}
	sum := 0
	for _, b := range value {
		sum = sum*31 + int(b)
	}
	return &k.short[sum&(shortTokens-1)]
}

// forget lets go of all.
func (k *computedTokens) forget() {
	k.canonical, k.token = arena.Bounded(k.canonical, 1)[:0], arena.Bounded(k.token, 1)[:0]
	k.come, k.short = 0, nil
}
