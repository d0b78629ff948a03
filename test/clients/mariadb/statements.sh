# Transactions, errors, results, many rows and files.
# shellcheck shell=bash

tx_commit() {
	query 'CREATE TABLE tx_commit (id INT PRIMARY KEY)' || return 1
	begin_session
	tell "BEGIN; INSERT INTO tx_commit VALUES (1); SELECT 'inserted';"
	await inserted && equal "$(query 'SELECT COUNT(*) FROM tx_commit')" 0 || return 1
	tell "COMMIT; SELECT 'committed';"
	await committed && equal "$(query 'SELECT COUNT(*) FROM tx_commit')" 1 && end_session
}

tx_rollback() {
	equal "$(query 'CREATE TABLE tx_rollback (id INT PRIMARY KEY); START TRANSACTION;
		INSERT INTO tx_rollback VALUES (1); ROLLBACK; SELECT COUNT(*) FROM tx_rollback')" 0
}

tx_savepoint() {
	equal "$(query 'CREATE TABLE tx_savepoint (id INT PRIMARY KEY); START TRANSACTION;
		INSERT INTO tx_savepoint VALUES (1); SAVEPOINT here; INSERT INTO tx_savepoint VALUES (2);
		ROLLBACK TO SAVEPOINT here; COMMIT; SELECT SUM(id) FROM tx_savepoint')" 1
}

tx_isolation() {
	query 'CREATE TABLE tx_isolation (id INT PRIMARY KEY)' || return 1
	begin_session
	seen 'READ COMMITTED' 1 1 && seen 'REPEATABLE READ' 2 1 && end_session
}

# seen LEVEL ROW AFTER: another session sees AFTER rows once ROW is committed.
seen() {
	tell "SET SESSION TRANSACTION ISOLATION LEVEL $1; START TRANSACTION; SELECT COUNT(*) FROM tx_isolation;"
	await $(($2 - 1)) && query "INSERT INTO tx_isolation VALUES ($2)" || return 1
	tell 'SELECT COUNT(*) FROM tx_isolation; COMMIT;'
	await "$3"
}

errors() {
	query 'CREATE TABLE error_text (id INT PRIMARY KEY); INSERT INTO error_text VALUES (1)' &&
		wants '1062 (23000)' query 'INSERT INTO error_text VALUES (1)' &&
		wants '1064 (42000)' query 'SELEKT 1' &&
		wants '1146 (42S02)' query 'SELECT * FROM no_such_table' &&
		equal "$(client --force 2>/dev/null <<<'SELEKT 1; SELECT 1;')" 1
}

affected_rows() {
	equal "$(client -vv <<-'SQL' | grep -E 'affected|matched' | sed 's/ (.*)//'
		CREATE TABLE changes (id INT PRIMARY KEY, v INT);
		INSERT INTO changes VALUES (1, 0), (2, 7), (3, 7);
		UPDATE changes SET v = 7;
		DELETE FROM changes WHERE id > 1;
	SQL
	)" "Query OK, 0 rows affected
Query OK, 3 rows affected
Query OK, 1 row affected
Rows matched: 3  Changed: 1  Warnings: 0
Query OK, 2 rows affected"
}

last_insert_id() {
	equal "$(query 'CREATE TABLE inserts (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, v INT) AUTO_INCREMENT = 4000000000;
		INSERT INTO inserts (v) VALUES (1); SELECT LAST_INSERT_ID();
		INSERT INTO inserts (v) VALUES (2), (3), (4); SELECT LAST_INSERT_ID()' | tr '\n' ' ')" '4000000000 4000000001 '
}

warnings() {
	equal "$(client --show-warnings -v <<<"CREATE TABLE warned (v TINYINT); SET sql_mode = '';
		INSERT INTO warned VALUES (300), (1), (-300);" | grep -c 'Warning (Code 1264): ')" 2
}

