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
		b.definer.SetPolicy(&policy.Policy{})
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

// TestReferredByName: no table gets a name under which others refer to one that is not there,
// unless both have the same to compare.
func TestReferredByName(t *testing.T) {
	onServers(t, func(b *bench) {
		b.definer.SetPolicy(&policy.Policy{})
		if err := b.client.Exec(b.t.Context(), "SET foreign_key_checks = 0"); err != nil {
			b.t.Fatal(err)
		}
		b.must("CREATE TABLE visit (id INT PRIMARY KEY, who VARBINARY(63), FOREIGN KEY (who) REFERENCES person (name) ON UPDATE CASCADE)",
			"CREATE TABLE call_ (id INT PRIMARY KEY, who VARBINARY(20) COMMENT 'tunic: equality', FOREIGN KEY (who) REFERENCES other (name))",
			"CREATE TABLE p (name VARBINARY(20) COMMENT 'tunic: equality', UNIQUE KEY (name))",
			"CREATE TABLE q (name VARBINARY(63), UNIQUE KEY (name))")
		for _, c := range []struct {
			statement string
			want      error
		}{
			{"RENAME TABLE p TO person", sqlerr.ForeignKeyPlain("")},
			{"RENAME TABLE p TO x, x TO person", sqlerr.ForeignKeyPlain("")},
			{"ALTER TABLE p RENAME person", sqlerr.ForeignKeyPlain("")},
			{"RENAME TABLE p TO other", sqlerr.RenameReferenced("")},
			{"RENAME TABLE q TO other", sqlerr.RenameReferenced("")},
			{"RENAME TABLE p TO x, q TO y, x TO q, y TO x", nil},
		} {
			if _, err := b.do(c.statement); !errors.Is(err, c.want) {
				b.t.Errorf("%s: %v, not %v", c.statement, err, c.want)
			}
		}
		b.must("RENAME TABLE x TO person")
	})
}
