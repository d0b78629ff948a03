#!/usr/bin/env bash
# Everything that is checked before a change goes in: installs what is missing, then runs the
# checks, the tests of packages with concurrency under the race detector, what that leaves out
# without it, and the fuzz targets of a third of the packages for a few seconds; the next commit has the next
# third. Beside all three it runs the tests of all other packages.
# It goes on after a failure, ends with the counts of each step and of all, and fails if anything did.
#
#   FUZZTIME=5s scripts/test.sh     how long each fuzz target runs
#   FUZZPART=1/1 scripts/test.sh    which part of the packages is fuzzed; 1/1 is all
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

FUZZTIME=${FUZZTIME:-4s}
FUZZPART=${FUZZPART:-$(($(git rev-list --count HEAD 2>/dev/null || echo 0) % 3 + 1))/3}
# Tests and the tunic that they run are built with the same flags, and so built once.
export GOFLAGS="-trimpath ${GOFLAGS:-}" CGO_ENABLED=0
OUT=$STATE/test
MEMORY=$((6 << 20)) # KiB that have to be free for servers' files
# The packages whose code or tests do several things at once, those first that take longest. What
# plan, exec, eval and value share between sessions, the tests of server, session and clients use at once.
CONCURRENT=(./internal/{server,migrate,ddl,clients,rotation,session,layers,ledger} ./cmd/tunic
	./internal/{admin,advice,audit,backend,crypt,jobs,keys,metrics,secret,socket,wire/wiretest})
SUMMARY=()
PASSED=0 FAILED=0 SKIPPED=0

heading() { printf '\n== %s\n' "$*"; }

# record NAME: adds up the counts and seconds that a step has left in its files.
record() {
	local name=$1 passed=0 failed=1 skipped=0 seconds=0
	read -r passed failed skipped <"$OUT/$name.counts" || true
	read -r seconds <"$OUT/$name.seconds" || true
	PASSED=$((PASSED + passed)) FAILED=$((FAILED + failed)) SKIPPED=$((SKIPPED + skipped))
	SUMMARY+=("$(printf '%-8s %5d passed, %d failed, %d skipped   %4d s' "$name" "$passed" "$failed" "$skipped" "$seconds")")
}

# counted NAME COMMAND...: runs a command that writes $OUT/NAME.counts. One that fails
# without a count of failures is one failure itself.
counted() {
	local name=$1 status=0 started=$SECONDS
	shift
	echo "0 0 0" >"$OUT/$name.counts"
	"$@" || status=$?
	if [ $status != 0 ]; then
		awk '{ print $1, ($2 ? $2 : 1), $3 }' "$OUT/$name.counts" >"$OUT/$name.new"
		mv "$OUT/$name.new" "$OUT/$name.counts"
	fi
	echo $((SECONDS - started)) >"$OUT/$name.seconds"
}

# step NAME COMMAND...: runs a step.
step() {
	heading "$1"
	counted "$@"
	record "$1"
}

# beside NAME COMMAND...: begins a step that runs beside those that follow, until join.
beside() {
	counted "$@" >"$OUT/$1.out" 2>&1 &
	BESIDE=$! BESIDE_NAME=$1
}

# join: waits for that step, and shows what it has said.
join() {
	heading "$BESIDE_NAME"
	wait "$BESIDE" || true
	cat "$OUT/$BESIDE_NAME.out"
	record "$BESIDE_NAME"
}

# in_memory has the servers of the tests keep their files in memory, where there is plenty. On a disk they
# wait for it at each definition, and spend a fifth of their processor time on its account.
in_memory() {
	local dir
	[ -z "${TUNIC_RUN:-}" ] && [ -d /dev/shm ] || return 0
	[ "$(df -Pk /dev/shm | awk 'END { print $4 }')" -ge "$MEMORY" ] || return 0
	[ "$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)" -ge "$MEMORY" ] || return 0
	dir=/dev/shm/tunic-$(id -u)-$(cksum <<<"$ROOT" | cut -d' ' -f1) # the next run finds what a killed one has left
	{ mkdir -p -m 700 "$dir" && [ -O "$dir" ] && [ ! -L "$dir" ]; } 2>/dev/null || return 0
	export TUNIC_RUN=$dir
	trap 'rm -rf "$TUNIC_RUN"' EXIT
}

# install is no step: without a server there is nothing to test.
install() {
	scripts/install-deps.sh server tools compiler ycsb promtool
	if [ -x scripts/install-clients.sh ]; then
		scripts/install-clients.sh
	fi
	scripts/install-mysql.sh || true # it has said so, and the tests skip
}

