package twin

import (
	"regexp"
	"strings"
	"testing"

	"tunic/internal/sql"
)

// TestMute: what is read as a path, a document or a word becomes one that servers take, and any other
// literal stays a place. MariaDB describes a result by its documents, which stay there.
func TestMute(t *testing.T) {
	for query, want := range map[string][2]string{ // on MySQL, on MariaDB; # is a place
		"GROUP_CONCAT(a SEPARATOR 's')":        {"group_concat(a)", "group_concat(a)"},
		"CAST('s' AS JSON)":                    {"cast('{}' as json)", "cast('{}' as json)"},
		"EXTRACTVALUE('s', 's')":               {"extractvalue(#, 'a')", "extractvalue(#, 'a')"},
		"UPDATEXML('s', 's', 's')":             {"updatexml(#, 'a', #)", "updatexml(#, 'a', #)"},
		"JSON_EXTRACT('s', 's', 's')":          {"json_extract('{}', '$', '$')", "json_extract(#, '$', '$')"},
		"JSON_VALUE('s', 's')":                 {"json_value('{}', '$')", "json_value(#, '$')"},
		"JSON_KEYS('s', 's')":                  {"json_keys('{}', '$')", "json_keys(#, '$')"},
		"JSON_KEYS('s')":                       {"json_keys('{}')", "json_keys(#)"},
		"JSON_LENGTH('s', 's')":                {"json_length('{}', '$')", "json_length(#, '$')"},
		"JSON_CONTAINS('s', 's', 's')":         {"json_contains('{}', '{}', '$')", "json_contains(#, #, '$')"},
		"JSON_CONTAINS_PATH('s', 's', 's')":    {"json_contains_path('{}', 'one', '$')", "json_contains_path(#, 'one', '$')"},
		"JSON_SEARCH('s', 's', 's', 's', 's')": {"json_search('{}', 'one', #, #, '$')", "json_search(#, 'one', #, #, '$')"},
		"JSON_REMOVE('s', 's')":                {"json_remove('{}', '$.a')", "json_remove(#, '$.a')"},
		"JSON_SET('s', 's', 's')":              {"json_set('{}', '$', #)", "json_set(#, '$', #)"},
		"JSON_MERGE_PRESERVE('s', 's', 's')":   {"json_merge_preserve('{}', '{}', '{}')", "json_merge_preserve(#, #, #)"},
		"JSON_OVERLAPS('s', 's')":              {"json_overlaps('{}', '{}')", "json_overlaps(#, #)"},
		"JSON_PRETTY('s')":                     {"json_pretty('{}')", "json_pretty(#)"},
		"'s' MEMBER OF ('s')":                  {"# member of ('{}')", "# member of (#)"},
		"UUID_TO_BIN('s')":                     {"uuid_to_bin('00000000-0000-0000-0000-000000000000')", "uuid_to_bin('00000000-0000-0000-0000-000000000000')"},
		"JSON_EXTRACT(?, ?), CONCAT('s', a)":   {"json_extract(?, ?), concat(#, a)", "json_extract(?, ?), concat(#, a)"},
	} {
		for i, m := range []sql.Modes{0, sql.MariaDB} {
			if got := muted(t, "SELECT "+query+" FROM t", m); got != "select "+want[i]+" from t" {
				t.Errorf("%s, modes %d: %s", query, m, got)
			}
		}
	}
}

var (
	placeName = regexp.MustCompile(`:p[0-9a-z_]*`)
	paramName = regexp.MustCompile(`:v[0-9a-z_]*`)
)

// muted is a statement as it is printed when it has been muted.
func muted(t *testing.T, text string, m sql.Modes) string {
	t.Helper()
	var f sql.Fingerprinter
	f.Record(true)
	f.Fingerprint([]byte(text), m)
	all, err := sql.Parse([]byte(text), m)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	tree, err := all[0].TreeWithPlaces(f.Literals())
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	Mute(tree.Root(), m)
	printed, err := tree.Print(m)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return paramName.ReplaceAllString(placeName.ReplaceAllString(strings.ToLower(strings.ReplaceAll(printed.String(), "`", "")), "#"), "?")
}
