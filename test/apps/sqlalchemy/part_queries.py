"""Questions by the ORM: loading of relations, joins, aggregates, windows, common table expressions."""

from sqlalchemy import String, and_, case, cast, desc, exists, extract, func, literal, not_, or_, select
from sqlalchemy.orm import aliased, contains_eager, joinedload, selectinload, subqueryload

from models import Customer, Item, Label, Level, Line, Order, Profile
from shop import CANARY, Counter, Sessions
from steps import step


def _rows(statement):
    with Sessions() as session:
        return [list(row) for row in session.execute(statement)]


def _loaded(*options):
    with Sessions() as session, Counter() as counter:
        found = session.scalars(select(Customer).options(*options).order_by(Customer.email)).unique().all()
        return [[[c.email, c.profile and c.profile.motto, [[o.number, len(o.lines)] for o in c.orders]] for c in found], counter.count]


@step
def lazy_loads():
    return _loaded()


@step
def joined_loads():
    return _loaded(joinedload(Customer.profile), joinedload(Customer.orders))


@step
def selectin_loads():
    return _loaded(selectinload(Customer.profile), selectinload(Customer.orders).selectinload(Order.lines))


@step
def subquery_loads():
    return _loaded(subqueryload(Customer.orders), subqueryload(Customer.profile))


@step
def eager_by_join():
    with Sessions() as session:
        found = session.scalars(
            select(Order).join(Order.customer).options(contains_eager(Order.customer)).where(Customer.level == Level.gold)
            .order_by(Customer.email, Order.number)).all()
        return [[o.customer.email, o.number, o.lines_count] for o in found]


@step
def conditions():
    emails = select(Customer.email).order_by(Customer.email)
    return [
        _rows(emails.where(Customer.name.like("kanari-n%"))), _rows(emails.where(Customer.name.ilike("%ÄME%"))),
        _rows(emails.where(Customer.level.in_([Level.plain, Level.gold]))), _rows(emails.where(Customer.born.is_(None))),
        _rows(emails.where(or_(Customer.account == CANARY + 2, and_(Customer.note == "", Customer.version >= 1)))),
        _rows(emails.where(not_(Customer.name.contains("old")), Customer.born.between("1982-01-01", "1985-01-01"))),
        _rows(emails.where(extract("year", Customer.born) == 1984)), _rows(emails.where(Customer.name.regexp_match("ame [12]$"))),
        _rows(emails.where(Customer.details["size"].as_integer() > 3)), _rows(emails.where(Customer.orders.any(Order.paid.is_(True)))),
        _rows(emails.where(Customer.profile.has(Profile.motto.startswith("kanari-motto 4")))),
    ]


@step
def joins():
    statement = (
        select(Customer.email, Order.number, Item.title, Line.total)
        .join(Customer.orders).join(Order.lines).join(Line.item).where(Line.quantity > 1).order_by(Customer.email, Order.number, Line.position))
    return _rows(statement)


@step
def outer_joins():
    statement = (
        select(Customer.email, Profile.motto, func.count(Order.id)).outerjoin(Profile).outerjoin(Customer.orders)
        .group_by(Customer.email, Profile.motto).order_by(Customer.email))
    return _rows(statement)


@step
def aggregates():
    statement = (
        select(Customer.level, func.count(), func.sum(Customer.account), func.min(Customer.born), func.max(Customer.name), func.avg(Customer.version))
        .group_by(Customer.level).having(func.count() > 1).order_by(desc(func.count()), Customer.level))
    return _rows(statement) + _rows(select(func.sum(Line.quantity * Line.price), func.count(Line.item_id.distinct())))


@step
def expressions():
    statement = select(
        func.upper(Customer.name), func.length(Customer.note), Customer.name + "/" + Customer.email, func.coalesce(Customer.note, "none"),
        case((Customer.level == Level.gold, "best"), (Customer.version > 1, "changed"), else_="other"), cast(Customer.account, String(30)),
        func.substr(Customer.email, 1, 8), func.concat(Customer.name, literal("!")), func.year(Customer.born), Customer.account % 7,
    ).order_by(Customer.email)
    return _rows(statement)


@step
def subqueries():
    totals = select(Line.order_id, func.sum(Line.quantity * Line.price).label("total")).group_by(Line.order_id).subquery()
    dearest = select(func.max(Line.price)).where(Line.order_id == Order.id).correlate(Order).scalar_subquery()
    return [
        _rows(select(Customer.email, Order.number, totals.c.total).select_from(Customer).join(Order).join(totals, totals.c.order_id == Order.id)
              .order_by(totals.c.total.desc(), Customer.email, Order.number)),
        _rows(select(Order.number, dearest).join(Order.customer).order_by(Customer.email, Order.number)),
        _rows(select(Customer.email).where(~exists().where(Order.customer_id == Customer.id)).order_by(Customer.email)),
        _rows(select(Item.code).where(Item.id.in_(select(Line.item_id).where(Line.quantity >= 2))).order_by(Item.code)),
    ]


@step
def common_table_expressions():
    rich = select(Line.order_id, func.sum(Line.price).label("s")).group_by(Line.order_id).cte("rich")
    return _rows(select(Order.number, rich.c.s).join(rich, rich.c.order_id == Order.id).where(rich.c.s > 5).order_by(rich.c.s, Order.id))


@step
def recursion():
    tree = select(Label.id, Label.word, literal(0).label("depth")).where(Label.parent_id.is_(None), Label.word == "kanari-red").cte("tree", recursive=True)
    child = aliased(Label)
    tree = tree.union_all(select(child.id, child.word, tree.c.depth + 1).join(tree, child.parent_id == tree.c.id))
    return _rows(select(tree.c.word, tree.c.depth).order_by(tree.c.depth, tree.c.word))


@step
def windows():
    rank = func.rank().over(partition_by=Customer.level, order_by=Customer.account.desc())
    return _rows(select(Customer.email, Customer.level, rank).order_by(Customer.level, rank))


@step
def unions():
    a, b = select(Customer.name).where(Customer.version > 1), select(Customer.name).where(Customer.born.is_(None))
    return [sorted(_rows(a.union(b))), sorted(_rows(a.union_all(b)))]


@step
def pages():
    with Sessions() as session:
        ordered = select(Customer.email).order_by(Customer.name.desc(), Customer.email)
        pages = [session.scalars(ordered.limit(3).offset(at)).all() for at in (0, 3, 6, 9)]
        return [pages, session.scalar(select(func.count()).select_from(ordered.subquery()))]


@step
def streaming():
    with Sessions() as session:
        found = session.execute(select(Line.order_id, Line.position, Line.price).order_by(Line.order_id, Line.position).execution_options(yield_per=4))
        return [len(part) for part in found.partitions()]


@step
def self_join():
    parent = aliased(Label)
    return _rows(select(Label.word, parent.word).outerjoin(parent, Label.parent_id == parent.id).order_by(Label.word))