# installed waits for install, which the checks do not need.
installed() {
	local status=0
	heading install
	wait "$INSTALL" || status=$?
	cat "$OUT/install.out"
	return $status
}

# check NAME COMMAND...: passes if the command succeeds and prints nothing.
check() {
	local name=$1 output
	shift
	if output=$("$@" 2>&1) && [ -z "$output" ]; then
		echo "ok    $name"
		checks_passed=$((checks_passed + 1))
	else
		printf '%s\nFAIL  %s\n' "$output" "$name"
		checks_failed=$((checks_failed + 1))
	fi
}

checks() {
	local checks_passed=0 checks_failed=0
	check "bin/tunic is built" quietly make --no-print-directory -s build
	check "gofmt changes nothing" unformatted
	check "go vet finds nothing" quietly go vet ./...
	check "go vet finds nothing in the client of YCSB" quietly go vet -C tools/ycsb .
	check "the client of YCSB knows what it has not found" quietly go test -C tools/ycsb .
	check "go.sum holds for every module" quietly go mod verify
	check "shell scripts parse" parse_scripts
	echo "$checks_passed $checks_failed 0" >"$OUT/checks.counts"
	[ $checks_failed = 0 ]
}

unformatted() { find cmd internal test tools -name '*.go' -not -path '*/node_modules/*' -exec gofmt -l {} +; }

# quietly COMMAND...: prints only if the command fails. The first run on a machine
# tells of every module that is downloaded, and that is no finding.
quietly() {
	local output
	output=$("$@" 2>&1) || { printf '%s\n' "$output"; return 1; }
}

parse_scripts() {
	local script
	for script in scripts/*.sh .ci/run; do
		bash -n "$script"
	done
}

# tested ARGUMENTS...: tests of some packages. go vet has been over all of them, and no debugger looks at
# the tests' programs: without vet, and without what a debugger would read, they are built in less time.
tested() { go test -vet=off -ldflags=-w -v -count=1 -timeout 50m "$@" 2>&1; }

# reported NAME: what tests have said, for a reader.
reported() { tee "$OUT/$1.log" | awk -v counts="$OUT/$1.counts" -f scripts/report.awk; }

# other_packages: those that do not run under the race detector, the one first that takes longest.
other_packages() {
	echo ./internal/difftest
	go list ./... | grep -vxF -f <(go list ./internal/difftest "${CONCURRENT[@]}")
}

# others: their tests, one package at a time: the longest keep both servers busy.
others() {
	# shellcheck disable=SC2046 # a list of packages
	tested -p 1 $(other_packages) | reported others
}

# race: tests under the race detector, but those that need minutes, count allocations, or do one thing
# after the other (racetest.InOrder).
race() {
	local -x CGO_ENABLED=1
	rm -f "$OUT"/*.passed
	tested -p 2 -race -short "${CONCURRENT[@]}" | reported race
}

# rest: what of the packages with concurrency has not passed under the race detector, two packages
# at a time.
rest() {
	local failed=0
	rm -f "$OUT"/*.rest
	awk -v into="$OUT" -f scripts/passed.awk "$OUT/race.log"
	printf '%s\0' "${CONCURRENT[@]}" | xargs -0 -n 1 -P 2 "$ROOT/scripts/test.sh" --rest || failed=1
	cat "$OUT"/*.rest | reported rest
	return $failed
}

# rest_of PACKAGE: the same of one package. Where nothing is left, its tests are not built.
rest_of() {
	local name passed tests
	name=$(tr / - <<<"${1#./}")
	passed=$(cat "$OUT/$name.passed" 2>/dev/null || echo '^$')
	tests=$(tests_of "$1")
	[ -n "$(grep -vE "$passed" <<<"$tests")" ] || return 0
	tested -skip "$passed" "$1" >"$OUT/$name.rest"
}

# tests_of PACKAGE: the names of its tests, and of whatever else go test may run of it.
tests_of() { grep -hoE '^func (Test|Fuzz|Example)\w*' "$1"/*_test.go | sed 's/^func //' | grep -vx TestMain; }

summarize() {
	heading summary
	printf '%s\n' "${SUMMARY[@]}"
	printf '\n%d passed, %d failed, %d skipped\n' "$PASSED" "$FAILED" "$SKIPPED"
	[ "$FAILED" = 0 ]
}

if [ "${1:-}" = --rest ]; then
	rest_of "$2"
	exit
fi
mkdir -p "$OUT"
in_memory
install >"$OUT/install.out" 2>&1 &
INSTALL=$!
step checks checks
installed
beside others others
step race race
step rest rest
step fuzz env COUNTS="$OUT/fuzz.counts" GUIDED=own PART="$FUZZPART" scripts/fuzz.sh "$FUZZTIME"
join
summarize
