package server

import (
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
// LOAD DATA LOCAL, which the server forgets, ends the statement, and nothing of it stays.
func TestKillQueryBetweenBatches(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			addr := proxy.Addr().String()
			mustExec(t, through(t, addr), "CREATE TABLE killed (id INT PRIMARY KEY, v VARCHAR(200))")
			conn, err := through(t, addr).Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
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
			name := "killed" + string(flavor)
			mysql.RegisterReaderHandler(name, func() io.Reader { return file })
			t.Cleanup(func() { mysql.DeregisterReaderHandler(name) })
			done := make(chan error, 1)
			go func() {
				_, err := conn.ExecContext(t.Context(), "LOAD DATA LOCAL INFILE 'Reader::"+name+"' INTO TABLE killed")
				done <- err
			}()
			<-wait.reached
			mustExec(t, through(t, addr), fmt.Sprintf("KILL QUERY %d", id))
			close(wait.goOn)
			err = <-done
			if said, ok := errors.AsType[*mysql.MySQLError](err); !ok || said.Number != 1317 {
				t.Errorf("killed: %v, want error 1317", err)
			}
			is(t, "of rows", textOf(t, through(t, addr), "SELECT COUNT(*) FROM killed"), "0")
			if _, err := conn.ExecContext(t.Context(), "INSERT INTO killed VALUES (1, 'a')"); err != nil {
				t.Errorf("the next statement: %v", err)
			}
			is(t, "of rows", textOf(t, through(t, addr), "SELECT v FROM killed"), "a")
		})
	}
}
