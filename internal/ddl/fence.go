package ddl

import (
	"context"
	"database/sql"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/service"
	"tunic/internal/ledger"
)

// above are steps that give another revision, and nothing else, to the tables whose rows
// have others follow them by a foreign key that comes with steps: what was planned for them
// before does not write the rows that follow.
func above(known *catalog.Catalog, steps []ledger.Step) (all []ledger.Step) {
	var removed, added []*catalog.Table
	for _, s := range steps {
		if s.Old != nil {
			removed = append(removed, s.Old)
		}
		if s.New != nil && s.New.View == nil {
			added = append(added, s.New)
		}
	}
	if !slices.ContainsFunc(added, func(t *catalog.Table) bool { return len(t.ForeignKeys) > 0 }) {
		return nil
	}
	next := known.Next(known.Version, removed, added)
	var before []*catalog.Table
	for _, t := range removed {
		before = append(before, known.Above(t)...)
	}
	for _, t := range added {
		for _, parent := range next.Above(t) {
			changes := slices.ContainsFunc(steps, func(s ledger.Step) bool { return s.New != nil && s.New.ID == parent.ID })
			has := slices.ContainsFunc(all, func(s ledger.Step) bool { return s.Old == parent })
			if changes || has || !parent.Fenced || slices.Contains(before, parent) {
				continue
			}
			moved := *parent
			moved.Revision++
			all = append(all, ledger.Step{Old: parent, New: &moved})
		}
	}
	return all
}

// moveFences makes such steps.
func moveFences(ctx context.Context, db *sql.DB, steps []ledger.Step) error {
	for _, s := range steps {
		if _, err := db.ExecContext(ctx, revision.Alter(s.Old, s.New, nil)); err != nil {
			return service.Error(err)
		}
	}
	return nil
}
