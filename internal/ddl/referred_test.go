package ddl

import (
	"errors"
	"testing"

	"tunic/internal/policy"
	"tunic/internal/sqlerr"
)

// TestReferredBefore: a plain table that refers to one which is made after it, as dumps have
// them, does not come to refer to stored values.
func TestReferredBefore(t *testing.T) {
	onServers(t, func(b *bench) {
		b.definer.o.Policy = &policy.Policy{}
		if err := b.client.Exec(b.t.Context(), "SET foreign_key_checks = 0"); err != nil {
			b.t.Fatal(err)
		}
		b.must("CREATE TABLE visit (id INT PRIMARY KEY, who VARBINARY(63), FOREIGN KEY (who) REFERENCES person (name) ON UPDATE CASCADE)")
		if _, err := b.do("CREATE TABLE person (name VARBINARY(20) COMMENT 'tunic: equality', UNIQUE KEY (name))"); !errors.Is(err, sqlerr.ForeignKeyPlain("")) {
			b.t.Errorf("a table that is referred to: %v", err)
		}
		b.must("CREATE TABLE person (name VARBINARY(63), born DATE COMMENT 'tunic: sealed', UNIQUE KEY (name))")
	})
}
