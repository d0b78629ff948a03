package sandboxtest

import (
	"fmt"
	"testing"
	"time"
)

// Zone has a server, by exec, know a time zone by its name, which private servers do not: with all changes of
// its clocks in the years that TIMESTAMP has. It knows no other one then.
func Zone(t testing.TB, exec func(statement string), name string) {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Skipf("SKIP: no time zone data: %v", err)
	}
	statements := []string{
		"SET sql_mode = ''",
		"DELETE FROM mysql.time_zone_name", "DELETE FROM mysql.time_zone", "DELETE FROM mysql.time_zone_transition", "DELETE FROM mysql.time_zone_transition_type",
		"INSERT INTO mysql.time_zone (Time_zone_id, Use_leap_seconds) VALUES (1, 'N')",
		"INSERT INTO mysql.time_zone_name (Name, Time_zone_id) VALUES ('" + name + "', 1)",
	}
	kinds := map[string]int{}
	kind := func(at time.Time) int {
		abbreviation, offset := at.Zone()
		text := fmt.Sprintf("%d, %t, '%s'", offset, at.IsDST(), abbreviation)
		n, known := kinds[text]
		if !known {
			n = len(kinds)
			kinds[text] = n
			statements = append(statements, fmt.Sprintf("INSERT INTO mysql.time_zone_transition_type VALUES (1, %d, %s)", n, text))
		}
		return n
	}
	at := time.Unix(0, 0).In(zone)
	kind(at)
	for {
		_, end := at.ZoneBounds()
		if end.IsZero() || end.Unix() > 1<<31-1 {
			break
		}
		at = end
		statements = append(statements, fmt.Sprintf("INSERT INTO mysql.time_zone_transition VALUES (1, %d, %d)", at.Unix(), kind(at)))
	}
	for _, statement := range append(statements, "COMMIT", "SET sql_mode = DEFAULT") {
		exec(statement)
	}
}
