package migrate

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/ddl/pace"
	"tunic/internal/policy"
	"tunic/internal/waittest"
)

// grouping is a policy that has short columns together or not.
func grouping(together bool) *policy.Policy {
	return &policy.Policy{Default: policy.Protection{Protected: true, Allowed: policy.Equality | policy.Order}, Together: together}
}

// TestRegroupBesideClients: columns come into a family and out of it while clients read and write through two tunics, also where the
// work is cut off and begun again. Nobody sees an error or another value than was written.
func TestRegroupBesideClients(t *testing.T) {
	onServers(t, func(b *bench) {
		b.person(8 * 200)
		w, end := b.work("person", "n", "name")
		defer end()
		if report, err := w.Encrypt(b.t.Context()); err != nil || report.At != Finished {
			b.t.Fatalf("%+v, %v", report, err)
		}
		done, leave := b.customers(8, 200, 4)
		waittest.Until(b.t, "clients are at work", func() bool { return done.Load() > 50 })
		id := w.Ledger.Catalog().Table("shop", "person").ID
		for _, b.together = range []bool{true, false, true} {
			w.Definer.SetPolicy(grouping(b.together))
			ctx, cancel := context.WithCancel(b.t.Context())
			cut := pace.Pace{Told: func(p pace.Passed) {
				if p.Rows > 200 {
					cancel()
				}
			}}
			if _, err := w.Definer.Regroup(ctx, id, cut); !ended(ctx, err) {
				b.t.Fatal(err)
			}
			cancel()
			before := done.Load()
			waittest.Until(b.t, "clients go on in between", func() bool { return done.Load() > before+50 || b.t.Failed() })
			if _, err := w.Definer.Regroup(b.t.Context(), id, pace.Pace{}); err != nil {
				b.t.Fatal(err)
			}
			before = done.Load()
			waittest.Until(b.t, "clients go on", func() bool { return done.Load() > before+50 || b.t.Failed() })
		}
		leave()
		b.isProtected("person")
	})
}

// TestTypesRegrouped: all kinds of statements write columns of all types that are on their way into a family, and out of it.
func TestTypesRegrouped(t *testing.T) {
	onServers(t, func(b *bench) {
		y, w, end := b.typesEncrypted()
		defer end()
		id := w.Ledger.Catalog().Table("shop", "typed").ID
		for _, b.together = range []bool{true, false} {
			w.Definer.SetPolicy(grouping(b.together))
			told := false
			moved, err := w.Definer.Regroup(b.t.Context(), id, pace.Pace{Told: func(pace.Passed) {
				if !told {
					told = true
					y.write("on the way")
				}
			}})
			if err != nil || !moved || !told {
				b.t.Fatalf("moved %v, told %v, %v", moved, told, err)
			}
			y.write("moved")
			b.isProtected("typed")
		}
	})
}

// TestRegroupedViews: a view over columns that come into a family, and into another one, has their values as before.
func TestRegroupedViews(t *testing.T) {
	onServers(t, func(b *bench) {
		b.person(50)
		w, end := b.work("person", "n", "name")
		defer end()
		if report, err := w.Encrypt(b.t.Context()); err != nil || report.At != Finished {
			b.t.Fatalf("%+v, %v", report, err)
		}
		rule, err := policy.ParseRule("shop.person.n", "equality family f")
		if err != nil {
			b.t.Fatal(err)
		}
		other := grouping(true)
		other.Rules = []policy.Rule{rule}
		b.exec(b.tunics[0], "CREATE VIEW many AS SELECT id, n, CONCAT(name, n) AS called FROM person WHERE n > 100")
		before := b.rows("SELECT * FROM many ORDER BY id")
		id := w.Ledger.Catalog().Table("shop", "person").ID
		for i, next := range []*policy.Policy{grouping(true), other, grouping(true), grouping(false)} {
			w.Definer.SetPolicy(next)
			if moved, err := w.Definer.Regroup(b.t.Context(), id, pace.Pace{}); err != nil || !moved {
				b.t.Fatal(moved, err)
			}
			if diff := cmp.Diff(before, b.rows("SELECT * FROM many ORDER BY id")); diff != "" {
				b.t.Errorf("%d: %s", i, diff)
			}
			b.exec(b.tunics[1], "UPDATE many SET n = n + 0 WHERE id = 20", "CREATE OR REPLACE VIEW fresh AS SELECT name FROM person")
			if fresh := b.rows("SELECT * FROM fresh"); len(fresh) == 0 {
				b.t.Errorf("%d: a view that is made then has no rows", i)
			}
		}
	})
}
