package decryption

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/pace"
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
func (s *Decryption) Shape(ctx context.Context, table catalog.ID) error {
	return s.stepBefore(ctx, table, func(ctx context.Context, t *catalog.Table, stored *showcreate.Table, wait time.Duration) error {
		if clauses := revision.Shape(t, stored); len(clauses) > 0 {
			clauses = append(append(clauses, "FORCE"), revision.Counter(stored)...)
			err := s.Tables.Turns.Beside(ctx, "ALTER TABLE "+t.QuotedName()+" "+strings.Join(clauses, ", "), turn.InPlace, wait)
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
			clauses, err := revision.AddBareKey(t, stored, account, i)
			if err != nil {
				return err
			}
			if err := s.Tables.Turns.Beside(ctx, "ALTER TABLE "+t.QuotedName()+" "+strings.Join(clauses, ", "), turn.InPlace, wait); err != nil {
				return err
			}
			crash.Point("ddl.bare.key")
		}
		return nil
	})
}

// Swap puts the plain forms of a table in the place of its protected columns.
func (s *Decryption) Swap(ctx context.Context, table catalog.ID) error {
	return s.stepBefore(ctx, table, func(ctx context.Context, t *catalog.Table, stored *showcreate.Table, wait time.Duration) error {
		account, err := showcreate.Read(t.Definition)
		if err != nil {
			return err
		}
		clauses, err := revision.BareSwap(t, stored, account)
		if err != nil {
			return err
		}
		next := revision.Bared(t)
		return s.Tables.ChangeBriefly(ctx, t, next, revision.Alter(t, next, clauses), wait)
	})
}

// Purge drops what was stored of the columns that are plain now, which makes the table anew in
// place.
func (s *Decryption) Purge(ctx context.Context, table catalog.ID) error {
	return s.step(ctx, table, s.Tables.DespiteRolledBack(func(ctx context.Context, t *catalog.Table, how string, wait time.Duration) error {
		if !t.Bared {
			return fmt.Errorf("%w: it has protected columns", catalog.ErrContent)
		}
		if err := pace.ForgetPlace(ctx, s.Tables.Ledger, t); err != nil { // first, as in Purge
			return err
		}
		stored, err := s.storedUnchanged(ctx, t)
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
			if name := stored.Columns[i].Name; catalog.Reserved(name) && t.StoredColumn(name).Kind == catalog.NotStored {
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
			if err := s.Tables.Turns.Beside(ctx, "ALTER TABLE "+t.QuotedName()+" "+strings.Join(drops, ", "), how, wait); err != nil {
				return err
			}
			crash.Point("ddl.bare.dropped")
		}
		return nil
	}))
}

// Leave takes the fence and the mark from a table of plain columns: it is the server's alone
// from then on. What was planned for it before the server refuses, and is planned again.
func (s *Decryption) Leave(ctx context.Context, schema, table string) error {
	t := s.Tables.Ledger.Catalog().Table(schema, table)
	if t != nil {
		err := s.step(ctx, t.ID, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
			if !t.Bared {
				return fmt.Errorf("%w: it has protected columns", catalog.ErrContent)
			}
			return s.leave(ctx, t, wait)
		})
		if err != nil {
			return err
		}
		crash.Point("ddl.bare.left")
	}
	gone := &catalog.Table{Schema: schema, Name: table}
	return turn.Patiently(ctx, func(ctx context.Context, wait time.Duration) error {
		return s.Tables.DropIfThere(ctx, gone, revision.LeftFence, wait)
	})
}

func (s *Decryption) leave(ctx context.Context, t *catalog.Table, wait time.Duration) error {
	account, err := showcreate.Read(t.Definition)
	if err != nil {
		return err
	}
	comment := "''"
	if _, at := showcreate.OptionComment(account.Options); !at.Empty() {
		comment = account.Options[at.From:at.To]
	}
	last := "ALTER TABLE " + t.QuotedName() + " RENAME COLUMN " + identifier.Quoted(t.Fence()) + " TO " + identifier.Quoted(revision.LeftFence) + ", COMMENT=" + comment
	done, err := s.Tables.Ledger.ChangeWithin(ctx, wait, []ledger.Step{{Old: t}}, func(ctx context.Context) error {
		return s.Tables.Turns.Beside(ctx, last, turn.InPlace, wait)
	})
	if len(done) > 0 {
		s.Tables.DropTwin(ctx, t.Twin)
		return nil
	}
	return err
}
