"""Values larger than a packet of the protocol, and many rows."""

import hashlib
import random

from pymysql.cursors import SSCursor

from harness import check, connect, equal, execute, value

BIG = 20 << 20  # bytes; one packet carries less than 16 MiB


@check("big.text")
def big_text():
    sent = random.Random(1).randbytes(BIG)
    with connect() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE big_text (v LONGBLOB)")
        cursor.execute("INSERT INTO big_text VALUES (%s)", (sent,))
        equal(value(connection, "SELECT SHA2(v, 256) FROM big_text"), hashlib.sha256(sent).hexdigest())
        equal(value(connection, "SELECT v FROM big_text") == sent, True)


@check("rows.stream")
def stream():
    with connect() as connection, connection.cursor(SSCursor) as cursor:
        cursor.execute("SELECT n, label FROM clients.numbers ORDER BY n")
        rows = total = 0
        for n, label in cursor:
            rows += 1
            total += n + len(label)
        equal((rows, total), (100_000, 4999950000 + 8888890))


@check("rows.abandon")
def abandon():
    with connect() as connection:
        with connection.cursor(SSCursor) as cursor:
            cursor.execute("SELECT n, label FROM clients.numbers")
            cursor.fetchmany(10)
        execute(connection, "DO 1")
        equal(value(connection, "SELECT 1"), 1)
