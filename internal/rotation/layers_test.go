package rotation

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
	"tunic/internal/waittest"
)

// keyed is a table with keys of each kind over layers, of columns that take NULL and of such that
// do not.
const keyed = ` (id INT PRIMARY KEY COMMENT 'tunic: plain', n INT, name VARCHAR(40) NOT NULL, born DATE NOT NULL DEFAULT '2000-01-02',
	tag VARCHAR(20) NOT NULL, rank_ INT COMMENT 'tunic: order', KEY by_name (name), UNIQUE KEY by_tag (tag), KEY by_n (n), KEY by_both (born, n), KEY by_rank (rank_))`

// layerEpochs are the epochs of a table's layers, and whether any is a shadow.
func (b *bench) layerEpochs(r *Rotation, table string) (all []uint16, shadows bool) {
	b.t.Helper()
	t := r.Ledger.Catalog().Table("shop", table)
	for i := range t.Columns {
		for _, l := range t.Columns[i].Layers {
			all = append(all, l.Epoch)
			shadows = shadows || l.IsShadow() || l.State != catalog.Ready
		}
	}
	slices.Sort(all)
	return slices.Compact(all), shadows
}

// shown is the stored definition, without what a rotation changes of it: the fence, the mark, and
// the places of columns.
func (b *bench) shown(table string) string {
	b.t.Helper()
	var name, create string
	if err := b.server.QueryRowContext(b.t.Context(), "SHOW CREATE TABLE shop."+table).Scan(&name, &create); err != nil {
		b.t.Fatal(err)
	}
	var keys []string
	for line := range strings.Lines(create) {
		if line = strings.TrimRight(strings.TrimSpace(line), ","); strings.Contains(line, "KEY ") {
			keys = append(keys, line)
		}
	}
	slices.Sort(keys)
	return strings.Join(keys, "\n")
}

