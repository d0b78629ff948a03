"""The engine that all parts of the scenario use."""

import os

from alembic.config import Config
from sqlalchemy import create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.orm import Session, sessionmaker

CANARY = 7731415926535897932

engine = create_engine(
    os.environ.get("APP_URL") or URL.create(
        "mysql+pymysql", os.environ["APP_USER"], os.environ["APP_PASSWORD"], os.environ["APP_HOST"],
        int(os.environ["APP_PORT"]), os.environ["APP_DATABASE"], {"charset": "utf8mb4"}),
    connect_args={} if "APP_URL" in os.environ else {"ssl": {"ca": os.environ["APP_CA"]}},
    pool_size=3, pool_pre_ping=True)

Sessions = sessionmaker(engine, class_=Session)


class Counter:
    """How many statements are executed while it is open."""

    def __enter__(self):
        self.count = 0
        event.listen(engine, "before_cursor_execute", self._count)
        return self

    def __exit__(self, *_):
        event.remove(engine, "before_cursor_execute", self._count)

    def _count(self, *_):
        self.count += 1


def config(connection):
    """Alembic's, without a file."""
    made = Config()
    made.set_main_option("script_location", os.path.join(os.path.dirname(os.path.abspath(__file__)), "migrations"))
    made.attributes["connection"] = connection
    return made
