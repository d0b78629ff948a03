package ddl

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ddl/turn"
	"tunic/internal/identifier"
	"tunic/internal/ledger"
)

// Shape gives the plain forms of a table, which all rows have, their places and NOT NULL where
// the columns have it, and makes the keys over them that stand over layers. The table is made
// anew in place for it, so that a transaction that is older than the forms is refused by the
// server (1412) instead of seeing rows without.
func (d *Definer) Shape(ctx context.Context, table catalog.ID) error {
	return d.bareStep(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		if t.Bared {
			return nil
		}
		stored, err := d.storedUnchanged(ctx, t)
		if err != nil {
			return err
		}
		if clauses := revision.Shape(t, stored); len(clauses) > 0 {
			clauses = append(append(clauses, "FORCE"), revision.Counter(stored)...)
			err := d.beside(ctx, "ALTER TABLE "+t.QuotedName()+" "+strings.Join(clauses, ", "), inPlace, wait)
			if err != nil {
				return err
			}
			crash.Point("ddl.bare.shaped")
		}
		account, err := showcreate.Read(t.Definition)
		if err != nil {
			return err
		}
		for _, i := range revision.BareKeys(t) {
			if slices.ContainsFunc(stored.Keys, func(k showcreate.Key) bool { return k.Name == revision.KeyAhead(i) }) {
				continue
			}
			key, err := revision.BareKey(t, &account.Keys[i], i)
			if err != nil {
				return err
			}
			if err := d.beside(ctx, "ALTER TABLE "+t.QuotedName()+" ADD "+key, inPlace, wait); err != nil {
				return err
			}
			crash.Point("ddl.bare.key")
		}
		return nil
	})
}

// SwapBare puts the plain forms of a table in the place of its protected columns.
func (d *Definer) SwapBare(ctx context.Context, table catalog.ID) error {
	return d.bareStep(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		if t.Bared {
			return nil
		}
		stored, err := d.storedUnchanged(ctx, t)
		if err != nil {
			return err
		}
		account, err := showcreate.Read(t.Definition)
		if err != nil {
			return err
		}
		clauses, err := revision.BareSwap(t, stored, account)
		if err != nil {
			return err
		}
		next := revision.Bared(t)
		return d.changeBriefly(ctx, t, next, revision.Alter(t, next, clauses)+inPlace, wait)
	})
}

// PurgeBared drops what was stored of the columns that are plain now, which makes the table anew in
// place.
func (d *Definer) PurgeBared(ctx context.Context, table catalog.ID) error {
	return d.bareStep(ctx, table, d.despiteRolledBack(func(ctx context.Context, t *catalog.Table, how string, wait time.Duration) error {
		if !t.Bared {
			return fmt.Errorf("%w: it has protected columns", catalog.ErrContent)
		}
		if err := d.forgetPlace(ctx, t); err != nil { // first, as in Purge
			return err
		}
		stored, err := d.storedUnchanged(ctx, t)
		if err != nil {
			return err
		}
		var keys, columns []string
		for i := range stored.Keys {
			if name := stored.Keys[i].Name; strings.HasPrefix(name, catalog.KeyAsidePrefix) || strings.HasPrefix(name, catalog.KeyAheadPrefix) {
				keys = append(keys, "DROP KEY "+identifier.Quoted(name))
			}
		}
		for i := range stored.Columns {
			if name := stored.Columns[i].Name; catalog.Reserved(name) && t.Column(name) < 0 {
				columns = append(columns, "DROP COLUMN "+identifier.Quoted(name))
			}
		}
		if len(columns) > 0 {
			columns = append(columns, revision.Counter(stored)...)
		}
		for _, drops := range [][]string{keys, columns} {
			if len(drops) == 0 {
				continue
			}
			if err := d.beside(ctx, "ALTER TABLE "+t.QuotedName()+" "+strings.Join(drops, ", "), how, wait); err != nil {
				return err
			}
			crash.Point("ddl.bare.dropped")
		}
		return nil
	}))
}

// Leave takes the fence and the mark from a table of plain columns: it is the server's alone
// from then on. What was planned for it before the server refuses, and is planned again.
func (d *Definer) Leave(ctx context.Context, schema, table string) error {
	t := d.o.Ledger.Catalog().Table(schema, table)
	if t != nil {
		err := d.bareStep(ctx, t.ID, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
			if !t.Bared {
				return fmt.Errorf("%w: it has protected columns", catalog.ErrContent)
			}
			return d.leave(ctx, t, wait)
		})
		if err != nil {
			return err
		}
		crash.Point("ddl.bare.left")
	}
	gone := &catalog.Table{Schema: schema, Name: table}
	return turn.Patiently(ctx, func(ctx context.Context, wait time.Duration) error {
		return d.dropIfThere(ctx, gone, revision.LeftFence, wait)
	})
}

func (d *Definer) leave(ctx context.Context, t *catalog.Table, wait time.Duration) error {
	account, err := showcreate.Read(t.Definition)
	if err != nil {
		return err
	}
	comment := "''"
	if _, at := showcreate.OptionComment(account.Options); !at.Empty() {
		comment = account.Options[at.From:at.To]
	}
	last := "ALTER TABLE " + t.QuotedName() + " RENAME COLUMN " + identifier.Quoted(t.Fence()) + " TO " + identifier.Quoted(revision.LeftFence) + ", COMMENT=" + comment + inPlace
	done, err := d.o.Ledger.ChangeWithin(ctx, wait, []ledger.Step{{Old: t}}, func(ctx context.Context) error {
		return d.turns.Brief(ctx, last, wait)
	})
	if len(done) > 0 {
		(&work{Definer: d}).dropTwin(ctx, t.Twin)
		return nil
	}
	return err
}
