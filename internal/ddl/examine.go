package ddl

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
)

// Mismatch is something in which a stored table is not as the catalog says.
type Mismatch struct {
	// Of is what: "table", "mark", "column", "key", "foreign key", "CHECK" or "options".
	Of string
	// Name is its name; "" of the table, its mark and its options.
	Name string
	// Problem is "missing", "different", "not made by tunic", or "between steps": tunic encrypt or
	// decrypt is to go on with it.
	Problem string
}

// Problems of a Mismatch.
const (
	missing   = "missing"
	different = "different"
	unknown   = "not made by tunic"
	between   = "between steps"
)

// Between reports whether it is what a table has between two steps of an encryption or of a
// decryption, which nobody reads or writes.
func (m Mismatch) Between() bool { return m.Problem == between }

// Reader reports whether it is a view of the server's that reads the table or view: it shows stored
// forms, or nothing.
func (m Mismatch) Reader() bool { return m.Of == "view" && m.Name != "" && m.Problem == unknown }

// Spare reports whether it is a stored column of a layer that the catalog does not know: that
// of one that a job is about to add, or has just taken away. Nobody reads or writes it.
func (m Mismatch) Spare() bool {
	return m.Of == "column" && m.Problem == unknown && catalog.Reserved(m.Name) && !catalog.IsFence(m.Name)
}

// Examine compares a stored table with what the catalog says it is, by what the server
// says of it on a connection of the service account's. Comments of columns and keys and
// the AUTO_INCREMENT are not compared: they move without a change of the catalog.
func Examine(ctx context.Context, conn *sql.Conn, known *catalog.Catalog, t *catalog.Table) ([]Mismatch, error) {
	s := &service{conn: conn}
	rows, err := s.query(ctx, "SHOW CREATE TABLE "+t.QuotedName())
	if said, ok := errors.AsType[*sqlerr.Error](err); ok && (said.Number == noTable || said.Number == noSchema) {
		return []Mismatch{{Of: "table", Problem: missing}}, nil
	}
	if err != nil || len(rows) == 0 {
		return nil, errors.Join(err, noRow(len(rows)))
	}
	is, err := showcreate.Read(text(rows[0][1]))
	if err != nil {
		return []Mismatch{{Of: "table", Problem: different}}, nil //nolint:nilerr // it is a view, say
	}
	want, err := storedOf(known, t)
	if err != nil {
		return nil, err
	}
	return betweenSteps(t, is, want, compareStored(t, is, want)), nil
}

// betweenSteps finds out which of the things found are what the steps of an encryption and of a
// decryption leave for the next one: keys aside, plain columns that were exchanged, copies that
// are invisible still, a fence that the mark does not know yet; and what was stored of columns that have become plain.
func betweenSteps(t *catalog.Table, is, want *showcreate.Table, found []Mismatch) []Mismatch {
	for i := range found {
		m := &found[i]
		switch {
		case m.Of == "key" && m.Problem == unknown && strings.HasPrefix(m.Name, catalog.KeyAsidePrefix),
			m.Of == "column" && m.Problem == unknown && isAside(t, m.Name),
			m.Of == "column" && m.Problem == different && isInvisible(is, want, m.Name),
			m.Of == "column" && isFenceAhead(t, m.Name):
			m.Problem = between
		}
	}
	return found
}

// isAside reports whether a stored column that the catalog does not know is one that was
// exchanged, or a fence that was or is to be one.
func isAside(t *catalog.Table, name string) bool {
	if t.Bared && catalog.Reserved(name) && !catalog.IsFence(name) || strings.EqualFold(name, bareFence) || strings.EqualFold(name, LeftFence) {
		return true
	}
	return slices.ContainsFunc(t.Columns, func(c catalog.Column) bool {
		return c.Protected() && strings.EqualFold(name, catalog.AsideName(c.Name))
	})
}

// isFenceAhead reports whether a stored column is the fence that a table without one is about to
// get. It is made before the mark says so (Definer.fence).
func isFenceAhead(t *catalog.Table, name string) bool {
	next := *t
	next.Fenced, next.Revision = true, t.Revision+1
	return !t.Fenced && name == next.Fence()
}

// isInvisible reports whether a stored column is what it is to be, but for being invisible and
// taking NULL.
func isInvisible(is, want *showcreate.Table, name string) bool {
	text := func(s *showcreate.Table) (string, bool) {
		at := s.Place(name)
		if at < 0 {
			return "", false
		}
		parts := showcreate.PartsOf(s.Columns[at].Text)
		words := slices.DeleteFunc(strings.Fields(alteration.PlainBody(s.Columns[at].Text)), func(w string) bool { return w == "/*!80023" || w == "*/" || w == "INVISIBLE" })
		body := strings.Join(words, " ")
		return strings.TrimSuffix(strings.TrimSuffix(body, " DEFAULT NULL"), " NOT NULL"), parts.Invisible
	}
	x, invisible := text(is)
	y, _ := text(want)
	return invisible && x == y
}

// storedOf is the stored definition of a table in the catalog.
func storedOf(known *catalog.Catalog, t *catalog.Table) (*showcreate.Table, error) {
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
	for i := len(account.Columns); i < len(t.Columns); i++ { // those that are being filled
		c := &t.Columns[i]
		want.Columns = append(want.Columns, showcreate.Column{Name: c.Name})
		for j := range c.Layers {
			want.Columns = append(want.Columns, showcreate.Column{Name: c.Layers[j].Stored})
		}
	}
	return want, nil
}

func compareStored(t *catalog.Table, is, want *showcreate.Table) (found []Mismatch) {
	x := &alteration.Difference{Schema: t.Schema, From: is, To: want, Names: map[string]string{}, CheckStays: true}
	for i := range is.Columns {
		name := is.Columns[i].Name
		x.Names[catalog.Folded(name)] = name
	}
	if _, mark := showcreate.OptionComment(is.Options); showcreate.UnquoteString(is.Options[mark.From:mark.To]) != ledger.Mark(t) {
		found = append(found, Mismatch{Of: "mark", Problem: different})
	}
	if !is.TakeFence(t.Fence()) {
		found = append(found, Mismatch{Of: "column", Name: cmp.Or(t.Fence(), is.Fence), Problem: different})
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
		found = append(found, Mismatch{Of: "options", Problem: different})
	}
	return found
}

// unlikeColumns compares columns by their texts. A column that is being filled has none
// in the catalog, nor has a layer that is.
func unlikeColumns(x *alteration.Difference) []Mismatch {
	same := func(c *showcreate.Column) bool {
		for i := range x.To.Columns {
			if to := &x.To.Columns[i]; catalog.Folded(to.Name) == catalog.Folded(c.Name) {
				return to.Text == "" || alteration.PlainBody(to.Text) == alteration.PlainBody(c.Text)
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
			found = append(found, Mismatch{of, n, missing})
		}
	}
	for i := range is {
		switch n := name(&is[i]); {
		case !in(want, n):
			found = append(found, Mismatch{of, n, unknown})
		case !same(&is[i]):
			found = append(found, Mismatch{of, n, different})
		}
	}
	return found
}
