/* Getting in, with and without TLS, and with every authentication plug-in. */
#include "scenario.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static verdict plain(void)
{
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	NEED(mysql_get_ssl_cipher(m) == NULL);
	TRY(expect(m, "1", "SELECT 1"));
	mysql_close(m);
	return NULL;
}

static verdict tls(void)
{
	MYSQL *m = open_session((struct login){.tls = true, .ca = env("CA")});
	TRY(logged_in(m));
	NEED(mysql_get_ssl_cipher(m) != NULL);
	TRY(expect(m, "1", "SELECT 1"));
	mysql_close(m);
	return NULL;
}

static verdict tls_untrusted(void)
{
	MYSQL *m = open_session((struct login){.tls = true, .ca = env("OTHER_CA")});
	TRY(wants(m, mysql_errno(m) != 0, 2026, "HY000"));
	mysql_close(m);
	return NULL;
}

static verdict attributes(void)
{
	MYSQL *m = open_session((struct login){0});
	TRY(logged_in(m));
	TRY(expect(m, "42", "SELECT attr_value FROM performance_schema.session_account_connect_attrs "
		"WHERE processlist_id = CONNECTION_ID() AND attr_name = 'shoe_size'"));
	mysql_close(m);
	return NULL;
}

static verdict refused_login(struct login how, unsigned code, const char *state)
{
	MYSQL *m = open_session(how);
	TRY(wants(m, mysql_errno(m) != 0, code, state));
	mysql_close(m);
	return NULL;
}

static verdict wrong_password(void)
{
	return refused_login((struct login){.password = "wrong"}, 1045, "28000");
}

static verdict unknown_database(void)
{
	return refused_login((struct login){.database = "no_such_database"}, 1049, "42000");
}

static verdict zlib(void)
{
	MYSQL *m = open_session((struct login){.compress = true});
	TRY(logged_in(m));
	NEED(m->net.compress);
	char *equal = malloc(1000001);
	memset(equal, 'a', 1000000);
	equal[1000000] = 0;
	TRY(expect(m, equal, "SELECT REPEAT('a', 1000000)"));
	TRY(expect(m, "1000000", "SELECT LENGTH('%s')", equal));
	unsigned char *sent = noise(300000);
	char *sql = malloc(600100);
	int length = sprintf(sql, "SELECT _binary'");
	unsigned long size = mysql_real_escape_string(m, sql + length, (char *)sent, 300000);
	sql[length + size] = '\'';
	NEED(mysql_real_query(m, sql, length + size + 1) == 0);
	MYSQL_RES *result = mysql_store_result(m);
	MYSQL_ROW row = mysql_fetch_row(result);
	NEED(mysql_fetch_lengths(result)[0] == 300000 && memcmp(row[0], sent, 300000) == 0);
	mysql_free_result(result);
	free(sql), free(sent), free(equal);
	mysql_close(m);
	return NULL;
}

static verdict zstd(void) { return skip("this libmariadb compresses with zlib only"); }

/* Fifty threads set state of their own, wait for each other, and read it back. */
enum { SESSIONS = 50 };

static pthread_barrier_t all_set;

struct own {
	int n;
	unsigned long id;
	char bad[512];
};

static verdict read_back(MYSQL *m, int n)
{
	char want[32];
	snprintf(want, sizeof want, "%d %d", n, 5000 + n);
	for (int i = 0; i < 10; i++)
		TRY(expect(m, want, "SELECT CONCAT(@mine, ' ', @@group_concat_max_len)"));
	return NULL;
}

static void *own_state(void *argument)
{
	struct own *own = argument;
	mysql_thread_init();
	MYSQL *m = open_session((struct login){0});
	verdict bad = logged_in(m);
	if (!bad)
		bad = run(m, "SET @mine = %d, SESSION group_concat_max_len = %d", own->n, 5000 + own->n);
	pthread_barrier_wait(&all_set);
	if (!bad)
		bad = read_back(m, own->n);
	own->id = mysql_thread_id(m);
	snprintf(own->bad, sizeof own->bad, "%s", bad ? bad : "");
	mysql_close(m);
	mysql_thread_end();
	return NULL;
}

