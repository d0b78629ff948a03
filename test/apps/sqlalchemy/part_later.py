"""Temporary tables, and taking everything down."""

from alembic import command
from sqlalchemy import Column, Integer, MetaData, String, Table, inspect, select

from models import Base
from shop import config, engine
from steps import step


@step
def temporary_table():
    table = Table("scratch", MetaData(), Column("id", Integer, primary_key=True), Column("word", String(20)), prefixes=["TEMPORARY"])
    with engine.connect() as connection:
        table.create(connection)
        connection.execute(table.insert(), [{"id": n, "word": f"kanari-{n}"} for n in range(1, 4)])
        found = connection.scalars(select(table.c.word).where(table.c.word > "kanari-1").order_by(table.c.id)).all()
        table.drop(connection)
        return found


@step
def create_all_is_done():
    Base.metadata.create_all(engine)
    return len(inspect(engine).get_table_names())


@step
def downgrade_to_nothing():
    with engine.begin() as connection:
        command.downgrade(config(connection), "base")
    return inspect(engine).get_table_names()


@step
def create_and_drop_all():
    Base.metadata.create_all(engine)
    made = sorted(inspect(engine).get_table_names())
    Base.metadata.drop_all(engine)
    return [made, inspect(engine).get_table_names()]
