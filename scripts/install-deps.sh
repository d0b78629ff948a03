#!/usr/bin/env bash
# Installs the programs that this repository's targets run, from the
# distribution's packages (Debian, Ubuntu), and only those that are missing.
#
#   scripts/install-deps.sh [server] [tools] [compiler] [libmariadb] [venv] [toolkit] [ycsb] [galera] [backup] [browser]
#                           [promtool] [packages] [image] [runtimes]
#
#   server      a MariaDB server and its client
#   tools       sysbench and HAProxy
#   compiler    a C compiler, which the race detector links with
#   libmariadb  a C compiler and libmariadb to compile with
#   venv        what Python's virtual environments need
#   toolkit     Percona Toolkit; what needs it is skipped where no package has it
#   ycsb        the client of YCSB, built from tools/ycsb; what needs it is skipped where
#               its modules cannot be had
#   galera      what a Galera cluster needs beside the server: its library, mariadb-backup
#               and the scripts by which a node gets the data of another one
#   backup      mariadb-backup
#   promtool    what tests alerts, unpacked from the package of Prometheus, which is not
#               installed; what needs it is skipped where no package has it
#   packages    what packages are installed with, and into: rpm, and mmdebstrap for a root
#   image       buildah, which builds a container image, and the certificates in it
#   browser     Chromium, which looks at the status page
#   runtimes    the languages of client libraries: Python, Node.js with npm, Java with Maven
#
# Without a word: the first three. Nothing is started: while packages are installed, a
# policy (invoke-rc.d's policy-rc.d) keeps their services from starting, and a
# service that came with them is left disabled. What runs on the machine already
# goes on undisturbed; no package is ever removed.
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

POLICY=/usr/sbin/policy-rc.d
POLICY_ASIDE=/usr/sbin/policy-rc.d.before-tunic
NEVER_START="mariadb mysql mysqld haproxy"

# package PROGRAM: the package that brings it here. Older releases number some.
package() {
	case $1 in
	mariadbd | mariadb-install-db) newest mariadb-server-core ;;
	mariadb) newest mariadb-client ;;
	cc) echo gcc libc6-dev ;;
	mariadb_config) echo libmariadb-dev ;;
	pt-online-schema-change) echo percona-toolkit ;;
	mariabackup) echo mariadb-backup ;;
	libgalera_smm.so) echo galera-4 ;;
	node) echo nodejs ;;
	mvn) echo maven ;;
	java | javac) echo default-jdk-headless ;;
	*) echo "$1" ;;
	esac
}

# newest NAME: NAME, or NAME-VERSION where only numbered packages exist.
newest() {
	if [ -n "$(apt-cache show --no-all-versions "$1" 2>/dev/null)" ]; then
		echo "$1"
	else
		apt-cache pkgnames "$1-" 2>/dev/null | grep -E -- '-[0-9.]+$' | sort -V | tail -1 | grep . || echo "$1"
	fi
}

missing_programs() {
	local program
	for program in "$@"; do
		present "$program" || echo "$program"
	done
}

# present PROGRAM: python3-venv is none, but a part of Python that may be missing;
# libgalera_smm.so is a library, ca-certificates is a file.
present() {
	case $1 in
	libgalera_smm.so) [ -e /usr/lib/galera/libgalera_smm.so ] ;;
	ca-certificates) [ -e /etc/ssl/certs/ca-certificates.crt ] ;;
	python3-venv) python3 -c 'import ensurepip' 2>/dev/null ;;
	*) has "$1" ;;
	esac
}

packages_of() {
	local program
	for program in "$@"; do
		package "$program"
	done | tr ' ' '\n' | sort -u
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif has sudo; then
		sudo "$@"
	else
		fail "needs root: run as root, or install sudo, or install by hand: $WANTED"
	fi
}

apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@"; }

# listed PROGRAM...: whether the machine's package lists have what brings them. A fresh
# machine, or a container, has no lists.
listed() {
	local name
	for name in $(packages_of "$@"); do
		[ -n "$(apt-cache show --no-all-versions "$name" 2>/dev/null)" ] || return 1
	done
}

# Package lists that are missing or older than what the mirror holds.
refresh_lists() { apt update >&2 || say "some package lists could not be refreshed; going on with what there is"; }

