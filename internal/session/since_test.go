package session

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/ddl"
	"tunic/internal/ddl/layering"
	"tunic/internal/ddl/revision"
	"tunic/internal/policy"
	"tunic/internal/value"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// fills is how a layer comes to be ready.
type fills func(ctx context.Context, a *asked, d *ddl.Definer, request []revision.NamedLayer) error

// backfilledMeanwhile are the ways in which it does while a transaction is open; before is what is
// done with it before, nil if it is being filled then.
var backfilledMeanwhile = map[string]struct{ before, meanwhile fills }{
	"job": {nil, backfilledByJob},
	"index": {nil, func(_ context.Context, a *asked, _ *ddl.Definer, _ []revision.NamedLayer) error {
		_, err := a.tunnel.Query("CREATE INDEX by_name ON late (name)")
		return err
	}},
	"dropped and added again": {backfilledByJob, func(ctx context.Context, a *asked, d *ddl.Definer, request []revision.NamedLayer) error {
		id := a.shared.Ledger.Catalog().Table("shop", "late").ID
		return errors.Join(d.Layers.Retire(ctx, 8, id, request), d.Layers.Drop(ctx, 8, id), d.Layers.Add(ctx, 7, id, request), backfilledByJob(ctx, a, d, request))
	}},
}

func backfilledByJob(ctx context.Context, a *asked, d *ddl.Definer, request []revision.NamedLayer) error {
	id := a.shared.Ledger.Catalog().Table("shop", "late").ID
	if err := d.Layers.Backfill(ctx, 7, id, request, layering.Options{}); err != nil {
		return err
	}
	return d.Layers.Ready(ctx, 7, id, request)
}

// beginnings are statements after which a transaction sees rows as they are then.
var beginnings = [][]string{
	{"START TRANSACTION WITH CONSISTENT SNAPSHOT"},
	{"SET autocommit = 0", "SELECT COUNT(*) FROM beside"},
}

// TestOlderThanLayer: a transaction that sees rows as they were before a layer was filled
// finds them all, though the layer is ready meanwhile; and so does the next one.
func TestOlderThanLayer(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		for name, way := range backfilledMeanwhile {
			for _, begins := range beginnings {
				t.Run(name, func(t *testing.T) { a.olderThanLayer(t, begins, way.before, way.meanwhile) })
			}
		}
	})
}

