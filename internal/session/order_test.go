package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/racetest"
	"tunic/internal/value"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// TestOrderOfColumns: a table whose stored columns stand in another order than the logical ones,
// and take NULL where those do not, is told of as if it were plain, in every way.
func TestOrderOfColumns(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(t *testing.T, a *asked) {
		for _, s := range reordered {
			for i, p := range []*asked{{tunnel: a.direct}, a} {
				if got := told(t, p.tunnel, s); len(got) > 0 {
					t.Fatalf("%d: %s: %q", i, s, got)
				}
			}
		}
		for _, p := range []*wiretest.Peer{a.direct, a.tunnel} {
			if _, err := p.QueryFile("LOAD DATA LOCAL INFILE 'x' INTO TABLE moved", []byte("11\t21\t31\t41\t51\t61\n")); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(rawTold(t, a, false, "SELECT * FROM moved ORDER BY id"), rawTold(t, a, true, "SELECT * FROM moved ORDER BY id")); diff != "" {
			t.Fatal(diff)
		}
		stored := told(t, a.direct, "SELECT column_name, is_nullable FROM information_schema.columns WHERE table_schema = 'shop' AND table_name = 'moved' ORDER BY ordinal_position")
		if at := slices.IndexFunc(stored, func(s string) bool { return strings.Contains(s, `"y"`) }); at < 0 || at == 1 || !strings.Contains(stored[at], `"YES"`) {
			t.Fatalf("the stored columns are in order, and take no NULL: %q", stored)
		}
		a.compareAll(t, toldOfReordered)
		if a.flavor == value.MariaDB { // MySQL has no order of its own
			a.inOrder(t)
		}
		a.described(t)
		if a.flavor == value.MySQL {
			a.compareAll(t, []string{"TABLE moved"})
		}
		for _, table := range []string{"moved", "turned", "alike"} {
			if diff := cmp.Diff(toldFields(t, a.direct, table), toldFields(t, a.tunnel, table)); diff != "" {
				t.Errorf("fields of %s (-plain +tunic)\n%.3000s", table, diff)
			}
		}
	})
}

// inOrder compares answers that nothing puts in order, in the order that they come in.
func (a *asked) inOrder(t *testing.T) {
	for _, s := range toldInOrder {
		want := rawTold(t, a, false, strings.ReplaceAll(s, "THESCHEMA", "plain"))
		got := rawTold(t, a, true, strings.ReplaceAll(s, "THESCHEMA", "shop"))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-plain +tunic)\n%s", s, diff)
		}
	}
}

// flagged are the columns of an answer, or of a prepared statement, and which of them are told
// to be NOT NULL.
func flagged(t *testing.T, p *wiretest.Peer, sets []wiretest.Set, err error) (all []string) {
	t.Helper()
	const notNull = 1 // NOT_NULL_FLAG
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range sets[0].Definitions {
		c, err := wire.DecodeColumn(d, p.Caps)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%s not null: %t", c.Name, c.Flags&notNull != 0))
	}
	return all
}

// described compares what is told of the columns of results.
func (a *asked) described(t *testing.T) {
	for _, s := range []string{"SELECT * FROM moved", "SELECT * FROM turned", "SELECT * FROM seen", "SELECT * FROM moved NATURAL JOIN turned"} {
		var told [2][]string
		for i, p := range []*wiretest.Peer{a.direct, a.tunnel} {
			sets, err := p.Query(s)
			told[i] = flagged(t, p, sets, err)
			if err := p.Command(append([]byte{byte(wire.ComStmtPrepare)}, s...)); err != nil {
				t.Fatal(err)
			}
			sets, err = p.ReadAnswer(wire.ComStmtPrepare, nil)
			told[i] = append(told[i], flagged(t, p, sets, err)...)
		}
		if diff := cmp.Diff(told[0], told[1]); diff != "" || len(told[0]) == 0 {
			t.Errorf("the columns of %s (-plain +tunic)\n%s", s, diff)
		}
	}
}

