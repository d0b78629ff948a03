package ddl

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/service"
)

// TestChanges: a table that is changed through tunic, while it has no rows, is what
// the plain server would have made of it, after each statement. What is stored is
// in golden files.
func TestChanges(t *testing.T) {
	files, err := filepath.Glob("testdata/changes/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no changes: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			onServers(t, func(b *bench) {
				plain := b.connect("plain")
				var out strings.Builder
				b.definer.newID = countedIDs()
				for _, c := range readCorpus(t, file) {
					fmt.Fprintf(&out, "> %s\n%s\n", c.statement, b.changeCase(plain, c))
				}
				golden(t, fmt.Sprintf("testdata/golden/changes.%s.%s", strings.TrimSuffix(filepath.Base(file), ".sql"), b.flavor), out.String())
			})
		})
	}
}

func countedIDs() func() catalog.ID {
	n := uint16(0)
	return func() catalog.ID {
		n++
		return catalog.ID{14: byte(n >> 8), 15: byte(n)}
	}
}

// changeCase runs a statement on both sides, and says what tunic has told the
// server of stored tables.
func (b *bench) changeCase(plain *client, c corpusCase) string {
	b.t.Helper()
	b.definer.SetPolicy(c.policy)
	b.seen.forget()
	result, err := b.do(c.statement)
	sent := b.told()
	if refused(err) {
		return sent + said1(err)
	}
	want := plain.Exec(b.t.Context(), strings.ReplaceAll(c.statement, "other_schema", "other_plain"))
	if numberOf(err) != numberOf(want) {
		b.t.Errorf("%s\nthrough tunic: %v\nplain: %v", c.statement, err, want)
	}
	if err != nil || want != nil {
		return sent + fmt.Sprintf("  error %d\n", numberOf(err))
	}
	b.compareWarnings(plain, c.statement, result)
	for _, t := range b.ofStatement(c.statement, result) {
		b.compareTable(plain, c.statement, t, false)
		b.checkStored(t)
	}
	return sent
}

// told are the statements on stored tables that were sent.
func (b *bench) told() string {
	var out strings.Builder
	b.seen.mu.Lock() // the ledger's own look at its lock goes on meanwhile
	defer b.seen.mu.Unlock()
	for _, s := range b.seen.all {
		if upper := strings.ToUpper(s); !strings.Contains(s, catalog.Schema) && (strings.HasPrefix(upper, "ALTER") ||
			strings.HasPrefix(upper, "CREATE") || strings.HasPrefix(upper, "DROP") || strings.HasPrefix(upper, "RENAME") || strings.HasPrefix(upper, "LOCK")) {
			out.WriteString(indent("sent", s))
		}
	}
	return out.String()
}

// checkStored holds the stored table to what the catalog says of it: each form in
// its place, under its name, and no other column but the fence.
func (b *bench) checkStored(t *catalog.Table) {
	b.t.Helper()
	rows, err := b.client.Query(b.t.Context(), "SELECT COLUMN_NAME, IS_NULLABLE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = '"+
		t.Schema+"' AND TABLE_NAME = '"+t.Name+"' ORDER BY ORDINAL_POSITION")
	if err != nil {
		b.t.Fatal(err)
	}
	var have, want []string
	fence := ""
	for _, r := range rows {
		if catalog.IsFence(service.Text(r[0])) {
			fence += service.Text(r[0])
			continue
		}
		have = append(have, service.Text(r[0])+" "+service.Text(r[1]))
	}
	for s := range t.StoredColumns() {
		nullable := " YES"
		switch {
		case s.Kind == catalog.StoredFamily:
			if !s.Family.Nullable {
				nullable = " NO"
			}
		case s.Layer != nil && s.Column.Type.NotNull && !form.TakesNull(s.Layer):
			nullable = " NO"
		case s.Layer == nil && s.Kind != catalog.StoredMember && s.Column.Type.NotNull && !s.Column.Nullable:
			nullable = " NO"
		}
		want = append(want, s.Name+nullable)
	}
	anywhere := func(name string) bool {
		kind := t.StoredColumn(name).Kind
		return catalog.Reserved(name) || kind == catalog.StoredSealed || kind == catalog.StoredMember
	}
	if diff := cmp.Diff(standingLast(want, anywhere), standingLast(have, anywhere)); diff != "" {
		b.t.Errorf("%s: stored columns (-catalog +server):\n%s", t.Name, diff)
	}
	if fence != t.Fence() {
		b.t.Errorf("%s: the fence is %q, of the catalog %q", t.Name, fence, t.Fence())
	}
}

// golden compares with a golden file, or writes it.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *rewrite {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// standingLast are columns with those that may stand anywhere in one order behind the others:
// a job adds layers behind all, and what is stored of protected columns is not moved in place.
func standingLast(columns []string, anywhere func(name string) bool) []string {
	var others, standing []string
	for _, c := range columns {
		if name, _, _ := strings.Cut(c, " "); anywhere(name) {
			standing = append(standing, c)
			continue
		}
		others = append(others, c)
	}
	slices.Sort(standing)
	return append(others, standing...)
}
