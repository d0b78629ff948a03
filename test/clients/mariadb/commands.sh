# Commands that are no statements, and KILL.
# shellcheck shell=bash

# USE is COM_INIT_DB here.
init_db() {
	equal "$(query 'USE test; SELECT DATABASE()')" test &&
		wants '1049 (42000)' query 'USE no_such_database' &&
		equal "$(client --force 2>/dev/null <<<'USE no_such_database; SELECT DATABASE();')" "$CLIENT_DATABASE"
}

reset() {
	only mysql - 'the client has no such command'
	equal "$(query "SET @mine = 1; CREATE TEMPORARY TABLE resetting (id INT); resetconnection;
		SELECT DATABASE(), @mine IS NULL")" "$CLIENT_DATABASE"$'\t'1 &&
		wants '1146 (42S02)' query 'CREATE TEMPORARY TABLE resetting (id INT); resetconnection; SELECT * FROM resetting'
}

query_attributes() {
	only mysql - 'the client sends no query attributes'
	only - mysql 'MariaDB has no query attributes'
	equal "$(client <<-'SQL'
		query_attributes colour blue size 42;
		SELECT mysql_query_attribute_string('colour'), mysql_query_attribute_string('size');
	SQL
	)" blue$'\t'42
}

statistics() { [[ $(query 'status; SELECT 1') == *Uptime:*Threads:* ]]; }

# For the completion of names the client lists the columns of every table.
field_list() { equal "$(query 'CREATE TABLE listed (id INT, name VARCHAR(30)); rehash; SELECT 1')" 1; }

# Sleeping in WHERE, and not in the select list, makes KILL an error with MariaDB
# and MySQL alike.
SLEEP='SELECT n FROM clients.numbers WHERE SLEEP(20) = 0'

# await_sleep: the id of the session of this check that is seen asleep.
await_sleep() {
	local id
	until [ -n "${id:-}" ]; do
		id=$(query "SELECT processlist_id FROM performance_schema.threads
			WHERE processlist_db = '$CLIENT_DATABASE' AND processlist_state = 'User sleep'") || return 1
		sleep 0.02
	done
	echo "$id"
}

kill_query() {
	begin_session
	tell "$SLEEP; SELECT 'usable';"
	query "KILL QUERY $(await_sleep)" &&
		await 'ERROR 1317 (70100) at line 1: Query execution was interrupted' && await usable && end_session
}

kill_connection() {
	local id
	begin_session
	tell "$SLEEP;"
	id=$(await_sleep) && query "KILL $id" || return 1
	until [ "$(query "SELECT COUNT(*) FROM performance_schema.threads WHERE processlist_id = $id")" = 0 ]; do
		sleep 0.02
	done
	kill "$session" 2>/dev/null # it would connect anew
	wait "$session"
	equal "$(query 'SELECT 1')" 1
}

# What Ctrl-C at a terminal sends.
kill_interrupt() {
	local said=$CLIENT_SCRATCH/interrupted client
	# The program itself in the background, not a shell that runs it.
	"${CLIENT[@]}" --force >"$said" 2>&1 <<<"SET @mine = 5; $SLEEP; SELECT CONCAT('still ', @mine);" &
	client=$!
	await_sleep >/dev/null && kill -INT "$client"
	wait "$client"
	[[ $(<"$said") == *"ERROR 1317 (70100)"*"still 5"* ]] || {
		cat "$said"
		return 1
	}
}
