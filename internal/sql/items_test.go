package sql

import (
	"slices"
	"testing"
)

func TestItems(t *testing.T) {
	for text, want := range map[string][]string{
		"SELECT 1": {"1"},
		"select  COUNT( * ) , sum(a)+1 AS s FROM t":                        {"COUNT( * )", "sum(a)+1 AS s"},
		"SELECT DISTINCT SQL_NO_CACHE a, t.* from t":                       {"a", "t.*"},
		"SELECT /*+ NO_ICP(t) */ a x FROM t":                               {"a x"},
		"SELECT t.limit, EXTRACT(YEAR FROM d) LIMIT 1":                     {"t.limit", "EXTRACT(YEAR FROM d)"},
		"SELECT CASE WHEN a THEN 'x, from' END, (SELECT 1 FROM u) FROM t":  {"CASE WHEN a THEN 'x, from' END", "(SELECT 1 FROM u)"},
		"SELECT -- note\n a # note\n, b;":                                  {"a", "b"},
		"SELECT a":                                                         {"a"},
		"INSERT INTO t VALUES (1)":                                         nil,
		"SELECT a) FROM t":                                                 nil,
		"SELECT /*!50000 a */ FROM t":                                      {"a"},
		"SELECT /*!50000 SQL_NO_CACHE */ a + 1 /*!50000 */, /*!50000 b */": {"a + 1", "b"},
		"SELECT a + /*!50000 1 */ FROM t":                                  nil,
		"SELECT /*!50000 a */ + 1 FROM t":                                  nil,
		"SELECT a + 1 /*!99999 + b */, b /*+ NO_ICP(t) */ FROM t":          {"a + 1", "b"},
		"SELECT 'a": nil,
		"":          nil,
	} {
		var got []string
		for _, it := range AppendItems(nil, []byte(text), Modes(0).WithServer("8.0.36")) {
			got = append(got, text[it.From:it.To])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// FuzzItems: items stand in the text, one behind the other.
func FuzzItems(f *testing.F) {
	f.Add([]byte("SELECT a, b FROM t"))
	f.Fuzz(func(t *testing.T, text []byte) {
		at := 0
		for _, it := range AppendItems(nil, text, 0) {
			if it.From < at || it.To < it.From || it.To > len(text) {
				t.Fatalf("%q: %+v behind %d", text, it, at)
			}
			at = it.To
		}
	})
}

func TestFormats(t *testing.T) {
	for text, want := range map[string][]string{
		"select to_char(`d`, 1), `to_char` from t where To_Char(now(6), 'a') = 2": {"1), ", "'a')"},
		"select to_char(ifnull(a, b), concat('a', 'b'))":                          {"conc"},
		"select to_char(to_char(a, 1), 2)":                                        {"2)", "1), "},
		"select to_char(a)":                                                       nil,
		"select date_format(a, 1)":                                                nil,
		"select to_char":                                                          nil,
	} {
		var got []string
		for _, at := range AppendFormats(nil, []byte(text), 0) {
			got = append(got, text[at:min(at+4, len(text))])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
