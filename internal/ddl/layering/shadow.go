package layering

import (
	"context"
	"slices"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ddl/turn"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/identifier"
	"tunic/internal/sqlerr"
)

// ShadowJob is the job that shadows belong to while they are on their way: a rotation's,
// of which there is one at a time and no row among the jobs.
const ShadowJob = 1 << 62

// KeysAhead makes the keys that SwapShadows is to put in the place of others. Clients go on
// meanwhile. Errors are those of Add.
func (s *Layers) KeysAhead(ctx context.Context, table catalog.ID) error {
	return s.Tables.Step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		_, err := s.keysAhead(ctx, t, wait)
		return err
	})
}

// SwapShadows puts the shadows of a table that are ready in the place of what they shadow,
// which is dropped. What was done is not done again. Errors are those of Add.
func (s *Layers) SwapShadows(ctx context.Context, table catalog.ID) error {
	return s.Tables.Step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		if t.BackfillsForStatement() {
			return s.Tables.ForsakeBriefly(ctx, t, wait) // and again
		}
		if next, columns := revision.WithShadows(t); len(columns) > 0 {
			if err := s.Tables.DropLeftoversOf(ctx, t, wait); err != nil { // one may have the name of what is succeeded
				return err
			}
			keys, err := s.keysAhead(ctx, t, wait)
			if err != nil {
				return err
			}
			next.Revision++
			err = s.Tables.ChangeBriefly(ctx, t, next, revision.Alter(t, next, slices.Concat(keys, columns)), wait)
			if err != nil {
				return err
			}
			if t = s.Tables.Ledger.Catalog().ByID(table); t == nil {
				return upkeep.ErrTableGone
			}
		}
		return s.Tables.DropLeftoversOf(ctx, t, wait)
	})
}

// keysAhead makes the keys over shadows that are not there yet, and returns the clauses that
// put them in the place of those over what they succeed.
func (s *Layers) keysAhead(ctx context.Context, t *catalog.Table, wait time.Duration) (clauses []string, err error) {
	stored, err := s.Tables.StoredNow(ctx, t)
	if err != nil {
		return nil, err
	}
	for i := range t.Keys {
		k := &t.Keys[i]
		if !slices.ContainsFunc(k.Parts, func(p catalog.Part) bool { return p.Layer != 0 }) {
			continue
		}
		at := slices.IndexFunc(stored.Keys, func(s showcreate.Key) bool { return catalog.Folded(s.Name) == catalog.Folded(k.Name) })
		if at < 0 {
			return nil, sqlerr.ChangedAround(t.Name, "it lacks a key")
		}
		ahead, ok := revision.KeyOverShadows(t, k, &stored.Keys[at], revision.KeyAhead(i))
		if !ok {
			continue
		}
		clauses = append(clauses, "DROP KEY "+identifier.Quoted(k.Name), "RENAME KEY "+identifier.Quoted(ahead.Name)+" TO "+identifier.Quoted(k.Name))
		there := slices.IndexFunc(stored.Keys, func(s showcreate.Key) bool { return s.Name == ahead.Name })
		if there >= 0 && alteration.WithoutComment(stored.Keys[there].SQL()) == alteration.WithoutComment(ahead.SQL()) {
			continue
		}
		made := "ALTER TABLE " + t.QuotedName() + " "
		if there >= 0 { // of keys as they were
			made += "DROP KEY " + identifier.Quoted(ahead.Name) + ", "
		}
		if err := s.Tables.Turns.Beside(ctx, made+"ADD "+ahead.SQL(), turn.InPlace, wait); err != nil {
			return nil, err
		}
		crash.Point("ddl.succeed.key")
	}
	return clauses, nil
}
