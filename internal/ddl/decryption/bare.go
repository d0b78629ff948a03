package decryption

import (
	"context"
	"strings"
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

// Solidify gives a table of MariaDB a fence that is not a computed column, and such columns in the places of those of families.
func (s *Decryption) Solidify(ctx context.Context, table catalog.ID) error {
	if s.Flavor != value.MariaDB {
		return nil
	}
	return s.step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		stored, err := s.Tables.StoredNow(ctx, t)
		if err != nil {
			return err
		}
		computed := computedOf(t, stored)
		for _, c := range computed {
			if err := s.freshColumn(ctx, t, c.ahead, "tinyint", wait); err != nil {
				return err
			}
			crash.Point("ddl.bare.fence")
		}
		if len(computed) > 0 {
			if err := s.solidified(ctx, t, computed, wait); err != nil {
				return err
			}
		}
		for _, name := range leftOf(t) {
			if err := s.Tables.DropIfThere(ctx, t, name, wait); err != nil {
				return err
			}
		}
		return nil
	})
}

// solidified has columns that were made for it take the places of computed ones.
func (s *Decryption) solidified(ctx context.Context, t *catalog.Table, computed []computed, wait time.Duration) error {
	next := *t
	next.Revision++
	var clauses []string
	if computed[0].name != t.Fence() {
		clauses = revision.MoveFence(t.Fence(), next.Fence())
	}
	for _, c := range computed {
		to := c.name
		if to == t.Fence() {
			to = next.Fence()
		}
		clauses = append(clauses, "RENAME COLUMN "+identifier.Quoted(c.name)+" TO "+identifier.Quoted(c.left), "RENAME COLUMN "+identifier.Quoted(c.ahead)+" TO "+identifier.Quoted(to))
	}
	swap := "ALTER TABLE " + t.QuotedName() + " " + strings.Join(clauses, ", ") + ", COMMENT=" + showcreate.QuoteString(ledger.Mark(&next))
	return s.Tables.ChangeBriefly(ctx, t, &next, swap, wait)
}

// computed is a stored column without a value: that which is to take its place, and what it is called then.
type computed struct{ name, ahead, left string }

// computedOf are those that are computed still.
func computedOf(t *catalog.Table, stored *showcreate.Table) (all []computed) {
	for _, c := range withoutValue(t) {
		if at := stored.Place(c.name); at >= 0 && showcreate.PartsOf(stored.Columns[at].Text).Generated {
			all = append(all, c)
		}
	}
	return all
}

// leftOf are the names of those whose places were taken.
func leftOf(t *catalog.Table) (names []string) {
	for _, c := range withoutValue(t) {
		names = append(names, c.left)
	}
	return names
}

// withoutValue are the fence of a table and what it has in the places of columns of families.
func withoutValue(t *catalog.Table) []computed {
	all := []computed{{t.Fence(), revision.BareFence, revision.LeftFence}}
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Family != "" {
			all = append(all, computed{c.Name, catalog.StoredName(c.Name, catalog.PlainForm), catalog.ShadowName(c.Name)})
		}
	}
	return all
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
