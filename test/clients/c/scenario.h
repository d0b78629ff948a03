/*
 * What the files of the scenario share. A check is a function that returns NULL
 * when it passed, else why not; what skip() returns says that this client cannot
 * do it. A failed check leaves its connection open: the program soon ends.
 */
#ifndef SCENARIO_H
#define SCENARIO_H

#include <mysql.h>
#include <stdbool.h>
#include <stddef.h>

typedef const char *verdict;

struct check {
	const char *name;
	verdict (*run)(void);
};

extern const struct check connect_checks[], value_checks[], statement_checks[],
	prepared_checks[], size_checks[], command_checks[];

verdict fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
verdict skip(const char *reason);

/* TRY returns the verdict of the enclosing check unless it is a pass. */
#define TRY(expression) do { verdict bad_ = (expression); if (bad_) return bad_; } while (0)

/* NEED fails the enclosing check unless the condition holds. */
#define NEED(condition) do { if (!(condition)) return fail("%s:%d: %s", __FILE__, __LINE__, #condition); } while (0)

/* STATEMENT does so unless the call on a prepared statement returns 0. */
#define STATEMENT(statement, call) do { if (call) return fail("%s: %u %s", #call, \
	mysql_stmt_errno(statement), mysql_stmt_error(statement)); } while (0)

/* env returns the variable CLIENT_name. */
const char *env(const char *name);
bool on_mysql(void);

/* A login that leaves a field out takes the runner's, or nothing. */
struct login {
	const char *user, *password, *database, *ca, *plugin;
	unsigned long flags;
	bool tls, compress, infile;
};

/* open_session returns a connection that is logged in or holds the error. */
MYSQL *open_session(struct login how);
verdict logged_in(MYSQL *m);

/* account returns the name of the login account of a plug-in. */
const char *account(const char *plugin);

/* run executes a statement that answers no rows; format is printf's. */
verdict run(MYSQL *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* expect compares the one value that a query answers, as text. */
verdict expect(MYSQL *m, const char *want, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* wants checks the error of a call that must have failed. */
verdict wants(MYSQL *m, int failed, unsigned code, const char *state);

/* prepare returns a prepared statement, or NULL if the server refuses it. */
MYSQL_STMT *prepare(MYSQL *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

MYSQL_BIND bind_int(int *value);
MYSQL_BIND bind_text(const char *text, unsigned long *length);
MYSQL_BIND bind_buffer(char *buffer, unsigned long size, unsigned long *length);

/* noise fills a buffer with the same incompressible bytes every time. */
unsigned char *noise(size_t length);

#endif
