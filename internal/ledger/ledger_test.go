package ledger

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/catalog"
	"tunic/internal/keys"
	"tunic/internal/waittest"
)

// TestFindsWhatItWrote: a ledger that is closed and opened again, by the same key
// file, is the same.
func TestFindsWhatItWrote(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		if l.Catalog().Len() != 0 || l.Usable() != nil {
			b.t.Fatalf("a new ledger: %d tables, %v", l.Catalog().Len(), l.Usable())
		}
		one, two := table("one", 1), table("two", 2)
		b.made(l, one, two)
		version, project := l.Catalog().Version, l.Tree().Project()
		l.Close()
		if err := l.Usable(); !errors.Is(err, ErrLost) {
			b.t.Errorf("after Close: %v", err)
		}
		l = b.open()
		if l.Catalog().Version != version || l.Tree().Project() != project {
			b.t.Errorf("version %d, want %d; project %x, want %x", l.Catalog().Version, version, l.Tree().Project(), project)
		}
		if diff := cmp.Diff(map[string]uint64{"one": 1, "two": 1}, names(l.Catalog())); diff != "" {
			b.t.Error(diff)
		}
	})
}

func TestAnotherKeyFile(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		b.made(l, table("one", 1))
		l.Close()
		own := b.kek
		b.kek, _ = keys.NewKEK()
		if _, err := b.opened(); !errors.Is(err, keys.ErrOtherKey) {
			b.t.Errorf("with another key file: %v", err)
		}
		b.kek = own
		if c, err := b.opened(); err != nil || c.Len() != 1 {
			b.t.Errorf("with its own: %v", err)
		}
	})
}

// TestChanges: of each kind, done and not done. What the catalog says afterwards
// is what the server has, in memory and written down.
func TestChanges(t *testing.T) {
	one, two := table("one", 1), table("two", 2)
	mark := func(t *catalog.Table) string { return "COMMENT='" + Mark(t) + "'" }
	for _, c := range []struct {
		name  string
		steps []Step
		run   []string
		fails bool
		want  map[string]uint64
	}{
		{"made", []Step{{New: table("three", 3)}}, []string{create(table("three", 3))}, false, map[string]uint64{"one": 1, "two": 1, "three": 1}},
		{"not made", []Step{{New: table("three", 3)}}, []string{"CREATE TABLE shop.one (x INT)"}, true, map[string]uint64{"one": 1, "two": 1}},
		{"a plain one is there", []Step{{New: table("plain", 3)}}, []string{create(table("plain", 3))}, true, map[string]uint64{"one": 1, "two": 1}},
		{"altered", []Step{{one, again(one)}}, []string{"ALTER TABLE shop.one ADD b INT, " + mark(again(one))}, false, map[string]uint64{"one": 2, "two": 1}},
		{"not altered", []Step{{one, again(one)}}, []string{"ALTER TABLE shop.one DROP x, " + mark(again(one))}, true, map[string]uint64{"one": 1, "two": 1}},
		{"dropped", []Step{{one, nil}}, []string{"DROP TABLE shop.one"}, false, map[string]uint64{"two": 1}},
		{"not dropped", []Step{{one, nil}}, []string{"DROP TABLE shop.none"}, true, map[string]uint64{"one": 1, "two": 1}},
		{"dropped in part", []Step{{one, nil}, {two, nil}}, []string{"DROP TABLE shop.one", "DROP TABLE shop.none"}, true, map[string]uint64{"two": 1}},
		{"renamed", []Step{{one, renamed(one, "uno")}}, []string{"RENAME TABLE shop.one TO shop.uno"}, false, map[string]uint64{"uno": 1, "two": 1}},
		{
			"swapped",
			[]Step{{one, renamed(one, "two")}, {two, renamed(two, "one")}},
			[]string{"RENAME TABLE shop.one TO shop.x, shop.two TO shop.one, shop.x TO shop.two"},
			false,
			map[string]uint64{"one": 1, "two": 1},
		},
		{"failed after it was done", []Step{{one, nil}}, []string{"DROP TABLE shop.one", "DROP TABLE shop.none"}, true, map[string]uint64{"two": 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			onServers(t, func(b *bench) {
				l := b.open()
				b.made(l, one, two)
				b.exec("CREATE TABLE shop.plain (x INT)")
				_, err := l.Change(b.t.Context(), c.steps, b.ran(c.run...))
				if (err != nil) != c.fails || l.Usable() != nil {
					b.t.Fatalf("%v, %v", err, l.Usable())
				}
				if diff := cmp.Diff(c.want, names(l.Catalog())); diff != "" {
					b.t.Errorf("in memory: %s", diff)
				}
				if c.name == "swapped" && l.Catalog().Table("shop", "one").ID != two.ID {
					b.t.Error("the tables have kept their IDs")
				}
				l.Close()
				written, err := b.opened()
				if err != nil {
					b.t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, names(written)); diff != "" {
					b.t.Errorf("written down: %s", diff)
				}
			})
		})
	}
}

