package build

import (
	"strings"
	"testing"

	"tunic/internal/eval/supported"
	"tunic/internal/plan/functions"
	"tunic/internal/value"
)

// unasked are functions that are computed on both servers, and with which the first rows are not asked for. Those that were
// there before this list are in it as they were.
const unasked = `
addtime aes_decrypt aes_encrypt ascii avg bin bit_and bit_count bit_length bit_or bit_xor char conv convert_tz count crc32
dayname dayofweek dayofyear degrees elt find_in_set format from_base64 from_days group_concat hex inet6_aton inet6_ntoa
inet_aton inet_ntoa insert instr is_ipv4 is_ipv6 json_array json_array_append json_arrayagg json_contains
json_contains_path json_depth json_extract json_insert json_keys json_length json_merge_patch json_merge_preserve
json_object json_objectagg json_quote json_remove json_replace json_set json_type json_unquote json_valid locate makedate
maketime max microsecond min minute monthname oct ord period_add period_diff pi pow quarter quote radians repeat
sec_to_time second sha2 soundex space sqrt stddev_pop stddev_samp str_to_date strcmp substring substring_index subtime sum
time time_format time_to_sec timediff timestamp to_base64 to_days to_seconds trim unhex var_pop var_samp week weekday
weekofyear yearweek
`

// TestFirstRowsOfFunctions: of each function that is computed on both servers it has been decided whether the first rows
// are asked for with it.
func TestFirstRowsOfFunctions(t *testing.T) {
	decided := map[string]bool{}
	for name := range strings.FieldsSeq(unasked) {
		decided[name] = true
		if pureFunctions[name] {
			t.Errorf("%s is in pureFunctions and in unasked", name)
		}
	}
	for key := range supported.All() {
		name := strings.ToLower(key.Operation)
		onBoth := key.Flavor == value.MariaDB && supported.Is(value.MySQL, key.Operation, key.Operands)
		if onBoth && functions.IsBuiltIn(name) && !pureFunctions[name] && !decided[name] {
			t.Errorf("%s: say in pureFunctions or in unasked whether the first rows are asked for with it", name)
			decided[name] = true
		}
	}
}
