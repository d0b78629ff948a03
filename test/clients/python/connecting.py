"""Getting in, with and without TLS, and with every authentication plug-in."""

import ssl
import threading

import pymysql

from harness import (ACCOUNT, ACCOUNT_PASSWORD, CA, DATABASE, FLAVOR, OTHER_CA, PASSWORD, Skip, check,
                     connect, equal, execute, value, wants)

TLS = dict(ssl_ca=CA, ssl_verify_cert=True, ssl_verify_identity=True)


@check("connect.plain")
def plain():
    with connect() as connection:
        equal(value(connection, "SELECT 1"), 1)


@check("connect.tls")
def tls():
    with connect(**TLS) as connection:
        equal(isinstance(connection._sock, ssl.SSLSocket), True)
        equal(value(connection, "SELECT 1"), 1)


@check("connect.tls_untrusted")
def tls_untrusted():
    try:
        connect(**TLS | {"ssl_ca": OTHER_CA})
    except pymysql.OperationalError as error:
        equal("CERTIFICATE_VERIFY_FAILED" in str(error), True)
    else:
        raise AssertionError("a certificate of an unknown authority was accepted")


@check("connect.attributes")
def attributes():
    with connect(program_name="shoe shop") as connection:
        equal(value(connection, "SELECT attr_value FROM performance_schema.session_account_connect_attrs "
                    "WHERE processlist_id = CONNECTION_ID() AND attr_name = 'program_name'"), "shoe shop")


@check("connect.wrong_password")
def wrong_password():
    wants(1045, connect, password=PASSWORD + "x")


@check("connect.unknown_database")
def unknown_database():
    wants(1049, connect, database="no_such_database")


@check("connect.parallel")
def parallel():
    sessions = 50
    barrier = threading.Barrier(sessions, timeout=50)
    ids, errors = set(), []

    def own_state(n):
        try:
            with connect() as connection:
                execute(connection, f"SET @mine = {n}, SESSION group_concat_max_len = {5000 + n}")
                barrier.wait()
                for _ in range(10):
                    equal(value(connection, "SELECT CONCAT(@mine, ' ', @@group_concat_max_len)"), f"{n} {5000 + n}")
                ids.add(value(connection, "SELECT CONNECTION_ID()"))
        except Exception as error:
            barrier.abort()
            errors.append(error)

    threads = [threading.Thread(target=own_state, args=(n,)) for n in range(sessions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    equal(len(ids), sessions)


def login(plugin, flavor, **options):
    if FLAVOR != flavor:
        raise Skip(f"{FLAVOR} has no account of this plugin")
    user = f"{ACCOUNT}_{plugin}"
    with connect(user=user, password=ACCOUNT_PASSWORD, **options) as connection:
        equal(value(connection, "SELECT CURRENT_USER()"), user + "@%")


@check("login.empty_password")
def empty_password():
    with connect(user=ACCOUNT + "_empty", password="") as connection:
        equal(value(connection, "SELECT DATABASE()"), DATABASE)


@check("login.native")
def native():
    login("native", "mariadb")


@check("login.ed25519")
def ed25519():
    login("ed25519", "mariadb")


@check("login.sha2_tls")
def sha2_tls():
    login("sha2", "mysql", **TLS)


@check("login.sha2_cached")
def sha2_cached():
    login("sha2", "mysql")


@check("login.sha2_rsa")
def sha2_rsa():
    login("sha2_rsa", "mysql")


@check("login.sha256_tls")
def sha256_tls():
    login("sha256", "mysql", **TLS)


@check("login.sha256_rsa")
def sha256_rsa():
    login("sha256", "mysql")


@check("login.refused")
def refused():
    plugins = {"mariadb": ("native", "ed25519", "empty"), "mysql": ("sha2", "sha2_rsa", "sha256", "empty")}
    for plugin in plugins[FLAVOR]:
        wants(1045, connect, user=f"{ACCOUNT}_{plugin}", password=ACCOUNT_PASSWORD + "x")
