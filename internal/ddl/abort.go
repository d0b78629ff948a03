package ddl

import (
	"context"
	"errors"
	"slices"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/decryption"
	"tunic/internal/ddl/pace"
	"tunic/internal/ddl/revision"
)

// ErrSwapped says that the columns of a table have become protected ones: what is left to do
// cannot be taken back any more.
var ErrSwapped = errors.New("the columns are protected by now")

// Abort takes back an encryption that has not come to SwapShadows, while clients use the table:
//
//	Adopt, Fence   what is missing of them, so that there is only one way back
//	ForgetShadows  the catalog has the table as one of plain columns that is about to leave it, and
//	               nobody writes the shadow columns any more
//	Decrypt        from there on the way is the one of a table that is decrypted: the shadow columns go, and
//	               then fence and mark
//
// Cut off anywhere and begun again, it goes on; so does Decrypt. Errors are upkeep.ErrTableGone of a
// table that has nothing of an encryption, ErrSwapped, and those of the steps. told may be nil.
func (d *Definer) Abort(ctx context.Context, e *Encryption, told func(decryption.Step)) error {
	t := d.find(e)
	if t == nil {
		left, err := d.hasUnadopted(ctx, e)
		if err != nil {
			return err
		}
		if left {
			if err := d.Adopt(ctx, e); err != nil {
				return err
			}
			t = d.find(e)
		}
	}
	if t != nil && !t.Bared {
		if !t.Encrypting() {
			return ErrSwapped
		}
		if err := errors.Join(d.Fence(ctx, e), ctx.Err()); err != nil {
			return err
		}
		if err := d.ForgetShadows(ctx, t.ID); err != nil {
			return err
		}
	}
	return d.Decryption.Decrypt(ctx, e.Schema, e.Table, pace.Pace{}, told)
}

// hasUnadopted reports whether a table that nobody knows of has shadows of its columns: an adoption
// was cut off in the middle.
func (d *Definer) hasUnadopted(ctx context.Context, e *Encryption) (bool, error) {
	n, err := d.Upkeep.CountColumns(ctx, &catalog.Table{Schema: e.Schema, Name: e.Table}, "EXTRA LIKE '%INVISIBLE%' AND COLUMN_NAME LIKE ?", "%"+catalog.ShadowName(""))
	return n > 0, err
}

// ForgetShadows has nobody write the shadow columns of a table any more.
func (d *Definer) ForgetShadows(ctx context.Context, table catalog.ID) error {
	return d.Upkeep.Step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		switch {
		case t.Bared:
			return nil
		case !t.Encrypting():
			return ErrSwapped
		}
		next := revision.CopyOf(t)
		next.Columns = slices.DeleteFunc(next.Columns, func(c catalog.Column) bool { return c.Shadows != "" })
		next.Families = nil
		next.Bared, next.Unchecked, next.Revision = true, true, t.Revision+1
		return d.Upkeep.ChangeBriefly(ctx, t, next.Table, revision.Alter(t, next.Table, nil), wait)
	})
}
