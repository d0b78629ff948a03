package eval

import (
	"math/rand/v2"
	"strings"
	"testing"

	"tunic/internal/value/charset"
)

// TestLocate compares where text is found with the servers, in several collations.
func TestLocate(t *testing.T) {
	t.Logf("seed %d", *seedFlag)
	forEach(t, func(t *testing.T, o *oracle) {
		rng := rand.New(rand.NewPCG(*seedFlag, 3))
		compared, of := 0, 0
		for _, collation := range []string{"utf8mb4_general_ci", "utf8mb4_bin", "utf8mb4_unicode_ci", "utf8mb4_0900_ai_ci", "utf8mb4_uca1400_ai_ci", "utf8mb4_spanish2_ci"} {
			known, ok := charset.Lookup(o.flavor, collation)
			if !ok {
				continue
			}
			if exact, _ := known.Exact(); !exact {
				continue
			}
			for range 40 {
				c, n := o.compareLocates(t, rng, collation)
				compared, of = compared+c, of+n
			}
		}
		t.Logf("%d of %d compared", compared, of) // spanish2_ci is refused
		if compared < of/2 {
			t.Error("more is refused than compared")
		}
	})
}

func (o *oracle) compareLocates(t *testing.T, rng *rand.Rand, collation string) (compared, of int) {
	t.Helper()
	var known []*compiled
	for range 8 {
		text, what := randomText(rng, 12), randomText(rng, 2)
		s, x := literalOf(text)+" COLLATE "+collation, literalOf(what)
		for _, e := range []string{"INSTR(" + s + ", " + x + ")", "LOCATE(" + x + ", " + s + ", 2)", "INSTR(" + x + ", " + s + ")", "FIND_IN_SET(" + x + ", " + s + ")"} {
			of++
			var v verdict
			if k := o.prepare(t, &probe{}, e, &v); k != nil {
				k.results = k.results[:1]
				known = append(known, k)
			}
		}
	}
	if len(known) == 0 {
		return 0, of
	}
	return o.compareLiterals(t, known), of
}

func randomText(rng *rand.Rand, most int) string {
	letters := []string{"a", "A", "b", "s", "S", "ä", "Ä", "ß", "é", "c", "h", "l", "1", " ", ",", "-", "\t", "日", "😀", "æ"}
	var b strings.Builder
	for range rng.IntN(most + 1) {
		b.WriteString(letters[rng.IntN(len(letters))])
	}
	return b.String()
}
