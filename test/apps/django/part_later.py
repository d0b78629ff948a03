"""What is done to a site in its later life: fixtures, cleaning up, taking it down."""

import io
import json
import tempfile

from django.core.management import call_command
from django.db import connection

from clinic.models import Practice, Visit
from steps import step


@step
def dump_and_load():
    out = io.StringIO()
    call_command("dumpdata", "clinic.tag", "auth.group", stdout=out)
    rows = json.loads(out.getvalue())
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(out.getvalue())
        file.flush()
        call_command("loaddata", file.name, verbosity=0)
    return [[row["fields"] for row in rows if row["model"] == "clinic.tag"], len(rows)]


@step
def clear_sessions():
    call_command("clearsessions")
    return "done"


@step
def reset_sequences():
    return connection.ops.sequence_reset_sql(None, [Practice])


@step
def flush():
    call_command("flush", interactive=False, verbosity=0)
    return [Practice.objects.count(), Visit.objects.count()]


@step
def migrate_to_nothing():
    call_command("migrate", "clinic", "zero", verbosity=0)
    with connection.cursor() as cursor:
        return sorted(name for name in connection.introspection.table_names(cursor) if name.startswith("clinic"))
