package config

import "strings"

// fixName proposes the known name that is nearest to a wrong one, or else says
// what to do without one.
func fixName(wrong string, known []string, otherwise string) string {
	if near := Nearest(wrong, known); near != "" {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// Nearest is the known name that is meant by a wrong one: the same but for its
// punctuation, or a few letters off; "" when none is near.
func Nearest(wrong string, known []string) string {
	best, bestDistance := "", 1+max(2, len(wrong)/5)
	for _, name := range known {
		if d := distance(fold(wrong), fold(name)); d < bestDistance {
			best, bestDistance = name, d
		}
	}
	return best
}

// fold makes backend-tls, backend.tls and BACKEND_TLS the same.
func fold(name string) string {
	return strings.NewReplacer("-", ".", "_", ".").Replace(strings.ToLower(name))
}

// distance is how many letters must be added, dropped or changed to make b
// of a (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
