"""Transactions."""

from harness import check, connect, equal, execute, value


@check("tx.commit")
def commit():
    with connect(autocommit=False) as one, connect() as two:
        execute(one, "CREATE TABLE tx_commit (id INT PRIMARY KEY)", "INSERT INTO tx_commit VALUES (1)")
        equal(value(two, "SELECT COUNT(*) FROM tx_commit"), 0)
        one.commit()
        equal(value(two, "SELECT COUNT(*) FROM tx_commit"), 1)


@check("tx.rollback")
def rollback():
    with connect() as connection:
        execute(connection, "CREATE TABLE tx_rollback (id INT PRIMARY KEY)")
        connection.begin()
        execute(connection, "INSERT INTO tx_rollback VALUES (1)")
        connection.rollback()
        equal(value(connection, "SELECT COUNT(*) FROM tx_rollback"), 0)


@check("tx.savepoint")
def savepoint():
    with connect() as connection:
        execute(connection, "CREATE TABLE tx_savepoint (id INT PRIMARY KEY)")
        connection.begin()
        execute(connection, "INSERT INTO tx_savepoint VALUES (1)", "SAVEPOINT here",
                "INSERT INTO tx_savepoint VALUES (2)", "ROLLBACK TO SAVEPOINT here")
        connection.commit()
        equal(value(connection, "SELECT SUM(id) FROM tx_savepoint"), 1)


@check("tx.isolation")
def isolation():
    with connect() as one, connect() as two:
        execute(one, "CREATE TABLE tx_isolation (id INT PRIMARY KEY)")
        for row, (level, seen) in enumerate([("READ COMMITTED", 1), ("REPEATABLE READ", 0)]):
            execute(one, f"SET SESSION TRANSACTION ISOLATION LEVEL {level}")
            one.begin()
            before = value(one, "SELECT COUNT(*) FROM tx_isolation")
            execute(two, f"INSERT INTO tx_isolation VALUES ({row})")
            equal((level, value(one, "SELECT COUNT(*) FROM tx_isolation") - before), (level, seen))
            one.commit()
