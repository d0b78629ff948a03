/* Commands that are no statements, and KILL. */
#include "scenario.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *plugin(void) { return on_mysql() ? "sha2" : "native"; }

static verdict change_user(void)
{
	char want[128];
	snprintf(want, sizeof want, "%s@%% clients 1", account(plugin()));
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "SET @mine = 1"));
	TRY(run(m, "CREATE TEMPORARY TABLE changing (id INT)"));
	MYSQL_STMT *before = prepare(m, "SELECT 1");
	NEED(before);
	if (mysql_change_user(m, account(plugin()), env("ACCOUNT_PASSWORD"), "clients"))
		return fail("change user: %u %s", mysql_errno(m), mysql_error(m));
	TRY(expect(m, want, "SELECT CONCAT(CURRENT_USER(), ' ', DATABASE(), ' ', @mine IS NULL)"));
	NEED(mysql_stmt_execute(before) != 0);
	mysql_stmt_close(before);
	NEED(mysql_change_user(m, env("USER"), env("PASSWORD"), env("DATABASE")) == 0);
	TRY(wants(m, mysql_query(m, "SELECT * FROM changing"), 1146, "42S02"));
	TRY(wants(m, mysql_change_user(m, env("USER"), "wrong", NULL), 1045, "28000"));
	mysql_close(m);
	return NULL;
}

static verdict reset(void)
{
	char want[128];
	snprintf(want, sizeof want, "%s 1", env("DATABASE"));
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "SET @mine = 1, SESSION group_concat_max_len = 7777"));
	TRY(run(m, "CREATE TEMPORARY TABLE resetting (id INT)"));
	NEED(mysql_reset_connection(m) == 0);
	TRY(expect(m, want, "SELECT CONCAT(DATABASE(), ' ', @mine IS NULL)"));
	TRY(expect(m, "0", "SELECT @@group_concat_max_len = 7777"));
	TRY(wants(m, mysql_query(m, "SELECT * FROM resetting"), 1146, "42S02"));
	mysql_close(m);
	return NULL;
}

static verdict init_db(void)
{
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	NEED(mysql_select_db(m, "test") == 0);
	TRY(expect(m, "test", "SELECT DATABASE()"));
	TRY(wants(m, mysql_select_db(m, "no_such_database"), 1049, "42000"));
	TRY(expect(m, "test", "SELECT DATABASE()"));
	mysql_close(m);
	return NULL;
}

static verdict ping(void)
{
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	NEED(mysql_ping(m) == 0);
	mysql_close(m);
	return NULL;
}

static verdict statistics(void)
{
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	const char *text = mysql_stat(m);
	NEED(text && !strncmp(text, "Uptime: ", 8));
	TRY(expect(m, "1", "SELECT 1"));
	mysql_close(m);
	return NULL;
}

static verdict field_list(void)
{
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "CREATE TABLE listed (id INT NOT NULL DEFAULT 7, name VARCHAR(30), other INT)"));
	MYSQL_RES *fields = mysql_list_fields(m, "listed", "%%m%%");
	if (!fields && mysql_errno(m) == 1047)
		return skip("this server has no COM_FIELD_LIST");
	NEED(fields && mysql_num_fields(fields) == 1);
	NEED(!strcmp(mysql_fetch_field_direct(fields, 0)->name, "name"));
	mysql_free_result(fields);
	NEED((fields = mysql_list_fields(m, "listed", NULL)));
	NEED(mysql_num_fields(fields) == 3);
	NEED(!strcmp(mysql_fetch_field_direct(fields, 0)->def, "7"));
	mysql_free_result(fields);
	NEED(!mysql_list_fields(m, "no_such_table", NULL) && mysql_errno(m) == 1146);
	mysql_close(m);
	return NULL;
}

