package ledger

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/sqlerr"
	"tunic/internal/waittest"
)

// narrow opens the ledger with an account that has the privileges of docs/operating.md for schema shop; there is a schema other.
func (b *bench) narrow() *Ledger {
	b.t.Helper()
	b.exec("DROP DATABASE IF EXISTS other", "CREATE DATABASE other")
	sandboxtest.Narrow(b.t, func(statement string) { b.exec(statement) }, "narrow", "shop")
	config, err := mysql.ParseDSN(b.dsn)
	if err != nil {
		b.t.Fatal(err)
	}
	config.User, config.Passwd, config.DBName = "narrow", "narrow", ""
	db, err := sql.Open("mysql", config.FormatDSN())
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = db.Close() })
	o := b.options()
	o.DB = db
	l, err := initAndOpen(b.t.Context(), o)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(l.Close)
	return l
}

// TestUnseenRefused: a change is not begun that the account could not settle: of a schema of which it sees nothing, and of one
// table of a schema where it has privileges for others.
func TestUnseenRefused(t *testing.T) {
	onServers(t, func(b *bench) {
		defer b.exec("DROP DATABASE IF EXISTS other")
		l := b.narrow()
		one := table("one", 1)
		b.made(l, one)
		away := renamed(one, "one")
		away.Schema = "other"
		refused := func(what string, s Step) {
			b.t.Helper()
			_, err := l.Change(b.t.Context(), []Step{s}, func(context.Context) error {
				b.t.Errorf("%s: it is begun", what)
				return nil
			})
			if !errors.Is(err, sqlerr.AccountBlind("")) || l.Usable() != nil {
				b.t.Errorf("%s: %v, then %v", what, err, l.Usable())
			}
		}
		refused("another schema", Step{one, away})
		b.exec("GRANT SELECT ON other.* TO narrow")
		refused("another schema without ALTER", Step{one, away})
		b.exec("REVOKE ALL ON shop.* FROM narrow")
		refused("a table that goes", Step{Old: one})
		b.exec("GRANT SELECT, ALTER ON shop.one TO narrow")
		refused("another name", Step{one, renamed(one, "two")})
		b.exec("CREATE TABLE shop.two (a INT)", "GRANT SELECT, ALTER ON shop.two TO narrow", "DROP TABLE shop.two")
		done, err := l.Change(b.t.Context(), []Step{{one, renamed(one, "two")}}, b.ran("RENAME TABLE shop.one TO shop.two"))
		if err != nil || len(done) != 1 {
			b.t.Errorf("with privileges for both tables: %v, %d done", err, len(done))
		}
	})
}

// TestUnseenIsNotGone: a table that the account has come to see no more is not taken for dropped, and one that has
// got a name there is not taken for none.
func TestUnseenIsNotGone(t *testing.T) {
	onServers(t, func(b *bench) {
		defer b.exec("DROP DATABASE IF EXISTS other")
		l := b.narrow()
		one, two := table("one", 1), table("two", 2)
		b.made(l, one, two)
		away := renamed(one, "one")
		away.Schema = "other"
		const all = "SELECT, INSERT, UPDATE, CREATE, ALTER, DROP"
		b.exec("GRANT " + all + " ON other.* TO narrow")
		for what, c := range map[string]struct {
			step         Step
			define, back []string
			unseen       string
		}{
			"renamed": {Step{one, away}, []string{"RENAME TABLE shop.one TO other.one", "REVOKE " + all + " ON other.* FROM narrow"}, []string{"GRANT " + all + " ON other.* TO narrow"}, "other.one"},
			"kept":    {Step{Old: two}, []string{"REVOKE ALL ON shop.* FROM narrow"}, []string{"GRANT " + all + " ON shop.* TO narrow"}, "shop.two"},
		} {
			done, err := l.Change(b.t.Context(), []Step{c.step}, b.ran(c.define...))
			if len(done) > 0 || !errors.Is(err, errBlind) {
				b.t.Errorf("%s: %v, %d done", what, err, len(done))
			}
			waittest.Until(b.t, what+": who opens the ledger, and has its lock, is told what the account needs", func() bool {
				again, err := Open(b.t.Context(), l.o)
				if err == nil {
					again.Close()
				}
				return Denied(err) && strings.Contains(err.Error(), "needs SELECT and ALTER on "+c.unseen)
			})
			b.exec(c.back...)
			waittest.Until(b.t, what+": it is settled", func() bool { return l.Usable() == nil && l.settled() })
		}
		if l.Catalog().Table("other", "one") == nil || l.Catalog().Table("shop", "one") != nil || l.Catalog().Table("shop", "two") == nil {
			b.t.Errorf("%v", names(l.Catalog()))
		}
	})
}

// settled reports whether nothing is left in the journal.
func (l *Ledger) settled() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.left) == 0
}
