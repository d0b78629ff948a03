#!/bin/sh
# Before the files go: the service is stopped, which drains. Not before an upgrade: the
# running tunic goes on until the new one is there. dpkg calls it with a word, rpm with the
# number of versions that stay.
set -e

case "$1" in
remove | deconfigure | 0)
	if [ -d /run/systemd/system ]; then
		systemctl --no-reload disable --now tunic.service || true
	fi
	;;
esac
