#!/bin/sh
# After the files are gone. At a purge, what tunic has made by itself goes too. What an
# operator has put into /etc/tunic stays, above all the key file: without it the data is
# lost. The user stays as well, as files may be its.
set -e

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
fi

[ "$1" = purge ] || exit 0
rm -rf /var/lib/tunic/tls
rm -f /var/lib/tunic/ledger-seen
# A tunic that its user has started without systemd keeps its pair below the user's home.
rm -rf /var/lib/tunic/.local/state/tunic
rmdir -p /var/lib/tunic/.local/state 2>/dev/null || true
for folder in /var/lib/tunic /etc/tunic; do
	[ -d "$folder" ] || continue
	rmdir "$folder" 2>/dev/null || echo "kept, as it is not empty: $folder ($(ls -A "$folder" | tr '\n' ' '))"
done