func (a *asked) olderThanLayer(t *testing.T, begins []string, before, meanwhile fills) {
	all := func(p *wiretest.Peer, statements ...string) {
		t.Helper()
		for _, s := range statements {
			if _, err := p.Query(s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
	}
	all(a.tunnel, "DROP TABLE IF EXISTS late, beside", "CREATE TABLE beside (id INT COMMENT 'tunic: plain', s INT)",
		"CREATE TABLE late (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(20), n INT)",
		"INSERT INTO late VALUES (1, 'x', 10), (2, 'y', 20), (3, 'x', 30)")
	table := a.shared.Ledger.Catalog().Table("shop", "late")
	request := []revision.NamedLayer{{Column: table.Columns[table.Column("name")].ID, Capability: policy.Equality}}
	d := a.shared.Definer
	if err := d.Layers.Add(t.Context(), 7, table.ID, request); err != nil {
		t.Fatal(err)
	}
	if before != nil {
		if err := before(t.Context(), a, d, request); err != nil {
			t.Fatal(err)
		}
	}

	_, reader := a.connect(t, "root", "root")
	queries := []string{
		"SELECT id FROM late WHERE name = 'x' OR id = 2 ORDER BY id",
		"SELECT id FROM late WHERE name = 'x' ORDER BY id",
		"SELECT COUNT(*) FROM late WHERE name IN ('x', 'z')",
		"SELECT p.id, q.id FROM late p JOIN late q ON p.name = q.name ORDER BY p.id, q.id",
		"SELECT name, COUNT(*) FROM late GROUP BY name ORDER BY name",
	}
	tell := func(numbers []uint32) (rows []string) {
		for i, q := range queries {
			rows = append(rows, "text: "+strings.Join(told(t, reader, q), "; "), "prepared: "+strings.Join(toldExecuted(t, reader, q, numbers[i], 0), "; "))
		}
		return rows
	}
	var numbers []uint32
	for _, q := range queries {
		n, err := prepareStatement(reader, q)
		if err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		numbers = append(numbers, n)
	}
	want := tell(numbers)
	all(reader, begins...)
	if err := meanwhile(t.Context(), a, d, request); err != nil {
		t.Fatal(err)
	}
	all(a.tunnel, "INSERT INTO late VALUES (4, 'x', 40)", "DELETE FROM late WHERE id = 3")
	if before != nil && a.flavor == value.MySQL {
		a.tooOld(t, tell(numbers))
	} else {
		if diff := cmp.Diff(want, tell(numbers)); diff != "" {
			t.Errorf("what it saw before, and what it sees:\n%s", diff)
		}
		all(reader, "UPDATE late SET n = n + 1 WHERE name = 'x'") // the rows that are there now
		if diff := cmp.Diff([]string{"n", "n: 11", "n: 41"}, told(t, reader, "SELECT n FROM late WHERE n IN (11, 41) ORDER BY n")); diff != "" {
			t.Error(diff)
		}
	}
	all(reader, "ROLLBACK")
	_, other := a.connect(t, "root", "root")
	for _, q := range queries {
		if diff := cmp.Diff(told(t, other, q), told(t, reader, q)); diff != "" {
			t.Errorf("the next transaction: %s\n%s", q, diff)
		}
	}
	all(reader, "SET autocommit = 1")
}

// tooOld: MySQL refuses a transaction the use of a table that has lost a column since.
func (a *asked) tooOld(t *testing.T, answers []string) {
	t.Helper()
	for _, answer := range answers {
		if !strings.Contains(answer, "error 1412") {
			t.Errorf("of a transaction that is older than what a table has lost: %s", answer)
		}
	}
}

// TestWaitingIsNoSnapshot: a statement that has waited for a change of its table sees the
// table as it is then, since no transaction had begun before.
func TestWaitingIsNoSnapshot(t *testing.T) {
	const query = "SELECT v FROM kept WHERE v = 1"
	for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(flavor.String(), func(t *testing.T) {
			l := newLocked(t, flavor)
			l.hold(t, "DROP TABLE IF EXISTS kept", "CREATE TABLE kept (id INT PRIMARY KEY, v INT)", "INSERT INTO kept VALUES (1, 1)")
			ways := []func(p *wiretest.Peer, number uint32) error{
				func(p *wiretest.Peer, _ uint32) error { _, err := p.Query(query); return err },
				func(p *wiretest.Peer, _ uint32) error { _, err := p.Query("UPDATE kept SET v = v + 0"); return err },
				executePrepared,
			}
			peers, numbers := make([]*wiretest.Peer, len(ways)), make([]uint32, len(ways))
			for i := range ways {
				var err error
				_, peers[i] = l.connect(t, "root", "root")
				_ = peers[i].Net.SetDeadline(time.Now().Add(time.Minute))
				if numbers[i], err = prepareStatement(peers[i], query); err != nil {
					t.Fatal(err)
				}
			}
			l.hold(t, "BEGIN", query)
			waiting := []<-chan error{l.start(t, "ALTER TABLE kept MODIFY v BIGINT")}
			for i, do := range ways {
				done := make(chan error, 1)
				waiting = append(waiting, done)
				go func() { done <- do(peers[i], numbers[i]) }()
			}
			time.Sleep(200 * time.Millisecond) // until they wait for the change
			l.hold(t, "COMMIT")
			for _, done := range waiting {
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// withoutSnapshot are beginnings of transactions for which a server makes no snapshot, and
// withSnapshot such for which it makes one.
var (
	withoutSnapshot = [][]string{
		{"BEGIN"},
		{"START TRANSACTION READ WRITE", "SELECT 1"},
		{"SET autocommit = 0"},
		{"BEGIN", "SAVEPOINT here", "INSERT INTO beside VALUES (2, 2)", "UPDATE beside SET s = s + 1 WHERE s = 2", "ROLLBACK TO here", "DELETE FROM beside WHERE s = 3"},
	}
	withSnapshot = [][]string{
		{"START TRANSACTION WITH CONSISTENT SNAPSHOT"},
		{"BEGIN", "SELECT s FROM beside"},
		{"BEGIN", "SELECT COUNT(*) FROM elsewhere"},
		{"BEGIN", "UPDATE beside SET s = s + 1", "SELECT id FROM beside"},
		{"SET autocommit = 0", "SELECT s FROM beside"},
	}
)

// TestBeginningIsNoSnapshot: a transaction sees a column that a table has got since it was
// begun, until it has a snapshot. From then on the column's values are not for it.
func TestBeginningIsNoSnapshot(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		for _, s := range []string{
			"DROP TABLE IF EXISTS beside", "CREATE TABLE beside (id INT PRIMARY KEY COMMENT 'tunic: plain', s INT)", "INSERT INTO beside VALUES (1, 1)",
			"CREATE TABLE elsewhere (id INT COMMENT 'tunic: plain')",
		} {
			if _, err := a.tunnel.Query(s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
		statements := [...]string{"SELECT v, more FROM young WHERE v = 1", "UPDATE young SET v = v + 1, more = 'b' WHERE id = 1"}
		for i, begins := range withoutSnapshot {
			if err := a.columnSince(t, begins, statements[i%2]); err != nil {
				t.Errorf("%s: %v", strings.Join(begins, "; "), err)
			}
		}
		for i, begins := range withSnapshot {
			err := a.columnSince(t, begins, statements[i%2])
			if refused, ok := errors.AsType[*wiretest.ServerError](err); !ok || refused.Number != 1412 {
				t.Errorf("%s: %v, not 1412", strings.Join(begins, "; "), err)
			}
		}
	})
}

// columnSince begins a transaction, has a table get a column with a value in its rows, and
// runs a statement in the transaction, and another one that was prepared before it.
func (a *asked) columnSince(t *testing.T, begins []string, statement string) error {
	t.Helper()
	must := func(p *wiretest.Peer, statements ...string) {
		t.Helper()
		for _, s := range statements {
			if _, err := p.Query(s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
	}
	must(a.tunnel, "DROP TABLE IF EXISTS young", "CREATE TABLE young (id INT PRIMARY KEY COMMENT 'tunic: plain', v INT, w INT)",
		"INSERT INTO young VALUES (1, 1, 1), (2, 2, 2)")
	_, old := a.connect(t, "root", "root")
	number, err := prepareStatement(old, "UPDATE young SET w = w + 1 WHERE v = 2")
	if err != nil {
		t.Fatal(err)
	}
	must(old, begins...)
	must(a.tunnel, "ALTER TABLE young ADD COLUMN more VARCHAR(10) NOT NULL DEFAULT 'a'")
	_, err = old.Query(statement)
	if executed := executePrepared(old, number); (err == nil) != (executed == nil) {
		t.Errorf("%s: %s: %v, and prepared: %v", strings.Join(begins, "; "), statement, err, executed)
	}
	must(old, "ROLLBACK", "SET autocommit = 1")
	if _, again := old.Query(statement); again != nil {
		t.Errorf("%s, in a transaction of its own: %v", statement, again)
	}
	return err
}

// executePrepared runs a prepared statement without parameters.
func executePrepared(p *wiretest.Peer, number uint32) error {
	execute := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtExecute)}, number)
	if err := p.Command(append(execute, 0, 1, 0, 0, 0)); err != nil {
		return err
	}
	_, err := p.ReadAnswer(wire.ComStmtExecute, nil)
	return err
}
