/* Values of all types, and character sets. */
#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One line of types.tsv. */
struct sample {
	char *column, *kind, *literal, *text;
};

enum { SAMPLES_MAX = 256, TEXT_MAX = 4096 };

static struct sample samples[SAMPLES_MAX];
static int sample_count;

static verdict read_samples(void)
{
	if (sample_count)
		return NULL;
	FILE *f = fopen(env("TYPES"), "r");
	NEED(f);
	char *line = NULL;
	size_t size = 0;
	while (getline(&line, &size, f) > 0) {
		if (*line == '#')
			continue;
		NEED(sample_count < SAMPLES_MAX);
		line[strcspn(line, "\n")] = 0;
		struct sample *s = &samples[sample_count++];
		char *rest = strdup(line);
		s->column = strsep(&rest, "\t");
		s->kind = strsep(&rest, "\t");
		s->literal = strsep(&rest, "\t");
		s->text = rest;
		NEED(s->text);
		if (!strcmp(s->text, "(empty)"))
			*s->text = 0;
	}
	free(line);
	fclose(f);
	return NULL;
}

static bool is(const struct sample *s, const char *kind) { return !strcmp(s->kind, kind); }

static bool is_time(const struct sample *s) { return is(s, "date") || is(s, "time") || is(s, "datetime"); }

static unsigned long from_hex(const char *hex, unsigned char *bytes)
{
	unsigned long n = 0;
	for (unsigned byte; sscanf(hex + 2 * n, "%2X", &byte) == 1; n++)
		bytes[n] = (unsigned char)byte;
	return n;
}

static void to_hex(const unsigned char *bytes, unsigned long n, char *hex)
{
	*hex = 0;
	for (unsigned long i = 0; i < n; i++)
		sprintf(hex + 2 * i, "%02X", bytes[i]);
}

/* A value in the form in which C passes it to the library or is given it. */
union value {
	long long integer;
	double real;
	MYSQL_TIME time;
	char bytes[TEXT_MAX];
};

struct bound {
	union value value;
	unsigned long length;
	my_bool null;
	MYSQL_BIND bind;
};

static enum enum_field_types time_type(const struct sample *s)
{
	return is(s, "date") ? MYSQL_TYPE_DATE : is(s, "time") ? MYSQL_TYPE_TIME : MYSQL_TYPE_DATETIME;
}

/* bind_sample chooses the type by the kind. */
static void bind_sample(const struct sample *s, struct bound *b)
{
	memset(b, 0, sizeof *b);
	b->bind = (MYSQL_BIND){.buffer = &b->value, .length = &b->length, .is_null = &b->null,
		.buffer_length = sizeof b->value};
	if (is(s, "int") || is(s, "uint") || is(s, "year")) {
		b->bind.buffer_type = MYSQL_TYPE_LONGLONG;
		b->bind.is_unsigned = is(s, "uint");
	} else if (is(s, "float")) {
		b->bind.buffer_type = MYSQL_TYPE_DOUBLE;
	} else if (is_time(s)) {
		b->bind.buffer_type = time_type(s);
	} else {
		b->bind.buffer_type = is(s, "bytes") ? MYSQL_TYPE_BLOB : MYSQL_TYPE_STRING;
	}
}

static void parse_time(const struct sample *s, MYSQL_TIME *t)
{
	const char *text = s->text;
	char fraction[7] = "000000";
	const char *point = strchr(text, '.');
	if (point)
		memcpy(fraction, point + 1, strlen(point + 1));
	t->second_part = strtoul(fraction, NULL, 10);
	if (is(s, "time")) {
		t->neg = *text == '-';
		sscanf(text + t->neg, "%u:%u:%u", &t->hour, &t->minute, &t->second);
		/* Of a TIME the protocol wants the days apart. */
		t->day = t->hour / 24;
		t->hour %= 24;
		t->time_type = MYSQL_TIMESTAMP_TIME;
		return;
	}
	t->time_type = is(s, "date") ? MYSQL_TIMESTAMP_DATE : MYSQL_TIMESTAMP_DATETIME;
	sscanf(text, "%u-%u-%u %u:%u:%u", &t->year, &t->month, &t->day, &t->hour, &t->minute, &t->second);
}

