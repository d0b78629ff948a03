# What a release is made of, for the scripts of this folder that make one, which source it
# after lib.sh.
# shellcheck shell=bash

# Whoever answers for a package: override it for one of your own.
export MAINTAINER=${MAINTAINER:-"the authors of tunic <tunic@localhost>"}

# go_arch: the architecture that is built for, as Go names it.
go_arch() { go env GOARCH; }

# version_of DESCRIBED: a version of packages, from what git describe says. Commits behind a
# tag sort behind it (0.3.0+5.g1f2e3d), and a checkout without a tag before any.
version_of() {
	case $1 in
	v[0-9]*) sed -E 's/^v//; s/-([0-9]+)-g([0-9a-f]+)/+\1.g\2/; s/\+([^-]*)-dirty$/+\1.dirty/; s/-dirty$/+dirty/' <<<"$1" ;;
	*) echo "0.0.0+$(git rev-list --count HEAD 2>/dev/null || echo 0).g${1/-/.}" ;;
	esac
}

# commit_date: when the present commit was made, in seconds since 1970. All files of packages
# and images have it, so that building them again gives the same bytes.
commit_date() { echo "${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}"; }

# tool NAME ARGUMENTS...: a program that tools/release/go.mod pins.
tool() { GOFLAGS="-trimpath ${GOFLAGS:-}" go tool -modfile=tools/release/go.mod "$@"; }
