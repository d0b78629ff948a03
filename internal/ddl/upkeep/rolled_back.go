package upkeep

import (
	"context"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/turn"
)

// duplicatesOfPurge is how many tries of a purge may end with a duplicate entry before clients have to
// wait: each of them may have made a large table anew for nothing.
const duplicatesOfPurge = 3

// DespiteRolledBack is a purge whose duplicate entries are passing; how is what stands behind its
// definitions. A purge makes no two values equal, but MySQL has the error also of writes beside it: an
// INSERT … ON DUPLICATE KEY UPDATE inserts a row, meets a unique key and rolls the row back, and the
// table that is made anew gets the row before it hears of that (MySQL manual, "Online DDL Failure
// Conditions"). Clients who do that again and again would have each try fail: in the end they wait.
func (s *Tables) DespiteRolledBack(purge func(ctx context.Context, t *catalog.Table, how string, wait time.Duration) error) func(context.Context, *catalog.Table, time.Duration) error {
	how, duplicates := turn.InPlace, 0
	return func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		err := purge(ctx, t, how, wait)
		if !service.Said(err, service.DuplicateEntry) || how == turn.InPlaceAlone {
			return err
		}
		if duplicates++; duplicates == duplicatesOfPurge {
			how = turn.InPlaceAlone
			s.Log.Warn("clients who write to a table wait while it is made anew: rows that they roll back stand in its way", "table", t.FullName())
		}
		return turn.ErrRolledBack
	}
}
