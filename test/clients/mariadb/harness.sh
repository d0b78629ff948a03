# Runs checks and reports them; knows how to reach the server.
# shellcheck shell=bash

status=0
export MYSQL_PWD=$CLIENT_PASSWORD

# What the two programs call differently.
case $CLIENT_DRIVER in
mariadb)
	PLAIN=(mariadb --no-defaults --skip-ssl)
	TLS=(--ssl --ssl-ca="$CLIENT_CA" --ssl-verify-server-cert)
	UNTRUSTED=(--ssl --ssl-ca="$CLIENT_OTHER_CA" --ssl-verify-server-cert)
	ZLIB=(--compress)
	;;
mysql)
	PLAIN=("$CLIENT_PROGRAM" --no-defaults --plugin-dir="$CLIENT_PLUGINS" --ssl-mode=DISABLED
		--get-server-public-key --commands)
	TLS=(--ssl-mode=VERIFY_IDENTITY --ssl-ca="$CLIENT_CA")
	UNTRUSTED=(--ssl-mode=VERIFY_CA --ssl-ca="$CLIENT_OTHER_CA")
	ZLIB=(--compression-algorithms=zlib)
	;;
esac

# A check is a function that says what is wrong, or nothing; the status 2 with a
# line says why this client cannot do it.
check() {
	local name=$1 said
	[[ $name == "${CLIENT_ONLY-}"* ]] || return 0
	shift
	said=$("$@" 2>&1)
	case $? in
	0) echo "ok $name" ;;
	2) echo "skip $name: $said" ;;
	*)
		status=1
		echo "not ok $name: $(tr '\n\t' '  ' <<<"$said" | cut -c1-300)"
		;;
	esac
}

# skips REASON NAME...
skips() {
	local name
	for name in "${@:2}"; do
		[[ $name != "${CLIENT_ONLY-}"* ]] || echo "skip $name: $1"
	done
}

# client OPTION...: the client, without TLS unless an option asks for it; of an
# option given twice the last counts.
CLIENT=("${PLAIN[@]}" --protocol=tcp --host="$CLIENT_HOST" --port="$CLIENT_PORT" --user="$CLIENT_USER"
	--batch --skip-column-names --default-character-set=utf8mb4 --max-allowed-packet=64M
	--database="$CLIENT_DATABASE")
client() { "${CLIENT[@]}" "$@"; }

# only DRIVER FLAVOR REASON: skips the check unless both are those; - is any.
only() {
	if [[ $CLIENT_DRIVER != ${1/-/*} || $CLIENT_FLAVOR != ${2/-/*} ]]; then
		echo "$3"
		exit 2
	fi
}

# query SQL: what it answers.
query() { client --execute="$1"; }

# equal GOT WANT
equal() {
	[ "$1" = "$2" ] || {
		echo "got ${1:0:120}, want ${2:0:120}"
		return 1
	}
}

# wants ERROR COMMAND...: the command must fail with this error.
wants() {
	local said
	if said=$("${@:2}" 2>&1); then
		echo "no error, want $1"
		return 1
	fi
	case $said in
	*"ERROR $1"*) ;;
	*)
		echo "got $said, want $1"
		return 1
		;;
	esac
}

# A second session, which answers line by line: tell it statements, await a line.
begin_session() {
	coproc SESSION { client --unbuffered --force 2>&1; }
	session=$SESSION_PID
}
tell() { printf '%s\n' "$1" >&"${SESSION[1]}"; }
await() {
	local line
	read -r -t 30 line <&"${SESSION[0]}" || line="no answer"
	equal "$line" "$1"
}
end_session() {
	tell 'exit'
	wait "$session"
}
