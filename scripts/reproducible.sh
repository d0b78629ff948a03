#!/usr/bin/env bash
# Builds the present commit twice, from two clones in folders of different length and each with
# a build cache of its own, and compares the program, the packages and the bill of materials
# byte for byte. What has not been committed is not in it.
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

COMMIT=$(git rev-parse HEAD) # of the start: somebody may commit meanwhile
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# built FOLDER: a release of the commit, built there.
built() {
	git clone -q "$ROOT" "$1/tunic"
	git -C "$1/tunic" checkout -q "$COMMIT"
	GOCACHE=$1/cache make -C "$1/tunic" --no-print-directory -s build >&2
	"$1/tunic/scripts/package.sh" >&2
	"$1/tunic/scripts/sbom.sh" >&2
	(cd "$1/tunic/bin" && find . -type f | sort | xargs sha256sum)
}

first=$(built "$WORK/a")
rm -rf "$WORK/a"
second=$(built "$WORK/another-folder/of-another-length")
if [ "$first" != "$second" ]; then
	diff <(echo "$first") <(echo "$second") >&2 || true
	fail "two builds of one commit differ"
fi
echo "$first"
