package eval

import (
	"bytes"
	"fmt"
	"testing"

	"tunic/internal/eval/characters"
	"tunic/internal/value"
)

// TestCase compares LOWER and UPPER of every character that they are computed for
// with the servers', in a collation of every table that they have for it.
func TestCase(t *testing.T) {
	var all []rune
	for r := rune(1); r < 0x10000; r++ {
		if r < 0x80 || characters.HasPlainCase(r) {
			all = append(all, r)
		}
	}
	collations := map[value.Flavor][]string{
		value.MariaDB: {"utf8mb4_general_ci", "utf8mb4_unicode_ci", "utf8mb4_bin", "utf8mb4_unicode_520_ci", "utf8mb4_uca1400_ai_ci"},
		value.MySQL:   {"utf8mb4_general_ci", "utf8mb4_unicode_ci", "utf8mb4_bin", "utf8mb4_unicode_520_ci", "utf8mb4_0900_ai_ci"},
	}
	for _, f := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(f.String(), func(t *testing.T) {
			o := connect(t, f)
			for _, collation := range collations[f] {
				o.compareCase(t, collation, all)
			}
		})
	}
}

func (o *oracle) compareCase(t *testing.T, collation string, all []rune) {
	t.Helper()
	const chunk = 512
	for len(all) > 0 {
		text := string(all[:min(chunk, len(all))])
		all = all[min(chunk, len(all)):]
		for _, toUpper := range []bool{false, true} {
			name := map[bool]string{false: "LOWER", true: "UPPER"}[toUpper]
			r := o.query(t, fmt.Sprintf("SELECT %s(_utf8mb4 x'%x' COLLATE %s)", name, text, collation))
			if r.err != nil {
				t.Fatal(r.err)
			}
			ours, known := (*characters.CaseTable)(nil).AppendCase(nil, []byte(text), toUpper)
			if !known {
				t.Fatal("a character without a plain case")
			}
			theirs, mine := bytes.Runes(r.rows[0][0]), bytes.Runes(ours)
			for i, c := range []rune(text) {
				if len(theirs) != len(mine) || theirs[i] != mine[i] {
					t.Errorf("%s of U+%04X in %s: server %q", name, c, collation, theirs[min(i, len(theirs)-1)])
				}
			}
		}
	}
}
