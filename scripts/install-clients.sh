#!/usr/bin/env bash
# Installs what the scenarios below test/clients run with: the client libraries of
# the languages whose runtime is on this machine, each in the version that its
# manifest pins, and a C compiler with libmariadb.
#
#   .tunic/clients/python   a virtual environment   test/clients/python/requirements.txt
#   .tunic/clients/node     node_modules            test/clients/node/package-lock.json
#   .tunic/clients/java     jars                    test/clients/java/pom.xml
#
# A runtime that is missing is named and passed over, and so is a registry that
# cannot be reached: the tests skip what is not there. With TUNIC_REQUIRE_CLIENTS=1
# the tests fail for it.
# A stamp beside each says for which manifest it was made, so that a second run
# has nothing to do.
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

CLIENTS=$STATE/clients
MANIFESTS=$ROOT/test/clients

# stamp PROGRAM MANIFEST...: what was asked for and by which runtime; the virtual
# environment of another Python is of no use.
stamp() {
	readlink -f "$(command -v "$1")"
	cat "${@:2}" | sha256sum
}

# installed NAME PROGRAM MANIFEST...: makes NAME with the function install_NAME,
# which is given the folder, unless that is done.
installed() {
	local name=$1 program=$2 wanted
	shift 2
	if ! has "$program"; then
		say "no $program on this machine: its client will be skipped"
		return
	fi
	wanted=$(stamp "$program" "$@")
	[ "$(cat "$CLIENTS/$name/.stamp" 2>/dev/null)" != "$wanted" ] || return 0
	say "installing the $name client"
	rm -rf "${CLIENTS:?}/$name"
	mkdir -p "$CLIENTS/$name"
	if "install_$name" "$CLIENTS/$name"; then
		echo "$wanted" >"$CLIENTS/$name/.stamp"
	else
		say "the $name client could not be installed and will be skipped"
		rm -rf "${CLIENTS:?}/$name"
	fi
}

install_python() {
	"$ROOT/scripts/install-deps.sh" venv &&
		python3 -m venv "$1" &&
		"$1/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
			--only-binary :all: --requirement "$MANIFESTS/python/requirements.txt" >&2
}

install_node() {
	cp "$MANIFESTS"/node/{package.json,package-lock.json,.npmrc} "$1" &&
		(cd "$1" && npm ci --ignore-scripts --no-update-notifier --loglevel=error >&2)
}

# Maven's own files go below the folder too: nothing of the user's is touched, and
# jars that were fetched once are enough.
install_java() {
	mvn --quiet --batch-mode --file "$MANIFESTS/java/pom.xml" \
		-Dmaven.repo.local="$CLIENTS/maven" -DoutputDirectory="$1" \
		dependency:copy-dependencies >&2
}

main() {
	mkdir -p "$CLIENTS"
	"$ROOT/scripts/install-deps.sh" libmariadb || say "no libmariadb to compile with: its client will be skipped"
	installed python python3 "$MANIFESTS/python/requirements.txt"
	installed node npm "$MANIFESTS"/node/package-lock.json "$MANIFESTS"/node/.npmrc
	installed java mvn "$MANIFESTS/java/pom.xml"
}

locked clients main