// columns are the names of the stored columns but the fence.
func (b *bench) columns(table string) (names []string) {
	b.t.Helper()
	found, err := b.server.QueryContext(b.t.Context(), "SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'shop' AND TABLE_NAME = ?", table)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = found.Close() }()
	for found.Next() {
		var name string
		if err := found.Scan(&name); err != nil {
			b.t.Fatal(err)
		}
		if !catalog.IsFence(name) {
			names = append(names, name)
		}
	}
	if err := found.Err(); err != nil {
		b.t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

// people fills a table like keyed.
func (b *bench) people(table string, n int) {
	b.t.Helper()
	for from := 1; from <= n; from += 400 {
		var list []string
		for id := from; id < min(from+400, n+1); id++ {
			list = append(list, fmt.Sprintf("(%d, %d, 'name %d', 'tag %d', %d)", id, 10*id, id, id, id%50))
		}
		b.exec(b.tunic, "INSERT INTO shop."+table+" (id, n, name, tag, rank_) VALUES "+strings.Join(list, ", "))
	}
}

// TestLayersBesideClients: layers get new keys while clients of two tunics read by them and
// write them. Nobody sees an error or misses a row; the keys are what they were; and the old
// master key is needed by nothing.
func TestLayersBesideClients(t *testing.T) {
	onServers(t, func(b *bench) {
		const clients, each = 4, 300
		b.exec(b.tunic, "CREATE TABLE shop.person"+keyed, "CREATE TABLE shop.visit (id INT PRIMARY KEY COMMENT 'tunic: plain', person INT, KEY (person))")
		b.people("person", clients*each)
		b.exec(b.tunic, "INSERT INTO shop.visit VALUES (1, 10), (2, NULL)")
		keys, columns := b.shown("person"), b.columns("person")
		stop := make(chan struct{})
		var wg sync.WaitGroup
		var done atomic.Int64
		last, by := make([][each]int, clients), [...]*sql.DB{b.tunic, b.second()}
		for i := range clients {
			wg.Go(func() { b.client(by[i%len(by)], i, clients, &last[i], &done, stop) })
		}
		waittest.Until(b.t, "clients are at work", func() bool { return done.Load() > 50 })
		r := b.rotation()
		r.Layers = true
		var left sync.Once
		r.Progress = func(p Progress) { // a change beside it leaves a column of the name that what is succeeded gets
			if p.Layers && p.Table == "shop.person" && p.Rows > 0 {
				left.Do(func() { wg.Go(func() { b.exec(b.server, "ALTER TABLE shop.person ADD COLUMN `n$past$eq` BINARY(8)") }) })
			}
		}
		report, err := r.Run(b.t.Context())
		if err != nil || !report.Whole() || report.Epoch != 1 {
			b.t.Fatalf("%+v, %v", report, err)
		}
		before := done.Load()
		waittest.Until(b.t, "clients go on", func() bool { return done.Load() > before+50 })
		close(stop)
		wg.Wait()
		for _, table := range []string{"person", "visit"} {
			if epochs, shadows := b.layerEpochs(r, table); !slices.Equal(epochs, []uint16{1}) || shadows {
				b.t.Errorf("layers of %s are of the epochs %v, shadows %v", table, epochs, shadows)
			}
			if one := report.table(table); one.Layers != 1 || one.OldLayers != 0 || len(one.LayersKeep) > 0 {
				b.t.Errorf("%+v", one)
			}
		}
		if got := b.shown("person"); got != keys {
			b.t.Errorf("keys\n%s\nwere\n%s", got, keys)
		}
		if got := b.columns("person"); !slices.Equal(got, columns) {
			b.t.Errorf("columns %v, were %v", got, columns)
		}
		for i := range clients {
			for j, n := range last[i] {
				b.is(j*clients+i+1, n)
			}
		}
		_, err = b.tunic.ExecContext(b.t.Context(), "INSERT INTO shop.person (id, name, tag) VALUES (100000, 'one more', 'TAG 7')")
		if said, ok := errors.AsType[*mysql.MySQLError](err); !ok || said.Number != 1062 || !strings.Contains(said.Message, "by_tag") {
			b.t.Errorf("a tag twice: %v", err)
		}
		if k, err := r.Destroy(b.t.Context(), b.options); err != nil || !k.Whole() || !slices.Equal(k.Spare, []uint16{0}) {
			b.t.Errorf("%+v, %v", k, err)
		}
		b.is(1, last[0][0])
		b.inspect()
	})
}

// TestLayersCutOff: at each step that is told of, with definitions of clients in between. What is
// begun again goes on for the same epoch.
func TestLayersCutOff(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.person"+keyed, "CREATE TABLE shop.other"+keyed)
		b.people("person", 300)
		b.people("other", 10)
		changes := []string{
			"ALTER TABLE shop.person ADD COLUMN extra INT", "ALTER TABLE shop.person ADD KEY by_extra (extra)",
			"ALTER TABLE shop.person RENAME COLUMN n TO number", "ALTER TABLE shop.person DROP KEY by_both",
			"ALTER TABLE shop.person RENAME COLUMN number TO n", "ALTER TABLE shop.person MODIFY name VARCHAR(60) NOT NULL",
			"ALTER TABLE shop.person DROP COLUMN extra",
		}
		r := b.rotation()
		r.Layers = true
		var report *Report
		for cuts := 1; ; cuts++ {
			ctx, cancel := context.WithCancel(b.t.Context())
			told := 0
			r.Progress = func(Progress) {
				if told++; told == 2*cuts {
					cancel()
				}
			}
			var err error
			report, err = r.Run(ctx)
			cancel()
			if report.Epoch > 1 || cuts > 40 {
				b.t.Fatalf("cut %d: epoch %d", cuts, report.Epoch)
			}
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) {
				b.t.Fatal(err)
			}
			b.exec(b.tunic, "UPDATE shop.person SET rank_ = rank_ + 1 WHERE id < 50", fmt.Sprintf("INSERT INTO shop.other (id, name, tag) VALUES (%d, '', 'late %[1]d')", 1000+cuts))
			if cuts <= len(changes) {
				b.exec(b.tunic, changes[cuts-1])
			}
			var found int
			if err := b.tunic.QueryRowContext(b.t.Context(), "SELECT COUNT(*) FROM shop.person WHERE name = 'name 7' AND tag = 'tag 7'").Scan(&found); err != nil || found != 1 {
				b.t.Errorf("cut %d: found %d rows: %v", cuts, found, err)
			}
		}
		for _, table := range []string{"person", "other"} {
			if epochs, shadows := b.layerEpochs(r, table); !slices.Equal(epochs, []uint16{1}) || shadows {
				b.t.Errorf("layers of %s are of the epochs %v, shadows %v: %+v", table, epochs, shadows, report)
			}
		}
		for id := 1; id <= 300; id += 50 {
			b.is(id, 10*id)
		}
		b.inspect()
	})
}

