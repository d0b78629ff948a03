package plan

import (
	"flag"

	"tunic/internal/sql"
)

// rewriting says that golden files are rewritten: -rewrite, which datadriven defines.
func rewriting() bool { return flag.Lookup("rewrite").Value.String() == "true" }

// mariadb and mysql are the modes of sessions with servers of today.
var (
	mariadb = sql.Modes(0).WithServer("10.11.6-MariaDB")
	mysql   = sql.Modes(0).WithServer("9.1.0")
)
