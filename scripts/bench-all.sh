#!/usr/bin/env bash
# Each of the field's benchmarks once, one after the other, so that all of them end
# within an hour on two cores. What fails is named at the end, and the others go on.
# The results are in bench/out; a longer form of each is `bin/tunic bench NAME --help`.
#
#   SCALE=0.1 scripts/bench-all.sh     a tenth of the rows
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

FAILED=()

# bench NAME FLAGS...
bench() {
	printf '\n== %s\n' "$1"
	bin/tunic bench "$@" || FAILED+=("$1")
}

# By reckoning, in minutes, with half a second to begin each measurement: 11, 5, 5, 13, 3,
# 3 and 8. It has not been run as a whole on a quiet machine yet.
bench relay --psmodes=auto --threads=24 --seconds=4
bench insert --seconds=20
bench mixed --seconds=20
bench tde --threads=1,8,64,256 --seconds=3
bench tpcc --seconds=10
bench tpch --rows=20000 --rounds=3
bench ops --rounds=3

[ ${#FAILED[@]} = 0 ] || fail "failed: ${FAILED[*]}"
