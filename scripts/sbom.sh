#!/usr/bin/env bash
# Writes the modules that a program is made of, as a bill of materials in the form of CycloneDX.
#
#   scripts/sbom.sh [PROGRAM [FILE]]     bin/tunic and bin/tunic.cdx.json unless given
#
# It comes from the program itself, so that it is of what is handed out. Two of one program are
# the same bytes.
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/release.sh
. scripts/release.sh

BINARY=${1:-bin/tunic}
OUT=${2:-bin/tunic.cdx.json}
[ -f "$BINARY" ] || fail "$BINARY is not there: make build"

VERSION=${VERSION:-$(git describe --tags --always --dirty 2>/dev/null || echo devel)}
mkdir -p "$(dirname "$OUT")"
tool cyclonedx-gomod bin -json -noserial -std -version "$VERSION" -output "$OUT" "$BINARY"
sed -i -E "s/^(    \"timestamp\": )\"[^\"]*\"/\1\"$(date -u -d "@$(commit_date)" +%Y-%m-%dT%H:%M:%SZ)\"/" "$OUT"
