package functions

import (
	dbsql "database/sql"
	"errors"
	"os"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/sql"
)

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m)) }

// noFunction is the error of servers that neither they nor the schema have such a function (ER_SP_DOES_NOT_EXIST).
const noFunction = 1305

// modes tell the flavors apart.
var modes = map[sandbox.Flavor]sql.Modes{sandbox.MariaDB: sql.MariaDB}

// TestBuiltInAreServers: both servers have each function of the list by themselves. One that they do not have may be an
// application's.
func TestBuiltInAreServers(t *testing.T) {
	sandboxtest.Each(t, func(t *testing.T, s *sandbox.Server) {
		db, err := dbsql.Open("mysql", s.DSN("root", "root", "test"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		has := func(name string) bool { // without arguments most of them are another error
			_, err := db.ExecContext(t.Context(), "DO "+name+"()")
			var refused *mysql.MySQLError
			if err != nil && !errors.As(err, &refused) {
				t.Fatal(err)
			}
			return err == nil || refused.Number != noFunction
		}
		if has("of_nobody") {
			t.Fatal("a function that is nobody's is not told from others")
		}
		for _, list := range []map[string]bool{builtIn, hashes} {
			for name := range list {
				if isOwn(name, modes[s.Flavor]) && !has(name) {
					t.Errorf("the server has no function %s (builtIn)", name)
				}
			}
		}
	}, sandboxtest.Volatile)
}
