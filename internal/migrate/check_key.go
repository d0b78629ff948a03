package migrate

import (
	"context"

	"tunic/internal/layers"
)

// checkKey is about the key by which rows are gone through.
func checkKey(_ context.Context, s *subject) ([]Finding, error) {
	if s.planned == nil || layers.CanFill(s.planned) {
		return nil, nil
	}
	return hinders("no primary key, or unique key without NULL, tells its rows apart", "give the table a primary key of columns that stay plain"), nil
}
