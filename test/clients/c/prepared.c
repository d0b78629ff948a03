/* Prepared statements. */
#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Once bound, the library sends the types of the parameters with the first
 * execution only.
 */
static verdict repeat(void)
{
	int id;
	char text[20];
	unsigned long length;
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE prepared_repeat (id INT PRIMARY KEY, v VARCHAR(20))"));
	MYSQL_STMT *insert = prepare(m, "INSERT INTO prepared_repeat VALUES (?, ?)");
	NEED(insert);
	MYSQL_BIND both[] = {bind_int(&id), bind_buffer(text, sizeof text, &length)};
	STATEMENT(insert, mysql_stmt_bind_param(insert, both));
	for (id = 0; id < 300; id++) {
		length = (unsigned long)sprintf(text, "v%d", id);
		STATEMENT(insert, mysql_stmt_execute(insert));
		NEED(mysql_stmt_affected_rows(insert) == 1);
	}
	mysql_stmt_close(insert);
	TRY(expect(m, "300 44850 v299", "SELECT CONCAT(COUNT(*), ' ', SUM(id), ' ', MAX(IF(id = 299, v, ''))) FROM prepared_repeat"));
	mysql_close(m);
	return NULL;
}

static verdict echo(MYSQL_STMT *s, MYSQL_BIND argument, const char *want)
{
	char got[64] = "NULL";
	unsigned long length;
	my_bool null = 0;
	MYSQL_BIND result = bind_buffer(got, sizeof got, &length);
	result.is_null = &null;
	STATEMENT(s, mysql_stmt_bind_param(s, &argument));
	STATEMENT(s, mysql_stmt_execute(s));
	STATEMENT(s, mysql_stmt_bind_result(s, &result));
	STATEMENT(s, mysql_stmt_fetch(s));
	got[null ? 0 : length] = 0;
	STATEMENT(s, mysql_stmt_free_result(s));
	return strcmp(null ? "NULL" : got, want) ? fail("got %s, want %s", got, want) : NULL;
}

static verdict retype(void)
{
	int small = -7;
	unsigned long long large = 1ull << 63;
	double real = 1.5;
	signed char tiny = -128;
	unsigned long length;
	MYSQL_TIME date = {.year = 2024, .month = 2, .day = 29, .time_type = MYSQL_TIMESTAMP_DATE};
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	MYSQL_STMT *s = prepare(m, "SELECT CONCAT(?, '')");
	NEED(s);
	TRY(echo(s, bind_int(&small), "-7"));
	TRY(echo(s, bind_text("text", &length), "text"));
	TRY(echo(s, (MYSQL_BIND){.buffer_type = MYSQL_TYPE_NULL}, "NULL"));
	TRY(echo(s, (MYSQL_BIND){.buffer_type = MYSQL_TYPE_DOUBLE, .buffer = &real}, "1.5"));
	TRY(echo(s, (MYSQL_BIND){.buffer_type = MYSQL_TYPE_LONGLONG, .buffer = &large, .is_unsigned = 1}, "9223372036854775808"));
	TRY(echo(s, (MYSQL_BIND){.buffer_type = MYSQL_TYPE_TINY, .buffer = &tiny}, "-128"));
	TRY(echo(s, (MYSQL_BIND){.buffer_type = MYSQL_TYPE_DATE, .buffer = &date}, "2024-02-29"));
	mysql_stmt_close(s);
	mysql_close(m);
	return NULL;
}

static verdict nulls(void)
{
	const char *values[] = {NULL, "", "x"};
	unsigned long length, got_length;
	my_bool null, yes = 1, n_null;
	int id, n;
	char got[10];
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE prepared_null (id INT PRIMARY KEY, v VARCHAR(9), n INT)"));
	MYSQL_STMT *insert = prepare(m, "INSERT INTO prepared_null VALUES (?, ?, ?)");
	MYSQL_STMT *select = prepare(m, "SELECT v, n FROM prepared_null WHERE id = ?");
	NEED(insert && select);
	for (id = 0; id < 3; id++) {
		null = values[id] == NULL;
		MYSQL_BIND in[] = {bind_int(&id), bind_text(null ? "" : values[id], &length), bind_int(&n)};
		in[1].is_null = &null;
		in[2].is_null = &yes;
		STATEMENT(insert, mysql_stmt_bind_param(insert, in));
		STATEMENT(insert, mysql_stmt_execute(insert));
		MYSQL_BIND out[] = {bind_buffer(got, sizeof got, &got_length), bind_int(&n)};
		out[0].is_null = &null;
		out[1].is_null = &n_null;
		STATEMENT(select, mysql_stmt_bind_param(select, in));
		STATEMENT(select, mysql_stmt_execute(select));
		STATEMENT(select, mysql_stmt_bind_result(select, out));
		STATEMENT(select, mysql_stmt_fetch(select));
		NEED(n_null && null == (values[id] == NULL));
		NEED(null || (got_length == strlen(values[id]) && !memcmp(got, values[id], got_length)));
		STATEMENT(select, mysql_stmt_free_result(select));
	}
	mysql_stmt_close(insert);
	mysql_stmt_close(select);
	mysql_close(m);
	return NULL;
}

static verdict many(void)
{
	enum { STATEMENTS = 200 };
	MYSQL_STMT *open[STATEMENTS];
	int thousand = 1000;
	char want[16];
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	for (int n = 0; n < STATEMENTS; n++)
		NEED((open[n] = prepare(m, "SELECT CONCAT(%d + ?, '')", n)));
	for (int n = STATEMENTS - 1; n >= 0; n--) {
		snprintf(want, sizeof want, "%d", 1000 + n);
		TRY(echo(open[n], bind_int(&thousand), want));
		mysql_stmt_close(open[n]);
	}
	mysql_close(m);
	return NULL;
}

