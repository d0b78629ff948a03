package charset

import (
	"fmt"
	"strings"
	"testing"
)

// collationLists asks for number, name, character set, bytes of a character at
// most, and whether the collation is the default of its character set.
var collationLists = map[Flavor]string{
	MariaDB: "SELECT a.id, a.full_collation_name, a.character_set_name, s.maxlen, a.is_default = 'Yes'" +
		" FROM information_schema.collation_character_set_applicability a" +
		" JOIN information_schema.character_sets s ON s.character_set_name = a.character_set_name ORDER BY 1",
	MySQL: "SELECT c.id, c.collation_name, c.character_set_name, s.maxlen, c.is_default = 'Yes'" +
		" FROM information_schema.collations c" +
		" JOIN information_schema.character_sets s ON s.character_set_name = c.character_set_name ORDER BY 1",
}

// listCollations returns the lines of collations.tsv for the server, without
// the last field, the judgement.
func (o *oracle) listCollations(t *testing.T) []string {
	t.Helper()
	var lines []string
	for _, r := range o.rows(t, collationLists[o.flavor]) {
		isDefault := "-"
		if string(r[4]) == "1" {
			isDefault = "default"
		}
		lines = append(lines, strings.Join([]string{
			o.flavor.String(), string(r[0]), string(r[1]), string(r[2]), string(r[3]), isDefault,
			o.padAttribute(t, string(r[1]), string(r[2])),
		}, "\t"))
	}
	return lines
}

// padAttribute asks whether trailing spaces count.
func (o *oracle) padAttribute(t *testing.T, collation, set string) string {
	t.Helper()
	r := o.rows(t, fmt.Sprintf("SELECT CONVERT('a' USING %[2]s) COLLATE `%[1]s` = CONVERT('a ' USING %[2]s) COLLATE `%[1]s`", collation, set))
	if string(r[0][0]) == "1" {
		return "pad"
	}
	return "nopad"
}