install_packages() {
	local packages
	mapfile -t packages < <(packages_of "$@")
	say "installing ${packages[*]}"
	apt install -y --no-install-recommends --no-remove "${packages[@]}" >&2
}

# hold_services puts our policy in the place of the machine's, which ours asks
# about every service but those we install.
hold_services() {
	if [ -e $POLICY ] && [ ! -e $POLICY_ASIDE ]; then
		as_root mv $POLICY $POLICY_ASIDE
	fi
	as_root tee $POLICY >/dev/null <<-POLICY_END
		#!/bin/sh
		# Put here while tunic's scripts/install-deps.sh runs.
		for service in $NEVER_START; do
			case "\$1" in "\$service" | "\$service.service") exit 101 ;; esac
		done
		[ ! -x $POLICY_ASIDE ] || exec $POLICY_ASIDE "\$@"
	POLICY_END
	as_root chmod 755 $POLICY
}

release_services() {
	if [ -e $POLICY_ASIDE ]; then
		as_root mv -f $POLICY_ASIDE $POLICY
	else
		as_root rm -f $POLICY
	fi
}

# known_services: those of NEVER_START that the machine has.
known_services() {
	local service
	for service in $NEVER_START; do
		if [ -e "/lib/systemd/system/$service.service" ] || [ -e "/etc/init.d/$service" ]; then
			echo "$service"
		fi
	done
}

# disable_new BEFORE: a service that was not there before is not left to start
# with the machine.
disable_new() {
	local service
	for service in $(known_services); do
		case " $1 " in *" $service "*) continue ;; esac
		if has systemctl; then
			as_root systemctl disable "$service" >/dev/null 2>&1 || true
		fi
		if has update-rc.d; then
			as_root update-rc.d "$service" disable >/dev/null 2>&1 || true
		fi
	done
}

# explain PACKAGES: what to do when apt-get has said why it does not install them.
explain() {
	say "$(basename "$0"): apt-get could not install ${1% }; above is what it says."
	say "- A mirror or network that does not answer: try again."
	say "- Packages in conflict, or held: a MySQL or MariaDB of another source is installed"
	say "  here, or an older release of theirs, and nothing is removed to make room. Run"
	say "  this in a container, or put a mariadbd and mariadb-install-db of any source in PATH."
	say "- A package half configured (dpkg): sudo dpkg --configure -a, then try again."
	exit 1
}

