package charset

import (
	"database/sql"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	_ "github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
)

var (
	rewrite = flag.Bool("rewrite", false, "write collations.tsv anew")
	all     = flag.Bool("all", os.Getenv("TUNIC_LONG") != "", "compare every collation, on every character")
)

// oracle is a server that is asked what the right answer is.
type oracle struct {
	flavor Flavor
	*sql.Conn
}

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m)) }

// oracles connects to the servers that this machine has.
func oracles(t *testing.T) []*oracle {
	t.Helper()
	var found []*oracle
	for _, s := range sandboxtest.Available(t) {
		found = append(found, connect(t, s))
	}
	return found
}

func connect(t *testing.T, s *sandbox.Server) *oracle {
	t.Helper()
	db, err := sql.Open("mysql", s.DSN("root", "root", "test"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o := &oracle{flavor: MariaDB, Conn: conn}
	if s.Flavor == sandbox.MySQL {
		o.flavor = MySQL
	}
	o.exec(t, "SET SESSION sql_mode = ''")
	return o
}

func (o *oracle) exec(t *testing.T, statement string) {
	t.Helper()
	if _, err := o.ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%s: %.200s: %v", o.flavor, statement, err)
	}
}

// rows returns the answer to a query, its values as bytes; nil for NULL.
func (o *oracle) rows(t *testing.T, query string) [][][]byte {
	t.Helper()
	rows, err := o.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %.300s: %v", o.flavor, query, err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var answer [][][]byte
	for rows.Next() {
		row := make([][]byte, len(columns))
		into := make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		answer = append(answer, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return answer
}

// fill makes a table with a number and columns of a character set, and fills it
// with one row for each of rows. What is not well formed to the server comes out
// as another string, and the comparison shows it.
func (o *oracle) fill(t *testing.T, table string, set *Charset, columns []string, rows [][][]byte) {
	t.Helper()
	o.exec(t, "DROP TABLE IF EXISTS "+table)
	var def strings.Builder
	for _, c := range columns {
		fmt.Fprintf(&def, ", %s VARCHAR(200) CHARACTER SET %s", c, set.Name)
	}
	o.exec(t, "CREATE TABLE "+table+" (id INT PRIMARY KEY"+def.String()+") ENGINE=InnoDB")
	o.insert(t, table, rows)
}

// insert fills a table of numbers and values.
func (o *oracle) insert(t *testing.T, table string, rows [][][]byte) {
	t.Helper()
	const batch = 5000
	for from := 0; from < len(rows); from += batch {
		var insert strings.Builder
		insert.WriteString("INSERT INTO " + table + " VALUES ")
		for i := from; i < min(from+batch, len(rows)); i++ {
			fmt.Fprintf(&insert, "%s(%d", [...]string{"", ", "}[min(i-from, 1)], i)
			for _, value := range rows[i] {
				fmt.Fprintf(&insert, ", x'%x'", value)
			}
			insert.WriteString(")")
		}
		o.exec(t, insert.String())
	}
}
