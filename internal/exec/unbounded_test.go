package exec

import (
	"testing"

	"tunic/internal/binding"
	"tunic/internal/value"
	"tunic/internal/wire/wiretest"
)

// TestUnboundedReads: what a session bounds its SELECTs by does not bound those that read the rows of a statement that writes.
func TestUnboundedReads(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.numberedTables()
		p := r.pair(t, wiretest.ClientCaps)
		r.fillNumbered(p)
		p.each("INSERT INTO w (id, n, z) VALUES (1, 'a', 1), (3, 'b', 2)", "SET max_join_size = 1")
		p.each(
			"UPDATE v SET z = z + 1",
			"UPDATE v SET z = 5 WHERE id > 0",
			"UPDATE v SET z = 6 WHERE z = 5 ORDER BY id LIMIT 2",
			"INSERT INTO v (n, z) VALUES ('aa', 3), ('bb', 4) ON DUPLICATE KEY UPDATE z = v.z + VALUES(z)",
			"UPDATE v SET z = 9 WHERE id = 1",
			"DELETE FROM v WHERE z = 9",
			"SELECT id FROM v",
		)
		p.prepared("UPDATE v SET z = z + ? WHERE n <> ?", 0, []binding.Param{long(4), str("q")}, []binding.Param{long(5), str("it's")})
		p.prepared("UPDATE v SET z = ? WHERE id = 2", 0, []binding.Param{long(4)}, []binding.Param{long(4)})
		p.prepared("INSERT INTO v (n, z) VALUES (?, 3), ('bb', 4) ON DUPLICATE KEY UPDATE z = v.z + VALUES(z)", 0, []binding.Param{str("bb")})
		p.prepared("DELETE FROM v WHERE z > ? AND n = 'zz'", 0, []binding.Param{long(4)})
		p.each("SET max_join_size = DEFAULT", "SET sql_big_selects = 1", "SELECT id, n, z FROM v ORDER BY id")
	})
}

// TestUntimedReads: max_execution_time is for a client's own SELECTs. One that waits for a row ends by the limit for that.
func TestUntimedReads(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		if r.flavor != value.MySQL {
			t.Skip("MariaDB has no limit for SELECTs alone")
		}
		r.numberedTables()
		p := r.pair(t, wiretest.ClientCaps)
		r.fillNumbered(p)
		locks, err := r.db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = locks.Rollback() }()
		for _, schema := range []string{"plain", "shop"} {
			if _, err := locks.ExecContext(t.Context(), "UPDATE "+schema+".v SET n = CONCAT(n, 'x')"); err != nil {
				t.Fatal(err)
			}
		}
		p.each(
			"SET max_execution_time = 10, innodb_lock_wait_timeout = 1",
			"UPDATE v SET z = z + 1",
			"UPDATE v SET z = 9 WHERE id = 1",
			"DELETE FROM v WHERE z = 7",
			"INSERT INTO v (id, n, z) VALUES (1, 'a', 3), (2, 'b', 4) ON DUPLICATE KEY UPDATE z = v.z + VALUES(z)",
			"INSERT INTO w (id, n, z) SELECT id, n, z + 1 FROM v",
			"UPDATE v JOIN w ON v.id = w.id SET v.z = w.z + 1",
			"SELECT id FROM v WHERE id = 1 FOR UPDATE",
		)
		p.prepared("UPDATE v SET z = z + ?", 0, []binding.Param{long(4)})
	})
}
