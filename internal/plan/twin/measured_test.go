package twin

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/eval/supported"
)

// settled are functions whose result the server describes without the value of an argument, or by one that it sees over
// the twin in any case; SUBSTRING, which digitsOf knows as a node. Those that were there before this list are in it as
// they were.
const settled = `
abs aes_decrypt aes_encrypt ascii avg bin bit_and bit_count bit_length bit_or bit_xor ceiling char char_length coalesce
concat concat_ws conv count crc32 date datediff day dayname dayofweek dayofyear degrees elt field find_in_set floor
from_base64 from_days greatest group_concat hex hour if ifnull inet6_aton inet6_ntoa inet_aton inet_ntoa insert instr
is_ipv4 is_ipv6 is_uuid json_array json_array_append json_arrayagg json_contains json_contains_path json_depth
json_extract json_insert json_keys json_length json_merge_patch json_merge_preserve json_object json_objectagg
json_overlaps json_pretty json_quote json_remove json_replace json_set json_type json_unquote json_valid json_value
last_day least length locate lower makedate maketime max microsecond min minute mod month monthname nullif oct ord
period_add period_diff pi pow quarter quote radians replace reverse sec_to_time second sign soundex space sqrt
stddev_pop stddev_samp strcmp substring substring_index sum time_to_sec to_base64 to_days to_seconds trim unhex
unix_timestamp upper var_pop var_samp week weekday weekofyear year yearweek
`

// operators are what the list of what is computed has under a word, and that nobody calls as a function.
var operators = []string{"between", "case", "collate", "div", "in", "like", "regexp", "truth", "when"}

// TestResultsOfFunctions: of each function that is computed it has been decided whether the server has to see a value of
// an argument to describe the result. Else a parameter, or a mark, stands for the value.
func TestResultsOfFunctions(t *testing.T) {
	decided := map[string]bool{}
	for _, name := range append(strings.Fields(settled), operators...) {
		decided[name] = true
	}
	for key := range supported.All() {
		name := strings.ToLower(key.Operation)
		_, timed := timing[name]
		if _, formed := wellFormed[name]; !decided[name] && !shortening[name] && !timed && !formed && !slices.ContainsFunc([]byte(name), isNoLetter) {
			t.Errorf("%s: say in shortening, timing, wellFormed or settled what the server sees of its arguments", name)
			decided[name] = true
		}
	}
}

// isNoLetter tells operators by a sign, and those of several words.
func isNoLetter(b byte) bool { return (b < 'a' || b > 'z') && (b < '0' || b > '9') && b != '_' }
