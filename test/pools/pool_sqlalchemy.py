"""Work on the pool of SQLAlchemy; see README.md."""

import os
import sys
import threading

from sqlalchemy import BigInteger, String, create_engine, func, insert, select
from sqlalchemy.engine import URL
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

WORKERS = int(os.environ["POOL_WORKERS"])
URL_OF_POOL = URL.create(
    "mysql+pymysql", os.environ["POOL_USER"], os.environ["POOL_PASSWORD"], os.environ["POOL_HOST"],
    int(os.environ["POOL_PORT"]), os.environ["POOL_DATABASE"])

engine = create_engine(URL_OF_POOL, pool_size=WORKERS, pool_pre_ping=True)
autocommit = engine.execution_options(isolation_level="AUTOCOMMIT")
stop = threading.Event()
printing = threading.Lock()


class Base(DeclarativeBase):
    pass


class Done(Base):
    __tablename__ = os.environ["POOL_TABLE"]
    worker: Mapped[int] = mapped_column(primary_key=True)
    n: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger)
    note: Mapped[str] = mapped_column(String(40))


def values(worker, n, note):
    return {"worker": worker, "n": n, "number": worker * 1000000 + n, "note": note}


def transaction(worker, n):
    with Session(engine) as session, session.begin():
        session.add(Done(**values(worker, n, "a note")))
        session.flush()
        count = session.scalar(
            select(func.count()).select_from(Done).where(Done.worker == worker, Done.n == n, Done.note == "a note"))
        if count != 1:
            raise RuntimeError(f"{count} rows")


def single(worker, n):
    with autocommit.connect() as connection:
        connection.execute(insert(Done).values(**values(worker, n, "by itself")))


def report(line):
    with printing:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


def work(worker):
    n = 0
    while not stop.is_set():
        try:
            (single if n % 3 == 2 else transaction)(worker, n)
            report(f"ok {worker} {n}")
        except Exception as error:  # whatever it is, the work is not done
            report(f"failed {worker} {n} " + " ".join(f"{type(error).__name__}: {error}".split()))
        if worker % 4 == 0:
            stop.wait(1.5)
        n += 1


if __name__ == "__main__":
    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(WORKERS)]
    for thread in threads:
        thread.start()
    sys.stdin.read()
    stop.set()
    for thread in threads:
        thread.join()
