package binding

import (
	"errors"

	"tunic/internal/layers"
	"tunic/internal/sqlerr"
)

// A column whose type changes has another one beside it for a while, which is to take its
// place (catalog.Table.Shadow). What is written to the one is converted for the other.

// ErrMisfit is of a value that the column has room for and the one that is to take its place
// has not. A plain server keeps whoever writes waiting until the type has changed, and then
// takes the value by the new one: so does the session, unless it is in a transaction that the
// change may be waiting for.
var ErrMisfit = sqlerr.LockWait()

// IsMisfit reports whether an error is that of such a value. MayBeStale is true of it, too.
func IsMisfit(e *sqlerr.Error) bool { return e == ErrMisfit }

// ForShadow is a value of a column as the one that it is written to has it.
func (b *Binder) ForShadow(to *Column, canonical []byte) ([]byte, error) {
	if to.succeeds == nil || to.succeeds.ID == to.ID { // the same column in another family
		return canonical, nil
	}
	out, err := layers.Converter(&to.succeeds.Type, &to.Type, &b.Env.Value)(canonical)
	if errors.Is(err, layers.ErrConversion) {
		return nil, ErrMisfit
	}
	return out, err
}
