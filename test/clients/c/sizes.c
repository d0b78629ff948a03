/* Values larger than a packet of the protocol, many rows, and files. */
#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One packet carries less than 16 MiB. */
static const unsigned long big_bytes = 20 << 20;

static verdict big_text(void)
{
	unsigned char *sent = noise(big_bytes);
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE big_text (v LONGBLOB)"));
	char *sql = malloc(2 * big_bytes + 100);
	unsigned long length = (unsigned long)sprintf(sql, "INSERT INTO big_text VALUES (_binary'");
	length += mysql_real_escape_string(m, sql + length, (char *)sent, big_bytes);
	length += (unsigned long)sprintf(sql + length, "')");
	if (mysql_real_query(m, sql, length))
		return fail("insert: %u %s", mysql_errno(m), mysql_error(m));
	TRY(run(m, "SELECT v FROM big_text"));
	MYSQL_RES *result = mysql_store_result(m);
	if (!result)
		return fail("result: %u %s", mysql_errno(m), mysql_error(m));
	MYSQL_ROW row = mysql_fetch_row(result);
	NEED(mysql_fetch_lengths(result)[0] == big_bytes && !memcmp(row[0], sent, big_bytes));
	mysql_free_result(result);
	mysql_close(m);
	free(sql), free(sent);
	return NULL;
}

static verdict big_binary(void)
{
	unsigned char *sent = noise(big_bytes);
	char *got = malloc(big_bytes);
	unsigned long length = big_bytes;
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE big_binary (v LONGBLOB)"));
	MYSQL_STMT *insert = prepare(m, "INSERT INTO big_binary VALUES (?)"), *select = prepare(m, "SELECT v FROM big_binary");
	NEED(insert && select);
	MYSQL_BIND in = bind_buffer((char *)sent, big_bytes, &length), out = bind_buffer(got, big_bytes, &length);
	in.buffer_type = out.buffer_type = MYSQL_TYPE_BLOB;
	STATEMENT(insert, mysql_stmt_bind_param(insert, &in));
	STATEMENT(insert, mysql_stmt_execute(insert));
	STATEMENT(select, mysql_stmt_execute(select));
	STATEMENT(select, mysql_stmt_bind_result(select, &out));
	STATEMENT(select, mysql_stmt_fetch(select));
	NEED(length == big_bytes && !memcmp(got, sent, big_bytes));
	mysql_stmt_close(insert);
	mysql_stmt_close(select);
	mysql_close(m);
	free(got), free(sent);
	return NULL;
}

static verdict stream(void)
{
	unsigned long long rows = 0, sum = 0;
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "SELECT n, label FROM clients.numbers ORDER BY n"));
	MYSQL_RES *result = mysql_use_result(m);
	NEED(result);
	for (MYSQL_ROW row; (row = mysql_fetch_row(result)); rows++)
		sum += strtoull(row[0], NULL, 10) + mysql_fetch_lengths(result)[1];
	NEED(mysql_errno(m) == 0);
	NEED(rows == 100000 && sum == 4999950000 + 8888890);
	mysql_free_result(result);
	mysql_close(m);
	return NULL;
}

static verdict abandon(void)
{
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "SELECT n, label FROM clients.numbers"));
	MYSQL_RES *result = mysql_use_result(m);
	for (int i = 0; i < 10; i++)
		NEED(mysql_fetch_row(result));
	mysql_free_result(result);
	TRY(expect(m, "1", "SELECT 1"));
	mysql_close(m);
	return NULL;
}

static verdict open_cursor(MYSQL_STMT *s)
{
	unsigned long type = CURSOR_TYPE_READ_ONLY, prefetch = 500;
	mysql_stmt_attr_set(s, STMT_ATTR_CURSOR_TYPE, &type);
	mysql_stmt_attr_set(s, STMT_ATTR_PREFETCH_ROWS, &prefetch);
	STATEMENT(s, mysql_stmt_execute(s));
	return NULL;
}

/* Two cursors at a time, read in turns; a third is given up after a few rows. */
static verdict cursor(void)
{
	long long sums[2] = {0};
	int n[2];
	MYSQL_STMT *cursors[2];
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	for (int i = 0; i < 2; i++) {
		NEED((cursors[i] = prepare(m, "SELECT n FROM clients.numbers WHERE n < 10000 ORDER BY n")));
		TRY(open_cursor(cursors[i]));
		MYSQL_BIND out = bind_int(&n[i]);
		STATEMENT(cursors[i], mysql_stmt_bind_result(cursors[i], &out));
	}
	for (int row = 0; row < 10000; row++)
		for (int i = 0; i < 2; i++) {
			STATEMENT(cursors[i], mysql_stmt_fetch(cursors[i]));
			NEED(n[i] == row);
			sums[i] += n[i];
		}
	for (int i = 0; i < 2; i++)
		NEED(sums[i] == 49995000 && mysql_stmt_fetch(cursors[i]) == MYSQL_NO_DATA);
	TRY(open_cursor(cursors[0]));
	STATEMENT(cursors[0], mysql_stmt_fetch(cursors[0]));
	STATEMENT(cursors[0], mysql_stmt_reset(cursors[0]));
	TRY(expect(m, "1", "SELECT 1"));
	mysql_stmt_close(cursors[0]);
	mysql_stmt_close(cursors[1]);
	mysql_close(m);
	return NULL;
}

static verdict load_into(MYSQL *m, const char *table, const char *file)
{
	return run(m, "LOAD DATA LOCAL INFILE '%s/%s' INTO TABLE %s CHARACTER SET utf8mb4 FIELDS TERMINATED BY ','",
		env("SCRATCH"), file, table);
}

static verdict infile_load(void)
{
	char path[512];
	snprintf(path, sizeof path, "%s/lines", env("SCRATCH"));
	FILE *f = fopen(path, "w");
	NEED(f);
	for (int n = 0; n < 10000; n++)
		fprintf(f, "%d,line \xC3\xA9 %d\n", n, n);
	fclose(f);
	MYSQL *m = open_session((struct login){.infile = true});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE infile_load (id INT PRIMARY KEY, v VARCHAR(40))"));
	TRY(load_into(m, "infile_load", "lines"));
	NEED(mysql_affected_rows(m) == 10000);
	NEED(!strcmp(mysql_info(m), "Records: 10000  Deleted: 0  Skipped: 0  Warnings: 0"));
	TRY(expect(m, "line \xC3\xA9 9999", "SELECT v FROM infile_load WHERE id = 9999"));
	mysql_close(m);
	return NULL;
}

static verdict infile_fails(const char *table, const char *file, bool allowed)
{
	MYSQL *m = open_session((struct login){.infile = allowed});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE %s (id INT, v INT)", table));
	NEED(load_into(m, table, file) != NULL);
	TRY(expect(m, "0", "SELECT COUNT(*) FROM %s", table));
	mysql_close(m);
	return NULL;
}

static verdict infile_missing(void) { return infile_fails("infile_missing", "no-such-file", true); }
static verdict infile_refused(void) { return infile_fails("infile_refused", "lines", false); }

const struct check size_checks[] = {
	{"big.text", big_text},
	{"big.binary", big_binary},
	{"rows.stream", stream},
	{"rows.cursor", cursor},
	{"rows.abandon", abandon},
	{"infile.load", infile_load},
	{"infile.missing", infile_missing},
	{"infile.refused", infile_refused},
	{NULL, NULL},
};
