#!/usr/bin/env bash
# Makes the container image tunic:VERSION from a static program, with buildah, podman or docker,
# whichever is here, and writes it to FOLDER/tunic-image.tar, for `podman load` and `docker load`.
#
#   scripts/image.sh [PROGRAM [FOLDER]]     bin/tunic and bin unless given
#
# CA_BUNDLE is the file with the public authorities, the machine's own unless it is set.
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/release.sh
. scripts/release.sh

BINARY=${1:-bin/tunic}
OUT=${2:-bin}
CA_BUNDLE=${CA_BUNDLE:-/etc/ssl/certs/ca-certificates.crt}
TAG=$(version_of "${VERSION:-$(git describe --tags --always --dirty 2>/dev/null || echo devel)}" | tr + -)
REVISION=$(git rev-parse HEAD 2>/dev/null || echo unknown)
USER_ID=65532

[ -f "$BINARY" ] || fail "$BINARY is not there: make build"
[ -f "$CA_BUNDLE" ] || fail "$CA_BUNDLE is not there: install ca-certificates, or set CA_BUNDLE"

# context FOLDER: what the Containerfile copies.
context() {
	mkdir -p "$1/rootfs/usr/bin" "$1/rootfs/etc/ssl/certs" "$1/state"
	install -m 0755 "$BINARY" "$1/rootfs/usr/bin/tunic"
	install -m 0644 "$CA_BUNDLE" "$1/rootfs/etc/ssl/certs/ca-certificates.crt"
	echo "tunic:x:$USER_ID:$USER_ID::/var/lib/tunic:/nonexistent" >"$1/rootfs/etc/passwd"
	echo "tunic:x:$USER_ID:" >"$1/rootfs/etc/group"
	cp deploy/image/Containerfile "$1/"
}

main() {
	local work builder arguments
	work=$(mktemp -d)
	# shellcheck disable=SC2064 # the folder of now
	trap "rm -rf '$work'" EXIT
	context "$work"
	arguments=(--build-arg "VERSION=$TAG" --build-arg "REVISION=$REVISION" --build-arg "USER_ID=$USER_ID" -t "tunic:$TAG")
	mkdir -p "$OUT"
	for builder in buildah podman docker; do
		has $builder && break
	done
	case $builder in
	buildah)
		buildah build --format docker --timestamp "$(commit_date)" "${arguments[@]}" "$work"
		rm -f "$OUT/tunic-image.tar"
		buildah push -q "tunic:$TAG" "docker-archive:$OUT/tunic-image.tar:tunic:$TAG"
		;;
	podman)
		podman build --format docker --timestamp "$(commit_date)" "${arguments[@]}" "$work"
		rm -f "$OUT/tunic-image.tar"
		podman save -q --format docker-archive -o "$OUT/tunic-image.tar" "tunic:$TAG"
		;;
	docker)
		has docker || fail "needs buildah, podman or docker: scripts/install-deps.sh image"
		docker build -f "$work/Containerfile" "${arguments[@]}" "$work"
		docker save -o "$OUT/tunic-image.tar" "tunic:$TAG"
		;;
	esac
	say "tunic:$TAG is in $OUT/tunic-image.tar"
}

main
