"""Alembic: upgrade, a change of tables with rows, the way back, and what it sees of the schema."""

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import MetaData, inspect, text

from models import Base
from shop import CANARY, config, engine
from steps import step


def _alembic(function, *arguments):
    with engine.begin() as connection:
        function(config(connection), *arguments)
        return MigrationContext.configure(connection).get_current_revision()


@step
def upgrade_first():
    return _alembic(command.upgrade, "0001")


@step
def fill_first():
    with engine.begin() as connection:
        for n in range(4):
            connection.execute(
                text("INSERT INTO customer (email, name, level, account, version, fax) VALUES (:email, :name, 'silver', :account, 1, :fax)"),
                {"email": f"kanari-old{n}@example.{'org' if n % 2 else 'com'}", "name": f"kanari-old {n}", "account": CANARY + n, "fax": f"kanari-fax {n}"})
        connection.execute(text("INSERT INTO label (word) VALUES ('kanari-old')"))
        return connection.execute(text("SELECT COUNT(*), MIN(name), SUM(account) FROM customer")).one()._asdict()


@step
def upgrade_head():
    return _alembic(command.upgrade, "head")


@step
def first_rows_are_kept():
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT email, name, note, account FROM customer ORDER BY email")).all()
    return [list(row) for row in rows]


@step
def downgrade_and_upgrade():
    return [_alembic(command.downgrade, "0001"), _alembic(command.downgrade, "base"), _alembic(command.upgrade, "head")]


@step
def autogenerate_finds_nothing():
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        return [str(d) for d in compare_metadata(context, Base.metadata)]


@step
def autogenerate_finds_a_change():
    other = MetaData(naming_convention=Base.metadata.naming_convention)
    for table in Base.metadata.sorted_tables:
        table.to_metadata(other)
    customer = other.tables["customer"]
    customer.indexes.clear()
    customer.c.name.type = customer.c.name.type.__class__(90)
    with engine.connect() as connection:
        found = compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), other)
    return sorted(d[0] if isinstance(d, tuple) else d[0][0] for d in found)


@step
def inspect_columns():
    seen = inspect(engine)
    return {t: [[c["name"], str(c["type"]), c["nullable"], c["default"], c.get("comment"), c.get("autoincrement")]
                for c in seen.get_columns(t)] for t in sorted(seen.get_table_names())}


@step
def inspect_keys():
    seen = inspect(engine)
    return {t: [seen.get_pk_constraint(t)["constrained_columns"],
                sorted([i["name"], i["unique"], i["column_names"]] for i in seen.get_indexes(t)),
                sorted([u["name"], u["column_names"]] for u in seen.get_unique_constraints(t)),
                sorted([f["name"], f["constrained_columns"], f["referred_table"], f["referred_columns"], f["options"]]
                       for f in seen.get_foreign_keys(t)),
                sorted([c["name"], c["sqltext"]] for c in seen.get_check_constraints(t))] for t in sorted(seen.get_table_names())}


@step
def inspect_tables():
    seen = inspect(engine)
    return [sorted(seen.get_table_names()), seen.get_view_names(), seen.has_table("customer"), seen.has_table("nothing"),
            seen.get_table_comment("customer"), sorted(seen.get_table_options("customer"))]


@step
def reflect():
    known = MetaData()
    known.reflect(engine)
    line = known.tables["line"]
    return [sorted(known.tables), [repr(c.type) for c in line.columns], sorted(k.target_fullname for k in line.foreign_keys)]
