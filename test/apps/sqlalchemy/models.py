"""The models of a shop: declarative classes, with every kind of relationship."""

import datetime
import enum
from decimal import Decimal
from typing import Annotated, Optional

from sqlalchemy import (
    JSON, BigInteger, Column, DateTime, Enum, ForeignKey, Index, LargeBinary, MetaData, Numeric, String, Table, Text, UniqueConstraint, func, text,
)
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import DeclarativeBase, Mapped, column_property, mapped_column, relationship

Key = Annotated[int, mapped_column(primary_key=True)]
Price = Annotated[Decimal, mapped_column(Numeric(10, 2))]


class Base(DeclarativeBase):
    """All tables, with names of constraints that migrations can rely on."""

    metadata = MetaData(naming_convention={
        "ix": "ix_%(column_0_label)s", "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s", "pk": "pk_%(table_name)s",
    })


class Level(enum.Enum):
    """How a customer is treated."""

    plain = "plain"
    silver = "silver"
    gold = "gold"


labels = Table(
    "item_label", Base.metadata,
    Column("item_id", ForeignKey("item.id", ondelete="CASCADE"), primary_key=True),
    Column("label_id", ForeignKey("label.id", ondelete="CASCADE"), primary_key=True),
)


class Customer(Base):
    """Who buys."""

    __tablename__ = "customer"

    id: Mapped[Key]
    email: Mapped[str] = mapped_column(String(120), unique=True)
    name: Mapped[str] = mapped_column(String(80), index=True)
    level: Mapped[Level] = mapped_column(Enum(Level), default=Level.plain)
    born: Mapped[Optional[datetime.date]]
    account: Mapped[int] = mapped_column(BigInteger, default=0)
    details: Mapped[Optional[dict]] = mapped_column(JSON)
    note: Mapped[Optional[str]] = mapped_column(Text)
    version: Mapped[int] = mapped_column(default=1)
    since: Mapped[datetime.datetime] = mapped_column(DateTime(), server_default=text("CURRENT_TIMESTAMP"))

    orders: Mapped[list["Order"]] = relationship(back_populates="customer", cascade="all, delete-orphan", order_by="Order.number")
    profile: Mapped[Optional["Profile"]] = relationship(back_populates="customer", cascade="all, delete-orphan")

    __mapper_args__ = {"version_id_col": version}


class Profile(Base):
    """One to one with a customer."""

    __tablename__ = "profile"

    customer_id: Mapped[int] = mapped_column(ForeignKey("customer.id", ondelete="CASCADE"), primary_key=True)
    motto: Mapped[str] = mapped_column(String(200))
    picture: Mapped[Optional[bytes]] = mapped_column(LargeBinary)

    customer: Mapped[Customer] = relationship(back_populates="profile")


class Order(Base):
    """What a customer has bought at once."""

    __tablename__ = "order"
    __table_args__ = (UniqueConstraint("customer_id", "number"), Index("ix_order_placed", "placed", "number"))

    id: Mapped[Key]
    customer_id: Mapped[int] = mapped_column(ForeignKey("customer.id"))
    number: Mapped[int]
    placed: Mapped[datetime.datetime]
    paid: Mapped[bool] = mapped_column(default=False)

    customer: Mapped[Customer] = relationship(back_populates="orders")
    lines: Mapped[list["Line"]] = relationship(back_populates="order", cascade="all, delete-orphan", lazy="selectin", order_by="Line.position")


class Item(Base):
    """What is sold; things and services have a column of their own each."""

    __tablename__ = "item"

    id: Mapped[Key]
    kind: Mapped[str] = mapped_column(String(10))
    code: Mapped[str] = mapped_column(String(20), unique=True)
    title: Mapped[str] = mapped_column(String(100))
    price: Mapped[Price]
    weight: Mapped[Optional[float]]

    labels: Mapped[list["Label"]] = relationship(secondary=labels, back_populates="items", order_by="Label.word")

    __mapper_args__ = {"polymorphic_on": "kind", "polymorphic_identity": "item"}


class Thing(Item):
    """Something that is sent."""

    box: Mapped[Optional[str]] = mapped_column(String(30))

    __mapper_args__ = {"polymorphic_identity": "thing"}


class Service(Item):
    """Something that is done."""

    hours: Mapped[Optional[int]]

    __mapper_args__ = {"polymorphic_identity": "service"}


class Label(Base):
    """A word for items."""

    __tablename__ = "label"

    id: Mapped[Key]
    word: Mapped[str] = mapped_column(String(30), unique=True)
    parent_id: Mapped[Optional[int]] = mapped_column(ForeignKey("label.id"))

    items: Mapped[list[Item]] = relationship(secondary=labels, back_populates="labels")
    children: Mapped[list["Label"]] = relationship(order_by="Label.word")


class Line(Base):
    """One item of an order."""

    __tablename__ = "line"

    order_id: Mapped[int] = mapped_column(ForeignKey("order.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    item_id: Mapped[int] = mapped_column(ForeignKey("item.id"))
    quantity: Mapped[int] = mapped_column(default=1)
    price: Mapped[Price]

    order: Mapped[Order] = relationship(back_populates="lines")
    item: Mapped[Item] = relationship(lazy="joined")

    @hybrid_property
    def total(self):
        return self.quantity * self.price


Order.lines_count = column_property(
    Line.__table__.select().with_only_columns(func.count()).where(Line.order_id == Order.id).correlate_except(Line).scalar_subquery())
