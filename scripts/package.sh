#!/usr/bin/env bash
# Makes the packages tunic_VERSION_ARCH.deb and tunic-VERSION.ARCH.rpm from a static program.
#
#   scripts/package.sh [PROGRAM [FOLDER]]     bin/tunic and bin/packages unless given
#
# VERSION is what git describes the checkout as, unless it is set.
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/release.sh
. scripts/release.sh

BINARY=${1:-bin/tunic}
OUT=${2:-bin/packages}
[ -f "$BINARY" ] || fail "$BINARY is not there: make build"

ARCH=$(go_arch)
PACKAGE_VERSION=$(version_of "${VERSION:-$(git describe --tags --always --dirty 2>/dev/null || echo devel)}")
SOURCE_DATE_EPOCH=$(commit_date)
export BINARY ARCH PACKAGE_VERSION SOURCE_DATE_EPOCH

mkdir -p "$OUT"
for packager in deb rpm; do
	tool nfpm package --config deploy/packages/nfpm.yaml --packager $packager --target "$OUT/"
done
