package ledger

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"testing"

	"tunic/internal/waittest"
)

// TestCallerLeaves: a caller that leaves while the ledger writes for it takes nothing from the
// others: the connection that all share stays.
func TestCallerLeaves(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		b.made(l, table("before", 1))
		own, err := l.Link(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		holder, err := b.db.Conn(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		defer func() { _ = holder.Close() }()
		if _, err := holder.ExecContext(b.t.Context(), "LOCK TABLES "+journal+" WRITE"); err != nil {
			b.t.Fatal(err)
		}
		ctx, leave := context.WithCancel(b.t.Context())
		over := make(chan error, 1)
		go func() {
			next := table("next", 2)
			_, err := l.Change(ctx, []Step{{New: next}}, b.ran(create(next)))
			over <- err
		}()
		waittest.Until(b.t, "the ledger waits for its journal", b.waits)
		leave()
		if _, err := holder.ExecContext(b.t.Context(), "UNLOCK TABLES"); err != nil {
			b.t.Fatal(err)
		}
		if err := <-over; err == nil {
			b.t.Error("a change that its caller has left was made")
		}
		if err := l.Usable(); err != nil {
			b.t.Errorf("the ledger is not usable: %v", err)
		}
		if now, err := l.Link(b.t.Context()); now != own || err != nil {
			b.t.Errorf("the ledger's connection was %d and is %d, %v", own, now, err)
		}
		b.made(l, table("after", 3))
	})
}

func (b *bench) waits() bool { return len(b.waiting()) > 0 }

// waiting are the connections that wait for a table or a schema. MySQL does not show information_schema
// a statement with stored values in it (3854).
func (b *bench) waiting() (ids []string) {
	b.t.Helper()
	rows, err := b.db.QueryContext(b.t.Context(), "SHOW PROCESSLIST")
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		b.t.Fatal(err)
	}
	cells, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range cells {
		into[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			b.t.Fatal(err)
		}
		if state := cells[slices.Index(columns, "State")].String; strings.HasSuffix(state, " metadata lock") {
			ids = append(ids, cells[slices.Index(columns, "Id")].String)
		}
	}
	return ids
}