install_missing() {
	local missing before
	mapfile -t missing < <(missing_programs "$@")
	[ ${#missing[@]} -gt 0 ] || return 0
	WANTED=$(packages_of "${missing[@]}" | tr '\n' ' ')
	has apt-get || fail "cannot install packages here; please install: ${missing[*]}"
	before=$(known_services | tr '\n' ' ')
	trap release_services EXIT
	hold_services
	if ! listed "${missing[@]}" || ! install_packages "${missing[@]}"; then
		say "fetching the lists of packages, which are missing or old"
		refresh_lists
		install_packages "${missing[@]}" ||
			explain "$WANTED"
	fi
	disable_new "$before"
	release_services
	trap - EXIT
	mapfile -t missing < <(missing_programs "$@")
	[ ${#missing[@]} = 0 ] || fail "installed, but still missing: ${missing[*]}"
}

# The authentication plug-in ed25519 is in the package of the full server only,
# which would start a service. Its package is unpacked, not installed; the stamp
# says for which server version.
unpack_plugins() {
	local version plugins=$STATE/mariadb-plugins
	[ ! -e /usr/lib/mysql/plugin/auth_ed25519.so ] || return 0
	version=$(PATH=$PATH:/usr/sbin mariadbd --no-defaults --version | sed -E 's/.*Ver ([^ ]+) .*/\1/')
	[ "$(cat "$plugins/VERSION" 2>/dev/null)" != "$version" ] || return 0
	has apt-get || return 0
	local work=$STATE/mariadb-plugins.new
	rm -rf "$work"
	mkdir -p "$work"
	if ! fetch_full_server "$work"; then
		say "no package with MariaDB's auth_ed25519 for server $version; its tests will be skipped"
		rm -rf "$work"
		return 0
	fi
	dpkg -x "$work"/*.deb "$work"
	rm -rf "$plugins"
	mv "$work/usr/lib/mysql/plugin" "$plugins"
	echo "$version" >"$plugins/VERSION"
	rm -rf "$work"
}

# The scripts that bring a node of Galera its data are in the package of the full server,
# too, and are unpacked likewise.
unpack_galera() {
	local work=$STATE/galera-scripts.new
	! has wsrep_sst_mariabackup || return 0
	[ ! -x "$STATE/galera-scripts/wsrep_sst_mariabackup" ] || return 0
	rm -rf "$work"
	mkdir -p "$work"
	fetch_full_server "$work" || fail "no package with wsrep_sst_mariabackup"
	dpkg -x "$work"/*.deb "$work"
	mkdir -p "$STATE/galera-scripts"
	mv "$work"/usr/bin/wsrep_sst_* "$STATE/galera-scripts/"
	rm -rf "$work"
}

# fetch_full_server FOLDER: the full server's package of exactly the version of
# the installed one.
fetch_full_server() {
	local core version name
	core=$(dpkg -S "$(PATH=$PATH:/usr/sbin command -v mariadbd)" 2>/dev/null | cut -d: -f1) || return 1
	version=$(dpkg-query -W -f '${Version}' "$core") || return 1
	name=${core/-core/}
	download "$1" "$name=$version" && return 0
	refresh_lists
	download "$1" "$name=$version"
}

# Root downloads as root: the download user of apt may not enter our folders.
download() { (cd "$1" && apt-get -q -o APT::Sandbox::User=root download "$2" >&2); }

# toolkit: the program of Percona Toolkit that is wanted, if some package has it.
toolkit() {
	local WANTED=percona-toolkit
	if has pt-online-schema-change || listed pt-online-schema-change ||
		{ has apt-get && refresh_lists && listed pt-online-schema-change; }; then
		echo pt-online-schema-change
	else
		say "no package with Percona Toolkit; what needs it will be skipped"
	fi
}

# ycsb: the client of YCSB, from go-ycsb in a module of its own.
ycsb() {
	if ! has go; then
		say "no Go here; what needs the client of YCSB will be skipped"
		return
	fi
	mkdir -p "$STATE/bin"
	go build -C "$ROOT/tools/ycsb" -trimpath -buildvcs=false -o "$STATE/bin/ycsb" . ||
		say "the client of YCSB could not be built; what needs it will be skipped"
}

# promtool: that program of Prometheus alone.
unpack_promtool() {
	local work=$STATE/promtool.new
	! has promtool || return 0
	[ ! -x "$STATE/bin/promtool" ] || return 0
	rm -rf "$work"
	mkdir -p "$work" "$STATE/bin"
	if has apt-get && { download "$work" prometheus || { refresh_lists && download "$work" prometheus; }; } &&
		dpkg -x "$work"/*.deb "$work"; then
		mv "$work/usr/bin/promtool" "$STATE/bin/"
	else
		say "no package with promtool; what needs it will be skipped"
	fi
	rm -rf "$work"
}

main() {
	local group programs=()
	for group in "${@:-server tools compiler}"; do
		case $group in
		server) programs+=(mariadbd mariadb-install-db mariadb) ;;
		tools) programs+=(sysbench haproxy) ;;
		compiler) programs+=(cc) ;;
		libmariadb) programs+=(cc mariadb_config) ;;
		venv) programs+=(python3-venv) ;;
		ycsb | promtool) ;;
		packages) programs+=(mmdebstrap rpm) ;;
		image) programs+=(buildah ca-certificates) ;;
		browser) programs+=(chromium) ;;
		runtimes) programs+=(python3 node npm java javac mvn) ;;
		galera) programs+=(libgalera_smm.so mariabackup socat) ;;
		backup) programs+=(mariabackup) ;;
		toolkit) mapfile -t -O ${#programs[@]} programs < <(toolkit) ;;
		*) fail "unknown group $group" ;;
		esac
	done
	install_missing "${programs[@]}"
	case " ${*:-server} " in *" server "*) unpack_plugins ;; esac
	case " $* " in *" ycsb "*) ycsb ;; esac
	case " $* " in *" galera "*) unpack_galera ;; esac
	case " $* " in *" promtool "*) unpack_promtool ;; esac
}

if [ $# = 0 ]; then
	set -- server tools compiler
fi
locked deps main "$@"
