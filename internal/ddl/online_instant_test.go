package ddl

import (
	"strings"
	"testing"

	"tunic/internal/catalog"
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
		if err := b.definer.AddLayers(t.Context(), aJob, o.ID, wishFor(o, policy.Order, "s")); err != nil {
			t.Fatal(err)
		}
		if err := b.definer.DropLayers(t.Context(), aJob, o.ID); err != nil {
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
		last, dropped := withoutLayers(p.table("o"), func(l *catalog.Layer) bool { return l.Capability == policy.Order })
		last.Revision++
		exec(droppingText(p.table("o"), last, dropped) + ", ALGORITHM=INPLACE, LOCK=NONE")
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
		wishes := wishFor(o, policy.Order, "n")
		b.down(o.ID, wishes)
		b.agrees("down")
		p.insert("o", "2", "6", "two")
		p.compare("o")
		b.up(o.ID, wishes)
		p.insert("o", "3", "7", "three")
		p.compare("o")
		p.both("ALTER TABLE o ADD PRIMARY KEY (n, id), DROP PRIMARY KEY, ADD COLUMN b INT")
		p.compare("o")
	})
}
