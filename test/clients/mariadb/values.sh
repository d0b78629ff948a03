# Values of all types, character sets, and values larger than a packet.
# shellcheck shell=bash

# statements_of_types: SQL that writes every row of types.tsv and reads it back as
# "column type<TAB>value", bytes in hexadecimal.
statements_of_types() {
	echo "SET sql_mode = '', time_zone = '+00:00';"
	awk -F '\t' '
		/^#/ { next }
		$1 != type {
			type = $1; table = "types_" ++n
			print "CREATE TABLE " table " (id INT AUTO_INCREMENT PRIMARY KEY, v " type ");"
			print "INSERT INTO " table " (v) VALUES (NULL); SELECT v IS NULL FROM " table ";"
		}
		{
			shown = "v"
			if ($2 == "bytes") shown = "HEX(CONCAT(v, _binary\x27\x27))"
			# The servers differ in how they write a float.
			if ($2 == "float") shown = "IF(v = " $3 ", \x27" $4 "\x27, v)"
			print "INSERT INTO " table " (v) VALUES (" $3 ");"
			print "SELECT " shown " FROM " table " ORDER BY id DESC LIMIT 1;"
		}' "$CLIENT_TYPES"
}

types() {
	diff <(statements_of_types | client --raw 2>&1) <(awk -F '\t' '
		/^#/ { next }
		$1 != type { type = $1; print 1 }
		{ print $4 == "(empty)" ? "" : $4 }' "$CLIENT_TYPES")
}

# charset NAME BYTES STORED
charset() {
	local in=(client --default-character-set="$1" --raw)
	"${in[@]}" <<<"CREATE TABLE charset_$1 (v VARCHAR(10) CHARACTER SET utf8mb4); INSERT INTO charset_$1 VALUES ('$2');" &&
		equal "$(query "SELECT HEX(v) FROM charset_$1")" "$3" &&
		equal "$("${in[@]}" <<<"SELECT v FROM charset_$1 WHERE v = '$2'")" "$2"
}

# One packet carries less than 16 MiB; 15 MiB are 20 in base64.
big() {
	local file=$CLIENT_SCRATCH/big
	head -c 15728640 /dev/urandom | base64 --wrap=0 >"$file"
	{
		printf '%s' "CREATE TABLE big_text (v LONGTEXT); INSERT INTO big_text VALUES ('"
		cat "$file"
		echo "');"
	} | client &&
		equal "$(client --execute='SELECT v FROM big_text' | head -c -1 | sha256sum)" "$(sha256sum <"$file")"
	local result=$?
	rm -f "$file"
	return $result
}
