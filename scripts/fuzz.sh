#!/usr/bin/env bash
# Runs every fuzz target of the module for a while: each package's tests are built
# once, and as many targets run at a time as there are processors, one worker each.
#
#   scripts/fuzz.sh [DURATION]     60s unless given; COUNTS=FILE receives
#                                  "passed failed skipped"
#   GUIDED=own scripts/fuzz.sh     only the coverage of tunic's own packages and of the SQL parser
#                                  guides the inputs: the other libraries need not be built anew
#   PART=1/3 scripts/fuzz.sh       only the first of three parts of the packages
#
# An input that fails is kept below the package's testdata/fuzz, where the
# ordinary tests find it from then on.
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

DURATION=${1:-60s}
PART=${PART:-1/1}
OUT=$STATE/fuzz
JOBS=$(nproc)

# packages: the folders that have a target, or a part of them.
packages() {
	grep -rl --include='*_test.go' '^func Fuzz' cmd internal | xargs -r -n1 dirname | sort -u |
		awk -v part="${PART%/*}" -v parts="${PART#*/}" 'NR % parts == part % parts'
}

# targets DIR: the names of its targets.
targets() { grep -rhoE '^func Fuzz\w+' "$1"/*_test.go | sed 's/^func //' | sort -u; }

# program DIR: where its tests are built.
program() { echo "$OUT/$(tr / - <<<"$1").test"; }

# ended_by_time LOG: go test now and then takes the end of the time for a failure, of
# which it knows neither input nor cause (golang.org/issue/75804).
ended_by_time() {
	grep -q '^ *context deadline exceeded$' "$1" && ! grep -qE 'Failing input|panic:|_test\.go:' "$1"
}

# fuzz DIR TARGET: runs one target, and leaves its log and what came of it.
fuzz() {
	local name verdict=ok
	name=$(tr / - <<<"$1")-$2
	local log=$OUT/$name.log
	(
		cd "$1"
		"$(program "$1")" -test.run '^$' -test.fuzz "^$2\$" -test.fuzztime "$DURATION" -test.parallel 1 \
			-test.fuzzcachedir "$CACHE/$1"
	) >"$log" 2>&1 || ended_by_time "$log" || verdict=FAIL
	if [ $verdict = FAIL ]; then cat "$log"; fi
	echo "$verdict    $1 $2   $(grep -oE 'execs: [0-9]+' "$log" | tail -1)" | tee "$OUT/$name.verdict"
}

# build DIR: builds the program of its tests, whose coverage guides the inputs.
build() {
	local flags=(-fuzz '^Fuzz')
	if [ "${GUIDED:-}" = own ]; then
		flags=(-gcflags=tunic/...=-d=libfuzzer -gcflags=vitess.io/vitess/go/vt/sqlparser=-d=libfuzzer)
	fi
	go test -c -vet=off -ldflags=-w "${flags[@]}" -o "$(program "$1")" "./$1" </dev/null
}

# turn waits until fewer jobs run than there are processors.
turn() { while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do wait -n || true; done; }

rm -rf "$OUT"
mkdir -p "$OUT"
CACHE=$(go env GOCACHE)/fuzz/tunic
list=$(packages)
[ "$PART" = 1/1 ] || echo "part $PART of the packages"
failed=0
for dir in $list; do # one after the other: they are made of the same packages
	build "$dir" || true
done
for dir in $list; do
	if [ ! -x "$(program "$dir")" ]; then
		failed=$((failed + 1))
		continue
	fi
	for target in $(targets "$dir"); do
		turn
		fuzz "$dir" "$target" </dev/null &
	done
done
wait
passed=$(cat "$OUT"/*.verdict | grep -c '^ok' || true)
failed=$((failed + $(cat "$OUT"/*.verdict | grep -c '^FAIL' || true)))
rm -f "$OUT"/*.test
[ -z "${COUNTS:-}" ] || echo "$passed $failed 0" >"$COUNTS"
[ "$failed" = 0 ]
