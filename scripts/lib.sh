# Shared by the scripts of this folder, which source it. It moves to the root of
# the repository and names the folder of everything private.
# shellcheck shell=bash

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
ROOT=$PWD
STATE=$ROOT/.tunic

say() { printf '%s\n' "$*" >&2; }

fail() {
	say "$(basename "$0"): $*"
	exit 1
}

# The folders of servers are not in an ordinary user's PATH.
has() { PATH=$PATH:/usr/sbin:/sbin:/usr/local/sbin command -v "$1" >/dev/null 2>&1; }

# locked NAME COMMAND...: two runs at the same time wait for each other.
locked() {
	local name=$1
	shift
	mkdir -p "$STATE"
	(
		flock 9
		"$@"
	) 9>"$STATE/.$name.lock"
}
