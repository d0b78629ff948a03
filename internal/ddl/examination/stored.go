package examination

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ledger"
)

// Stored is the stored definition of a table in the catalog.
func Stored(known *catalog.Catalog, t *catalog.Table) (*showcreate.Table, error) {
	account, err := showcreate.Read(t.Definition)
	if err != nil {
		return nil, fmt.Errorf("the definition of %s in the catalog: %w", t.FullName(), err)
	}
	of := *t
	of.Columns = slices.Clone(t.Columns)
	definition.Index(&of)
	l := &definition.Logical{Table: &of, Shown: account}
	if l.Layers, err = definition.Tie(&of, known); err != nil {
		return nil, err
	}
	want := l.Stored()
	for s := range t.StoredColumns() {
		if s.At >= len(account.Columns) { // it is being backfilled
			want.Columns = append(want.Columns, showcreate.Column{Name: s.Name})
		}
	}
	return want, nil
}

// Compare finds in what a stored table is not as it is to be.
func Compare(t *catalog.Table, is, want *showcreate.Table) (found []Mismatch) {
	x := &alteration.Difference{Schema: t.Schema, From: is, To: want, Names: map[string]string{}, CheckStays: true}
	for i := range is.Columns {
		name := is.Columns[i].Name
		x.Names[catalog.Folded(name)] = name
	}
	if _, mark := showcreate.OptionComment(is.Options); showcreate.UnquoteString(is.Options[mark.From:mark.To]) != ledger.Mark(t) {
		found = append(found, Mismatch{Of: "mark", Problem: Different})
	}
	if !is.TakeFence(t.Fence()) {
		found = append(found, Mismatch{Of: "column", Name: cmp.Or(t.Fence(), is.Fence), Problem: Different})
	}
	found = append(found, unlikeColumns(x)...)
	is.Keys = slices.DeleteFunc(is.Keys, func(k showcreate.Key) bool { return strings.HasPrefix(k.Name, catalog.KeyAheadPrefix) })
	found = append(found, unlike("key", is.Keys, want.Keys, func(k *showcreate.Key) string { return k.Name }, x.KeyStays)...)
	found = append(found, unlike("foreign key", is.ForeignKeys, want.ForeignKeys, func(k *showcreate.ForeignKey) string { return k.Name }, x.ForeignKeyStays)...)
	if t.Unchecked { // it need not have one; one that it has is right of the columns that it had then
		is.Checks = slices.DeleteFunc(is.Checks, func(k showcreate.Check) bool { return k.Name == form.CheckName(t) })
	}
	found = append(found, unlike("CHECK", is.Checks, want.Checks, func(k *showcreate.Check) string { return k.Name }, func(*showcreate.Check) bool { return true })...)
	if x.Options() != "" {
		found = append(found, Mismatch{Of: "options", Problem: Different})
	}
	return found
}

// unlikeColumns compares columns by their texts. A column that is being backfilled has none
// in the catalog, nor has a layer that is.
func unlikeColumns(x *alteration.Difference) []Mismatch {
	same := func(c *showcreate.Column) bool {
		for i := range x.To.Columns {
			if to := &x.To.Columns[i]; catalog.Folded(to.Name) == catalog.Folded(c.Name) {
				return to.Text == "" || alteration.PlainBody(to.Text) == alteration.PlainBody(c.Text) || showcreate.HasNoValue(to.Text) && showcreate.HasNoValue(c.Text)
			}
		}
		return false
	}
	return unlike("column", x.From.Columns, x.To.Columns, func(c *showcreate.Column) string { return c.Name }, same)
}

// unlike compares what is with what is to be, by name.
func unlike[T any](of string, is, want []T, name func(*T) string, same func(*T) bool) (found []Mismatch) {
	in := func(list []T, n string) bool {
		return slices.ContainsFunc(list, func(x T) bool { return catalog.Folded(name(&x)) == catalog.Folded(n) })
	}
	for i := range want {
		if n := name(&want[i]); !in(is, n) {
			found = append(found, Mismatch{of, n, Missing})
		}
	}
	for i := range is {
		switch n := name(&is[i]); {
		case !in(want, n):
			found = append(found, Mismatch{of, n, Unknown})
		case !same(&is[i]):
			found = append(found, Mismatch{of, n, Different})
		}
	}
	return found
}
