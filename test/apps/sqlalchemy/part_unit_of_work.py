"""The session: what it flushes, in which order, and what it notices."""

import datetime
from decimal import Decimal

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm.exc import StaleDataError

from models import Customer, Item, Label, Level, Line, Order, Profile, Service, Thing
from shop import CANARY, Counter, Sessions
from steps import error_of, step

DAY = datetime.datetime(2024, 2, 28, 10)


@step
def fill():
    with Sessions.begin() as session:
        labels = [Label(word=f"kanari-{word}") for word in ("red", "green", "blue")]
        labels[0].children = labels[1:]
        items = [Thing(code=f"t-{n}", title=f"kanari-thing {n}", price=Decimal("1.25") * (n + 1), weight=n / 8, box=f"kanari-box {n % 2}",
                       labels=labels[: n % 4]) for n in range(6)]
        items += [Service(code=f"s-{n}", title=f"kanari-service {n}", price=Decimal("99.90") + n, hours=n + 1) for n in range(3)]
        for n in range(8):
            customer = Customer(
                email=f"kanari-{n}@example.org", name=f"kanari-{'Ä' if n % 3 == 0 else 'n'}ame {n % 4}", level=list(Level)[n % 3],
                born=None if n == 3 else datetime.date(1980 + n, n + 1, 3), account=CANARY + n,
                details={"size": n, "tags": ["kanari-tag"] * (n % 3)} if n % 2 else None, note="kanari-note " * n, since=DAY)
            customer.profile = Profile(motto=f"kanari-motto {n}", picture=bytes([n, 0, 255])) if n % 2 == 0 else None
            for o in range(n % 3):
                order = Order(number=o + 1, placed=DAY + datetime.timedelta(days=n, hours=o), paid=o == 0)
                order.lines = [Line(position=p, item=items[(n + o + p) % 9], quantity=p + 1, price=items[(n + o + p) % 9].price)
                               for p in range(o + 2)]
                customer.orders.append(order)
            session.add(customer)
        session.add_all(items)
    with Sessions() as session:
        return [session.scalar(select(func.count()).select_from(c)) for c in (Customer, Profile, Order, Line, Item, Label)]


@step
def identity_map():
    with Sessions() as session, Counter() as counter:
        first = session.scalars(select(Customer).where(Customer.email == "kanari-1@example.org")).one()
        again = session.get(Customer, first.id)
        return [first is again, counter.count, first.details, first.level.name, first.version]


@step
def dirty_columns_only():
    with Sessions.begin() as session:
        customer = session.scalars(select(Customer).filter_by(email="kanari-1@example.org")).one()
        customer.name = "kanari-renamed"
        customer.details = {**customer.details, "size": 11}
        with Counter() as counter:
            session.flush()
        return [counter.count, customer.version]


@step
def versions():
    with Sessions() as one, Sessions() as two:
        a = one.scalars(select(Customer).filter_by(email="kanari-2@example.org")).one()
        b = two.scalars(select(Customer).filter_by(email="kanari-2@example.org")).one()
        a.note = "kanari-first"
        one.commit()
        b.note = "kanari-second"
        stale = error_of(StaleDataError, two.commit).split(" ")[0]
        two.rollback()
        return [stale, b.note, b.version]


@step
def delete_orphans():
    with Sessions.begin() as session:
        customer = session.scalars(select(Customer).filter_by(email="kanari-5@example.org")).one()
        customer.orders.pop()
        session.flush()
        left = session.scalar(select(func.count()).select_from(Order).filter_by(customer_id=customer.id))
        customer.orders[0].lines = customer.orders[0].lines[:1]
    with Sessions() as session:
        return [left, session.scalar(select(func.count()).select_from(Line))]


@step
def many_to_many():
    with Sessions.begin() as session:
        item = session.scalars(select(Item).filter_by(code="t-1")).one()
        before = [label.word for label in item.labels]
        item.labels = session.scalars(select(Label).order_by(Label.word.desc())).all()[:2]
        session.flush()
        session.expire(item)
        return [before, [label.word for label in item.labels]]


@step
def polymorphic():
    with Sessions() as session:
        kinds = [[type(i).__name__, i.code] for i in session.scalars(select(Item).order_by(Item.code))]
        boxes = session.scalars(select(Thing.box).where(Thing.weight > 0.3).order_by(Thing.code)).all()
        return [kinds, boxes, session.scalars(select(Service).where(Service.hours >= 2)).first().title]


@step
def savepoints():
    with Sessions() as session:
        customer = session.scalars(select(Customer).filter_by(email="kanari-4@example.org")).one()
        customer.note = "kanari-outer"
        session.flush()
        with session.begin_nested() as savepoint:
            customer.note = "kanari-inner"
            session.flush()
            savepoint.rollback()
        seen = customer.note
        session.commit()
        return [seen, customer.note]


@step
def violations():
    def insert(**fields):
        def call():
            with Sessions.begin() as session:
                session.add(Customer(**({"email": "kanari-x@example.org", "name": "x", "since": DAY} | fields)))

        return error_of(IntegrityError, call)

    def line():
        with Sessions.begin() as session:
            session.add(Line(order_id=10**6, position=1, item_id=1, price=1))

    return [insert(email="kanari-1@example.org"), insert(name=None), error_of(IntegrityError, line)]


@step
def merge_and_refresh():
    with Sessions.begin() as session:
        item = session.scalars(select(Item).filter_by(code="t-2")).one()
        detached = Thing(id=item.id, code="t-2", title="kanari-merged", price=Decimal("7.77"))
        merged = session.merge(detached)
        session.flush()
        session.refresh(merged, with_for_update=True)
        return [merged is item, merged.title, merged.price, merged.box]


@step
def deletes():
    with Sessions.begin() as session:
        session.delete(session.scalars(select(Customer).filter_by(email="kanari-7@example.org")).one())
    with Sessions() as session:
        return [session.scalar(select(func.count()).select_from(c)) for c in (Customer, Profile, Order, Line)]
