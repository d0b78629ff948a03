package transaction

import "tunic/internal/catalog"

// Unfenced are catalogs that name no fences, made of others.
type Unfenced struct{ own, base *catalog.Catalog }

// Of is a catalog without fences.
func (w *Unfenced) Of(base *catalog.Catalog) *catalog.Catalog {
	if w.base != base {
		w.own, w.base = base.WithoutFences(OwnVersion()), base
	}
	return w.own
}
