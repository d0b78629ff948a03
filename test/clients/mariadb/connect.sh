# Getting in, with and without TLS, and with every authentication plug-in.
# shellcheck shell=bash

plain() { equal "$(query 'SELECT 1')" 1 && [[ $(query status) == *"Not in use"* ]]; }

tls() { [[ $(client "${TLS[@]}" --execute=status) == *"Cipher in use is"* ]]; }

tls_untrusted() { wants 2026 client "${UNTRUSTED[@]}" --execute='SELECT 1'; }

attributes() {
	equal "$(query "SELECT attr_value FROM performance_schema.session_account_connect_attrs
		WHERE processlist_id = CONNECTION_ID() AND attr_name = 'program_name'")" mysql
}

wrong_password() { MYSQL_PWD=wrong wants '1045 (28000)' query 'SELECT 1'; }

unknown_database() { wants '1049 (42000)' client --database=no_such_database --execute='SELECT 1'; }

# compressed OPTION...: with a value that compresses and one that does not, both ways.
compressed() {
	local noise
	noise=$(head -c 300000 /dev/urandom | od -An -v -tx1 | tr -d ' \n')
	[[ $(client "$@" --execute=status) == *Compressed* ]] &&
		equal "$(client "$@" --execute="SELECT LENGTH(REPEAT('a', 1000000)), REPEAT('a', 1000000)" | md5sum)" \
			"$(printf '1000000\t%s\n' "$(head -c 1000000 /dev/zero | tr '\0' a)" | md5sum)" &&
		equal "$(echo "SELECT LOWER(HEX(X'$noise'))" | client "$@" | md5sum)" "$(echo "$noise" | md5sum)"
}

zstd() {
	only mysql - 'the client compresses with zlib only'
	only - mysql 'MariaDB compresses with zlib only'
	compressed --compression-algorithms=zstd
}

# The pause has them all connected at a time.
parallel() {
	local n lines
	lines=$(for n in $(seq 50); do
		query "SET @mine = $n, SESSION group_concat_max_len = $((5000 + n)); DO SLEEP(1);
			SELECT @mine, @@group_concat_max_len - 5000, CONNECTION_ID()" &
	done && wait)
	equal "$(awk '$1 == $2' <<<"$lines" | cut -f1 | sort -nu | wc -l)" 50 &&
		equal "$(cut -f3 <<<"$lines" | sort -nu | wc -l)" 50
}

# login PLUGIN FLAVOR OPTION...
login() {
	only - "$2" "$CLIENT_FLAVOR has no account of this plugin"
	export MYSQL_PWD=$CLIENT_ACCOUNT_PASSWORD
	equal "$(client --user="${CLIENT_ACCOUNT}_$1" "${@:3}" --execute='SELECT CURRENT_USER()')" "${CLIENT_ACCOUNT}_$1@%"
}

login_empty() { equal "$(MYSQL_PWD='' client --user="${CLIENT_ACCOUNT}_empty" --execute='SELECT 1')" 1; }

login_ed25519() {
	only mariadb - 'the client has no client_ed25519'
	login ed25519 mariadb
}

login_switch() {
	case $CLIENT_FLAVOR in
	mysql) login sha2 mysql --default-auth=mysql_native_password ;;
	mariadb) login native mariadb --default-auth=caching_sha2_password ;;
	esac
}

login_refused() {
	local plugin plugins
	case $CLIENT_FLAVOR-$CLIENT_DRIVER in
	mysql-*) plugins="sha2 sha2_rsa sha256 empty" ;;
	mariadb-mariadb) plugins="native ed25519 empty" ;;
	mariadb-mysql) plugins="native empty" ;;
	esac
	export MYSQL_PWD=wrong
	for plugin in $plugins; do
		wants '1045 (28000)' client --user="${CLIENT_ACCOUNT}_$plugin" --execute='SELECT 1' || return 1
	done
}
