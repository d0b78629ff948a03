package ddl

import (
	"context"
	"slices"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/sqlerr"
)

// A layer gets a new key by a successor (catalog.Layer.IsShadow), which goes up as any layer does
// that a job adds, beside the one that it is to succeed:
//
//	AddLayers, BackfillLayers, ReadyLayers    every write writes both; plans use the old one
//	KeysAhead                                 the keys over it, in place, beside clients
//	SucceedLayers                             the two swap their names, and the fence moves
//
// The swap is one definition, so that no plan compares a token of the one with the other:
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
		if t.BackfillsForStatement() {
			return d.forsakeBriefly(ctx, t, wait) // and again
		}
		if next, columns := revision.WithShadows(t); len(columns) > 0 {
			if err := d.dropLeftoversOf(ctx, t, wait); err != nil { // one may have the name of what is succeeded
				return err
			}
			keys, err := d.keysAhead(ctx, t, wait)
			if err != nil {
				return err
			}
			next.Revision++
			err = d.changeBriefly(ctx, t, next, revision.Alter(t, next, slices.Concat(keys, columns))+inPlace, wait)
			if err != nil {
				return err
			}
			if t = d.o.Ledger.Catalog().ByID(table); t == nil {
				return ErrTableGone
			}
		}
		return d.dropLeftoversOf(ctx, t, wait)
	})
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
		if err := d.turns.Brief(ctx, made+"ADD "+ahead.SQL()+inPlace, wait); err != nil {
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
		return nil, service.Error(err)
	}
	return showcreate.Read(create)
}
