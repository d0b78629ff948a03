"""The scenario of Django: a site is migrated, filled, asked, changed and administered.

Django's own pieces do all of it: migrations, the ORM, auth, sessions and the admin's
pages through the test client. Every step's result is one line; see ../README.md.
"""

import os
import sys

import django
from django.test.utils import setup_test_environment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings")
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
django.setup()
setup_test_environment()

import steps  # noqa: E402

# Each has the steps of one part, in this order.
import part_migrations  # noqa: E402
import part_orm  # noqa: E402
import part_writes  # noqa: E402
import part_admin  # noqa: E402
import part_later  # noqa: E402

if __name__ == "__main__":
    modules = part_migrations, part_orm, part_writes, part_admin, part_later
    sys.exit(steps.run())
