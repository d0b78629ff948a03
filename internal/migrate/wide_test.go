package migrate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/ddl/pace"
)

// TestWide: a table of many columns of 255 characters is encrypted: beside its plain values a row has no room for a sealed form of each,
// and for that of all only as a BLOB.
func TestWide(t *testing.T) {
	onFamilies(t, func(b *bench) {
		_, _, end := b.wide(60)
		end()
	})
}

// TestWideRegrouped: the columns of such a family come out of it, into it again, and become plain.
func TestWideRegrouped(t *testing.T) {
	onFamilies(t, func(b *bench) {
		all, w, end := b.wide(17)
		before, id := b.rows(all), w.Ledger.Catalog().Table("shop", "wide").ID
		for _, b.together = range []bool{false, true} {
			w.Definer.SetPolicy(grouping(b.together))
			if moved, err := w.Definer.Regroup(b.t.Context(), id, pace.Pace{}); err != nil || !moved {
				b.t.Fatalf("together %v: moved %v, %v", b.together, moved, err)
			}
			if diff := cmp.Diff(before, b.rows(all)); diff != "" {
				b.t.Errorf("together %v: %.2000s", b.together, diff)
			}
			b.isProtected("wide")
		}
		end()
		b.decrypted("wide", 0)
		if diff := cmp.Diff(before, b.rows(all)); diff != "" {
			b.t.Errorf("decrypted: %.2000s", diff)
		}
	})
}

// wide makes a table of so many columns, and encrypts it. It has short values, the longest ones and NULL; all returns them. The end of
// the work is the caller's.
func (b *bench) wide(columns int) (all string, w *Work, end func()) {
	b.t.Helper()
	var names, texts, short, full []string
	for i := range columns {
		names = append(names, fmt.Sprintf("c%d", i))
		texts = append(texts, names[i]+" VARCHAR(255)")
		short, full = append(short, fmt.Sprintf("'short %d'", i)), append(full, "REPEAT('\U0001F600', 255)")
	}
	b.exec(b.server, "CREATE TABLE shop.wide (id INT PRIMARY KEY, "+strings.Join(texts, ", ")+") CHARACTER SET utf8mb4")
	for i := 1; i <= 15; i += 3 {
		b.exec(b.server, fmt.Sprintf("INSERT INTO shop.wide VALUES (%d, %s), (%d, %s)", i, strings.Join(short, ", "), i+1, strings.Join(full, ", ")),
			fmt.Sprintf("INSERT INTO shop.wide (id, c1) VALUES (%d, '')", i+2))
	}
	all = "SELECT id, IFNULL(" + strings.Join(names, ", '-'), IFNULL(") + ", '-') FROM wide ORDER BY id"
	before := b.rows(all)
	w, end = b.work("wide", names...)
	if plan, err := w.Look(b.t.Context()); err != nil || plan.Hindered() {
		b.t.Fatalf("%+v, %v", plan, err)
	}
	if report, err := w.Encrypt(b.t.Context()); err != nil || report.At != Finished {
		b.t.Fatalf("%+v, %v", report, err)
	}
	if diff := cmp.Diff(before, b.rows(all)); diff != "" {
		b.t.Errorf("encrypted: %.2000s", diff)
	}
	b.isProtected("wide")
	return all, w, end
}
