package layers

import (
	"errors"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/keys/keystest"
	"tunic/internal/policy"
)

// keyed is a table with keys over columns of many types.
func keyed(t *testing.T, keys ...catalog.Key) *catalog.Table {
	t.Helper()
	table := &catalog.Table{
		ID: catalog.ID{9}, Schema: "s`x", Name: "t", Keys: keys,
		Columns: []catalog.Column{
			typed(t, 1, "id", "bigint", "", true), typed(t, 2, "name", "varchar(9)", "latin1_swedish_ci", true),
			typed(t, 3, "day", "date", "", true), typed(t, 4, "f", "double", "", true), typed(t, 5, "null", "int", "", false),
			protected(typed(t, 6, "p", "int", "", true), catalog.PRP64, catalog.Ready),
			protected(typed(t, 7, "q", "int", "", false), catalog.PRP64, catalog.Backfilling),
			typed(t, 8, "raw", "varbinary(9)", "", true), typed(t, 9, "at", "timestamp", "", true), typed(t, 10, "span", "time", "", true),
			typed(t, 11, "label", "enum('a')", "utf8mb4_bin", true),
		},
	}
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
	return table
}

func key(name string, kind catalog.KeyKind, columns ...string) catalog.Key {
	k := catalog.Key{Name: name, Kind: kind}
	for _, c := range columns {
		p := catalog.Part{Column: c}
		if c == "p" {
			p.Layer = policy.Equality
		}
		k.Parts = append(k.Parts, p)
	}
	return k
}

// TestRowKeys: the key must tell all rows apart, and its values must come back as they
// were read.
func TestRowKeys(t *testing.T) {
	primary := key("PRIMARY", catalog.Primary, "id")
	hidden, prefix := key("hidden", catalog.Unique, "id"), key("prefix", catalog.Unique, "name")
	hidden.Hidden, prefix.Parts[0].Prefix = true, 3
	for what, c := range map[string]struct {
		keys []catalog.Key
		want string
	}{
		"none":                       {nil, ""},
		"the primary key":            {[]catalog.Key{key("u", catalog.Unique, "name"), primary}, "PRIMARY"},
		"a unique key":               {[]catalog.Key{key("i", catalog.Index, "id"), key("u", catalog.Unique, "p", "day")}, "u"},
		"one that may be NULL":       {[]catalog.Key{key("u", catalog.Unique, "null")}, ""},
		"one that hides":             {[]catalog.Key{hidden}, ""},
		"one of beginnings":          {[]catalog.Key{prefix}, ""},
		"a DOUBLE, which is rounded": {[]catalog.Key{key("PRIMARY", catalog.Primary, "f"), key("u", catalog.Unique, "id")}, "u"},
		"labels":                     {[]catalog.Key{key("u", catalog.Unique, "label")}, ""},
	} {
		table := keyed(t, c.keys...)
		got := ""
		if k := rowKeyOf(table); k != nil {
			got = k.name
		}
		if got != c.want || CanBackfill(table) != (c.want != "") {
			t.Errorf("%s: key %q", what, got)
		}
	}
}

func TestNoKey(t *testing.T) {
	job := Job{Table: keyed(t), Ring: crypt.NewRing(keystest.Tree(t))}
	if err := job.Backfill(t.Context()); !errors.Is(err, ErrNoKey) {
		t.Error(err)
	}
}

// workerFor is what backfills all that a table lacks.
func workerFor(t *testing.T, table *catalog.Table) *worker {
	t.Helper()
	from := &sources{table: table, ring: crypt.NewRing(keystest.Tree(t))}
	all, err := targetsOf(from, nil, 0, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorker(from, all)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestStatements are the texts that servers get.
func TestStatements(t *testing.T) {
	table := keyed(t, key("PRIMARY", catalog.Primary, "name", "p", "day", "raw", "at", "span", "id"))
	table.Keys[0].Parts[2].Desc = true
	w := workerFor(t, table)
	r := row{
		key: [][]byte{[]byte("a"), {1}, []byte("2024-01-01"), {}, []byte("2024-01-01 00:00:00"), []byte("-01:00:00"), []byte("-5")}, read: [][]byte{nil},
	}
	u := update{worker: w}
	for range 2 {
		if err := u.add(&r); err != nil {
			t.Fatal(err)
		}
	}
	table = keyed(t, key("u", catalog.Unique, "id", "p"))
	w = workerFor(t, table)
	for want, got := range map[string]string{
		"UPDATE (SELECT _latin1 x'61' COLLATE latin1_swedish_ci AS a0,  x'01' AS a1, DATE'2024-01-01' AS a2,  x'' AS a3, TIMESTAMP'2024-01-01 00:00:00' AS a4, " +
			"TIME'-01:00:00' AS a5, -5 AS a6, NULL AS b0 UNION ALL SELECT _latin1 x'61' COLLATE latin1_swedish_ci,  x'01', DATE'2024-01-01',  x'', " +
			"TIMESTAMP'2024-01-01 00:00:00', TIME'-01:00:00', -5, NULL) AS v STRAIGHT_JOIN `s``x`.`t` ON `s``x`.`t`.`name` = v.a0 AND `s``x`.`t`.`p$eq` = v.a1 AND " +
			"`s``x`.`t`.`day` = v.a2 AND `s``x`.`t`.`raw` = v.a3 AND `s``x`.`t`.`at` = v.a4 AND `s``x`.`t`.`span` = v.a5 AND `s``x`.`t`.`id` = v.a6 SET `s``x`.`t`.`q$eq` = v.b0": u.statement(),
		"SELECT `id`, `p$eq`, `q`, (`q` IS NOT NULL AND (`q$eq` IS NULL)) FROM `s``x`.`t` FORCE INDEX (`u`) ORDER BY `id`, `p$eq` LIMIT 10 FOR UPDATE SKIP LOCKED": w.selectNext(nil, 10),
		"SELECT `id`, `p$eq`, `q`, (`q` IS NOT NULL AND (`q$eq` IS NULL)) FROM `s``x`.`t` FORCE INDEX (`u`) WHERE `id` >= 7 AND (`id` > 7 OR `id` = 7 AND (`p$eq` >  x'ff')) " +
			"ORDER BY `id`, `p$eq` LIMIT 9 FOR UPDATE SKIP LOCKED": w.selectNext([][]byte{[]byte("7"), {255}}, 9),
		"SELECT `id`, `p$eq`, `q`, (`q` IS NOT NULL AND (`q$eq` IS NULL)) FROM `s``x`.`t` FORCE INDEX (`u`) WHERE ((`q` IS NOT NULL AND (`q$eq` IS NULL))) AND (`id` = 7 AND `p$eq` =  x'ff' OR " +
			"`id` = 8 AND `p$eq` =  x'') FOR UPDATE SKIP LOCKED": w.selectThese([][][]byte{{[]byte("7"), {255}}, {[]byte("8"), {}}}),
		"SELECT `id`, `p$eq`, `q`, `q$eq` FROM `s``x`.`t` FORCE INDEX (`u`) WHERE `id` >= 7 AND (`id` > 7 OR `id` = 7 AND (`p$eq` >  x'ff')) ORDER BY `id`, `p$eq` LIMIT 2000": w.selectAll([][]byte{[]byte("7"), {255}}, rowsLooked),
	} {
		if got != want {
			t.Errorf("said  %s\nfor   %s", got, want)
		}
	}
}
