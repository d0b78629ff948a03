#!/usr/bin/env bash
# Installs what the applications below test/apps run with: the frameworks of the
# languages whose runtime is on this machine, each in the version that its manifest
# pins.
#
#   scripts/install-apps.sh [django] [sqlalchemy] [node] [hibernate]
#
#   .tunic/apps/django       a virtual environment   test/apps/django/requirements.txt
#   .tunic/apps/sqlalchemy   a virtual environment   test/apps/sqlalchemy/requirements.txt
#   .tunic/apps/node         node_modules            test/apps/node/package-lock.json
#   .tunic/apps/hibernate    jars                    test/apps/hibernate/pom.xml
#
# Without a word: all of them. A runtime that is missing is named and passed over, and
# so is a registry that cannot be reached: the tests skip what is not there.
# shellcheck source=scripts/registries.sh
. "$(dirname "$0")/registries.sh"

HOME_OF=$STATE/apps
MANIFESTS=$ROOT/test/apps

# Django's driver is compiled, with libmariadb.
install_django() {
	"$ROOT/scripts/install-deps.sh" libmariadb &&
		virtual_environment "$1" "$MANIFESTS/django/requirements.txt"
}

install_sqlalchemy() {
	virtual_environment "$1" "$MANIFESTS/sqlalchemy/requirements.txt" --only-binary :all:
}

install_node() { node_modules "$1" "$MANIFESTS/node"; }

install_hibernate() { jars "$1" "$MANIFESTS/hibernate/pom.xml"; }

# application NAME: installs one of them.
application() {
	case $1 in
	django | sqlalchemy) installed "$1" python3 "$MANIFESTS/$1/requirements.txt" ;;
	node) installed node npm "$MANIFESTS"/node/package-lock.json "$MANIFESTS"/node/.npmrc ;;
	hibernate) installed hibernate mvn "$MANIFESTS/hibernate/pom.xml" ;;
	*) fail "unknown application $1" ;;
	esac
}

main() {
	local name
	mkdir -p "$HOME_OF"
	for name in "$@"; do
		application "$name"
	done
}

if [ $# = 0 ]; then
	set -- django sqlalchemy node hibernate
fi
locked apps main "$@"
