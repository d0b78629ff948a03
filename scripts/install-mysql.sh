#!/usr/bin/env bash
# Unpacks a MySQL server and its command-line client below .tunic/mysql, for the
# tests that compare servers and clients.
# The machine itself is not changed: the package and the libraries it needs are
# fetched with a package configuration of our own and unpacked, not installed.
# It needs no root. FORCE=1 fetches again.
#
# Debian itself has no MySQL server but in its unstable release; Ubuntu has one in
# every release. The mirror is the one that the machine's own package sources name.
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

TREE=$STATE/mysql
WORK=$STATE/mysql.new

unavailable() {
	say "MySQL server: $*; tests that need it are skipped"
	rm -rf "$WORK"
	exit 1
}

# mirror: the first package archive of the distribution, security updates aside.
mirror() {
	local archive
	case $1 in
	debian) archive='/debian/?$' ;;
	ubuntu) archive='/ubuntu(-ports)?/?$' ;;
	esac
	# shellcheck disable=SC2016 # apt fills in the name
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
		grep -E "$archive" | grep -v security | sed -n 1p
}

# sources: the package sources to look in, one line each.
sources() {
	local uri keyring suites suite signed=
	uri=$(mirror "$ID" || true)
	[ -n "$uri" ] || unavailable "the package sources of this machine name no $ID mirror"
	keyring=/usr/share/keyrings/$ID-archive-keyring.gpg
	[ ! -e "$keyring" ] || signed="[signed-by=$keyring] "
	case $ID in
	debian) suites="sid" ;;
	ubuntu) suites="$VERSION_CODENAME $VERSION_CODENAME-updates" ;;
	esac
	for suite in $suites; do
		echo "deb $signed$uri $suite main"
	done
}

# configure writes a package configuration that sees nothing of the machine's
# packages, so that every library is fetched, and changes nothing of its lists.
# It is read after the machine's own, whose network settings stay in force.
# Signatures are checked as always; the age of the lists is not, so that a mirror
# which is a snapshot will do.
configure() {
	mkdir -p "$WORK"/apt/{sources,lists/partial,cache/archives/partial}
	sources >"$WORK/apt/sources/mysql.list"
	: >"$WORK/apt/status"
	cat >"$WORK/apt/apt.conf" <<-CONF
		#clear APT::Update::Pre-Invoke;
		#clear APT::Update::Post-Invoke;
		#clear APT::Update::Post-Invoke-Success;
		#clear DPkg::Pre-Invoke;
		#clear DPkg::Post-Invoke;
		#clear DPkg::Pre-Install-Pkgs;
		Dir::Etc::SourceList "/dev/null";
		Dir::Etc::SourceParts "$WORK/apt/sources";
		Dir::Etc::Preferences "/dev/null";
		Dir::Etc::PreferencesParts "/dev/null";
		Dir::State "$WORK/apt";
		Dir::State::Lists "$WORK/apt/lists";
		Dir::State::Status "$WORK/apt/status";
		Dir::Cache "$WORK/apt/cache";
		APT::Install-Recommends "false";
		APT::Sandbox::User "root";
		Acquire::Check-Valid-Until "false";
		Acquire::Languages "none";
		Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
		Acquire::IndexTargets::deb::CNF::DefaultEnabled "false";
	CONF
}

private_apt() { "$1" -q -c "$WORK/apt/apt.conf" "${@:2}"; }

# package: the newest server package there is.
package() {
	local name
	for name in mysql-server-core mysql-server-core-9.7 mysql-server-core-8.4 mysql-server-core-8.0; do
		if [ -n "$(private_apt apt-cache show --no-all-versions "$name" 2>/dev/null)" ]; then
			echo "$name"
			return
		fi
	done
	return 1
}

fetch() {
	local name
	private_apt apt-get update >"$WORK/log" 2>&1 || unavailable "the package lists cannot be had ($(tail -1 "$WORK/log"))"
	name=$(package) || unavailable "the distribution has no package of it"
	say "fetching $name, its client and their libraries"
	private_apt apt-get install -y --download-only "$name" "${name/server/client}" >"$WORK/log" 2>&1 ||
		unavailable "$name cannot be fetched ($(tail -1 "$WORK/log"))"
}

unpack() {
	local deb
	for deb in "$WORK"/apt/cache/archives/*.deb; do
		dpkg -x "$deb" "$WORK/tree"
	done
	rm -rf "$WORK"/tree/usr/share/{doc,man,locale,lintian,perl}
	# Libraries of releases with /lib apart from /usr/lib.
	if [ -d "$WORK/tree/lib" ]; then
		cp -a "$WORK"/tree/lib/. "$WORK/tree/usr/lib/"
	fi
}

# version TREE: what the server of the tree says, or nothing.
version() {
	local linkers
	[ -x "$1/usr/sbin/mysqld" ] && [ -x "$1/usr/bin/mysql" ] || return 1
	linkers=("$1"/usr/lib/*/ld-linux-*.so.*)
	"${linkers[0]}" --library-path "$(dirname "${linkers[0]}"):$1/usr/lib/mysql/private" \
		"$1/usr/sbin/mysqld" --no-defaults --version | sed -E 's/.*Ver ([^ ]+) .*/\1/'
}

main() {
	local have
	if [ -z "${FORCE:-}" ] && have=$(version "$TREE"); then
		say "MySQL server $have is there"
		return
	fi
	ID=
	[ ! -r /etc/os-release ] || . /etc/os-release
	case $ID in
	debian | ubuntu) ;;
	*) unavailable "no packages known for ${ID:-this system}" ;;
	esac
	rm -rf "$WORK"
	configure
	fetch
	unpack
	have=$(version "$WORK/tree") || unavailable "what was unpacked does not run"
	rm -rf "$TREE"
	mv "$WORK/tree" "$TREE"
	rm -rf "$WORK"
	say "MySQL server $have is there"
}

locked mysql main
