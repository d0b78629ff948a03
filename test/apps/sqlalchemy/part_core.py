"""Statements without the ORM: many rows at once, upserts, changes by condition."""

import datetime
from decimal import Decimal

from sqlalchemy import bindparam, delete, func, insert, select, text, update
from sqlalchemy.dialects.mysql import insert as upsert

from models import Customer, Item, Label, Line, Order
from shop import Sessions, engine
from steps import step


@step
def insert_many():
    with engine.begin() as connection:
        result = connection.execute(insert(Label), [{"word": f"kanari-many {n}"} for n in range(5)])
        return [result.rowcount, connection.scalar(select(func.count()).where(Label.word.like("kanari-many%")))]


@step
def bulk_of_orm():
    with Sessions.begin() as session:
        session.execute(insert(Customer), [
            {"email": f"kanari-bulk{n}@example.org", "name": "kanari-bulk", "since": datetime.datetime(2025, 1, n + 1), "details": {"n": n}} for n in range(3)])
        session.flush()
        ids = session.execute(select(Customer.id, Customer.email).filter_by(name="kanari-bulk").order_by(Customer.email)).all()
        session.execute(update(Customer), [{"id": i, "note": f"kanari-{email[7:12]}", "version": 1} for i, email in ids])
        return session.scalars(select(Customer.note).filter_by(name="kanari-bulk").order_by(Customer.email)).all()


@step
def upserts():
    with engine.begin() as connection:
        statement = upsert(Item).values([
            {"kind": "thing", "code": "t-3", "title": "kanari-upserted", "price": Decimal("3.33")},
            {"kind": "thing", "code": "t-9", "title": "kanari-new", "price": Decimal("9.99")}])
        connection.execute(statement.on_duplicate_key_update(title=statement.inserted.title, price=Item.price + statement.inserted.price))
        return [list(r) for r in connection.execute(select(Item.code, Item.title, Item.price).where(Item.code.in_(["t-3", "t-9"])).order_by(Item.code))]


@step
def insert_ignore():
    with engine.begin() as connection:
        result = connection.execute(insert(Label).prefix_with("IGNORE"), [{"word": "kanari-red"}, {"word": "kanari-ignored"}])
        return [result.rowcount, connection.scalar(select(func.count()).select_from(Label))]


@step
def update_by_condition():
    with Sessions.begin() as session:
        changed = [
            session.execute(update(Item).where(Item.price < 5).values(price=Item.price * 2)).rowcount,
            session.execute(update(Order).where(Order.customer_id.in_(select(Customer.id).where(Customer.born.is_(None)))).values(paid=True)).rowcount,
            session.execute(update(Customer).where(Customer.name.like("kanari-n%")).values(name=func.concat(Customer.name, "!"), version=Customer.version + 1)).rowcount,
        ]
        return [changed, session.scalars(select(Item.price).order_by(Item.code)).all(), session.scalars(select(Customer.name).order_by(Customer.email)).all()]


@step
def execute_many_updates():
    with engine.begin() as connection:
        statement = update(Item.__table__).where(Item.code == bindparam("c")).values(title=bindparam("t"))
        result = connection.execute(statement, [{"c": "t-0", "t": "kanari-zero"}, {"c": "t-1", "t": "kanari-one"}, {"c": "none", "t": "x"}])
        return [result.rowcount, connection.scalars(select(Item.title).where(Item.code.in_(["t-0", "t-1"])).order_by(Item.code)).all()]


@step
def delete_by_condition():
    with Sessions.begin() as session:
        return [session.execute(delete(Label).where(Label.word.like("kanari-many%"))).rowcount,
                session.execute(delete(Line).where(Line.quantity > 2, Line.price < 50)).rowcount,
                session.scalar(select(func.count()).select_from(Line))]


@step
def locks():
    with Sessions.begin() as session:
        one = session.scalars(select(Item).where(Item.code == "t-5").with_for_update()).one()
        one.price += 1
        shared = session.scalars(select(Customer.email).where(Customer.level == "gold").order_by(Customer.email).with_for_update(read=True)).all()
        session.flush()
        return [one.price, shared]


@step
def insert_from_select():
    with engine.begin() as connection:
        source = select(func.concat("kanari-of ", func.substr(Customer.email, 1, 15))).where(Customer.version > 1)
        result = connection.execute(insert(Label).from_select(["word"], source))
        return [result.rowcount, connection.scalars(select(Label.word).where(Label.word.like("kanari-of%")).order_by(Label.word)).all()]


@step
def raw_text():
    with engine.connect() as connection:
        found = connection.execute(text("SELECT `name`, COUNT(*) AS n FROM customer WHERE note LIKE :like GROUP BY `name` ORDER BY n DESC, `name`"), {"like": "kanari-%"})
        return [list(found.keys()), [list(r) for r in found]]


@step
def isolation():
    with engine.connect().execution_options(isolation_level="SERIALIZABLE") as connection, connection.begin():
        before = connection.scalar(select(func.count()).select_from(Item))
        level = connection.get_isolation_level()
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(update(Item).where(Item.code == "t-0").values(weight=2.5))
        return [before, level, connection.scalar(select(Item.weight).where(Item.code == "t-0"))]
