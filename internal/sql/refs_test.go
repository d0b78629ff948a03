package sql

import (
	"strings"
	"testing"
)

// TestTableRefs: the tables that statements read, and ~ the names before columns.
func TestTableRefs(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT a FROM t", "t"},
		{"SELECT a, b.c, s.t.d, e.* FROM s.t AS b, u JOIN `v w` ON b.x = u.x, x", "~b ~s.t ~e s.t+ u v w ~b ~u x"},
		{"SELECT EXTRACT(YEAR FROM a), TRIM('x' FROM b) FROM t WHERE c IN (SELECT d FROM u) AND e", "t u"},
		{"SELECT * FROM (SELECT a FROM t) AS x JOIN (u, v) USING (a, b), w", "t u v w"},
		{"SELECT * FROM ((SELECT a FROM t) UNION (SELECT b FROM u)) x, w", "t u w"},
		{"(SELECT a FROM t) UNION ALL (SELECT a FROM u) ORDER BY a", "t u"},
		{"WITH c AS (SELECT a FROM t) SELECT * FROM c STRAIGHT_JOIN d", "t c d"},
		{"SELECT * FROM JSON_TABLE(x, '$' COLUMNS (a INT PATH '$')) j, LATERAL (SELECT 1 FROM t) l", "t"},
		{"SET @a = (SELECT COUNT(*) FROM s.t WHERE b = 1), @c = 2", "s.t"},
		{"SELECT a FROM t ORDER BY (SELECT b FROM u LIMIT 1), c", "t u"},
		{"SELECT 'FROM x' FROM /* FROM y */ t", "t"},
		{"SELECT a FROM t x JOIN u AS `y` LEFT JOIN s.v z ON 1, w", "t+ u+ s.v+ w"},
		{"SELECT a FROM t)", "?"},
	} {
		all, err := Parse([]byte("DO 0;"+c.text), 0)
		if err != nil || len(all) != 2 {
			t.Fatalf("%s: %v", c.text, err)
		}
		refs, ok := all[1].TableRefs()
		if got := describeRefs(refs, ok); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

func describeRefs(refs []TableRef, ok bool) string {
	if !ok {
		return "?"
	}
	var all []string
	for _, r := range refs {
		name := r.Name.Name
		if r.Name.Schema != "" {
			name = r.Name.Schema + "." + name
		}
		if r.Qualifies {
			name = "~" + name
		}
		if r.Aliased {
			name += "+"
		}
		all = append(all, name)
	}
	return strings.Join(all, " ")
}

// FuzzTableRefs: whatever a text is, reading it ends, and what is found is in the
// text where it is said to be.
func FuzzTableRefs(f *testing.F) {
	f.Add("SELECT a.b FROM ((t) JOIN s.`u`) WHERE x.y.z IN (SELECT 1 FROM", uint32(0))
	f.Add("SELECT COLUMN_NAME FROM information_schema.columns c", uint32(MariaDB))
	f.Fuzz(func(t *testing.T, text string, m uint32) {
		all, err := Parse([]byte(text), Modes(m))
		if err != nil {
			return
		}
		for i := range all {
			refs, _ := all[i].TableRefs()
			at := all[i].Start
			for _, r := range refs {
				if r.From < at || r.At < r.From || r.To < r.At || r.To > all[i].End {
					t.Fatalf("%q: %+v", text, r)
				}
				at = r.To
			}
		}
	})
}