// TestNewKeysAreNotTold: no client is told of keys that are about to take the places of others.
func TestNewKeysAreNotTold(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.person (id INT PRIMARY KEY COMMENT 'tunic: plain', tag VARCHAR(20) NOT NULL, UNIQUE KEY by_tag (tag))",
			"INSERT INTO shop.person VALUES (1, 'one'), (2, 'two')")
		before := b.told()
		ctx, cancel := context.WithCancel(b.t.Context())
		defer cancel()
		r := b.rotation()
		r.Layers = true
		r.Progress = func(p Progress) {
			if p.Layers && p.Tables == 4 && p.Done == 3 { // what is left of one table is the swap
				cancel()
			}
		}
		if _, err := r.Run(ctx); !errors.Is(err, context.Canceled) || !strings.Contains(b.shown("person"), catalog.KeyAheadPrefix) {
			b.t.Fatalf("%v, with the keys\n%s", err, b.shown("person"))
		}
		if during := b.told(); during != before {
			b.t.Errorf("before the exchange clients are told\n%s\nand before that\n%s", during, before)
		}
		r.Progress = nil
		if report, err := r.Run(b.t.Context()); err != nil || !report.Whole() {
			b.t.Errorf("%+v, %v", report, err)
		}
		if after := b.told(); after != before {
			b.t.Errorf("behind the exchange clients are told\n%s\nand before\n%s", after, before)
		}
	})
}

// told is what clients are told of the keys and columns of a table.
func (b *bench) told() string {
	b.t.Helper()
	var all []string
	for _, ask := range []string{
		"SHOW INDEX FROM shop.person", "SHOW FULL COLUMNS FROM shop.person", "SHOW CREATE TABLE shop.person",
		"SELECT INDEX_NAME, COLUMN_NAME, NULLABLE FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = 'shop'",
		"SELECT CONSTRAINT_NAME, COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = 'shop'",
		"SELECT CONSTRAINT_NAME, CONSTRAINT_TYPE FROM information_schema.TABLE_CONSTRAINTS WHERE TABLE_SCHEMA = 'shop'",
		"SELECT COLUMN_NAME, COLUMN_KEY, ORDINAL_POSITION FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'shop'",
	} {
		rows, err := b.tunic.QueryContext(b.t.Context(), ask)
		if err != nil {
			b.t.Fatalf("%s: %v", ask, err)
		}
		names, err := rows.Columns()
		cells, into := make([]sql.NullString, len(names)), make([]any, len(names))
		for i := range cells {
			into[i] = &cells[i]
		}
		for err == nil && rows.Next() {
			err = rows.Scan(into...)
			line := ask
			for i, c := range cells {
				if names[i] != "Cardinality" { // an estimate
					line += "|" + c.String
				}
			}
			all = append(all, line)
		}
		if err := errors.Join(err, rows.Err(), rows.Close()); err != nil {
			b.t.Fatalf("%s: %v", ask, err)
		}
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// TestLayersThatStay: those that a primary or a foreign key is over keep their keys, and those
// that are compared with them; it is said why.
func TestLayersThatStay(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.person (id INT PRIMARY KEY, n INT, KEY (n))",
			"CREATE TABLE shop.visit (id INT PRIMARY KEY COMMENT 'tunic: plain', person INT, n INT, KEY (n), FOREIGN KEY (person) REFERENCES shop.person (id))",
			"INSERT INTO shop.person VALUES (1, 10), (2, 20)", "INSERT INTO shop.visit VALUES (1, 1, 10), (2, 2, 30)")
		p, err := Look(b.t.Context(), b.options, nil, true)
		if err != nil || !p.New || p.Tables[0].OldLayers != 1 || p.Tables[1].OldLayers != 1 || len(p.Tables[0].LayersKeep) != 1 {
			b.t.Errorf("%+v, %v", p, err)
		}
		r := b.rotation()
		r.Layers = true
		report, err := r.Run(b.t.Context())
		if err != nil || !report.Whole() {
			b.t.Fatalf("%+v, %v", report, err)
		}
		for _, table := range []string{"person", "visit"} {
			if epochs, shadows := b.layerEpochs(r, table); !slices.Equal(epochs, []uint16{0, 1}) || shadows {
				b.t.Errorf("layers of %s are of the epochs %v, shadows %v", table, epochs, shadows)
			}
			if one := report.table(table); one.Layers != 0 || one.OldLayers != 0 || len(one.LayersKeep) != 1 {
				b.t.Errorf("%+v", one)
			}
		}
		for query, want := range map[string]int{
			"SELECT COUNT(*) FROM shop.visit v JOIN shop.person p ON v.person = p.id WHERE p.n = 20": 1,
			"SELECT COUNT(*) FROM shop.visit v JOIN shop.person p ON v.n = p.n":                      1,
		} {
			var got int
			if err := b.tunic.QueryRowContext(b.t.Context(), query).Scan(&got); err != nil || got != want {
				b.t.Errorf("%s: %d, want %d: %v", query, got, want, err)
			}
		}
		if k, err := r.Destroy(b.t.Context(), b.options); err != nil || len(k.Spare) > 0 || !slices.Contains(k.Needs, Need{0, "shop", "person", NeedLayers, 0}) {
			b.t.Errorf("%+v, %v", k, err)
		}
		if p, err := Look(b.t.Context(), b.options, nil, true); err != nil || !p.New {
			b.t.Errorf("what can be done is done: %+v, %v", p, err)
		}
		b.inspect()
	})
}

