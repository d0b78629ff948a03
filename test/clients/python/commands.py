"""Commands that are no statements, and KILL."""

import threading
import time

import pymysql

from harness import check, connect, equal, execute, value, wants

# Sleeping in WHERE, and not in the select list, makes KILL an error with MariaDB
# and MySQL alike.
SLEEP = "SELECT n FROM clients.numbers WHERE SLEEP(20) = 0"


@check("command.init_db")
def init_db():
    with connect() as connection:
        connection.select_db("test")
        equal(value(connection, "SELECT DATABASE()"), "test")
        wants(1049, connection.select_db, "no_such_database")
        equal(value(connection, "SELECT DATABASE()"), "test")


@check("command.ping")
def ping():
    with connect() as connection:
        connection.ping(reconnect=False)
        equal(value(connection, "SELECT 1"), 1)


def kill_while_sleeping(one, two, kill):
    """Runs SLEEP on one and, once it is seen running, kill on two; returns its error."""
    errors = []

    def sleep():
        try:
            execute(one, SLEEP)
        except pymysql.MySQLError as error:
            errors.append(error.args[0])

    number = value(one, "SELECT CONNECTION_ID()")
    sleeper = threading.Thread(target=sleep)
    sleeper.start()
    while not value(two, "SELECT COUNT(*) FROM performance_schema.threads "
                    "WHERE processlist_id = %s AND processlist_state = 'User sleep'", (number,)):
        time.sleep(0.01)
    kill(number)
    sleeper.join()
    return errors


@check("kill.query")
def kill_query():
    with connect() as one, connect() as two:
        equal(kill_while_sleeping(one, two, lambda n: execute(two, f"KILL QUERY {n}")), [1317])
        equal(value(one, "SELECT 1"), 1)


@check("kill.connection")
def kill_connection():
    one, two = connect(), connect()
    # PyMySQL's kill() is COM_PROCESS_KILL where the server has it.
    errors = kill_while_sleeping(one, two, two.kill)
    equal(len(errors), 1)
    try:
        one.ping(reconnect=False)
    except pymysql.MySQLError:
        pass
    else:
        raise AssertionError("the killed connection still works")
    equal(value(two, "SELECT 1"), 1)
    two.close()
