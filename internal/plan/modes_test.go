package plan

import (
	"tunic/internal/sql"
)

// mariadb and mysql are the modes of sessions with servers of today.
var (
	mariadb = sql.Modes(0).WithServer("10.11.6-MariaDB")
	mysql   = sql.Modes(0).WithServer("9.1.0")
)
