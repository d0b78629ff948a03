package upkeep

import (
	"context"
	"errors"

	"tunic/internal/catalog"
	"tunic/internal/ddl/turn"
	"tunic/internal/layers"
)

// movedMax is how often the server may say that a table is another one while the catalog
// does not.
const movedMax = 20

// Through has something go through the rows of a table, and again, with the table as it is then, while it
// ends with layers.ErrMoved. It is ErrTableGone if the table is not there.
func (s *Tables) Through(ctx context.Context, table catalog.ID, do func(ctx context.Context, t *catalog.Table) error) error {
	for tries := 0; ; tries++ {
		c := s.Ledger.Catalog()
		t := c.ByID(table)
		if t == nil {
			return ErrTableGone
		}
		err := do(ctx, t)
		if !errors.Is(err, layers.ErrMoved) {
			return err
		}
		if s.Ledger.CatchUp(ctx.Done(), []*catalog.Table{t}, c.Version) {
			tries = 0 // somebody has changed something
		}
		if tries > movedMax {
			return err
		}
		if err := turn.Sleep(ctx, turn.AgainSoon); err != nil {
			return err
		}
	}
}