static verdict send_in_pieces(MYSQL_STMT *s, unsigned parameter, const char *bytes, size_t length)
{
	const size_t piece = 70000;
	for (size_t at = 0; at < length; at += piece)
		STATEMENT(s, mysql_stmt_send_long_data(s, parameter, bytes + at, length - at < piece ? length - at : piece));
	return NULL;
}

static verdict long_data(void)
{
	enum { BLOB = 300000, TEXT = 200000 };
	int id = 0, five = 5;
	unsigned long lengths[2];
	char *text = malloc(TEXT);
	char *blob = (char *)noise(BLOB);
	for (int i = 0; i < TEXT; i += 2)
		memcpy(text + i, "\xC3\xA9", 2);
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE long_data (id INT, a LONGBLOB, b LONGTEXT CHARACTER SET utf8mb4, c INT)"));
	MYSQL_STMT *s = prepare(m, "INSERT INTO long_data VALUES (?, ?, ?, ?)");
	NEED(s);
	MYSQL_BIND in[] = {bind_int(&id), bind_text("ab", &lengths[0]), bind_text("short", &lengths[1]), bind_int(&five)};
	in[1].buffer_type = MYSQL_TYPE_BLOB;
	STATEMENT(s, mysql_stmt_bind_param(s, in));
	TRY(send_in_pieces(s, 1, blob, BLOB));
	TRY(send_in_pieces(s, 2, text, TEXT));
	STATEMENT(s, mysql_stmt_execute(s));
	/* What is reset is not sent, and what was sent once must not stay. */
	TRY(send_in_pieces(s, 1, text, TEXT));
	STATEMENT(s, mysql_stmt_reset(s));
	id = 1;
	STATEMENT(s, mysql_stmt_bind_param(s, in));
	STATEMENT(s, mysql_stmt_execute(s));
	TRY(expect(m, "300000 100000 5, 2 5 5", "SELECT GROUP_CONCAT(LENGTH(a), ' ', CHAR_LENGTH(b), ' ', c ORDER BY id SEPARATOR ', ') FROM long_data"));
	TRY(run(m, "SELECT a FROM long_data WHERE id = 0"));
	MYSQL_RES *result = mysql_store_result(m);
	NEED(!memcmp(mysql_fetch_row(result)[0], blob, BLOB));
	mysql_free_result(result);
	mysql_stmt_close(s);
	mysql_close(m);
	free(text), free(blob);
	return NULL;
}

static bool server_has_bulk(MYSQL *m)
{
	unsigned int extended = 0;
	mariadb_get_infov(m, MARIADB_CONNECTION_EXTENDED_SERVER_CAPABILITIES, &extended);
	return extended & (MARIADB_CLIENT_STMT_BULK_OPERATIONS >> 32);
}

/* A program that finds no bulk execution offered falls back to one by one. */
static verdict bulk(void)
{
	enum { ROWS = 1000 };
	static int ids[ROWS];
	static char texts[ROWS][12], *pointers[ROWS], indicators[ROWS];
	static unsigned long lengths[ROWS];
	unsigned int rows = ROWS;
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE prepared_bulk (id INT PRIMARY KEY, v VARCHAR(20))"));
	MYSQL_STMT *insert = prepare(m, "INSERT INTO prepared_bulk VALUES (?, ?)");
	NEED(insert);
	for (int n = 0; n < ROWS; n++) {
		ids[n] = n;
		lengths[n] = (unsigned long)sprintf(texts[n], "v%d", n);
		pointers[n] = texts[n];
		indicators[n] = n % 10 ? STMT_INDICATOR_NONE : STMT_INDICATOR_NULL;
	}
	if (server_has_bulk(m)) {
		MYSQL_BIND both[] = {
			{.buffer_type = MYSQL_TYPE_LONG, .buffer = ids},
			{.buffer_type = MYSQL_TYPE_STRING, .buffer = pointers, .length = lengths, .u.indicator = indicators},
		};
		mysql_stmt_attr_set(insert, STMT_ATTR_ARRAY_SIZE, &rows);
		STATEMENT(insert, mysql_stmt_bind_param(insert, both));
		STATEMENT(insert, mysql_stmt_execute(insert));
		NEED(mysql_stmt_affected_rows(insert) == ROWS);
	} else {
		for (int n = 0; n < ROWS; n++) {
			my_bool null = indicators[n] == STMT_INDICATOR_NULL;
			MYSQL_BIND both[] = {bind_int(&ids[n]), bind_text(texts[n], &lengths[n])};
			both[1].is_null = &null;
			STATEMENT(insert, mysql_stmt_bind_param(insert, both));
			STATEMENT(insert, mysql_stmt_execute(insert));
		}
	}
	TRY(expect(m, "1000 499500 100", "SELECT CONCAT(COUNT(*), ' ', SUM(id), ' ', SUM(v IS NULL)) FROM prepared_bulk"));
	mysql_stmt_close(insert);
	mysql_close(m);
	return NULL;
}

const struct check prepared_checks[] = {
	{"prepared.repeat", repeat},
	{"prepared.retype", retype},
	{"prepared.null", nulls},
	{"prepared.many", many},
	{"prepared.long_data", long_data},
	{"prepared.bulk", bulk},
	{NULL, NULL},
};
