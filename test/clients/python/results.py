"""Errors and results."""

from pymysql.constants import CLIENT, FIELD_TYPE

from harness import MULTI, check, connect, equal, execute, value, wants


@check("error.text")
def error_text():
    with connect() as connection:
        execute(connection, "CREATE TABLE error_text (id INT PRIMARY KEY)", "INSERT INTO error_text VALUES (1)")
        wants(1062, execute, connection, "INSERT INTO error_text VALUES (1)")
        wants(1064, execute, connection, "SELEKT 1")
        wants(1146, execute, connection, "SELECT * FROM no_such_table")
        equal(value(connection, "SELECT 1"), 1)


@check("result.affected_rows")
def affected_rows():
    with connect() as connection:
        affected(connection, "affected", 1)


@check("result.found_rows")
def found_rows():
    with connect(client_flag=CLIENT.FOUND_ROWS) as connection:
        affected(connection, "found", 3)


def affected(connection, table, updated):
    """Inserts three rows; the UPDATE matches three and changes one."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {table} (id INT PRIMARY KEY, v INT)")
        equal(cursor.executemany(f"INSERT INTO {table} VALUES (%s, %s)", [(1, 0), (2, 7), (3, 7)]), 3)
        equal(cursor.execute(f"UPDATE {table} SET v = 7"), updated)
        equal(cursor.execute(f"DELETE FROM {table} WHERE id > 1"), 2)


@check("result.last_insert_id")
def last_insert_id():
    with connect() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE inserts (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, v INT) "
                       "AUTO_INCREMENT = 4000000000")
        for values, want in (("(1)", 4000000000), ("(2), (3), (4)", 4000000001), ("(5)", 4000000004)):
            cursor.execute("INSERT INTO inserts (v) VALUES " + values)
            equal(cursor.lastrowid, want)
        equal(value(connection, "SELECT LAST_INSERT_ID()"), 4000000004)


@check("result.warnings")
def warnings():
    with connect() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE warned (v TINYINT)")
        cursor.execute("SET sql_mode = ''")
        cursor.execute("INSERT INTO warned VALUES (300), (1), (-300)")
        equal(cursor.warning_count, 2)
        equal([w[:2] for w in connection.show_warnings()], [("Warning", 1264)] * 2)


@check("result.metadata")
def metadata():
    with connect() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE described (id BIGINT UNSIGNED NOT NULL PRIMARY KEY, name VARCHAR(30), "
                       "price DECIMAL(12,4))")
        cursor.execute("SELECT id, name AS `an alias`, price FROM described")
        # name, type, length in bytes, scale and whether NULL may come
        equal([(d[0], d[1], d[3], d[5], d[6]) for d in cursor.description], [
            ("id", FIELD_TYPE.LONGLONG, 20, 0, False),
            ("an alias", FIELD_TYPE.VAR_STRING, 120, 0, True),
            ("price", FIELD_TYPE.NEWDECIMAL, 14, 4, True),
        ])


@check("multi.statements")
def multi_statements():
    with connect(client_flag=MULTI) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE multi (id INT PRIMARY KEY)")
        cursor.execute("SELECT 1; INSERT INTO multi VALUES (1), (2); SELECT COUNT(*) FROM multi; SELECT 'last'")
        got = [cursor.fetchall()]
        while cursor.nextset():
            got.append(cursor.fetchall())
        equal(got, [((1,),), [], ((2,),), (("last",),)])
        cursor.execute("INSERT INTO multi VALUES (3); INSERT INTO multi VALUES (3); INSERT INTO multi VALUES (4)")
        wants(1062, cursor.nextset)
        equal(value(connection, "SELECT GROUP_CONCAT(id ORDER BY id) FROM multi"), "1,2,3")


@check("multi.results")
def multi_results():
    with connect() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE PROCEDURE two_results(n INT) BEGIN SELECT n; SELECT n + 1, 'two'; END")
        cursor.callproc("two_results", (7,))
        got = [cursor.fetchall()]
        while cursor.nextset():
            got.append(cursor.fetchall())
        equal(got, [((7,),), ((8, "two"),), []])


@check("multi.out_params")
def out_params():
    with connect() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE PROCEDURE out_params(IN a INT, OUT b VARCHAR(20), INOUT c INT) "
                       "BEGIN SET b = CONCAT('b', a), c = c + a; END")
        cursor.callproc("out_params", (2, None, 40))
        cursor.execute("SELECT @_out_params_1, @_out_params_2")
        equal(cursor.fetchall(), (("b2", 42),))
