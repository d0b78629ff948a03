package server

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
)

// pause is a part of a file without a byte, which waits.
type pause struct{ reached, goOn chan struct{} }

func (p pause) Read([]byte) (int, error) {
	close(p.reached)
	<-p.goOn
	return 0, io.EOF
}

// TestKillQueryBetweenBatches: a KILL QUERY that comes while the server waits for the next rows of a
// LOAD DATA LOCAL, which the server forgets, ends the statement, and nothing of it stays. A KILL ends the
// session.
func TestKillQueryBetweenBatches(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			addr := proxy.Addr().String()
			mustExec(t, through(t, addr), "CREATE TABLE killed (id INT PRIMARY KEY, v VARCHAR(200))")
			for _, c := range []struct {
				kill     string
				prepared bool
			}{{"KILL QUERY %d", false}, {"KILL QUERY %d", true}, {"KILL %d", false}} {
				conn, err := through(t, addr).Conn(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				err = loadKilled(t, addr, conn, c.kill, c.prepared)
				said, ok := errors.AsType[*mysql.MySQLError](err)
				if interrupted := ok && said.Number == 1317; interrupted != (c.kill != "KILL %d") || err == nil {
					t.Errorf("%s: %v", c.kill, err)
				}
				is(t, "of rows", textOf(t, through(t, addr), "SELECT COUNT(*) FROM killed"), "0")
				if c.kill == "KILL %d" {
					continue
				}
				if _, err := conn.ExecContext(t.Context(), "INSERT INTO killed VALUES (1, 'a')"); err != nil {
					t.Errorf("the next statement: %v", err)
				}
				is(t, "of rows", textOf(t, through(t, addr), "SELECT v FROM killed"), "a")
				mustExec(t, through(t, addr), "DELETE FROM killed")
			}
		})
	}
}

// loadKilled loads a file, amid which the session is killed by another one.
func loadKilled(t *testing.T, addr string, conn *sql.Conn, kill string, prepared bool) error {
	t.Helper()
	var id int
	if err := conn.QueryRowContext(t.Context(), "SELECT CONNECTION_ID()").Scan(&id); err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	for i := range 20_000 { // more than one text of them
		fmt.Fprintf(&rows, "%d\t%s\n", i, strings.Repeat("v", 150))
	}
	wait := pause{make(chan struct{}), make(chan struct{})}
	file := io.MultiReader(strings.NewReader(rows.String()), wait, strings.NewReader("20001\tlast\n"))
	mysql.RegisterReaderHandler(t.Name(), func() io.Reader { return file })
	defer mysql.DeregisterReaderHandler(t.Name())
	done := make(chan error, 1)
	go func() {
		_, err := conn.ExecContext(t.Context(), "LOAD DATA LOCAL INFILE 'Reader::"+t.Name()+"' INTO TABLE killed")
		done <- err
	}()
	<-wait.reached
	killer, text := through(t, addr), fmt.Sprintf(kill, id)
	if !prepared {
		mustExec(t, killer, text)
	} else if st, err := killer.PrepareContext(t.Context(), text); err != nil {
		t.Fatal(err)
	} else if _, err := st.ExecContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	close(wait.goOn)
	return <-done
}