static void set_argument(const struct sample *s, struct bound *b)
{
	bind_sample(s, b);
	if (b->bind.buffer_type == MYSQL_TYPE_LONGLONG)
		b->value.integer = is(s, "uint") ? (long long)strtoull(s->text, NULL, 10) : strtoll(s->text, NULL, 10);
	else if (is(s, "float"))
		b->value.real = strtod(s->text, NULL);
	else if (is_time(s))
		parse_time(s, &b->value.time);
	else if (is(s, "bytes"))
		b->length = from_hex(s->text, (unsigned char *)b->value.bytes);
	else
		b->length = (unsigned long)sprintf(b->value.bytes, "%s", s->text);
}

static void print_time(const struct sample *s, const MYSQL_TIME *t, char *text)
{
	const char *point = strchr(s->text, '.');
	int n = is(s, "time") ? sprintf(text, "%s%02u:%02u:%02u", t->neg ? "-" : "", t->day * 24 + t->hour, t->minute, t->second)
		: is(s, "date") ? sprintf(text, "%04u-%02u-%02u", t->year, t->month, t->day)
		: sprintf(text, "%04u-%02u-%02u %02u:%02u:%02u", t->year, t->month, t->day, t->hour, t->minute, t->second);
	if (point) {
		char fraction[8];
		snprintf(fraction, sizeof fraction, "%06lu", t->second_part);
		sprintf(text + n, ".%.*s", (int)strlen(point + 1), fraction);
	}
}

/* check_text compares a value of the text protocol. */
static verdict check_text(const struct sample *s, const char *got, unsigned long length)
{
	char text[2 * TEXT_MAX];
	NEED(got);
	if (is(s, "bytes"))
		to_hex((const unsigned char *)got, length, text);
	else
		snprintf(text, sizeof text, "%.*s", (int)length, got);
	if (is(s, "float") && strtod(text, NULL) == strtod(s->text, NULL))
		return NULL;
	return strcmp(text, s->text) ? fail("%s: got %.80s, want %.80s", s->column, text, s->text) : NULL;
}

/* check_bound compares a value of the binary protocol. */
static verdict check_bound(const struct sample *s, const struct bound *b)
{
	char text[2 * TEXT_MAX];
	NEED(!b->null);
	if (b->bind.buffer_type == MYSQL_TYPE_LONGLONG)
		sprintf(text, is(s, "uint") ? "%llu" : is(s, "year") ? "%04lld" : "%lld", b->value.integer);
	else if (is(s, "float"))
		sprintf(text, "%.17g", b->value.real);
	else if (is_time(s))
		print_time(s, &b->value.time, text);
	else
		return check_text(s, b->value.bytes, b->length);
	return is(s, "float") ? check_text(s, text, strlen(text))
		: strcmp(text, s->text) ? fail("%s: got %.80s, want %.80s", s->column, text, s->text) : NULL;
}

static verdict text_group(MYSQL *m, const char *table, const struct sample *group, int count)
{
	for (int i = 0; i < count; i++)
		TRY(run(m, "INSERT INTO %s VALUES (%d, %s)", table, i, group[i].literal));
	TRY(run(m, "INSERT INTO %s VALUES (%d, NULL)", table, count));
	TRY(run(m, "SELECT v FROM %s ORDER BY id", table));
	MYSQL_RES *result = mysql_store_result(m);
	NEED(mysql_num_rows(result) == (unsigned)count + 1);
	for (int i = 0; i < count; i++) {
		MYSQL_ROW row = mysql_fetch_row(result);
		TRY(check_text(&group[i], row[0], mysql_fetch_lengths(result)[0]));
	}
	NEED(mysql_fetch_row(result)[0] == NULL);
	mysql_free_result(result);
	return NULL;
}

