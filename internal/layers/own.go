package layers

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/policy"
)

// errOther is of a form that was moved to another row.
var errOther = errors.New("the form is of another row than the key")

// tie is a column of the key by which rows are found whose value is in a family's form as well. A form is that of its row only if
// the value that it has there is the one that the token in the key is of.
type tie struct {
	part  int // of the key
	from  *source
	at    int
	makes *crypt.Column
	layer policy.Capabilities
}

// ties are those of a table's key and of what its rows are read by.
type ties struct {
	all   []tie
	token []byte // of a value that was opened
}

// tiesOf finds them; key is nil of a table without one.
func tiesOf(s *sources, key *rowKey) (t ties, err error) {
	if key == nil {
		return t, nil
	}
	for i, p := range key.parts {
		c, l := tokenIn(s.table, p.stored)
		if l == nil || !slices.ContainsFunc(s.all, func(x *source) bool { return x.family != nil && x.stored == c.Family }) {
			continue
		}
		one := tie{part: i, layer: l.Capability}
		if one.from, one.at, err = s.of(c); err != nil {
			return t, err
		}
		if one.makes, err = s.ring.Column(c); err != nil {
			return t, err
		}
		t.all = append(t.all, one)
	}
	return t, nil
}

// tokenIn is the layer that a stored column of a table is, and the column that it is of; nil if it is none.
func tokenIn(t *catalog.Table, stored string) (*catalog.Column, *catalog.Layer) {
	for of := range t.StoredColumns() {
		if of.Kind == catalog.StoredToken && of.Name == stored {
			return of.Column, of.Layer
		}
	}
	return nil, nil
}

// own looks whether a form that was opened of a row is the row's, as far as that is known; key is what the row has in its key. One that
// is another's is ErrForeign.
func (t *ties) own(key [][]byte, opened *source) error {
	for i := range t.all {
		x := &t.all[i]
		if x.from != opened {
			continue
		}
		value, err := opened.value(x.at)
		if err != nil {
			return err
		}
		if value != nil {
			t.token, err = x.makes.AppendToken(t.token[:0], x.layer, value)
		}
		if err != nil || value == nil || !bytes.Equal(t.token, key[x.part]) {
			return fmt.Errorf("%w: %s: %w", ErrForeign, opened.of, errOther)
		}
	}
	return nil
}
