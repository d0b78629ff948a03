package charset

import (
	"fmt"
	"slices"
	"strings"
)

// Sample is a question to a server: does it order some strings as the collation
// does here? Tables differ between versions of a server more often than they are
// documented to, so tunic asks once for each collation that a layer is computed
// with, before the first token. The strings are the same for every collation and
// say nothing of any data.
type Sample struct {
	Query string // a SELECT of one row with one string
	Want  string // that string

	collation string
}

// Sample returns the question about c, which is exact. The query depends neither
// on the character set of the connection nor on sql_mode.
func (c *Collation) Sample() Sample {
	c.mustBeExact()
	strs := c.sampleStrings()
	var query, want strings.Builder
	query.WriteString("SELECT CONCAT(''")
	for i := 1; i < len(strs); i++ {
		fmt.Fprintf(&query, ", STRCMP(%s, %s) + 1", c.literal(strs[i-1]), c.literal(strs[i]))
		fmt.Fprint(&want, c.Compare(strs[i-1], strs[i])+1)
	}
	query.WriteString(")")
	return Sample{Query: query.String(), Want: want.String(), collation: c.Name}
}

// Verify compares the server's answer. Its error says how many of the
// comparisons came out otherwise; a layer with the collation must be refused.
func (s Sample) Verify(answer string) error {
	if answer == s.Want {
		return nil
	}
	if len(answer) != len(s.Want) {
		return fmt.Errorf("the server's answer about %s has %d comparisons, not %d", s.collation, len(answer), len(s.Want))
	}
	wrong := 0
	for i := range answer {
		if answer[i] != s.Want[i] {
			wrong++
		}
	}
	return fmt.Errorf("the server orders strings by %s otherwise: %d of %d comparisons differ", s.collation, wrong, len(answer))
}

// literal writes s for SQL, with the collation.
func (c *Collation) literal(s []byte) string {
	return fmt.Sprintf("_%s x'%x' COLLATE `%s`", c.Charset.Name, s, c.Name)
}

// sampleStrings returns strings of the character set in the order of c: if every
// two neighbours compare as they should, all of them do.
func (c *Collation) sampleStrings() [][]byte {
	utf8mb4, _ := CharsetByName(c.Flavor, "utf8mb4")
	var strs [][]byte
	for _, text := range sampleTexts {
		if s, bad := Convert(nil, c.Charset, utf8mb4, []byte(text)); bad < 0 {
			strs = append(strs, s)
		}
	}
	slices.SortStableFunc(strs, c.Compare)
	return strs
}

// sampleTexts are strings that collations are known to disagree about: case,
// accents, expansions, contractions of languages, spaces and what is below them,
// ignorable characters, and the ends of the planes.
var sampleTexts = []string{
	"", " ", "  ", "\t", "\x00", "a", "a ", "a  ", "a\t", "a\x00", "A", "aa", "AA", "a a", "a-a", "a_a", "ab", "b", "B", "0", "9", "~",
	"á", "à", "â", "ä", "ã", "å", "Å", "æ", "Æ", "ae", "ae ", "ç", "č", "c", "ch", "ci", "cs", "d", "đ", "dz", "dž", "é", "e\u0301", "f",
	"g", "gy", "h", "i", "ı", "İ", "I", "ij", "ĳ", "j", "k", "l", "lj", "ll", "ly", "ł", "n", "nj", "ñ", "ny", "o", "ö", "oe", "œ", "ø", "ő",
	"s", "ss", "ß", "ẞ", "š", "sz", "t", "th", "þ", "u", "ue", "ü", "v", "w", "x", "y", "ÿ", "z", "ž", "zs",
	"а", "А", "е", "ё", "й", "и\u0306", "α", "ά", "ς", "σ", "א", "ا", "ก", "เก", "か", "が", "カ", "ガ", "ー", "カー", "ア", "一", "丁", "龥", "가", "각",
	"\u00a0", "a\u00a0", "\u00ad", "a\u00adb", "\u200b", "\u3000", "½", "①", "ﬁ", "ａ", "Ａ", "😀", "😁", "𝐀", "\ufffd", "\uffff", "\U0010ffff",
}
