package migrate

import (
	"context"

	"tunic/internal/ddl/remedy"
	"tunic/internal/layers"
)

// checkKey is about the key by which rows are gone through.
func checkKey(ctx context.Context, s *subject) ([]Finding, error) {
	if s.planned == nil || layers.CanBackfill(s.planned) {
		return nil, nil
	}
	plain, err := s.shown(ctx)
	if err != nil {
		return nil, err
	}
	f := remedied(noKey, "no primary key, or unique key without NULL, tells its rows apart", "give the table a primary key of columns that stay plain", remedy.Remedy{})
	if !plain.HasPrimaryKey() && !plain.HasCounter() {
		f.Remedy = plain.WithPrimaryKey()
	}
	return []Finding{f}, nil
}
