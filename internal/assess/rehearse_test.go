package assess

import (
	"testing"

	"tunic/internal/ddl"
	"tunic/internal/ledger"
	"tunic/internal/migrate"
)

// manyTypes are columns of the types that can be copied beside clients, and of some that cannot.
const manyTypes = "id INT AUTO_INCREMENT PRIMARY KEY, a TINYINT UNSIGNED, b BIGINT ZEROFILL, c DECIMAL(12,4) NOT NULL, d FLOAT(7,2), e DOUBLE, f BIT(12), g YEAR, h DATE NOT NULL," +
	" i TIME(3), j DATETIME(6), k TIMESTAMP NULL, l CHAR(10) CHARACTER SET latin1 NOT NULL, m VARCHAR(300), n TEXT, o MEDIUMTEXT CHARACTER SET ascii, p BINARY(16), q VARBINARY(20), r LONGBLOB," +
	" s ENUM('x','y') NOT NULL, t SET('x','y'), u JSON, v DATETIME ON UPDATE CURRENT_TIMESTAMP, w POINT, x VARCHAR(40) GENERATED ALWAYS AS (LEFT(m, 3)) STORED," +
	" KEY (a), KEY (l, h), UNIQUE KEY (p), KEY (m(10))"

// TestRehearse: tables of all types are measured, empty ones as well.
func TestRehearse(t *testing.T) {
	onServers(t, func(h *house) {
		h.exec("CREATE TABLE shop.many ("+manyTypes+")",
			"INSERT INTO shop.many (c, h, l, m, p, r, s) VALUES (1.5, '1970-01-01', 'l', REPEAT('m', 250), 'p', REPEAT('r', 200000), 'x'), (2, '1970-01-01', 'l', NULL, 'q', NULL, 'y')",
			"CREATE TABLE shop.empty (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20))", "CREATE TABLE shop.bare (id INT AUTO_INCREMENT PRIMARY KEY)")
		held, err := ledger.Inspect(h.t.Context(), h.options)
		if err != nil {
			h.t.Fatal(err)
		}
		definer := ddl.New(ddl.Options{DB: h.options.DB, Ledger: held.Still(), Policy: rules(), Flavor: h.flavor, Log: h.options.Log})
		defer definer.Close()
		for table, measured := range map[string]bool{"many": true, "empty": true, "bare": false} {
			w := &migrate.Work{DB: h.options.DB, Ledger: held.Still(), Definer: definer, Flavor: h.flavor, Schema: "shop", Table: table}
			plan, err := w.Look(h.t.Context())
			if err != nil {
				h.t.Fatal(err)
			}
			r, err := w.Rehearse(h.t.Context(), plan)
			if err != nil || (r.PerRow() > 0) != measured || measured && (r.Rows < 100 || r.RowsAnew != 8*r.Rows) {
				h.t.Errorf("%s: %+v, %v", table, r, err)
			}
		}
	})
}

// TestLargeValues: several rows with values of more than 64 KiB are encrypted, beside short ones. MariaDB
// cuts literals of that length off where a list has several of them.
func TestLargeValues(t *testing.T) {
	onServers(t, func(h *house) {
		h.exec("CREATE TABLE shop.scan (id INT AUTO_INCREMENT PRIMARY KEY, page LONGBLOB)",
			"INSERT INTO shop.scan (page) VALUES ('a'), (REPEAT('b', 65400)), (REPEAT('c', 65536)), (REPEAT('d', 200000)), (NULL), ('e'), (REPEAT('f', 65535)), ('g')")
		h.encrypt("scan") // which looks at all rows
	})
}