// TestRowKeysStay: a unique key that the server keeps the rows by, as there is no primary key, keeps
// the key of its layer; others of the table get new ones.
func TestRowKeysStay(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.person (tag VARCHAR(20) NOT NULL, n INT, name VARCHAR(20), UNIQUE KEY by_tag (tag), UNIQUE KEY by_n (n), KEY by_name (name))",
			"INSERT INTO shop.person VALUES ('one', 1, 'a'), ('two', 2, 'b')")
		r := b.rotation()
		r.Layers = true
		report, err := r.Run(b.t.Context())
		if err != nil || !report.Whole() {
			b.t.Fatalf("%+v, %v", report, err)
		}
		if epochs, shadows := b.layerEpochs(r, "person"); !slices.Equal(epochs, []uint16{0, 1}) || shadows {
			b.t.Errorf("layers are of the epochs %v, shadows %v", epochs, shadows)
		}
		if one := report.table("person"); one.OldLayers != 0 || !slices.Equal(one.LayersKeep, []Hindrance{OverRowKey}) {
			b.t.Errorf("%+v", one)
		}
		b.inspect()
	})
}

// TestLayersOfLongValues: MySQL copies a table with a CHECK over long values for each new name of a column; the copy
// takes what is there, a date that is none as well.
func TestLayersOfLongValues(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.letter (id INT PRIMARY KEY, s VARCHAR(20) COMMENT 'tunic: order', b TEXT COMMENT 'tunic: sealed', born DATE COMMENT 'tunic: plain', UNIQUE KEY by_s (s))",
			"INSERT INTO shop.letter VALUES (1, 'a', 'b', NULL), (2, 'c', 'd', NULL)")
		conn, err := b.server.Conn(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		for _, statement := range []string{"SET sql_mode = ''", "UPDATE shop.letter SET born = '0000-00-00'"} {
			if _, err := conn.ExecContext(b.t.Context(), statement); err != nil {
				b.t.Fatal(err)
			}
		}
		keys, columns := b.shown("letter"), b.columns("letter")
		r := b.rotation()
		r.Layers = true
		report, err := r.Run(b.t.Context())
		if err != nil || !report.Whole() {
			b.t.Fatalf("%+v, %v", report, err)
		}
		if epochs, shadows := b.layerEpochs(r, "letter"); !slices.Equal(epochs, []uint16{0, 1}) || shadows {
			b.t.Errorf("layers are of the epochs %v, shadows %v", epochs, shadows)
		}
		if got := b.shown("letter"); got != keys {
			b.t.Errorf("keys\n%s\nwere\n%s", got, keys)
		}
		if got := b.columns("letter"); !slices.Equal(got, columns) {
			b.t.Errorf("columns %v, were %v", got, columns)
		}
		if r.Ledger.Catalog().Table("shop", "letter").Unchecked {
			b.t.Error("the CHECK is gone")
		}
		var n int
		if err := b.tunic.QueryRowContext(b.t.Context(), "SELECT COUNT(*) FROM shop.letter WHERE s >= 'a' AND b <> ''").Scan(&n); err != nil || n != 2 {
			b.t.Errorf("%d rows, %v", n, err)
		}
		b.inspect()
	})
}

// TestTableFails: what has failed of a table is told of it, and the others are gone on with.
func TestTableFails(t *testing.T) {
	onServers(t, func(b *bench) {
		for _, table := range []string{"one", "other"} {
			b.exec(b.tunic, "CREATE TABLE shop."+table+wide)
			b.rows(table, 3)
		}
		b.exec(b.server, "ALTER TABLE shop.one RENAME KEY n TO m") // around tunic
		r := b.rotation()
		r.Layers = true
		report, err := r.Run(b.t.Context())
		if err != nil || report.Whole() || report.table("one").Failed == nil || report.table("other").Failed != nil {
			b.t.Fatalf("%+v, %v", report, err)
		}
		if epochs, shadows := b.layerEpochs(r, "other"); !slices.Equal(epochs, []uint16{1}) || shadows {
			b.t.Errorf("layers of the other are of the epochs %v, shadows %v", epochs, shadows)
		}
		b.exec(b.server, "ALTER TABLE shop.one RENAME KEY m TO n")
		report, err = r.Run(b.t.Context())
		if err != nil || !report.Whole() || report.Epoch != 1 || report.New {
			b.t.Errorf("begun again: %+v, %v", report, err)
		}
		if epochs, shadows := b.layerEpochs(r, "one"); !slices.Equal(epochs, []uint16{1}) || shadows {
			b.t.Errorf("layers are of the epochs %v, shadows %v", epochs, shadows)
		}
		b.inspect()
	})
}
