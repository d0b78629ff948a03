/* Transactions, errors and results. */
#include "scenario.h"

#include <stdio.h>
#include <string.h>

static verdict two_sessions(MYSQL **one, MYSQL **two)
{
	*one = open_session((struct login){0});
	TRY(logged_in(*one));
	*two = open_session((struct login){0});
	return logged_in(*two);
}

static verdict tx_commit(void)
{
	MYSQL *one, *two;
	TRY(two_sessions(&one, &two));
	TRY(run(one, "CREATE TABLE tx_commit (id INT PRIMARY KEY)"));
	NEED(mysql_autocommit(one, 0) == 0);
	TRY(run(one, "INSERT INTO tx_commit VALUES (1)"));
	TRY(expect(two, "0", "SELECT COUNT(*) FROM tx_commit"));
	NEED(mysql_commit(one) == 0);
	TRY(expect(two, "1", "SELECT COUNT(*) FROM tx_commit"));
	mysql_close(one);
	mysql_close(two);
	return NULL;
}

static verdict tx_rollback(void)
{
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE tx_rollback (id INT PRIMARY KEY)"));
	TRY(run(m, "START TRANSACTION"));
	TRY(run(m, "INSERT INTO tx_rollback VALUES (1)"));
	NEED(m->server_status & SERVER_STATUS_IN_TRANS);
	NEED(mysql_rollback(m) == 0);
	NEED(!(m->server_status & SERVER_STATUS_IN_TRANS));
	TRY(expect(m, "0", "SELECT COUNT(*) FROM tx_rollback"));
	mysql_close(m);
	return NULL;
}

static verdict tx_savepoint(void)
{
	const char *steps[] = {"CREATE TABLE tx_savepoint (id INT PRIMARY KEY)", "START TRANSACTION",
		"INSERT INTO tx_savepoint VALUES (1)", "SAVEPOINT here", "INSERT INTO tx_savepoint VALUES (2)",
		"ROLLBACK TO SAVEPOINT here", "COMMIT", NULL};
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	for (const char **step = steps; *step; step++)
		TRY(run(m, "%s", *step));
	TRY(expect(m, "1", "SELECT SUM(id) FROM tx_savepoint"));
	mysql_close(m);
	return NULL;
}

static verdict isolated(MYSQL *one, MYSQL *two, const char *level, int row, const char *before, const char *after)
{
	TRY(run(one, "SET SESSION TRANSACTION ISOLATION LEVEL %s", level));
	TRY(run(one, "START TRANSACTION"));
	TRY(expect(one, before, "SELECT COUNT(*) FROM tx_isolation"));
	TRY(run(two, "INSERT INTO tx_isolation VALUES (%d)", row));
	TRY(expect(one, after, "SELECT COUNT(*) FROM tx_isolation"));
	return run(one, "COMMIT");
}

static verdict tx_isolation(void)
{
	MYSQL *one, *two;
	TRY(two_sessions(&one, &two));
	TRY(run(one, "CREATE TABLE tx_isolation (id INT PRIMARY KEY)"));
	TRY(isolated(one, two, "READ COMMITTED", 1, "0", "1"));
	TRY(isolated(one, two, "REPEATABLE READ", 2, "1", "1"));
	mysql_close(one);
	mysql_close(two);
	return NULL;
}

static verdict error_text(void)
{
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE error_text (id INT PRIMARY KEY)"));
	TRY(run(m, "INSERT INTO error_text VALUES (1)"));
	TRY(wants(m, mysql_query(m, "INSERT INTO error_text VALUES (1)"), 1062, "23000"));
	TRY(wants(m, mysql_query(m, "SELEKT 1"), 1064, "42000"));
	TRY(wants(m, mysql_query(m, "SELECT * FROM no_such_table"), 1146, "42S02"));
	TRY(expect(m, "1", "SELECT 1"));
	mysql_close(m);
	return NULL;
}

static verdict prepare_fails(MYSQL *m, const char *sql, unsigned code, const char *state)
{
	MYSQL_STMT *s = mysql_stmt_init(m);
	NEED(mysql_stmt_prepare(s, sql, strlen(sql)) != 0);
	if (mysql_stmt_errno(s) != code || strcmp(mysql_stmt_sqlstate(s), state))
		return fail("got %u (%s), want %u (%s)", mysql_stmt_errno(s), mysql_stmt_sqlstate(s), code, state);
	mysql_stmt_close(s);
	return NULL;
}

