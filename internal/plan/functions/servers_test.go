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

// ofMySQL are functions that the parser has nodes for and that MariaDB has not, or not in each version.
var ofMySQL = []string{
	"REGEXP_LIKE('a', 'b')", "JSON_STORAGE_FREE('1')", "JSON_STORAGE_SIZE('1')", "JSON_SCHEMA_VALID('{}', '1')", "JSON_SCHEMA_VALIDATION_REPORT('{}', '1')",
	"ST_GEOHASH(1, 1, 2)", "ST_LATFROMGEOHASH('s')", "ST_LONGFROMGEOHASH('s')", "ST_POINTFROMGEOHASH('s', 0)", "ST_LATITUDE(NULL)", "ST_LONGITUDE(NULL)",
	"GTID_SUBSET('', '')", "GTID_SUBTRACT('', '')", "FORMAT_BYTES(1)", "FORMAT_PICO_TIME(1)", "PS_THREAD_ID(1)", "ANY_VALUE(1)",
}

// onServers runs a test on each server; has reports whether the server knows the function of a call. With other arguments than it takes,
// it is another error.
func onServers(t *testing.T, test func(t *testing.T, m sql.Modes, has func(call string) bool)) {
	sandboxtest.Each(t, func(t *testing.T, s *sandbox.Server) {
		db, err := dbsql.Open("mysql", s.DSN("root", "root", "test"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		test(t, modes[s.Flavor], func(call string) bool {
			_, err := db.ExecContext(t.Context(), "DO "+call)
			refused, failed := errors.AsType[*mysql.MySQLError](err)
			if err != nil && !failed {
				t.Fatal(err)
			}
			return !failed || refused.Number != noFunction
		})
	}, sandboxtest.Volatile)
}

// TestNodesAreServers: what the parser has a node of its own for is the server's, or may be an application's.
func TestNodesAreServers(t *testing.T) {
	onServers(t, func(t *testing.T, m sql.Modes, has func(call string) bool) {
		for _, call := range append([]string{"ST_X(NULL)", "JSON_VALUE('1', '$')", "REGEXP_SUBSTR('a', 'b')", "JSON_OVERLAPS('1', '1')"}, ofMySQL...) {
			read, err := sql.Parse([]byte("SELECT "+call), m)
			if err != nil {
				t.Fatalf("%s: %v", call, err)
			}
			tree, err := read[0].Tree()
			if err != nil {
				t.Fatalf("%s: %v", call, err)
			}
			if !has(call) && !Foreign(tree.Root(), m) {
				t.Errorf("%s is taken for the server's own", call)
			}
		}
	})
}

// TestBuiltInAreServers: both servers have each function of the list by themselves. One that they do not have may be an
// application's.
func TestBuiltInAreServers(t *testing.T) {
	onServers(t, func(t *testing.T, m sql.Modes, has func(call string) bool) {
		if has("of_nobody()") {
			t.Fatal("a function that is nobody's is not told from others")
		}
		for _, list := range []map[string]bool{builtIn, hashes} {
			for name := range list {
				if isOwn(name, m) && !has(name+"()") {
					t.Errorf("the server has no function %s (builtIn)", name)
				}
			}
		}
	})
}
