"""Values of all types, and character sets."""

import datetime
import itertools
from decimal import Decimal

from harness import TYPES, check, connect, equal, execute, value


def samples():
    """The lines of types.tsv, grouped by column type."""
    with open(TYPES, encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]
    for row in rows:
        row[3] = row[3].replace("(empty)", "")
    return itertools.groupby(rows, key=lambda row: row[0])


def native(kind, text):
    """The value as PyMySQL returns it."""
    if kind in ("int", "uint", "year"):
        return int(text)
    if kind == "float":
        return float(text)
    if kind == "decimal":
        return Decimal(text)
    if kind == "bytes":
        return bytes.fromhex(text)
    if kind == "time":
        return duration(text)
    if kind == "date":
        return date_or_text(datetime.date, text)
    if kind == "datetime":
        return date_or_text(datetime.datetime, text)
    return text


def date_or_text(kind, text):
    """Dates that are none to Python stay text."""
    try:
        return kind.fromisoformat(text)
    except ValueError:
        return text


def duration(text):
    hours, minutes, seconds = text.lstrip("-").split(":")
    whole, _, fraction = seconds.partition(".")
    span = datetime.timedelta(hours=int(hours), minutes=int(minutes), seconds=int(whole),
                              microseconds=int(fraction.ljust(6, "0") or 0))
    return -span if text.startswith("-") else span


@check("types.text")
def types_text():
    with connect() as connection:
        execute(connection, "SET sql_mode = '', time_zone = '+00:00'")
        for n, (column, rows) in enumerate(samples()):
            rows = list(rows)
            execute(connection, f"CREATE TABLE types_text_{n} (id INT PRIMARY KEY, v {column})")
            there_and_back(connection, f"types_text_{n}", rows)


def there_and_back(connection, table, rows):
    """Writes each value as a literal of SQL and as an argument, and reads both."""
    wants = [(None,)]
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} VALUES (%s, %s)", (0, None))
        for _, kind, literal, text in rows:
            want = native(kind, text)
            cursor.execute(f"INSERT INTO {table} VALUES ({len(wants)}, {literal})")
            cursor.execute(f"INSERT INTO {table} VALUES (%s, %s)", (len(wants) + 1, want))
            wants += [(want,), (want,)]
        cursor.execute(f"SELECT v FROM {table} ORDER BY id")
        for (_, kind, _, text), got, want in zip([rows[0]] + [r for r in rows for _ in "12"], cursor, wants):
            equal((table, kind, text, got), (table, kind, text, want))
        equal(cursor.rowcount, len(wants))


@check("charset.latin1")
def latin1():
    charset("latin1", "café", "636166C3A9")


@check("charset.gbk")
def gbk():
    charset("gbk", "縗", "E7B897")


def charset(name, text, stored):
    with connect(charset=name) as connection:
        table = "charset_" + name
        execute(connection, f"CREATE TABLE {table} (v VARCHAR(10) CHARACTER SET utf8mb4)",
                f"INSERT INTO {table} VALUES ('{text}')")
        equal(value(connection, f"SELECT HEX(v) FROM {table}"), stored)
        equal(value(connection, f"SELECT v FROM {table} WHERE v = '{text}'"), text)
        equal(value(connection, "SELECT @@character_set_client"), name)
