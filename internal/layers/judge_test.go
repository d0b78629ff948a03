package layers

import (
	"context"
	"strings"
	"testing"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/eval"
	"tunic/internal/guard"
	"tunic/internal/value"
)

// TestJudge: every row is looked at once, whatever key they are read by, up to the last.
func TestJudge(t *testing.T) {
	onServers(t, func(b *bench) {
		const rows = 2*rowsLooked + 9
		b.rows(rows)
		counted := *b.table
		counted.Columns = append([]catalog.Column{typed(t, 1, "id", "double", "", true)}, b.table.Columns[1:]...)
		for what, table := range map[string]*catalog.Table{"a number": b.table, "what is counted": &counted} {
			for clause, fails := range map[string]bool{
				"(`k` <= " + b.number(rows) + ")": false, "(`k` < " + b.number(rows) + ")": true, "(`k` > " + b.number(1) + ")": true,
			} {
				seen, statements := 0, 0
				job := b.judge(table, clause, func(rows [][]*string, statement string) {
					seen, statements = seen+len(rows), statements+1
					if counts := strings.Contains(statement, "OFFSET"); counts != (table == &counted) {
						t.Errorf("%s: %s", what, statement)
					}
				})
				bad, err := job.Look(t.Context())
				if err != nil || (bad != nil) != fails {
					t.Errorf("%s: %s: %v, %v", what, clause, bad, err)
				}
				if !fails && (seen != rows || statements != 3) {
					t.Errorf("%s: %d rows in %d statements", what, seen, statements)
				}
			}
		}
	})
}

// number is what a row of the bench has in k, as SQL has it.
func (b *bench) number(id int) string {
	return string(value.AppendText(nil, &b.table.Columns[1].Type, canonical(id), &value.Env{Flavor: value.MySQL}))
}

// judge looks whether the rows of a table fulfil a CHECK.
func (b *bench) judge(table *catalog.Table, clause string, seen func([][]*string, string)) *Judge {
	b.t.Helper()
	next := *table
	next.Checks = []catalog.Check{{Name: "c", Clause: clause}}
	guards, err := guard.Of(&next, value.MySQL)
	if err != nil {
		b.t.Fatal(err)
	}
	return &Judge{
		Query: func(ctx context.Context, statement string) (all [][]*string, err error) {
			link := ownLink{}
			if link.conn, err = b.db.Conn(ctx); err != nil {
				return nil, err
			}
			defer func() { _ = link.conn.Close() }()
			rows, err := link.query(ctx, statement)
			for _, cells := range rows {
				row := make([]*string, len(cells))
				for i, c := range cells {
					if text := string(c); c != nil {
						row[i] = &text
					}
				}
				all = append(all, row)
			}
			seen(all, statement)
			return all, err
		},
		Ring: b.ring, Table: table, Guards: guards, Checks: guards.Checks, Old: func(i int) *catalog.Column { return &table.Columns[i] },
		Session: eval.Session{Flavor: value.MySQL, Version: 90700, DivPrecision: 4, EnglishNames: true},
		In:      eval.Inputs{Env: &value.Env{Flavor: value.MySQL, Version: 90700, Location: time.UTC}},
	}
}
