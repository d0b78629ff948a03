#!/usr/bin/env bash
# Each of the field's benchmarks once, one after the other, so that all of them end
# within an hour on two cores. What fails is named at the end, and the others go on.
# The results are in bench/out; a longer form of each is `bin/tunic bench NAME --help`.
#
#   SCALE=0.1 scripts/bench-all.sh     a tenth of the rows
#   BRIEF=1 scripts/bench-all.sh       a second of each, over few rows: whether all of them
#                                      end without an error, and no figures
#   scripts/bench-all.sh tpcc ops      these alone
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

FAILED=()
CHOSEN=" $* "
unset SECONDS # bash counts it, and each has its own
[ -z "${BRIEF:-}" ] || export SCALE="${SCALE:-0.02}"

# bench NAME FLAGS...
bench() {
	local brief=() began
	[ "$CHOSEN" = "  " ] || [[ "$CHOSEN" == *" $1 "* ]] || return 0
	if [ -n "${BRIEF:-}" ]; then
		case $1 in
		tpch | ops) brief=(--rounds=1 --seconds=0) ;;
		layers | encrypt) brief=(--rounds=1 --seconds=2) ;;
		*) brief=(--rounds=1 --seconds=1) ;;
		esac
	fi
	printf '\n== %s\n' "$1"
	began=$(date +%s)
	bin/tunic bench "$@" "${brief[@]}" || FAILED+=("$1")
	printf '== %s: %d s\n' "$1" $(($(date +%s) - began))
}

# Behind each are the minutes that it took on two cores with nothing else to do; 37 in all, of which 4 are
# ShardingSphere's.
bench relay --psmodes=auto --threads=24 --seconds=2 \
	--targets=direct,haproxy,tunic,protected,shardingsphere,shardingsphere-encrypt # 8.6
bench insert --seconds=20                                                       # 4.2
bench mixed --seconds=20                                                        # 4.3
bench tde --threads=1,8,64,256 --seconds=2                                      # 7.9
bench tpcc --seconds=10                                                         # 2.3
if [ -x .tunic/bin/ycsb ]; then
	bench ycsb --seconds=3 # 4.1
else
	say "ycsb is left out: its client is not built (scripts/install-deps.sh ycsb)"
fi
bench tpch --rows=20000 --rounds=3 --seconds=0.2                # 0.5
bench ops --rounds=3 --seconds=0.2                              # 1.0
bench layers --rows=10000 --seconds=15                          # 1.6
bench encrypt --rows=30000 --rates=0,1000,unlimited --seconds=5 # 0.9

[ ${#FAILED[@]} = 0 ] || fail "failed: ${FAILED[*]}"
