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
# runtimes are installed too, and the tests fail for what is not there.
# A stamp beside each says for which manifest it was made, so that a second run
# has nothing to do.
# shellcheck source=scripts/registries.sh
. "$(dirname "$0")/registries.sh"

HOME_OF=$STATE/clients
MANIFESTS=$ROOT/test/clients

install_python() { virtual_environment "$1" "$MANIFESTS/python/requirements.txt" --only-binary :all:; }

install_node() { node_modules "$1" "$MANIFESTS/node"; }

install_java() { jars "$1" "$MANIFESTS/java/pom.xml"; }

main() {
	mkdir -p "$HOME_OF"
	[ "${TUNIC_REQUIRE_CLIENTS:-}" != 1 ] || "$ROOT/scripts/install-deps.sh" runtimes
	"$ROOT/scripts/install-deps.sh" libmariadb || say "no libmariadb to compile with: its client will be skipped"
	installed python python3 "$MANIFESTS/python/requirements.txt"
	installed node npm "$MANIFESTS"/node/package-lock.json "$MANIFESTS"/node/.npmrc
	installed java mvn "$MANIFESTS/java/pom.xml"
}

locked clients main
