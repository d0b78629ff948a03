package migrate

import (
	"context"

	"tunic/internal/value"
)

// Versions from which on a server changes such a table in the way that the steps need:
// invisible columns that are added in an instant, anywhere in a row.
const (
	leastMariaDB = 100502 // RENAME COLUMN
	leastMySQL   = 80029  // instant ADD COLUMN … AFTER
)

// checkServer is about what the server can do.
func checkServer(ctx context.Context, s *subject) ([]Finding, error) {
	var version string
	if err := s.DB.QueryRowContext(ctx, "SELECT @@version").Scan(&version); err != nil {
		return nil, err
	}
	switch n := versionNumber(version); {
	case s.Flavor == value.MariaDB && n < leastMariaDB:
		return hinders("the server is older than MariaDB 10.5.2, which adds and renames columns beside clients", "upgrade the server"), nil
	case s.Flavor == value.MySQL && n < leastMySQL:
		return hinders("the server is older than MySQL 8.0.29, which adds columns beside clients", "upgrade the server"), nil
	}
	return nil, nil
}
