package session

import "tunic/internal/catalog"

// without are catalogs that name no fences, made of others.
type without struct{ own, base *catalog.Catalog }

func (w *without) of(base *catalog.Catalog) *catalog.Catalog {
	if w.base != base {
		w.own, w.base = base.WithoutFences(ownVersion()), base
	}
	return w.own
}
