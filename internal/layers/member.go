package layers

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
)

// readMember has a target read the i-th column of a table out of its family's form, if it is in one. all are
// the targets before it, of which one may have the same form: it is read once for each row.
func (x *target) readMember(ring *crypt.Ring, t *catalog.Table, i int, all []target) (err error) {
	f := t.FamilyOf(i)
	if f == nil {
		return nil
	}
	if x.family, err = ring.Family(t, f); err != nil {
		return err
	}
	x.place = slices.Index(x.family.Columns(), x.read.ID)
	x.beside = 1 + slices.IndexFunc(all, func(o target) bool { return o.family == x.family })
	return nil
}

// share gives targets beside others the form that these have.
func (w *worker) share(sealed [][]byte) {
	for i := range w.targets {
		if at := w.targets[i].beside; at > 0 {
			sealed[i] = sealed[at-1]
		}
	}
}
