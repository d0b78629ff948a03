#!/usr/bin/env bash
# Installs proxies that a benchmark puts beside tunic and that no package of the
# distribution has, each in the version that its manifest pins.
#
#   scripts/install-proxies.sh
#
#   .tunic/proxies/shardingsphere   jars   tools/shardingsphere/pom.xml
#
# A runtime that is missing is named and passed over, and so is a registry that cannot be
# reached: a benchmark leaves out what is not there.
# shellcheck source=scripts/registries.sh
. "$(dirname "$0")/registries.sh"

HOME_OF=$STATE/proxies

install_shardingsphere() { jars "$1" "$ROOT/tools/shardingsphere/pom.xml"; }

main() {
	mkdir -p "$HOME_OF"
	installed shardingsphere mvn "$ROOT/tools/shardingsphere/pom.xml"
}

locked proxies main
