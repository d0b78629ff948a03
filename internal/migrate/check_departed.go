package migrate

import (
	"context"
	"strconv"

	"tunic/internal/ddl/remedy"
	"tunic/internal/ledger"
	"tunic/internal/value"
)

// checkDeparted is about tunics that have gone without an end: the first step waits until the server has none of
// their connections, and is refused where that cannot be seen.
func checkDeparted(ctx context.Context, s *subject) ([]Finding, error) {
	seen, err := ledger.LookForDeparted(ctx, s.DB)
	const emptied = "make sure that no connection of the tunic is left at the server, and empty the table `_tunic`.departed"
	privileges := "PROCESS, CONNECTION_ADMIN"
	if s.Flavor == value.MariaDB {
		privileges = "PROCESS, CONNECTION ADMIN"
	}
	switch {
	case err != nil:
		return nil, err
	case seen.Denied:
		grant, err := s.granting(ctx, privileges+" ON *.*")
		return []Finding{remedied(departed, "a tunic has gone without an end, and the service account may not see whether the server has its connections",
			"grant it, and restart the tunics; or "+emptied, grant)}, err
	case seen.Unknown:
		return []Finding{remedied(departed, "a tunic has gone without an end, and its connections cannot be recognized at the server", emptied, remedy.Remedy{})}, nil
	case seen.Left > 0:
		return []Finding{{
			What: "the server has " + strconv.Itoa(seen.Left) + " connections of a tunic that has gone without an end: those that rest are ended first",
			Fix:  "see that the service account has the privileges " + privileges + " for that",
		}}, nil
	}
	return nil, nil
}