static verdict parallel(void)
{
	static struct own all[SESSIONS];
	pthread_t threads[SESSIONS];
	pthread_barrier_init(&all_set, NULL, SESSIONS);
	for (int n = 0; n < SESSIONS; n++) {
		all[n].n = n;
		NEED(pthread_create(&threads[n], NULL, own_state, &all[n]) == 0);
	}
	for (int n = 0; n < SESSIONS; n++)
		pthread_join(threads[n], NULL);
	for (int n = 0; n < SESSIONS; n++) {
		if (*all[n].bad)
			return fail("%s", all[n].bad);
		for (int other = 0; other < n; other++)
			NEED(all[n].id != all[other].id);
	}
	return NULL;
}

static verdict login(const char *plugin, bool mysql_has_it, struct login how)
{
	if (on_mysql() != mysql_has_it)
		return skip(on_mysql() ? "mysql has no account of this plugin" : "mariadb has no account of this plugin");
	char user[128];
	how.user = account(plugin);
	how.password = env("ACCOUNT_PASSWORD");
	snprintf(user, sizeof user, "%s@%%", how.user);
	MYSQL *m = open_session(how);
	TRY(logged_in(m));
	TRY(expect(m, user, "SELECT CURRENT_USER()"));
	mysql_close(m);
	return NULL;
}

static verdict empty(void)
{
	MYSQL *m = open_session((struct login){.user = account("empty"), .password = ""});
	TRY(logged_in(m));
	mysql_close(m);
	return NULL;
}

static verdict native(void) { return login("native", false, (struct login){0}); }
static verdict ed25519(void) { return login("ed25519", false, (struct login){0}); }
static verdict sha2_tls(void) { return login("sha2", true, (struct login){.tls = true, .ca = env("CA")}); }
static verdict sha2_cached(void) { return login("sha2", true, (struct login){0}); }
static verdict sha2_rsa(void) { return login("sha2_rsa", true, (struct login){0}); }
static verdict sha256_tls(void) { return login("sha256", true, (struct login){.tls = true, .ca = env("CA")}); }
static verdict sha256_rsa(void) { return login("sha256", true, (struct login){0}); }

static verdict switched(void)
{
	if (on_mysql())
		return login("sha2", true, (struct login){.plugin = "mysql_native_password"});
	return login("native", false, (struct login){.plugin = "client_ed25519"});
}

static verdict refused(void)
{
	const char *mariadb[] = {"native", "ed25519", "empty", NULL}, *mysql[] = {"sha2", "sha2_rsa", "sha256", "empty", NULL};
	for (const char **plugin = on_mysql() ? mysql : mariadb; *plugin; plugin++)
		TRY(refused_login((struct login){.user = account(*plugin), .password = "wrong"}, 1045, "28000"));
	return NULL;
}

const struct check connect_checks[] = {
	{"connect.plain", plain},
	{"connect.tls", tls},
	{"connect.tls_untrusted", tls_untrusted},
	{"connect.attributes", attributes},
	{"connect.wrong_password", wrong_password},
	{"connect.unknown_database", unknown_database},
	{"connect.zlib", zlib},
	{"connect.zstd", zstd},
	{"connect.parallel", parallel},
	{"login.empty_password", empty},
	{"login.native", native},
	{"login.ed25519", ed25519},
	{"login.sha2_tls", sha2_tls},
	{"login.sha2_cached", sha2_cached},
	{"login.sha2_rsa", sha2_rsa},
	{"login.sha256_tls", sha256_tls},
	{"login.sha256_rsa", sha256_rsa},
	{"login.switch", switched},
	{"login.refused", refused},
	{NULL, NULL},
};