static verdict error_prepared(void)
{
	int id = 1;
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE error_prepared (id INT PRIMARY KEY)"));
	MYSQL_STMT *insert = prepare(m, "INSERT INTO error_prepared VALUES (?)");
	NEED(insert);
	MYSQL_BIND argument = bind_int(&id);
	STATEMENT(insert, mysql_stmt_bind_param(insert, &argument));
	STATEMENT(insert, mysql_stmt_execute(insert));
	NEED(mysql_stmt_execute(insert) && mysql_stmt_errno(insert) == 1062 && !strcmp(mysql_stmt_sqlstate(insert), "23000"));
	TRY(prepare_fails(m, "SELEKT ?", 1064, "42000"));
	TRY(prepare_fails(m, "SELECT ? FROM no_such_table", 1146, "42S02"));
	id = 2;
	STATEMENT(insert, mysql_stmt_execute(insert));
	NEED(mysql_stmt_affected_rows(insert) == 1);
	mysql_stmt_close(insert);
	mysql_close(m);
	return NULL;
}

/* Three rows inserted; the UPDATE matches three and changes one. */
static verdict affected(const char *table, unsigned long flags, unsigned updated)
{
	MYSQL *m = open_session((struct login){.flags = flags});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE %s (id INT PRIMARY KEY, v INT)", table));
	TRY(run(m, "INSERT INTO %s VALUES (1, 0), (2, 7), (3, 7)", table));
	NEED(mysql_affected_rows(m) == 3);
	NEED(!strcmp(mysql_info(m), "Records: 3  Duplicates: 0  Warnings: 0"));
	TRY(run(m, "UPDATE %s SET v = 7", table));
	NEED(mysql_affected_rows(m) == updated);
	NEED(!strcmp(mysql_info(m), "Rows matched: 3  Changed: 1  Warnings: 0"));
	TRY(run(m, "DELETE FROM %s WHERE id > 1", table));
	NEED(mysql_affected_rows(m) == 2);
	mysql_close(m);
	return NULL;
}

static verdict affected_rows(void) { return affected("affected", 0, 1); }
static verdict found_rows(void) { return affected("found", CLIENT_FOUND_ROWS, 3); }

static verdict last_insert_id(void)
{
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE inserts (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, v INT) AUTO_INCREMENT = 4000000000"));
	TRY(run(m, "INSERT INTO inserts (v) VALUES (1)"));
	NEED(mysql_insert_id(m) == 4000000000);
	TRY(run(m, "INSERT INTO inserts (v) VALUES (2), (3), (4)"));
	NEED(mysql_insert_id(m) == 4000000001);
	MYSQL_STMT *insert = prepare(m, "INSERT INTO inserts (v) VALUES (5)");
	NEED(insert);
	STATEMENT(insert, mysql_stmt_execute(insert));
	NEED(mysql_stmt_insert_id(insert) == 4000000004);
	mysql_stmt_close(insert);
	mysql_close(m);
	return NULL;
}

static verdict warnings(void)
{
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE warned (v TINYINT)"));
	TRY(run(m, "SET sql_mode = ''"));
	TRY(run(m, "INSERT INTO warned VALUES (300), (1), (-300)"));
	NEED(mysql_warning_count(m) == 2);
	TRY(run(m, "SHOW WARNINGS"));
	MYSQL_RES *shown = mysql_store_result(m);
	NEED(mysql_num_rows(shown) == 2);
	NEED(!strcmp(mysql_fetch_row(shown)[1], "1264"));
	mysql_free_result(shown);
	/* The count of a result set comes in the packet that ends it. */
	TRY(expect(m, "NULL", "SELECT 1 DIV 0"));
	NEED(mysql_warning_count(m) == 0);
	TRY(run(m, "SET sql_mode = 'ERROR_FOR_DIVISION_BY_ZERO'"));
	TRY(expect(m, "NULL", "SELECT 1 DIV 0"));
	NEED(mysql_warning_count(m) == 1);
	mysql_close(m);
	return NULL;
}

static bool described(const MYSQL_FIELD *f, const char *name, const char *org_name, enum enum_field_types type,
	unsigned long length, unsigned decimals, unsigned flags)
{
	return !strcmp(f->name, name) && !strcmp(f->org_name, org_name) && !strcmp(f->table, "d") &&
		!strcmp(f->org_table, "described") && !strcmp(f->db, env("DATABASE")) && !strcmp(f->catalog, "def") &&
		f->type == type && f->length == length && f->decimals == decimals &&
		(f->flags & (NOT_NULL_FLAG | PRI_KEY_FLAG | UNSIGNED_FLAG)) == flags;
}

static verdict metadata(void)
{
	const char *sql = "SELECT id, name AS `an alias`, price FROM described AS d";
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE described (id BIGINT UNSIGNED NOT NULL PRIMARY KEY, "
		"name VARCHAR(30) CHARACTER SET utf8mb4, price DECIMAL(12,4))"));
	TRY(run(m, "%s", sql));
	MYSQL_STMT *statement;
	MYSQL_RES *text = mysql_store_result(m);
	NEED((statement = prepare(m, "%s", sql)));
	MYSQL_RES *results[] = {text, mysql_stmt_result_metadata(statement)};
	for (int i = 0; i < 2; i++) {
		const MYSQL_FIELD *fields = mysql_fetch_fields(results[i]);
		NEED(mysql_num_fields(results[i]) == 3);
		NEED(described(&fields[0], "id", "id", MYSQL_TYPE_LONGLONG, 20, 0, NOT_NULL_FLAG | PRI_KEY_FLAG | UNSIGNED_FLAG));
		NEED(described(&fields[1], "an alias", "name", MYSQL_TYPE_VAR_STRING, 120, 0, 0));
		NEED(described(&fields[2], "price", "price", MYSQL_TYPE_NEWDECIMAL, 14, 4, 0));
		mysql_free_result(results[i]);
	}
	mysql_stmt_close(statement);
	mysql_close(m);
	return NULL;
}

