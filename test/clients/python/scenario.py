"""The scenario of PyMySQL: every check of ../checks.txt, as Python would do it.

PyMySQL speaks the text protocol only: it writes its arguments into the statement
itself. What needs prepared statements is skipped.
"""

import sys

import commands
import connecting
import infiles
import results
import sizes
import transactions
import values
from harness import run_checks, skip_checks

skip_checks(
    "PyMySQL speaks the text protocol only",
    "types.binary", "error.prepared", "prepared.repeat", "prepared.retype", "prepared.null",
    "prepared.many", "prepared.long_data", "prepared.bulk", "big.binary", "rows.cursor",
)
skip_checks("PyMySQL does not compress", "connect.zlib", "connect.zstd")
skip_checks("PyMySQL has no such command", "command.change_user", "command.reset", "command.statistics",
            "command.field_list", "command.set_option", "session.track", "query.attributes")
skip_checks("no command-line client", "kill.interrupt")
skip_checks("PyMySQL always opens with the server's own plugin", "login.switch")

if __name__ == "__main__":
    # Named, so that a reader sees where the checks are and no import is unused.
    modules = connecting, values, transactions, results, sizes, infiles, commands
    sys.exit(run_checks(modules))
