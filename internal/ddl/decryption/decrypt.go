package decryption

import (
	"cmp"
	"context"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/pace"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/upkeep"
)

// Step is a step of Decrypt, and what it is called.
type Step struct {
	Name string
	// Done of Steps are done.
	Done, Steps int
	// Passed is how far the step is that goes through rows.
	pace.Passed
}

// shapeIfSound is Shape. It is the first step that has the server make the table anew, so where the work
// was cut off before, the server has to look through the table first.
func (s *Decryption) shapeIfSound(ctx context.Context, table catalog.ID, cutOff bool) error {
	if t := s.Tables.Ledger.Catalog().ByID(table); t != nil && cutOff {
		if err := s.Tables.Sound(ctx, t); err != nil {
			return err
		}
	}
	return s.Shape(ctx, table)
}

// Decrypt makes a table a plain one, while clients use it, whatever has been done of that
// before. told is told of each step, and now and then within one; it may be nil, and is what
// p tells to. It is upkeep.ErrTableGone if the table is not in the catalog, and has nothing left of a
// decryption.
func (s *Decryption) Decrypt(ctx context.Context, schema, table string, p pace.Pace, told func(Step)) error {
	now := Step{Steps: 7}
	tell := func() {
		if told != nil {
			told(now)
		}
	}
	p.Told = func(passed pace.Passed) {
		now.Passed = passed
		tell()
	}
	if t := s.Tables.Ledger.Catalog().Table(schema, table); t != nil {
		cutOff := t.Baring()
		steps := []struct {
			name string
			do   func(context.Context, catalog.ID) error
		}{
			{"prepare", s.Solidify},
			{"add plain forms", s.Bare},
			{"fill", func(ctx context.Context, id catalog.ID) error { return s.Backfill(ctx, id, p) }},
			{"shape", func(ctx context.Context, id catalog.ID) error { return s.shapeIfSound(ctx, id, cutOff) }},
			{"exchange", s.Swap},
			{"purge", s.Purge},
		}
		for i, s := range steps {
			now.Name, now.Done, now.Passed = s.name, i, pace.Passed{Compared: now.Compared}
			tell()
			if err := s.do(ctx, t.ID); err != nil {
				return err
			}
			crash.Point("ddl.bare.step")
		}
	} else if left, err := s.Tables.HasColumn(ctx, &catalog.Table{Schema: schema, Name: table}, revision.LeftFence); err != nil || !left {
		return cmp.Or(err, upkeep.ErrTableGone)
	}
	now.Name, now.Done, now.Passed = "leave", now.Steps-1, pace.Passed{Compared: now.Compared}
	tell()
	return s.Leave(ctx, schema, table)
}