static verdict insert_group(MYSQL *m, const char *table, const struct sample *group, int count)
{
	static struct bound argument;
	MYSQL_STMT *insert = prepare(m, "INSERT INTO %s VALUES (?, ?)", table);
	NEED(insert);
	for (int id = 0; id <= count; id++) {
		set_argument(&group[id < count ? id : 0], &argument);
		argument.null = id == count;
		MYSQL_BIND both[] = {bind_int(&id), argument.bind};
		STATEMENT(insert, mysql_stmt_bind_param(insert, both));
		if (mysql_stmt_execute(insert))
			return fail("%s %.40s: %u %s", group->column, id < count ? group[id].text : "NULL", mysql_stmt_errno(insert), mysql_stmt_error(insert));
	}
	mysql_stmt_close(insert);
	return NULL;
}

static verdict binary_group(MYSQL *m, const char *table, const struct sample *group, int count)
{
	static struct bound got;
	TRY(insert_group(m, table, group, count));
	MYSQL_STMT *select = prepare(m, "SELECT v FROM %s ORDER BY id", table);
	NEED(select);
	STATEMENT(select, mysql_stmt_execute(select));
	bind_sample(group, &got);
	STATEMENT(select, mysql_stmt_bind_result(select, &got.bind));
	for (int i = 0; i < count; i++) {
		memset(&got.value, 0, sizeof got.value);
		STATEMENT(select, mysql_stmt_fetch(select));
		TRY(check_bound(&group[i], &got));
	}
	STATEMENT(select, mysql_stmt_fetch(select));
	NEED(got.null);
	NEED(mysql_stmt_fetch(select) == MYSQL_NO_DATA);
	mysql_stmt_close(select);
	return NULL;
}

static verdict each_type(const char *prefix, verdict (*group)(MYSQL *, const char *, const struct sample *, int))
{
	TRY(read_samples());
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "SET sql_mode = '', time_zone = '+00:00'"));
	for (int first = 0, next; first < sample_count; first = next) {
		char table[64];
		for (next = first; next < sample_count && !strcmp(samples[next].column, samples[first].column);)
			next++;
		snprintf(table, sizeof table, "%s_%d", prefix, first);
		TRY(run(m, "CREATE TABLE %s (id INT PRIMARY KEY, v %s)", table, samples[first].column));
		TRY(group(m, table, &samples[first], next - first));
	}
	mysql_close(m);
	return NULL;
}

static verdict types_text(void) { return each_type("types_text", text_group); }
static verdict types_binary(void) { return each_type("types_binary", binary_group); }

/* charset: sent is a value in the bytes of the character set, stored its UTF-8. */
static verdict charset(const char *name, const char *sent, const char *stored)
{
	unsigned long length, got_length = 0;
	char got[32] = "";
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE charset_%s (v VARCHAR(10) CHARACTER SET utf8mb4)", name));
	NEED(mysql_set_character_set(m, name) == 0);
	TRY(run(m, "INSERT INTO charset_%s VALUES ('%s')", name, sent));
	TRY(expect(m, stored, "SELECT HEX(v) FROM charset_%s", name));
	TRY(expect(m, sent, "SELECT v FROM charset_%s", name));
	MYSQL_STMT *s = prepare(m, "SELECT v FROM charset_%s WHERE v = ?", name);
	NEED(s);
	MYSQL_BIND argument = bind_text(sent, &length), result = bind_buffer(got, sizeof got, &got_length);
	STATEMENT(s, mysql_stmt_bind_param(s, &argument));
	STATEMENT(s, mysql_stmt_execute(s));
	STATEMENT(s, mysql_stmt_bind_result(s, &result));
	STATEMENT(s, mysql_stmt_fetch(s));
	NEED(!strcmp(got, sent));
	mysql_stmt_close(s);
	mysql_close(m);
	return NULL;
}

static verdict latin1(void) { return charset("latin1", "caf\xE9", "636166C3A9"); }
static verdict gbk(void) { return charset("gbk", "\xBF\x5C", "E7B897"); }

const struct check value_checks[] = {
	{"types.text", types_text},
	{"types.binary", types_binary},
	{"charset.latin1", latin1},
	{"charset.gbk", gbk},
	{NULL, NULL},
};
