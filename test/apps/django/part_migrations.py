"""Migrations: the tables are made, filled in their first form, and changed with their rows."""

import datetime
import io
from decimal import Decimal

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from steps import step

UTC = datetime.timezone.utc
CANARY = 7731415926535897932


def _command(*arguments, **options):
    out = io.StringIO()
    call_command(*arguments, stdout=out, no_color=True, **options)
    return [line.strip() for line in out.getvalue().splitlines() if line.strip()]


@step
def check_site():
    return _command("check", database=["default"])


@step
def migrate_first():
    return _command("migrate", "clinic", "0001")


@step
def fill_first():
    """Rows by the models as the first migration has them."""
    apps = MigrationExecutor(connection).loader.project_state(("clinic", "0001_initial")).apps
    practice = apps.get_model("clinic", "Practice").objects.create(
        name="kanari-old practice", city="Bern", opened=datetime.date(1999, 12, 31), settings={"beds": 3, "wing": "kanari-wing"})
    patient = apps.get_model("clinic", "Patient")
    for n in range(3):
        patient.objects.create(
            number=f"old-{n:02}", name=f"kanari-old {n}", born=datetime.date(1950 + n, 1, 2), practice=practice,
            balance=Decimal("10.50") * n, notes=f"kanari-note {n}", account=CANARY + n,
            registered=datetime.datetime(2020, 1, 1, 12, n, tzinfo=UTC),
            token=f"00000000-0000-4000-8000-00000000000{n}", details={"n": n})
    return patient.objects.count()


@step
def migrate_all():
    return _command("migrate")


@step
def first_rows_are_kept():
    from clinic.models import Patient

    return list(Patient.objects.values("number", "name", "remarks", "phone", "balance", "address", "account", "details"))


@step
def show_migrations():
    return _command("showmigrations")


@step
def migrations_are_complete():
    return _command("makemigrations", check=True, dry_run=True)


@step
def migrate_back_and_forth():
    return _command("migrate", "clinic", "0001") + _command("migrate", "clinic")


@step
def create_superuser():
    said = _command("createsuperuser", interactive=False, username="kanari-root", email="kanari-root@example.org")
    root = get_user_model().objects.get(username="kanari-root")
    root.set_password("kanari-password")
    root.save()
    return said


@step
def introspect_tables():
    with connection.cursor() as cursor:
        return sorted(t.name for t in connection.introspection.get_table_list(cursor))


@step
def introspect_columns():
    with connection.cursor() as cursor:
        return {
            table: [list(column)[:9] for column in connection.introspection.get_table_description(cursor, table)]
            for table in ("clinic_patient", "clinic_visit", "auth_user")
        }


@step
def introspect_constraints():
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, "clinic_visit")
        keys = connection.introspection.get_relations(cursor, "clinic_patient")
    return [sorted(found.values(), key=lambda c: [c["columns"], not c["unique"], str(c["foreign_key"])]), sorted(keys.items())]


@step
def inspect_models():
    return _command("inspectdb", "clinic_practice", "clinic_patient", "clinic_visit", "django_admin_log")
