"""Runs checks and reports them; knows how to reach the server."""

import os
import traceback

import pymysql
from pymysql.constants import CLIENT

HOST, PORT = os.environ["CLIENT_HOST"], int(os.environ["CLIENT_PORT"])
USER, PASSWORD = os.environ["CLIENT_USER"], os.environ["CLIENT_PASSWORD"]
DATABASE = os.environ["CLIENT_DATABASE"]
CA, OTHER_CA = os.environ["CLIENT_CA"], os.environ["CLIENT_OTHER_CA"]
FLAVOR = os.environ["CLIENT_FLAVOR"]
TYPES = os.environ["CLIENT_TYPES"]
SCRATCH = os.environ["CLIENT_SCRATCH"]
ACCOUNT, ACCOUNT_PASSWORD = os.environ["CLIENT_ACCOUNT"], os.environ["CLIENT_ACCOUNT_PASSWORD"]

MULTI = CLIENT.MULTI_STATEMENTS

_skipped = {}


class Skip(Exception):
    """Why this client cannot do a check."""


def check(name):
    """Marks a function without arguments as the check of this name."""
    def mark(function):
        function.check_name = name
        return function
    return mark


def skip_checks(reason, *names):
    _skipped.update((name, reason) for name in names)


def run_checks(modules):
    """Runs the marked functions of the modules; returns the exit status."""
    only = os.environ.get("CLIENT_ONLY", "")
    for name, reason in _skipped.items():
        if name.startswith(only):
            print(f"skip {name}: {reason}")
    functions = [f for m in modules for f in vars(m).values()
                 if hasattr(f, "check_name") and f.check_name.startswith(only)]
    return int(not all([_report(f.check_name, f) for f in functions]))


def _report(name, function):
    try:
        function()
    except Skip as why:
        print(f"skip {name}: {why}", flush=True)
    except Exception as error:  # whatever a driver may raise
        where = traceback.extract_tb(error.__traceback__)[-1]
        print(f"not ok {name}: {error!r:.300} at {os.path.basename(where.filename)}:{where.lineno}", flush=True)
        return False
    else:
        print(f"ok {name}", flush=True)
    return True


def connect(**options):
    """A connection with autocommit on and without TLS, unless told otherwise."""
    settings = dict(host=HOST, port=PORT, user=USER, password=PASSWORD, database=DATABASE,
                    autocommit=True, ssl_disabled="ssl_ca" not in options, read_timeout=60)
    return pymysql.connect(**(settings | options))


def execute(connection, *statements):
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def value(connection, query, args=None):
    """The one value that a query answers."""
    with connection.cursor() as cursor:
        cursor.execute(query, args)
        (row,) = cursor.fetchall()
        (one,) = row
        return one


def equal(got, want):
    if got != want:
        raise AssertionError(f"got {got!r:.120}, want {want!r:.120}")


def wants(code, function, *args, **options):
    """Checks that a call raises the server's error of this code.

    PyMySQL does not keep the SQLSTATE of an error.
    """
    try:
        function(*args, **options)
    except pymysql.MySQLError as error:
        equal(error.args[0], code)
    else:
        raise AssertionError(f"no error, want {code}")
