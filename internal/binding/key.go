package binding

import (
	"errors"

	"tunic/internal/recipe"
)

// errNoKey says that no token stands for a value that a row would be known by.
var errNoKey = errors.New("binding: a value that no row has")

// AppendKey appends the token that a slot is filled with, by which a row is known. Nothing is said of the value, and
// no row is sought by it that has not been: FillSlot does both.
func (b *Binder) AppendKey(dst []byte, n int) ([]byte, error) {
	s := &b.Statement.Slots[n]
	v, err := b.Quietly(s.operand, 0)
	if err != nil {
		return dst, err
	}
	if s.form != recipe.Token || v.reach != within {
		return dst, errNoKey
	}
	canonical, err := b.ForShadow(s.column, v.canonical)
	if err != nil {
		return dst, err
	}
	return s.column.Forms.AppendToken(dst, s.layer, canonical)
}
