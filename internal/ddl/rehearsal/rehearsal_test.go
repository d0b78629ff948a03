package rehearsal

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/catalog/catalogtest"
	"tunic/internal/policy"
)

// TestStage: the private table has a plain column and its shadow for each column that would get one, and a key for each that
// would be over a layer; its values are as long as those of the table, and say nothing.
func TestStage(t *testing.T) {
	of := *catalogtest.Sbtest(t).Table("test", "sbtest1")
	of.Keys = []catalog.Key{{Name: "k", Kind: catalog.Index, Parts: []catalog.Part{{Column: "k", Layer: policy.Equality}}}}
	s := newStage(catalog.ID{1}, &of, map[string]int{"c": 100, "pad": 5}, 7)
	const table = "`_tunic`."
	if got := s.create(); !strings.HasPrefix(got, "CREATE TABLE "+table) || strings.Contains(got, "sbtest") ||
		!strings.Contains(got, "(id bigint NOT NULL PRIMARY KEY, c0 int NULL DEFAULT NULL, `c0$copy` ") || !strings.Contains(got, ", c2 char(60) COLLATE utf8mb4_general_ci NULL") {
		t.Error(got)
	}
	insert := s.insert(1, 3)
	if !strings.HasSuffix(insert, "(id, c0, c1, c2, rest) VALUES (1, 1, REPEAT('v', 100), REPEAT('v', 5), REPEAT('r', 7)), (2, 1, REPEAT('v', 100), REPEAT('v', 5), REPEAT('r', 7))") {
		t.Error(insert)
	}
	if got := s.double(8); !strings.Contains(got, "(id, `c0`, `c0$copy`, `c0$eq`, `c1`, `c1$copy`, `c2`, `c2$copy`, rest) SELECT id + 8, `c0`,") {
		t.Error(got)
	}
	if got := s.keys(); !slices.Equal(got, []string{"ALTER TABLE " + s.name() + " ADD KEY (`c0$eq`)"}) {
		t.Errorf("%q", got)
	}
}

// TestStageFamily: columns that come into a family have one form there, too.
func TestStageFamily(t *testing.T) {
	of := *catalogtest.Sbtest(t).Table("test", "sbtest1")
	of.Columns = slices.Clone(of.Columns)
	for _, name := range []string{"k", "pad"} {
		of.Columns[of.Column(name)].Family = "row$form"
	}
	of.Families = []catalog.Family{{ID: catalog.ID{2}, Stored: "row$form"}}
	s := newStage(catalog.ID{1}, &of, map[string]int{"c": 100, "pad": 5}, 7)
	if got := s.create(); strings.Contains(got, "c0$copy") || !strings.Contains(got, "`000000000000$form$copy` varbinary(") || !strings.Contains(got, "`c1$copy` ") {
		t.Error(got)
	}
	if got := s.double(8); !strings.Contains(got, ", `000000000000$form$copy`, rest) SELECT id + 8, `c0`,") {
		t.Error(got)
	}
	if len(s.table.Families) != 1 || len(s.table.Members(&s.table.Families[0])) != 2 || !s.table.Families[0].Backfills() {
		t.Errorf("%+v", s.table.Families)
	}
}

// TestPerRow: a row takes its part of both, and of nothing nothing.
func TestPerRow(t *testing.T) {
	if got := (&Times{Rows: 10, Backfilled: 100, RowsAnew: 80, Anew: 160}).PerRow(); got != 12*time.Nanosecond {
		t.Error(got)
	}
	if got := (&Times{}).PerRow(); got != 0 {
		t.Error(got)
	}
}
