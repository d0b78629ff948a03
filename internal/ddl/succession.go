package ddl

import (
	"context"
	"slices"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/sqlerr"
)

// A layer gets a new key by a successor (catalog.Layer.IsShadow), which goes up as any layer does
// that a job adds, beside the one that it is to succeed:
//
//	AddLayers, FillLayers, ReadyLayers    every write writes both; plans use the old one
//	KeysAhead                             the keys over it, in place, beside clients
//	SucceedLayers                         the two exchange their names, and the fence moves
//
// The exchange is one definition, so that no plan compares a token of the one with the other:
// what was planned before names another fence.

// SuccessionJob is the job that successors belong to while they are on their way: a rotation's,
// of which there is one at a time and no row among the jobs.
const SuccessionJob = 1 << 62

// KeysAhead makes the keys that SucceedLayers is to put in the place of others. Clients go on
// meanwhile. Errors are those of AddLayers.
func (d *Definer) KeysAhead(ctx context.Context, table catalog.ID) error {
	return d.step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		_, err := d.keysAhead(ctx, t, wait)
		return err
	})
}

// SucceedLayers puts the successors of a table that are ready in the place of what they succeed,
// which is dropped. What was done is not done again. Errors are those of AddLayers.
func (d *Definer) SucceedLayers(ctx context.Context, table catalog.ID) error {
	return d.step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		if t.FillsForStatement() {
			return d.forsakeBriefly(ctx, t, wait) // and again
		}
		if next, columns := succeeded(t); len(columns) > 0 {
			if err := d.dropSparesOf(ctx, t, wait); err != nil { // one may have the name of what is succeeded
				return err
			}
			keys, err := d.keysAhead(ctx, t, wait)
			if err != nil {
				return err
			}
			next.Revision++
			err = d.changeBriefly(ctx, t, next, alterText(t, next, slices.Concat(keys, columns))+inPlace, wait)
			if err != nil {
				return err
			}
			if t = d.o.Ledger.Catalog().ByID(table); t == nil {
				return ErrTableGone
			}
		}
		return d.dropSparesOf(ctx, t, wait)
	})
}

// succession is the successor of a column's layer that can take its place; nil if there is none.
func succession(c *catalog.Column, base *catalog.Layer) *catalog.Layer {
	next := c.Shadow(base.Capability)
	if next == nil || base.State != catalog.Ready || next.State != catalog.Ready || next.Scheme != base.Scheme {
		return nil
	}
	return next
}

// succeeded is a table whose successors have taken their places, and the clauses that give the
// stored columns their names. Nobody writes a column that was succeeded any more: it has a default.
func succeeded(t *catalog.Table) (*catalog.Table, []string) {
	next, clauses := copyOf(t), []string(nil)
	for i := range next.Columns {
		c := &next.Columns[i]
		var all []catalog.Layer
		for _, l := range t.Columns[i].Layers {
			if base := c.Layer(catalog.Base(l.Capability)); l.IsShadow() && base != nil && succession(c, base) != nil {
				continue // in the place of the other
			}
			if by := succession(c, &l); by != nil && !l.IsShadow() {
				past := catalog.PastName(c.Name, l.Capability)
				if c.Type.NotNull && !form.TakesNull(&l) {
					clauses = append(clauses, "CHANGE COLUMN "+catalog.Quoted(l.Stored)+" "+catalog.Quoted(past)+" "+form.TokenType(&l, &c.Type)+" NOT NULL DEFAULT ''")
				} else {
					clauses = append(clauses, "RENAME COLUMN "+catalog.Quoted(l.Stored)+" TO "+catalog.Quoted(past))
				}
				clauses = append(clauses, "RENAME COLUMN "+catalog.Quoted(by.Stored)+" TO "+catalog.Quoted(l.Stored))
				l.Epoch, l.Nullable = by.Epoch, by.Nullable
			}
			all = append(all, l)
		}
		c.Layers = all
	}
	return next.Table, clauses
}

// keysAhead makes the keys over successors that are not there yet, and returns the clauses that
// put them in the place of those over what they succeed.
func (d *Definer) keysAhead(ctx context.Context, t *catalog.Table, wait time.Duration) (clauses []string, err error) {
	stored, err := d.storedNow(ctx, t)
	if err != nil {
		return nil, err
	}
	for i := range t.Keys {
		k := &t.Keys[i]
		at := slices.IndexFunc(stored.Keys, func(s showcreate.Key) bool { return catalog.Folded(s.Name) == catalog.Folded(k.Name) })
		if at < 0 {
			return nil, sqlerr.ChangedAround(t.Name, "it lacks a key")
		}
		ahead, ok := overShadows(t, k, &stored.Keys[at], keyAhead(i))
		if !ok {
			continue
		}
		clauses = append(clauses, "DROP KEY "+catalog.Quoted(k.Name), "RENAME KEY "+catalog.Quoted(ahead.Name)+" TO "+catalog.Quoted(k.Name))
		there := slices.IndexFunc(stored.Keys, func(s showcreate.Key) bool { return s.Name == ahead.Name })
		if there >= 0 && withoutComment(stored.Keys[there].SQL()) == withoutComment(ahead.SQL()) {
			continue
		}
		made := "ALTER TABLE " + t.QuotedName() + " "
		if there >= 0 { // of keys as they were
			made += "DROP KEY " + catalog.Quoted(ahead.Name) + ", "
		}
		if err := d.brief(ctx, made+"ADD "+ahead.SQL()+inPlace, wait); err != nil {
			return nil, err
		}
		crash.Point("ddl.succeed.key")
	}
	return clauses, nil
}

// storedNow is what the server shows of a stored table.
func (d *Definer) storedNow(ctx context.Context, t *catalog.Table) (*showcreate.Table, error) {
	var name, create string
	if err := d.o.DB.QueryRowContext(ctx, "SHOW CREATE TABLE "+t.QuotedName()).Scan(&name, &create); err != nil {
		return nil, (&service{}).serverError(err)
	}
	return showcreate.Read(create)
}

// overShadows is a stored key over the successors of the layers that it is over; false if
// none of them has one.
func overShadows(t *catalog.Table, k *catalog.Key, stored *showcreate.Key, name string) (showcreate.Key, bool) {
	ahead, moved := *stored, false
	ahead.Parts = slices.Clone(stored.Parts)
	for i, p := range k.Parts {
		if p.Layer == 0 || i >= len(ahead.Parts) {
			continue
		}
		c := &t.Columns[t.Column(p.Column)]
		base := c.Layer(p.Layer)
		if base == nil {
			continue
		}
		if by := succession(c, base); by != nil {
			part := &ahead.Parts[i]
			part.Text, part.Name, moved = strings.Replace(part.Text, catalog.Quoted(base.Stored), catalog.Quoted(by.Stored), 1), by.Stored, true
		}
	}
	ahead.Name, ahead.Head = name, strings.Replace(stored.Head, catalog.Quoted(stored.Name), catalog.Quoted(name), 1)
	return ahead, moved && k.Kind != catalog.Primary
}
