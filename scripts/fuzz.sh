#!/usr/bin/env bash
# Runs every fuzz target of the module for a while, one after the other.
#
#   scripts/fuzz.sh [DURATION]     60s unless given; COUNTS=FILE receives
#                                  "passed failed skipped"
#
# An input that fails is kept below the package's testdata/fuzz, where the
# ordinary tests find it from then on.
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

DURATION=${1:-60s}
passed=0 failed=0

# targets: lines of PACKAGE TARGET. Only packages with a target are asked, since
# asking builds their tests.
targets() {
	local dirs
	dirs=$(grep -rl --include='*_test.go' '^func Fuzz' cmd internal | xargs -r -n1 dirname | sort -u)
	[ -n "$dirs" ] || return 0
	# shellcheck disable=SC2046,SC2086 # one word a folder
	go test -list '^Fuzz' $(printf './%s ' $dirs) | awk '
		/^Fuzz/ { name[n++] = $1 }
		/^ok/   { for (i = 0; i < n; i++) print $2, name[i]; n = 0 }'
}

# ended_by_time: go test now and then takes the end of the time for a failure, of
# which it knows neither input nor cause (golang.org/issue/75804).
ended_by_time() {
	grep -q '^ *context deadline exceeded$' "$log" && ! grep -qE 'Failing input|panic:|_test\.go:' "$log"
}

fuzz() {
	local log=$STATE/fuzz.log
	if go test -run '^$' -fuzz "^$2\$" -fuzztime "$DURATION" "$1" >"$log" 2>&1; then
		passed=$((passed + 1))
		echo "ok    $1 $2   $(grep -oE 'execs: [0-9]+' "$log" | tail -1)"
	elif ended_by_time; then
		passed=$((passed + 1))
		echo "ok    $1 $2   $(grep -oE 'execs: [0-9]+' "$log" | tail -1), ended between two inputs"
	else
		failed=$((failed + 1))
		cat "$log"
		echo "FAIL  $1 $2"
	fi
}

mkdir -p "$STATE"
list=$(targets)
while read -r package target; do
	[ -z "$target" ] || fuzz "$package" "$target" </dev/null
done <<<"$list"
[ -z "${COUNTS:-}" ] || echo "$passed $failed 0" >"$COUNTS"
[ "$failed" = 0 ]