metadata() {
	equal "$(client --table --column-type-info <<-'SQL' | grep -E '^(Field|Org_table|Type|Length|Flags)' | sed 's/: */:/' | tr '\n' ';'
		CREATE TABLE described (id BIGINT UNSIGNED NOT NULL PRIMARY KEY, name VARCHAR(30) CHARACTER SET utf8mb4);
		SELECT id, name AS `an alias` FROM described AS d;
	SQL
	)" "Field   1:\`id\`;Org_table:\`described\`;Type:LONGLONG;Length:20;Flags:NOT_NULL PRI_KEY UNSIGNED NO_DEFAULT_VALUE NUM PART_KEY ;Field   2:\`an alias\`;Org_table:\`described\`;Type:VAR_STRING;Length:120;Flags:;"
}

# With another delimiter the client sends all of it as one text.
multi_statements() {
	query 'CREATE TABLE multi (id INT PRIMARY KEY)' || return 1
	equal "$(client --delimiter=// --execute="SELECT 1; INSERT INTO multi VALUES (1), (2); SELECT COUNT(*) FROM multi; SELECT 'last'//" |
		tr '\n' ' ')" '1 2 last ' &&
		wants '1062 (23000)' client --delimiter=// \
			--execute='INSERT INTO multi VALUES (3); INSERT INTO multi VALUES (3); INSERT INTO multi VALUES (4)//' &&
		equal "$(query 'SELECT GROUP_CONCAT(id ORDER BY id) FROM multi')" 1,2,3
}

multi_results() {
	client --delimiter=// --execute="CREATE PROCEDURE two_results(n INT) BEGIN SELECT n; SELECT n + 1, 'two'; END//" &&
		equal "$(query 'CALL two_results(7); SELECT 1' | tr '\n\t' '  ')" '7 8 two 1 '
}

out_params() {
	client --delimiter=// --execute="CREATE PROCEDURE out_params(IN a INT, OUT b VARCHAR(20), INOUT c INT)
		BEGIN SET b = CONCAT('b', a), c = c + a; END//" &&
		equal "$(query "SET @c = 40; CALL out_params(2, @b, @c); SELECT CONCAT(@b, ' ', @c)")" 'b2 42'
}

stream() {
	equal "$(client --quick --execute='SELECT n, label FROM clients.numbers ORDER BY n' |
		awk -F '\t' '{ rows++; sum += $1 + length($2) } END { printf "%d %.0f", rows, sum }')" '100000 5008838890'
}

# The client dies of the pipe that nobody reads, in the middle of the rows.
abandon() {
	equal "$(client --quick --execute='SELECT n, label FROM clients.numbers' 2>/dev/null | head -10 | wc -l)" 10 &&
		equal "$(query 'SELECT 1')" 1
}

load_into() { echo "LOAD DATA LOCAL INFILE '$CLIENT_SCRATCH/$2' INTO TABLE $1 CHARACTER SET utf8mb4 FIELDS TERMINATED BY ','"; }

infile_load() {
	seq 0 9999 | awk '{ print $1 ",line é " $1 }' >"$CLIENT_SCRATCH/lines"
	query 'CREATE TABLE infile_load (id INT PRIMARY KEY, v VARCHAR(40))' &&
		[[ $(client --local-infile=1 -vv --execute="$(load_into infile_load lines)") == *"10000 rows affected"* ]] &&
		equal "$(query 'SELECT v FROM infile_load WHERE id = 9999')" 'line é 9999'
}

infile_missing() {
	query 'CREATE TABLE infile_missing (id INT)' &&
		equal "$(client --local-infile=1 --force 2>/dev/null <<<"$(load_into infile_missing no-such-file); SELECT 'usable';")" usable &&
		wants '' client --local-infile=1 --execute="$(load_into infile_missing no-such-file)"
}

infile_refused() {
	echo 1 >"$CLIENT_SCRATCH/refused"
	query 'CREATE TABLE infile_refused (id INT)' &&
		wants '' client --local-infile=0 --execute="$(load_into infile_refused refused)" &&
		equal "$(client --local-infile=0 --force 2>/dev/null <<<"$(load_into infile_refused refused); SELECT COUNT(*) FROM infile_refused;")" 0
}
