"""LOAD DATA LOCAL INFILE."""

import os

from harness import SCRATCH, check, connect, equal, execute, value, wants


@check("infile.load")
def load():
    path = os.path.join(SCRATCH, "lines")
    with open(path, "w", encoding="utf-8") as lines:
        lines.writelines(f"{n},line é {n}\n" for n in range(10_000))
    with connect(local_infile=True) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE infile_load (id INT PRIMARY KEY, v VARCHAR(40))")
        equal(cursor.execute(f"LOAD DATA LOCAL INFILE '{path}' INTO TABLE infile_load CHARACTER SET utf8mb4 "
                             "FIELDS TERMINATED BY ','"), 10_000)
        equal(value(connection, "SELECT v FROM infile_load WHERE id = 9999"), "line é 9999")


@check("infile.missing")
def missing():
    with connect(local_infile=True) as connection:
        execute(connection, "CREATE TABLE infile_missing (id INT)")
        wants(1017, execute, connection,
              f"LOAD DATA LOCAL INFILE '{SCRATCH}/no-such-file' INTO TABLE infile_missing")
        equal(value(connection, "SELECT 1"), 1)


@check("infile.refused")
def refused():
    with connect() as connection:
        execute(connection, "CREATE TABLE infile_refused (id INT)")
        # The server refuses a client that has not offered to send files.
        try:
            execute(connection, "LOAD DATA LOCAL INFILE '/etc/hosts' INTO TABLE infile_refused")
        except Exception as error:
            equal(error.args[0] in (1148, 3948, 4166), True)
        else:
            raise AssertionError("a file that was not allowed was loaded")
        equal(value(connection, "SELECT COUNT(*) FROM infile_refused"), 0)