static verdict set_option(void)
{
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(wants(m, mysql_query(m, "DO 1; DO 2"), 1064, "42000"));
	NEED(mysql_set_server_option(m, MYSQL_OPTION_MULTI_STATEMENTS_ON) == 0);
	TRY(run(m, "DO 1; DO 2"));
	NEED(mysql_next_result(m) == 0 && mysql_next_result(m) == -1);
	NEED(mysql_set_server_option(m, MYSQL_OPTION_MULTI_STATEMENTS_OFF) == 0);
	TRY(wants(m, mysql_query(m, "DO 1; DO 2"), 1064, "42000"));
	mysql_close(m);
	return NULL;
}

static verdict session_track(void)
{
	const char *schema = NULL;
	size_t length = 0;
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(run(m, "USE test"));
	NEED(mysql_session_track_get_first(m, SESSION_TRACK_SCHEMA, &schema, &length) == 0);
	NEED(length == 4 && !memcmp(schema, "test", 4));
	mysql_close(m);
	return NULL;
}

static verdict query_attributes(void) { return skip("libmariadb sends no query attributes"); }

/*
 * Sleeping in WHERE, and not in the select list, makes KILL an error with MariaDB
 * and MySQL alike.
 */
static void *sleep_long(void *session)
{
	mysql_thread_init();
	MYSQL *m = session;
	if (mysql_query(m, "SELECT n FROM clients.numbers WHERE SLEEP(20) = 0") == 0)
		mysql_free_result(mysql_store_result(m));
	mysql_thread_end();
	return NULL;
}

static verdict await_sleep(MYSQL *m, unsigned long id)
{
	for (;;) {
		verdict asleep = expect(m, "1", "SELECT COUNT(*) FROM performance_schema.threads "
			"WHERE processlist_id = %lu AND processlist_state = 'User sleep'", id);
		if (!asleep || mysql_errno(m))
			return asleep;
		usleep(10000);
	}
}

/* kill_asleep has one sleep until it is seen to do so from two, and killed. */
static verdict kill_asleep(MYSQL *one, MYSQL *two, verdict (*kill)(MYSQL *, unsigned long))
{
	pthread_t sleeper;
	unsigned long id = mysql_thread_id(one);
	NEED(pthread_create(&sleeper, NULL, sleep_long, one) == 0);
	TRY(await_sleep(two, id));
	TRY(kill(two, id));
	pthread_join(sleeper, NULL);
	return NULL;
}

static verdict by_query(MYSQL *m, unsigned long id) { return run(m, "KILL QUERY %lu", id); }

/* COM_PROCESS_KILL, which MySQL has given up in favour of the statement. */
static verdict by_command(MYSQL *m, unsigned long id)
{
	if (mysql_kill(m, id) == 0)
		return NULL;
	return mysql_errno(m) == 1047 ? run(m, "KILL %lu", id) : fail("kill: %u %s", mysql_errno(m), mysql_error(m));
}

static verdict kill_query(void)
{
	MYSQL *one = open_session((struct login){0}), *two = open_session((struct login){0});
	TRY(logged_in(one));
	TRY(logged_in(two));
	TRY(kill_asleep(one, two, by_query));
	TRY(wants(one, 1, 1317, "70100"));
	TRY(expect(one, "1", "SELECT 1"));
	mysql_close(one);
	mysql_close(two);
	return NULL;
}

static verdict kill_connection(void)
{
	MYSQL *one = open_session((struct login){0}), *two = open_session((struct login){0});
	TRY(logged_in(one));
	TRY(logged_in(two));
	TRY(kill_asleep(one, two, by_command));
	NEED(mysql_errno(one) != 0);
	NEED(mysql_ping(one) != 0);
	TRY(expect(two, "1", "SELECT 1"));
	mysql_close(one);
	mysql_close(two);
	return NULL;
}

static verdict interrupt(void) { return skip("no command-line client"); }

const struct check command_checks[] = {
	{"command.change_user", change_user},
	{"command.reset", reset},
	{"command.init_db", init_db},
	{"command.ping", ping},
	{"command.statistics", statistics},
	{"command.field_list", field_list},
	{"command.set_option", set_option},
	{"session.track", session_track},
	{"query.attributes", query_attributes},
	{"kill.query", kill_query},
	{"kill.connection", kill_connection},
	{"kill.interrupt", interrupt},
	{NULL, NULL},
};