/* all_results writes the first column of the first row of every result. */
static int all_results(MYSQL *m, char *text, size_t size)
{
	int status;
	*text = 0;
	do {
		MYSQL_RES *result = mysql_store_result(m);
		MYSQL_ROW row = result ? mysql_fetch_row(result) : NULL;
		size_t used = strlen(text);
		if (row)
			snprintf(text + used, size - used, "%s ", row[0]);
		else
			snprintf(text + used, size - used, "%llu affected ", mysql_affected_rows(m));
		mysql_free_result(result);
		status = mysql_next_result(m);
	} while (status == 0);
	return status;
}

static verdict multi_statements(void)
{
	char got[256];
	MYSQL *m = open_session((struct login){.flags = CLIENT_MULTI_STATEMENTS});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE multi (id INT PRIMARY KEY)"));
	TRY(run(m, "SELECT 1; INSERT INTO multi VALUES (1), (2); SELECT COUNT(*) FROM multi; SELECT 'last'"));
	NEED(all_results(m, got, sizeof got) == -1);
	NEED(!strcmp(got, "1 2 affected 2 last "));
	TRY(run(m, "INSERT INTO multi VALUES (3); INSERT INTO multi VALUES (3); INSERT INTO multi VALUES (4)"));
	TRY(wants(m, all_results(m, got, sizeof got) > 0, 1062, "23000"));
	TRY(expect(m, "1,2,3", "SELECT GROUP_CONCAT(id ORDER BY id) FROM multi"));
	mysql_close(m);
	return NULL;
}

static verdict multi_results(void)
{
	char got[256];
	MYSQL *m = open_session((struct login){.flags = CLIENT_MULTI_RESULTS});
	TRY(logged_in(m));
	TRY(run(m, "CREATE PROCEDURE two_results(n INT) BEGIN SELECT n; SELECT n + 1, 'two'; END"));
	TRY(run(m, "CALL two_results(7)"));
	NEED(all_results(m, got, sizeof got) == -1);
	NEED(!strcmp(got, "7 8 0 affected "));
	TRY(expect(m, "1", "SELECT 1"));
	mysql_close(m);
	return NULL;
}

/* The OUT parameters of a prepared CALL come as a result set of their own. */
static verdict out_params(void)
{
	int a = 2, b = 40, sum = 0;
	char text[20] = "";
	unsigned long length = 0;
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "CREATE PROCEDURE out_params(IN a INT, OUT b VARCHAR(20), INOUT c INT) BEGIN SET b = CONCAT('b', a), c = c + a; END"));
	MYSQL_STMT *call = prepare(m, "CALL out_params(?, ?, ?)");
	NEED(call);
	MYSQL_BIND in[] = {bind_int(&a), bind_buffer(text, sizeof text, &length), bind_int(&b)};
	MYSQL_BIND out[] = {bind_buffer(text, sizeof text, &length), bind_int(&sum)};
	STATEMENT(call, mysql_stmt_bind_param(call, in));
	STATEMENT(call, mysql_stmt_execute(call));
	NEED(m->server_status & SERVER_PS_OUT_PARAMS);
	NEED(mysql_stmt_field_count(call) == 2);
	STATEMENT(call, mysql_stmt_bind_result(call, out));
	STATEMENT(call, mysql_stmt_fetch(call));
	NEED(!strcmp(text, "b2") && sum == 42);
	NEED(mysql_stmt_fetch(call) == MYSQL_NO_DATA);
	NEED(mysql_stmt_next_result(call) == 0);
	NEED(mysql_stmt_next_result(call) == -1);
	mysql_stmt_close(call);
	TRY(expect(m, "1", "SELECT 1"));
	mysql_close(m);
	return NULL;
}

const struct check statement_checks[] = {
	{"tx.commit", tx_commit},
	{"tx.rollback", tx_rollback},
	{"tx.savepoint", tx_savepoint},
	{"tx.isolation", tx_isolation},
	{"error.text", error_text},
	{"error.prepared", error_prepared},
	{"result.affected_rows", affected_rows},
	{"result.found_rows", found_rows},
	{"result.last_insert_id", last_insert_id},
	{"result.warnings", warnings},
	{"result.metadata", metadata},
	{"multi.statements", multi_statements},
	{"multi.results", multi_results},
	{"multi.out_params", out_params},
	{NULL, NULL},
};
