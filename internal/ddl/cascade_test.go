package ddl

import (
	"errors"
	"testing"

	"tunic/internal/policy"
	"tunic/internal/sqlerr"
)

// TestActions: a foreign key that changes rows is stored with its actions where all that
// leads to it is known, and is refused where it is not, whichever definition comes last.
func TestActions(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must("CREATE TABLE plain (id INT PRIMARY KEY COMMENT 'tunic: plain')",
			"CREATE TABLE top (k INT PRIMARY KEY COMMENT 'tunic: equality', id INT UNIQUE COMMENT 'tunic: plain', up INT COMMENT 'tunic: equality', s VARCHAR(5) UNIQUE COMMENT 'tunic: equality')",
			"CREATE TABLE under (k INT COMMENT 'tunic: equality', FOREIGN KEY (k) REFERENCES top (k) ON DELETE SET NULL ON UPDATE CASCADE)")
		key := b.ledger.Catalog().Table("shop", "under").ForeignKeys[0]
		if key.OnDelete != "SET NULL" || key.OnRow != "CASCADE" || len(key.Layers) != 1 || key.Layers[0] != policy.Equality {
			t.Errorf("the key is known as %+v", key)
		}
		for _, refused := range []string{
			"CREATE TABLE other (s VARCHAR(6) COMMENT 'tunic: equality', FOREIGN KEY (s) REFERENCES top (s) ON UPDATE CASCADE)",
			"CREATE TABLE other (s VARCHAR(5) COMMENT 'tunic: equality', FOREIGN KEY (s) REFERENCES top (s) ON DELETE SET DEFAULT)",
			"ALTER TABLE top ADD FOREIGN KEY (id) REFERENCES plain (id) ON DELETE CASCADE",
			"ALTER TABLE top ADD FOREIGN KEY (up) REFERENCES top (k) ON DELETE CASCADE",
		} {
			if _, err := b.do(refused); !errors.Is(err, sqlerr.ForeignKeyAction("", "")) {
				t.Errorf("%s: %v", refused, err)
			}
		}
		for _, generated := range []string{
			"CREATE TABLE made (k INT COMMENT 'tunic: equality', m INT AS (k + 1) STORED, FOREIGN KEY (k) REFERENCES top (k) ON UPDATE CASCADE)",
			"CREATE TABLE made (k INT COMMENT 'tunic: equality', m INT AS (k + 1) VIRTUAL, FOREIGN KEY (k) REFERENCES top (k) ON DELETE SET NULL)",
		} {
			if _, err := b.do(generated); err == nil {
				t.Errorf("%s is answered OK", generated)
			}
		}
		b.must("CREATE TABLE other (s VARCHAR(6) COMMENT 'tunic: equality', FOREIGN KEY (s) REFERENCES top (s) ON DELETE SET NULL)",
			"ALTER TABLE under DROP FOREIGN KEY under_ibfk_1", "DROP TABLE other",
			"ALTER TABLE top ADD FOREIGN KEY (id) REFERENCES plain (id) ON DELETE CASCADE")
		again := "ALTER TABLE under ADD FOREIGN KEY (k) REFERENCES top (k) ON DELETE SET NULL"
		if _, err := b.do(again); !errors.Is(err, sqlerr.ForeignKeyAction("", "")) {
			t.Errorf("%s: %v", again, err)
		}
		b.must("ALTER TABLE under ADD FOREIGN KEY (k) REFERENCES top (k) ON UPDATE SET NULL")
		b.noTwinLeft()
	})
}
