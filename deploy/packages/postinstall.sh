#!/bin/sh
# After the files of the package are there: the user of the service, the owners of its
# folders, and on first use what to do next. dpkg calls it with "configure" and the version
# that was there, rpm with the number of versions that are.
set -e

case "$1" in
configure) [ -z "$2" ] && first=yes || first= ;;
1) first=yes ;;
2) first= ;;
*) exit 0 ;; # dpkg goes back to the old version
esac

getent group tunic >/dev/null || groupadd --system tunic
getent passwd tunic >/dev/null ||
	useradd --system --gid tunic --home-dir /var/lib/tunic --no-create-home --shell /usr/sbin/nologin tunic

chown root:tunic /etc/tunic /etc/tunic/tunic.toml
chmod 0750 /etc/tunic
chown tunic:tunic /var/lib/tunic
chmod 0700 /var/lib/tunic

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
	if [ -z "$first" ]; then
		if command -v deb-systemd-invoke >/dev/null; then
			deb-systemd-invoke try-restart tunic.service || true
		else
			systemctl try-restart tunic.service || true
		fi
	fi
fi

[ -n "$first" ] || exit 0
cat <<'TEXT'
tunic is installed and not started: it needs a server, an account and a key first.
Set [backend] and [service] in /etc/tunic/tunic.toml, put the account's password in
/etc/tunic/service-password (root:tunic, mode 0640), and then:

  tunic keygen --out /etc/tunic/tunic.key && chgrp tunic /etc/tunic/tunic.key && chmod 640 /etc/tunic/tunic.key
  runuser -u tunic -- tunic init --config /etc/tunic/tunic.toml
  systemctl enable --now tunic

Keep a copy of tunic.key elsewhere: without it the data is lost.
More: /usr/share/doc/tunic/docs/install.md
TEXT
