package ddl

import (
	"strings"
	"testing"
)

// TestHeldColumns: a column that a foreign key is over, or refers to, is not dropped, and the error is the plain
// server's. With the foreign key it is.
func TestHeldColumns(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both(`CREATE TABLE parent (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, s VARBINARY(20) COMMENT 'tunic: equality',
			a INT COMMENT 'tunic: equality', b INT COMMENT 'tunic: plain', x INT COMMENT 'tunic: sealed', UNIQUE KEY s (s), UNIQUE KEY ab (a, b))`)
		p.both(`CREATE TABLE child (id INT AUTO_INCREMENT PRIMARY KEY, parent BIGINT UNSIGNED COMMENT 'tunic: plain', s VARBINARY(20) COMMENT 'tunic: equality',
			a INT COMMENT 'tunic: equality', b INT COMMENT 'tunic: plain', own INT, code INT COMMENT 'tunic: equality', boss INT COMMENT 'tunic: equality', n INT,
			UNIQUE KEY code (code), CONSTRAINT of_parent FOREIGN KEY (parent) REFERENCES parent (id) ON DELETE SET NULL,
			CONSTRAINT of_s FOREIGN KEY (s) REFERENCES parent (s), CONSTRAINT of_ab FOREIGN KEY (a, b) REFERENCES parent (a, b),
			CONSTRAINT of_own FOREIGN KEY (own) REFERENCES child (id), CONSTRAINT of_boss FOREIGN KEY (boss) REFERENCES child (code))`)
		for _, checks := range []string{"0", "1"} {
			p.checks(checks)
			for _, change := range []string{
				"child DROP COLUMN parent", "child DROP COLUMN PARENT", "child DROP COLUMN s", "child DROP COLUMN n, DROP COLUMN b", "child DROP COLUMN a",
				"child DROP INDEX of_parent, DROP COLUMN parent", "child DROP INDEX of_s, DROP COLUMN s, ADD COLUMN y INT", "child DROP COLUMN own",
				"child DROP COLUMN boss", "child DROP COLUMN code", "child DROP INDEX code, DROP COLUMN code", "child DROP COLUMN id",
				"child DROP COLUMN s, DROP FOREIGN KEY of_parent", "child DROP COLUMN s, ALGORITHM = COPY",
				"parent DROP COLUMN id", "parent DROP COLUMN s", "parent DROP INDEX s, DROP COLUMN s", "parent DROP COLUMN b", "parent DROP COLUMN a, ALGORITHM = COPY",
			} {
				p.failsAlike("ALTER TABLE " + change)
			}
		}
		p.both("ALTER TABLE child DROP COLUMN s, DROP FOREIGN KEY of_s, DROP COLUMN parent, DROP CONSTRAINT of_parent")
		p.both("ALTER TABLE child DROP FOREIGN KEY of_boss, DROP COLUMN boss")
		p.both("ALTER TABLE child DROP COLUMN code")
		p.both("ALTER TABLE parent DROP COLUMN s")
		p.compare("child")
		p.compare("parent")
	})
}

// checks sets foreign_key_checks on both sides.
func (p *pair) checks(to string) {
	p.t.Helper()
	for _, c := range []*client{p.plain, p.client} {
		if err := c.Exec(p.t.Context(), "SET foreign_key_checks = "+to); err != nil {
			p.t.Fatal(err)
		}
	}
}

// failsAlike has both sides fail with one error.
func (p *pair) failsAlike(statement string) {
	p.t.Helper()
	want := p.plain.Exec(p.t.Context(), statement)
	_, err := p.do(statement)
	switch {
	case want == nil || err == nil:
		p.t.Fatalf("%s\nthrough tunic: %v\nplain: %v", statement, err, want)
	case strings.ReplaceAll(err.Error(), "shop", "plain") != want.Error():
		p.t.Errorf("%s\nthrough tunic: %v\nplain: %v", statement, err, want)
	}
}
