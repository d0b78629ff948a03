package functions

import (
	"strings"

	"tunic/internal/sql"
)

// builtIn are functions that MySQL and MariaDB have of their own in every version that is served,
// called by a name and parentheses (MySQL manual, "Built-In Function and Operator Reference";
// MariaDB manual, "Function and Operator Reference"). Any other name may be a stored function's,
// also one that the other server has a function of. One that is missing here costs a question
// to the server.
var builtIn = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(builtInNames) {
		all[name] = true
	}
	return all
}()

const builtInNames = `
abs acos adddate addtime aes_decrypt aes_encrypt ascii asin atan atan2 avg
benchmark bin bit_and bit_count bit_length bit_or bit_xor
cast ceil ceiling char char_length character_length charset coalesce coercibility collation
compress concat concat_ws connection_id conv convert convert_tz cos cot count crc32
cume_dist curdate current_date current_time current_timestamp current_user curtime
database date date_add date_format date_sub datediff day dayname dayofmonth dayofweek dayofyear
default degrees dense_rank
elt exp export_set extract extractvalue
field find_in_set first_value floor format found_rows from_base64 from_days from_unixtime
get_format get_lock greatest group_concat hex hour
if ifnull inet6_aton inet6_ntoa inet_aton inet_ntoa insert instr interval
is_free_lock is_ipv4 is_ipv4_compat is_ipv4_mapped is_ipv6 is_used_lock isnull
json_array json_array_append json_array_insert json_arrayagg json_contains json_contains_path
json_depth json_extract json_insert json_keys json_length json_merge
json_merge_patch json_merge_preserve json_object json_objectagg
json_quote json_remove json_replace
json_search json_set json_type json_unquote json_valid
lag last_day last_insert_id last_value lcase lead least left length ln load_file localtime localtimestamp
locate log log10 log2 lower lpad ltrim
make_set makedate maketime max microsecond mid min minute mod month monthname
name_const now nth_value ntile nullif
oct octet_length ord
percent_rank period_add period_diff pi position pow power
quarter quote radians rand rank regexp_instr regexp_replace regexp_substr
release_all_locks release_lock repeat replace reverse right round row_count row_number rpad rtrim
schema sec_to_time second session_user sha2 sign sin sleep soundex space
sqrt std stddev stddev_pop stddev_samp str_to_date strcmp subdate substr substring
substring_index subtime sum sysdate system_user
tan time time_format time_to_sec timediff timestamp timestampadd timestampdiff to_base64 to_days
to_seconds trim truncate
ucase uncompress uncompressed_length unhex unix_timestamp updatexml upper user utc_date utc_time utc_timestamp
uuid uuid_short values var_pop var_samp variance version
week weekday weekofyear weight_string year yearweek
`

// hashes are functions that MySQL has in a component since hashesMoved, which may be installed or not.
var hashes = map[string]bool{"md5": true, "sha": true, "sha1": true}

// hashesMoved is MySQL 9.6 (MySQL manual, "Component Reference").
const hashesMoved = 90600

// isOwn reports whether a name, in lower case, is that of a function that a server certainly has of its own.
func isOwn(name string, m sql.Modes) bool {
	if !hashes[name] {
		return builtIn[name]
	}
	v := m.Version()
	return m&(sql.MariaDB|sql.TiDB) != 0 || v != 0 && v < hashesMoved
}

// IsBuiltIn reports whether a name, in lower case, is that of a function of the servers' own, of some version at least.
func IsBuiltIn(name string) bool { return builtIn[name] || hashes[name] }
