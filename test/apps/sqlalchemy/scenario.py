"""The scenario of SQLAlchemy and Alembic: a shop is migrated, filled, asked and changed.

Every step's result is one line; see ../README.md.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import steps  # noqa: E402

# Each has the steps of one part, in this order.
import part_migrations  # noqa: E402
import part_unit_of_work  # noqa: E402
import part_queries  # noqa: E402
import part_core  # noqa: E402
import part_later  # noqa: E402

if __name__ == "__main__":
    modules = part_migrations, part_unit_of_work, part_queries, part_core, part_later
    sys.exit(steps.run())