// TestAStepThatCannotBeSettledIsRefused: before anything is announced.
func TestAStepThatCannotBeSettledIsRefused(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		one := table("one", 1)
		bad := table("bad", 3)
		bad.Columns[0].ID = catalog.ID{}
		b.made(l, one)
		version := l.Catalog().Version
		for name, s := range map[string]Step{
			"no mark": {one, table("one", 1)}, "another table": {one, table("two", 2)}, "no table": {New: bad},
		} {
			_, err := l.Change(b.t.Context(), []Step{s}, func(context.Context) error { b.t.Errorf("%s: run", name); return nil })
			if !errors.Is(err, catalog.ErrContent) || l.Catalog().Version != version || l.Usable() != nil {
				b.t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// TestSettlesAfterACrash: the connection dies with the change under way, before
// the definition is run or after it. The ledger finds out which, by itself.
func TestSettlesAfterACrash(t *testing.T) {
	one, two := table("one", 1), table("two", 2)
	for name, c := range map[string]struct {
		step Step
		run  []string
		want map[string]uint64
	}{
		"made":        {Step{New: two}, []string{create(two)}, map[string]uint64{"one": 1, "two": 1}},
		"not made":    {Step{New: two}, nil, map[string]uint64{"one": 1}},
		"unfinished":  {Step{New: two}, []string{strings.Replace(create(two), Mark(two), Unfinished(two), 1)}, map[string]uint64{"one": 1}},
		"dropped":     {Step{Old: one}, []string{"DROP TABLE shop.one"}, map[string]uint64{}},
		"not dropped": {Step{Old: one}, nil, map[string]uint64{"one": 1}},
		"altered":     {Step{one, again(one)}, []string{"ALTER TABLE shop.one COMMENT='" + Mark(again(one)) + "'"}, map[string]uint64{"one": 2}},
		"not altered": {Step{one, again(one)}, nil, map[string]uint64{"one": 1}},
		"renamed":     {Step{one, renamed(one, "uno")}, []string{"RENAME TABLE shop.one TO shop.uno"}, map[string]uint64{"uno": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			onServers(t, func(b *bench) {
				l := b.open()
				b.made(l, one)
				_, err := l.Change(b.t.Context(), []Step{c.step}, func(ctx context.Context) error {
					if err := b.ran(c.run...)(ctx); err != nil {
						return err
					}
					l.mu.Lock()
					defer l.mu.Unlock()
					return b.cut(ctx, l)
				})
				lost, meanwhile := errors.Is(l.Usable(), ErrLost), l.Catalog()
				if !errors.Is(err, ErrLost) {
					b.t.Fatalf("without a connection: %v", err)
				}
				if lost && c.step.New != nil && meanwhile.Table("shop", c.step.New.Name) == nil {
					b.t.Error("what may be there by now is taken for a plain table")
				}
				waittest.Until(b.t, "the ledger is held again", func() bool { return l.Usable() == nil })
				if diff := cmp.Diff(c.want, names(l.Catalog())); diff != "" {
					b.t.Error(diff)
				}
				if name == "unfinished" {
					b.exec("CREATE TABLE shop.two (x INT)") // the name is free
				}
				b.made(l, table("after", 9))
			})
		})
	}
}

// cut ends the connection of a ledger, at the server. The caller holds its mu, or nobody
// does.
func (b *bench) cut(ctx context.Context, l *Ledger) error {
	var id int64
	if err := l.conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id); err != nil {
		return err
	}
	_, err := b.db.ExecContext(ctx, "KILL "+strconv.FormatInt(id, 10))
	return err
}

// TestNoticesThatTheLockIsLost: without anybody asking for a change.
func TestNoticesThatTheLockIsLost(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		before := l.Catalog()
		l.mu.Lock()
		err := b.cut(b.t.Context(), l)
		l.mu.Unlock()
		if err != nil {
			b.t.Fatal(err)
		}
		waittest.Until(b.t, "it has read the ledger again", func() bool { return l.Usable() == nil && l.Catalog() != before })
	})
}

