package decryption

import (
	"context"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/crypt"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/pace"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/layers"
	"tunic/internal/ledger"
	"tunic/internal/value"
)

// Solidify gives a table of MariaDB a fence that is not a computed column.
func (s *Decryption) Solidify(ctx context.Context, table catalog.ID) error {
	if s.Flavor != value.MariaDB {
		return nil
	}
	return s.step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		virtual, err := s.Tables.CountColumns(ctx, t, "COLUMN_NAME = ? AND EXTRA LIKE '%GENERATED%'", t.Fence())
		if err != nil {
			return err
		}
		if virtual > 0 {
			if err := s.freshColumn(ctx, t, revision.BareFence, "tinyint", wait); err != nil {
				return err
			}
			crash.Point("ddl.bare.fence")
			next := *t
			next.Revision++
			swap := "ALTER TABLE " + t.QuotedName() + " RENAME COLUMN " + identifier.Quoted(t.Fence()) + " TO " + identifier.Quoted(revision.LeftFence) +
				", RENAME COLUMN " + identifier.Quoted(revision.BareFence) + " TO " + identifier.Quoted(next.Fence()) + ", COMMENT=" + showcreate.QuoteString(ledger.Mark(&next))
			if err := s.Tables.ChangeBriefly(ctx, t, &next, swap, wait); err != nil {
				return err
			}
		}
		return s.Tables.DropIfThere(ctx, t, revision.LeftFence, wait)
	})
}

// freshColumn makes an invisible stored column. One of the name may be of another time.
func (s *Decryption) freshColumn(ctx context.Context, t *catalog.Table, name, typ string, wait time.Duration) error {
	if err := s.Tables.DropIfThere(ctx, t, name, wait); err != nil {
		return err
	}
	return s.Tables.Turns.BriefAnewIfTooWide(ctx, t, "ALTER TABLE "+t.QuotedName()+" ADD COLUMN "+identifier.Quoted(name)+" "+typ+" DEFAULT NULL INVISIBLE", wait)
}

// Bare has every write of a table write the plain forms of its protected columns from now on.
func (s *Decryption) Bare(ctx context.Context, table catalog.ID) error {
	return s.step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		if t.Baring() {
			return nil
		}
		next := revision.CopyOf(t)
		for i := range next.Columns {
			c := &next.Columns[i]
			if !c.Protected() {
				continue
			}
			l := catalog.Layer{Capability: catalog.PlainForm, Scheme: catalog.AsIs, State: catalog.Backfilling, Nullable: true, Stored: catalog.StoredName(c.Name, catalog.PlainForm)}
			c.Layers = append(c.Layers, l)
			if err := s.freshColumn(ctx, t, l.Stored, form.BareType(c)+revision.TakesNone, wait); err != nil {
				return err
			}
			crash.Point("ddl.bare.added")
		}
		next.Revision++
		return s.Tables.ChangeBriefly(ctx, t, next.Table, revision.Alter(t, next.Table, nil), wait)
	})
}

// Backfill gives the rows of a table the plain forms that they lack, at a pace that leaves the
// server to its clients, and looks at all rows: a sealed form opened and its plain form are one,
// byte for byte as the server shows it. Errors are those of package layers, and the server's.
func (s *Decryption) Backfill(ctx context.Context, table catalog.ID, p pace.Pace) error {
	return s.Tables.Through(ctx, table, func(ctx context.Context, t *catalog.Table) error {
		if t.Bared {
			return nil
		}
		at := pace.Of(s.Tables.Ledger, p, t, "bare")
		job := layers.Job{
			DB: s.Tables.DB, Ring: crypt.NewRingCounting(s.Tables.Ledger.Tree(), s.Seals), Table: t, Log: s.Tables.Log,
			Paced: true, Progress: at, Gate: at.Gate, Looked: at.Looked, Locked: at.Locked,
		}
		return job.Backfill(ctx)
	})
}
