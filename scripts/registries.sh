# Shared by the scripts that install what comes from the languages' package
# registries; they source it. They set HOME_OF (where it goes) and MANIFESTS (what
# is asked for) before they call installed.
# shellcheck shell=bash
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

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
		say "no $program on this machine: $name will be skipped"
		return
	fi
	wanted=$(stamp "$program" "$@")
	[ "$(cat "$HOME_OF/$name/.stamp" 2>/dev/null)" != "$wanted" ] || return 0
	say "installing $name"
	rm -rf "${HOME_OF:?}/$name"
	mkdir -p "$HOME_OF/$name"
	if "install_$name" "$HOME_OF/$name"; then
		echo "$wanted" >"$HOME_OF/$name/.stamp"
	else
		say "$name could not be installed and will be skipped"
		rm -rf "${HOME_OF:?}/$name"
	fi
}

# virtual_environment FOLDER REQUIREMENTS [OPTION...]: Python's packages, in the
# versions that are pinned and no others.
virtual_environment() {
	"$ROOT/scripts/install-deps.sh" venv &&
		python3 -m venv "$1" &&
		"$1/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
			"${@:3}" --requirement "$2" >&2
}

# node_modules FOLDER MANIFESTS: what a lock file says, by its hashes.
node_modules() {
	cp "$2"/{package.json,package-lock.json,.npmrc} "$1" &&
		(cd "$1" && npm ci --ignore-scripts --no-update-notifier --loglevel=error >&2)
}

# jars FOLDER POM: Maven's own files go beside the folder: nothing of the user's is
# touched, and jars that were fetched once are enough.
jars() {
	mvn --quiet --batch-mode --file "$2" \
		-Dmaven.repo.local="$HOME_OF/maven" -DoutputDirectory="$1" \
		dependency:copy-dependencies >&2
}
