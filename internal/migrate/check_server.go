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
	return tooOld(s.Flavor, version), nil
}

// tooOld is a finding of a server that cannot add and rename columns beside clients.
func tooOld(flavor value.Flavor, version string) []Finding {
	switch n := versionNumber(version); {
	case flavor == value.MariaDB && n < leastMariaDB:
		return hinders(oldServer, "the server is older than MariaDB 10.5.2, which adds and renames columns beside clients", "upgrade the server")
	case flavor == value.MySQL && n < leastMySQL:
		return hinders(oldServer, "the server is older than MySQL 8.0.29, which adds columns beside clients", "upgrade the server")
	}
	return nil
}
