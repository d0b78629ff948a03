package ddl

import (
	"testing"

	"tunic/internal/value"
)

// setBack makes a time zone whose clocks are set back once, on 2024-10-27 at 01:00 UTC from
// 03:00 to 02:00 (MySQL manual, "MySQL Server Time Zone Support").
var setBack = []string{
	"REPLACE INTO mysql.time_zone VALUES (4711, 'N')",
	"REPLACE INTO mysql.time_zone_name VALUES ('Test/Set_back', 4711)",
	"REPLACE INTO mysql.time_zone_transition_type VALUES (4711, 0, 7200, 1, 'SUM'), (4711, 1, 3600, 0, 'WIN')",
	"REPLACE INTO mysql.time_zone_transition VALUES (4711, 0, 0), (4711, 1729990800, 1)",
}

// TestKeysWhereClocksAreSetBack: two rows whose keys are one time of the client's clock, an
// hour apart, keep their own values, and the session keeps its settings.
func TestKeysWhereClocksAreSetBack(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		if err := b.server.Exec(t.Context(), setBack...); err != nil {
			t.Fatal(err)
		}
		p.both("CREATE TABLE back (at TIMESTAMP NOT NULL COMMENT 'tunic: plain', n INT, PRIMARY KEY (at))")
		for i, at := range []string{"2024-10-26 12:00:00", "2024-10-27 00:30:00", "2024-10-27 01:30:00", "2024-10-28 12:00:00"} {
			p.insert("back", at, string(rune('1'+i)))
		}
		set := func(c *client, zone string) {
			if err := c.Exec(t.Context(), "SET time_zone = '"+zone+"', sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE'"); err != nil {
				t.Fatal(err)
			}
		}
		set(b.client, "Test/Set_back")
		set(p.plain, "+00:00")
		if b.flavor == value.MariaDB { // MySQL itself finds the keys alike when it copies rows in such a zone
			p.both("ALTER TABLE back MODIFY n DECIMAL(20,1)")
		}
		p.both("ALTER TABLE back ADD CONSTRAINT c CHECK (n < 5)")
		rows, err := b.client.Query(t.Context(), "SELECT @@session.time_zone, @@session.sql_mode")
		if err != nil || *rows[0][0] != "Test/Set_back" || *rows[0][1] != "STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE" {
			t.Errorf("the session has %v, %v", rows, err)
		}
		set(b.client, "+00:00")
		p.compare("back")
	})
}
