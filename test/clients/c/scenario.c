/*
 * The scenario of libmariadb (MariaDB Connector/C): every check of ../checks.txt,
 * as a program in C would do it.
 */
#include "scenario.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char reason[512];
static const char skipped[] = "skip";

verdict fail(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(reason, sizeof reason, format, args);
	va_end(args);
	return reason;
}

verdict skip(const char *why)
{
	snprintf(reason, sizeof reason, "%s", why);
	return skipped;
}

const char *env(const char *name)
{
	char variable[64];
	snprintf(variable, sizeof variable, "CLIENT_%s", name);
	const char *value = getenv(variable);
	return value ? value : "";
}

bool on_mysql(void) { return strcmp(env("FLAVOR"), "mysql") == 0; }

const char *account(const char *plugin)
{
	static _Thread_local char name[64];
	snprintf(name, sizeof name, "%s_%s", env("ACCOUNT"), plugin);
	return name;
}

static const char *or_env(const char *given, const char *name) { return given ? given : env(name); }

MYSQL *open_session(struct login how)
{
	MYSQL *m = mysql_init(NULL);
	unsigned int infile = how.infile;
	my_bool on = how.tls;
	mysql_options(m, MYSQL_OPT_LOCAL_INFILE, &infile);
	mysql_options(m, MYSQL_SET_CHARSET_NAME, "utf8mb4");
	mysql_options(m, MYSQL_OPT_SSL_ENFORCE, &on);
	mysql_options(m, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &on);
	mysql_optionsv(m, MYSQL_OPT_CONNECT_ATTR_ADD, "shoe_size", "42");
	if (how.ca)
		mysql_options(m, MYSQL_OPT_SSL_CA, how.ca);
	if (how.plugin)
		mysql_options(m, MYSQL_DEFAULT_AUTH, how.plugin);
	if (how.compress)
		mysql_options(m, MYSQL_OPT_COMPRESS, NULL);
	/* Without a word to the contrary the limit is 16 MiB. */
	size_t packet = 64 << 20;
	mysql_options(m, MYSQL_OPT_MAX_ALLOWED_PACKET, &packet);
	mysql_real_connect(m, env("HOST"), or_env(how.user, "USER"), or_env(how.password, "PASSWORD"),
		or_env(how.database, "DATABASE"), (unsigned)atoi(env("PORT")), NULL, how.flags);
	return m;
}

verdict logged_in(MYSQL *m)
{
	return mysql_errno(m) ? fail("login: %u %s", mysql_errno(m), mysql_error(m)) : NULL;
}

static char *formatted(const char *format, va_list args)
{
	char *text;
	if (vasprintf(&text, format, args) < 0)
		abort();
	return text;
}

verdict run(MYSQL *m, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *sql = formatted(format, args);
	va_end(args);
	verdict bad = mysql_query(m, sql) ? fail("%.60s: %u %s", sql, mysql_errno(m), mysql_error(m)) : NULL;
	free(sql);
	return bad;
}

verdict expect(MYSQL *m, const char *want, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *sql = formatted(format, args);
	va_end(args);
	if (mysql_query(m, sql))
		return fail("%.60s: %u %s", sql, mysql_errno(m), mysql_error(m));
	MYSQL_RES *result = mysql_store_result(m);
	MYSQL_ROW row = result ? mysql_fetch_row(result) : NULL;
	const char *got = row ? row[0] ? row[0] : "NULL" : "no row";
	verdict bad = strcmp(got, want) ? fail("%.60s: got %.80s, want %.80s", sql, got, want) : NULL;
	mysql_free_result(result);
	free(sql);
	return bad;
}

verdict wants(MYSQL *m, int failed, unsigned code, const char *state)
{
	if (!failed)
		return fail("no error, want %u", code);
	if (mysql_errno(m) != code || strcmp(mysql_sqlstate(m), state))
		return fail("got %u (%s) %s, want %u (%s)", mysql_errno(m), mysql_sqlstate(m), mysql_error(m), code, state);
	return NULL;
}

MYSQL_STMT *prepare(MYSQL *m, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *sql = formatted(format, args);
	va_end(args);
	MYSQL_STMT *statement = mysql_stmt_init(m);
	if (mysql_stmt_prepare(statement, sql, strlen(sql))) {
		mysql_stmt_close(statement);
		statement = NULL;
	}
	free(sql);
	return statement;
}

MYSQL_BIND bind_int(int *value)
{
	return (MYSQL_BIND){.buffer_type = MYSQL_TYPE_LONG, .buffer = value};
}

MYSQL_BIND bind_text(const char *text, unsigned long *length)
{
	*length = strlen(text);
	return (MYSQL_BIND){.buffer_type = MYSQL_TYPE_STRING, .buffer = (void *)(uintptr_t)text,
		.buffer_length = *length, .length = length};
}

MYSQL_BIND bind_buffer(char *buffer, unsigned long size, unsigned long *length)
{
	return (MYSQL_BIND){.buffer_type = MYSQL_TYPE_STRING, .buffer = buffer, .buffer_length = size, .length = length};
}

unsigned char *noise(size_t length)
{
	unsigned char *bytes = malloc(length);
	uint64_t state = 88172645463325252u; /* xorshift64 */
	for (size_t i = 0; i < length; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		bytes[i] = (unsigned char)(state >> 32);
	}
	return bytes;
}

static bool report(const struct check *c)
{
	verdict v = c->run();
	if (!v)
		printf("ok %s\n", c->name);
	else if (v == skipped)
		printf("skip %s: %s\n", c->name, reason);
	else
		printf("not ok %s: %s\n", c->name, v);
	fflush(stdout);
	return !v || v == skipped;
}

int main(void)
{
	const struct check *groups[] = {connect_checks, value_checks, statement_checks,
		prepared_checks, size_checks, command_checks};
	const char *only = env("ONLY");
	bool good = true;
	mysql_library_init(0, NULL, NULL);
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		for (const struct check *c = groups[i]; c->name; c++)
			if (!strncmp(c->name, only, strlen(only)))
				good = report(c) && good;
	mysql_library_end();
	return good ? 0 : 1;
}
