package exec

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// killedRows is how many rows there are to be written.
const killedRows = 60

// killedStatements are statements that write in one exchange and in several, and how many
// rows.
var killedStatements = []struct {
	text string
	rows int
}{
	{"UPDATE stock SET big = %d, name = CONCAT('n', k)", killedRows},
	{"UPDATE stock SET big = %d WHERE id = 20", 1},
	{"UPDATE stock SET big = %d ORDER BY id", killedRows},
	{"UPDATE stock a JOIN stock b ON a.id = b.id SET a.big = %d", killedRows},
	{"REPLACE INTO stock (id, code, k, big) SELECT id, code, k, %d FROM stock", killedRows},
	{"INSERT INTO stock (id, code, k, big) VALUES (1, 'x1', 1, %[1]d), (2, 'x2', 1, %[1]d) ON DUPLICATE KEY UPDATE big = VALUES(big)", 2},
}

// TestKilled: KILL QUERY, whenever it comes, ends a statement as if it had not been, or
// comes too late for it. The session goes on, without a transaction of tunic's.
func TestKilled(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.stock()
		for _, caps := range []wire.Capability{wiretest.ClientCaps, wiretest.ClientCaps &^ wire.ClientMultiStatements} {
			p := r.pair(t, caps)
			p.each("DELETE FROM stock")
			var rows []string
			for i := range killedRows {
				rows = append(rows, fmt.Sprintf("(%d, 'x%d', 1, 0)", i, i))
			}
			p.each("INSERT INTO stock (id, code, k, big) VALUES " + strings.Join(rows, ", "))
			id := r.asked(p.tunnel, "SELECT CONNECTION_ID()")
			for n := range 40 {
				c := killedStatements[n%len(killedStatements)]
				r.killOne(p.tunnel, id, fmt.Sprintf(c.text, n+1))
				written := r.asked(p.tunnel, fmt.Sprintf("SELECT COUNT(*) FROM stock WHERE big = %d", n+1))
				if written != "0" && written != strconv.Itoa(c.rows) {
					t.Errorf("%s: %s rows are written", c.text, written)
				}
			}
		}
	})
}

// killOne has a statement killed at some moment.
func (r *rig) killOne(client *wiretest.Peer, id, statement string) {
	r.t.Helper()
	done := make(chan error, 1)
	go func() {
		time.Sleep(time.Duration(rand.IntN(8000)) * time.Microsecond)
		_, err := r.db.Exec("KILL QUERY " + id)
		done <- err
	}()
	_, err := client.Query(statement)
	if killing := <-done; killing != nil {
		r.t.Fatal(killing)
	}
	if err != nil && !strings.Contains(err.Error(), "1317") {
		r.t.Errorf("%s: %v", statement, err)
	}
	_, _ = client.Query("DO 0") // which the KILL may have come to
	r.nothingOpen(id, statement)
}

// asked is the value that a query has.
func (r *rig) asked(client *wiretest.Peer, query string) string {
	r.t.Helper()
	sets, err := client.Query(query)
	if err != nil {
		r.t.Fatalf("%s: %v", query, err)
	}
	return string(sets[0].Rows[0][1:])
}
