package queries

import (
	"strings"
	"testing"
)

// TestSets: the same size makes the same rows, of as many values as their tables have
// columns, and tables that others refer to come first.
func TestSets(t *testing.T) {
	for _, set := range []Set{Scan, Ops, TPCH} {
		t.Run(set.Name, func(t *testing.T) {
			columns := map[string]int{}
			for _, definition := range set.Definitions {
				name, rest, _ := strings.Cut(strings.TrimPrefix(definition, "CREATE TABLE "), " (")
				rest, _, _ = strings.Cut(rest, ", PRIMARY KEY (")
				for _, part := range strings.Split(rest, ", ") {
					if word, _, _ := strings.Cut(part, " "); word != strings.ToUpper(word) {
						columns[name]++
					}
				}
			}
			first, second := drawn(t, &set, 600), drawn(t, &set, 600)
			if first != second {
				t.Error("a second time there are other rows")
			}
			for line := range strings.Lines(first) {
				name, values, _ := strings.Cut(strings.TrimSpace(line), " ")
				if got := strings.Count(values, ", ") + 1; got != columns[name] {
					t.Fatalf("%d values for %d columns of %s: %s", got, columns[name], name, values)
				}
			}
			for name := range columns {
				if !strings.Contains(first, "\n"+name+" ") && !strings.HasPrefix(first, name+" ") {
					t.Errorf("table %s has no rows", name)
				}
			}
		})
	}
}

func drawn(t *testing.T, s *Set, size int) string {
	t.Helper()
	var all strings.Builder
	if err := s.rows(size, func(table, values string) error {
		all.WriteString(table + " " + values + "\n")
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// TestChoose: questions are chosen by name, and none is an error.
func TestChoose(t *testing.T) {
	s := Scan
	if err := s.Choose("^join"); err != nil || len(s.Questions) == 0 || len(s.Questions) >= len(Scan.Questions) {
		t.Errorf("%d questions chosen of %d: %v", len(s.Questions), len(Scan.Questions), err)
	}
	for _, wrong := range []string{"(", "nothing is called this"} {
		if s := Scan; s.Choose(wrong) == nil {
			t.Errorf("%q chooses something", wrong)
		}
	}
}
