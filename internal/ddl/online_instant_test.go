package ddl

import (
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl/revision"
	"tunic/internal/policy"
)

// TestOnlineAtOnce: the statements by which layers come and go change no row and copy no
// table, and while a layer is on its way out rows can be written without it, of a column
// that takes no NULL too.
func TestOnlineAtOnce(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE o (id INT AUTO_INCREMENT PRIMARY KEY, n INT NOT NULL COMMENT 'tunic: order', s VARCHAR(10))")
		p.insert("o", "1", "5", "one")
		exec := func(statement string) {
			t.Helper()
			if err := b.server.Exec(t.Context(), statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
		o := p.table("o")
		var statements []string
		b.seen.forget()
		if err := b.definer.Layers.Add(t.Context(), aJob, o.ID, requestFor(o, policy.Order, "s")); err != nil {
			t.Fatal(err)
		}
		if err := b.definer.Layers.Drop(t.Context(), aJob, o.ID); err != nil {
			t.Fatal(err)
		}
		for s := range strings.SplitSeq(b.seen.text(), "\n") {
			if strings.HasPrefix(s, "ALTER TABLE `shop`.`o` ADD COLUMN") || strings.HasPrefix(s, "ALTER TABLE `shop`.`o` DROP COLUMN") {
				statements = append(statements, s)
			}
		}
		if len(statements) != 2 {
			t.Fatalf("the statements are %q", statements)
		}
		for _, s := range statements {
			exec(s + ", ALGORITHM=INSTANT")
		}
		last, dropped := revision.WithoutLayers(p.table("o"), func(l *catalog.Layer) bool { return l.Capability == policy.Order })
		last.Revision++
		exec(revision.Dropping(p.table("o"), last, dropped) + ", ALGORITHM=INPLACE, LOCK=NONE")
		exec("INSERT INTO shop.o (n, `n$eq`) SELECT n, `n$eq` FROM shop.o")
		b.around = true
	})
}

// TestOnlineNotNull: a layer that takes no NULL goes like others, and comes back.
func TestOnlineNotNull(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE o (id INT AUTO_INCREMENT PRIMARY KEY, n INT NOT NULL COMMENT 'tunic: order', s VARCHAR(10))")
		p.insert("o", "1", "5", "one")
		o := p.table("o")
		requests := requestFor(o, policy.Order, "n")
		b.down(o.ID, requests)
		b.agrees("down")
		p.insert("o", "2", "6", "two")
		p.compare("o")
		b.up(o.ID, requests)
		p.insert("o", "3", "7", "three")
		p.compare("o")
		p.both("ALTER TABLE o ADD PRIMARY KEY (n, id), DROP PRIMARY KEY, ADD COLUMN b INT")
		p.compare("o")
	})
}

// TestIndexAtOnce: what begins a CREATE INDEX over a column that has no layer yet copies no
// table, and keeps nobody from writing but for a moment.
func TestIndexAtOnce(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE o (id INT AUTO_INCREMENT PRIMARY KEY, n INT NOT NULL, s VARCHAR(10))")
		p.insert("o", "1", "5", "one")
		o := p.table("o")
		b.seen.forget()
		p.both("CREATE INDEX i ON o (n, s)")
		p.compare("o")
		var added, fenced string
		for s := range strings.SplitSeq(b.seen.text(), "\n") {
			switch {
			case strings.HasPrefix(s, "ALTER TABLE `shop`.`o` ADD COLUMN"):
				added += s
			case strings.HasPrefix(s, "ALTER TABLE `shop`.`o` RENAME COLUMN `"+o.Fence()+"`"):
				fenced += s
			}
		}
		p.both("DROP TABLE o")
		for _, s := range []string{
			"CREATE TABLE shop.o (id INT PRIMARY KEY, `" + o.Fence() + "` TINYINT GENERATED ALWAYS AS (NULL) VIRTUAL INVISIBLE)",
			added + ", ALGORITHM=INSTANT", fenced + ", ALGORITHM=INPLACE, LOCK=NONE", "DROP TABLE shop.o",
		} {
			if err := b.server.Exec(t.Context(), s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
	})
}

// TestSpareDropped: a stored column of a layer that a killed statement has left does not stand
// in the way of the next.
func TestSpareDropped(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE o (id INT AUTO_INCREMENT PRIMARY KEY, n INT NOT NULL)")
		p.insert("o", "1", "5")
		if err := b.server.Exec(t.Context(), "ALTER TABLE shop.o ADD COLUMN `n$eq` BINARY(8) DEFAULT 'anything'"); err != nil {
			t.Fatal(err)
		}
		b.around = true
		p.both("CREATE INDEX i ON o (n)")
		p.compare("o")
		b.agrees("made")
	})
}
