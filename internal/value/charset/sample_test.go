package charset

import (
	"strings"
	"testing"
)

// TestSample asks the servers the questions that are asked at start.
func TestSample(t *testing.T) {
	for _, o := range oracles(t) {
		for _, c := range exactCollations(o.flavor) {
			s := c.Sample()
			if err := s.Verify(string(o.rows(t, s.Query)[0][0])); err != nil {
				t.Errorf("%s: %v", o.flavor, err)
			}
			if len(s.Want) < 30 {
				t.Errorf("%s: %s is asked about with %d comparisons", o.flavor, c.Name, len(s.Want))
			}
		}
	}
}

// exactCollations returns the exact collations of a flavor.
func exactCollations(f Flavor) []*Collation {
	var found []*Collation
	for _, c := range f.names().collations {
		if c.exact {
			found = append(found, c.ready())
		}
	}
	return found
}

// TestSampleTellsApart makes sure that the questions find a server that means
// another collation by the name.
func TestSampleTellsApart(t *testing.T) {
	for _, c := range [][2]string{
		{"utf8mb4_general_ci", "utf8mb4_unicode_ci"},
		{"utf8mb4_unicode_ci", "utf8mb4_unicode_520_ci"},
		{"utf8mb4_general_ci", "utf8mb4_bin"},
		{"utf8mb4_0900_ai_ci", "utf8mb4_0900_as_ci"},
		{"utf8mb4_0900_as_ci", "utf8mb4_0900_as_cs"},
		{"utf8mb4_0900_ai_ci", "utf8mb4_cs_0900_ai_ci"},
		{"utf8mb4_0900_bin", "utf8mb4_bin"},
		{"utf8mb4_unicode_ci", "utf8mb4_swedish_ci"},
		{"utf8mb4_unicode_ci", "utf8mb4_spanish2_ci"},
		{"latin1_swedish_ci", "latin1_general_ci"},
		{"latin1_swedish_ci", "latin1_german1_ci"},
	} {
		asked, _ := Lookup(MySQL, c[0])
		answers, _ := Lookup(MySQL, c[1])
		var answer strings.Builder
		strs := asked.sampleStrings()
		for i := 1; i < len(strs); i++ {
			answer.WriteByte("012"[answers.Compare(strs[i-1], strs[i])+1])
		}
		if asked.Sample().Verify(answer.String()) == nil {
			t.Errorf("a server that answers %s by %s goes unnoticed", c[0], c[1])
		}
		if asked.Sample().Verify("") == nil {
			t.Errorf("%s: no answer is taken for the right one", c[0])
		}
	}
}