// rawTold are the rows of an answer as they come.
func rawTold(t *testing.T, a *asked, tunnel bool, statement string) (rows []string) {
	t.Helper()
	p := a.direct
	if tunnel {
		p = a.tunnel
	}
	sets, err := p.Query(statement)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	for _, row := range sets[0].Rows {
		rows = append(rows, string(row))
	}
	return rows
}

// reordered make the tables.
var reordered = []string{
	"CREATE TABLE moved (id INT PRIMARY KEY, n INT, p INT COMMENT 'tunic: plain', KEY (n))", "INSERT INTO moved VALUES (1, 2, 3)",
	"ALTER TABLE moved ADD y INT NOT NULL DEFAULT 333 FIRST, ADD w INT NOT NULL DEFAULT 444 AFTER y, ADD v INT AFTER id",
	"ALTER TABLE moved ADD UNIQUE KEY wy (w, y)",
	"CREATE TABLE turned (id INT PRIMARY KEY COMMENT 'tunic: plain', n INT NOT NULL, m INT)", "INSERT INTO turned VALUES (1, 2, 3)",
	"ALTER TABLE turned MODIFY n DECIMAL(20,0) NOT NULL",
	"CREATE VIEW seen AS SELECT * FROM moved",
	"CREATE TABLE alike LIKE moved", "INSERT INTO moved VALUES (10, 20, 30, 40, 50, 60)", "INSERT INTO alike SELECT * FROM moved",
	"CREATE TABLE chosen SELECT * FROM moved",
}

// toldOfReordered are asked of both, prepared and not.
var toldOfReordered = []string{
	"SHOW COLUMNS FROM moved", "SHOW FULL COLUMNS FROM moved", "DESCRIBE moved", "DESCRIBE moved w", "SHOW COLUMNS FROM moved LIKE '%'",
	"SHOW COLUMNS FROM moved WHERE `Null` = 'NO'", "SHOW COLUMNS FROM moved WHERE `Null` = 'YES' AND Field <> 'p'", "SHOW COLUMNS FROM turned", "SHOW FULL COLUMNS FROM seen",
	"SHOW COLUMNS FROM alike", "SHOW COLUMNS FROM chosen", "SHOW INDEX FROM moved", "SHOW CREATE TABLE alike",
	"SHOW COLUMNS FROM moved WHERE `Null` IS NULL OR `Null` = 'NO'", "SELECT * FROM moved", "SELECT * FROM alike", "SELECT * FROM chosen", "SELECT * FROM seen", "SELECT * FROM moved NATURAL JOIN turned", "SELECT * FROM turned JOIN moved USING (n)",
	"SELECT column_name, is_nullable, ordinal_position FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND table_name = 'moved' ORDER BY ordinal_position",
	"SELECT column_name FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND table_name = 'moved' AND is_nullable = 'NO' ORDER BY column_name",
	"SELECT table_name, column_name, is_nullable, ordinal_position FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND table_name IN ('turned', 'seen', 'alike', 'chosen') ORDER BY table_name, ordinal_position",
	"SELECT index_name, seq_in_index, column_name, nullable FROM information_schema.statistics WHERE table_schema = 'THESCHEMA' AND table_name = 'moved' ORDER BY index_name, seq_in_index",
	"SELECT constraint_name, column_name, ordinal_position FROM information_schema.key_column_usage WHERE table_schema = 'THESCHEMA' AND table_name = 'moved' ORDER BY constraint_name, ordinal_position",
}

// toldInOrder are those in whose answers rows come as the columns stand.
var toldInOrder = []string{
	"SELECT column_name FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND table_name = 'moved'",
	"SELECT column_name FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND table_name = 'moved' LIMIT 2",
	"SELECT GROUP_CONCAT(column_name) FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND table_name = 'moved'",
	"SELECT GROUP_CONCAT(column_name SEPARATOR ';') FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND table_name = 'moved' AND column_name <> 'id'",
}