// TestAwaits: who asks while the ledger is lost waits until it is held again; who
// asks of one that is closed, or for good in other hands, hears it.
func TestAwaits(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		before := l.Catalog()
		l.become(ErrLost)
		if err := l.Await(nil); err != nil || l.Catalog() == before {
			b.t.Errorf("a lost ledger: %v", err)
		}
		done := make(chan struct{})
		close(done)
		l.Close()
		if err := l.Await(done); !errors.Is(err, ErrLost) {
			b.t.Errorf("a closed ledger: %v", err)
		}
		l.become(ErrDamaged)
		if err := l.Await(nil); !errors.Is(err, ErrDamaged) {
			b.t.Errorf("a damaged ledger: %v", err)
		}
	})
}

// TestUnexplained: a table that somebody else has put in the place of one stops
// the ledger; it does not guess.
func TestUnexplained(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		one := table("one", 1)
		b.made(l, one)
		_, err := l.Change(b.t.Context(), []Step{{one, again(one)}}, b.ran("ALTER TABLE shop.one COMMENT='mine'"))
		if !errors.Is(err, ErrUnexplained) || l.Usable() == nil {
			b.t.Errorf("%v, %v", err, l.Usable())
		}
	})
}

// TestLostTable: a table that is not there any more after a change that was cut off, as MySQL
// leaves one of MEMORY, stops nobody from using the others, and keeps its entry.
func TestLostTable(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		one, two := table("one", 1), table("two", 2)
		b.made(l, one, two)
		errCut := errors.New("cut off")
		done, err := l.Change(b.t.Context(), []Step{{one, again(one)}}, func(ctx context.Context) error {
			return errors.Join(errCut, b.ran("DROP TABLE shop.one")(ctx))
		})
		if len(done) > 0 || !errors.Is(err, errCut) || l.Usable() != nil {
			b.t.Fatalf("%d done, %v, %v", len(done), err, l.Usable())
		}
		if at := l.Catalog().ByID(one.ID); at == nil || at.Revision != one.Revision {
			b.t.Errorf("the table's entry is %+v", at)
		}
		if _, err := l.Change(b.t.Context(), []Step{{two, again(two)}}, b.ran("ALTER TABLE shop.two COMMENT='"+Mark(again(two))+"'")); err != nil {
			b.t.Errorf("another table: %v", err)
		}
		if _, err := l.Change(b.t.Context(), []Step{{Old: one}}, func(context.Context) error { return errCut }); !errors.Is(err, errCut) || l.Catalog().ByID(one.ID) != nil {
			b.t.Errorf("dropped: %v", err)
		}
	})
}

// TestTampering: each row, changed, removed, or put back from an older copy.
func TestTampering(t *testing.T) {
	for name, statements := range map[string][]string{
		"root changed":      {"UPDATE _tunic.project SET root = INSERT(root, 21, 1, CHAR(255 - ASCII(SUBSTRING(root, 21, 1)) USING binary))"},
		"root gone":         {"DELETE FROM _tunic.project"},
		"project changed":   {"UPDATE _tunic.project SET id = REVERSE(id)"},
		"object changed":    {"UPDATE _tunic.object SET sealed = INSERT(sealed, 21, 1, CHAR(255 - ASCII(SUBSTRING(sealed, 21, 1)) USING binary))"},
		"object removed":    {"DELETE FROM _tunic.object LIMIT 1"},
		"objects swapped":   {"UPDATE _tunic.object a JOIN _tunic.object b ON a.id < b.id SET a.sealed = b.sealed, a.version = b.version"},
		"object renumbered": {"UPDATE _tunic.object SET version = version + 1"},
		"object put back":   {"REPLACE INTO _tunic.object SELECT * FROM old.object"},
		"root put back":     {"REPLACE INTO _tunic.project SELECT * FROM old.project"},
		"entry put back":    {"INSERT INTO _tunic.journal SELECT * FROM old.journal"},
		"master removed":    {"DELETE FROM _tunic.master"},
		"master changed":    {"UPDATE _tunic.master SET wrapped = INSERT(wrapped, 41, 1, CHAR(255 - ASCII(SUBSTRING(wrapped, 41, 1)) USING binary))"},
		"master made up":    {"INSERT INTO _tunic.master SELECT 7, wrapped FROM _tunic.master"},
	} {
		t.Run(name, func(t *testing.T) {
			onServers(t, func(b *bench) {
				b.exec("DROP DATABASE IF EXISTS old", "CREATE DATABASE old")
				b.t.Cleanup(func() { b.exec("DROP DATABASE old") })
				l := b.open()
				one := table("one", 1)
				b.made(l, one, table("two", 2))
				copies := func(context.Context) error {
					for _, table := range []string{"project", "object", "journal"} {
						b.exec("CREATE TABLE old." + table + " AS SELECT * FROM _tunic." + table)
					}
					return nil
				}
				if _, err := l.Change(b.t.Context(), []Step{{one, again(one)}}, func(ctx context.Context) error {
					return errors.Join(copies(ctx), b.ran("ALTER TABLE shop.one COMMENT='"+Mark(again(one))+"'")(ctx))
				}); err != nil {
					b.t.Fatal(err)
				}
				l.Close()
				if _, err := b.opened(); err != nil {
					b.t.Fatalf("before: %v", err)
				}
				b.exec(statements...)
				_, err := b.opened()
				if !errors.Is(err, ErrDamaged) && !errors.Is(err, keys.ErrMaster) {
					b.t.Errorf("%v", err)
				}
			})
		})
	}
}

// TestRunningLedgerTakesNoOlderVersion: not even one that fits its root.
func TestRunningLedgerTakesNoOlderVersion(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec("DROP DATABASE IF EXISTS old", "CREATE DATABASE old")
		b.t.Cleanup(func() { b.exec("DROP DATABASE old") })
		l := b.open()
		b.made(l, table("one", 1))
		for _, table := range []string{"project", "object", "journal"} {
			b.exec("CREATE TABLE old." + table + " AS SELECT * FROM _tunic." + table)
		}
		b.made(l, table("two", 2))
		l.mu.Lock() // it must not look while the rows are half back
		for _, table := range []string{"project", "object", "journal"} {
			b.exec("DELETE FROM _tunic."+table, "INSERT INTO _tunic."+table+" SELECT * FROM old."+table)
		}
		err := b.cut(b.t.Context(), l)
		l.mu.Unlock()
		if err != nil {
			b.t.Fatal(err)
		}
		waittest.Until(b.t, "it has seen the older version", func() bool { return errors.Is(l.Usable(), ErrDamaged) })
	})
}
