package server

import (
	"fmt"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
)

// TestTransactionEndedSilently: a server that ends a transaction within a statement and says nothing of it, as MySQL 9.7
// has done for a deadlock in a cascade. The client is told of a deadlock, not of a savepoint of tunic's.
func TestTransactionEndedSilently(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			e := newEnded(t, flavor, false, true)
			told := map[bool]int{}
			for _, shape := range endedShapes {
				for _, within := range []bool{true, false} {
					for at := 0; ; at++ {
						hit, err := e.silently(shape, within, at)
						if !hit {
							break
						}
						if err != nil {
							told[within]++
							e.told(fmt.Sprintf("%s, command %d, within %t", shape, at, within), err, 1213)
						}
					}
				}
			}
			if told[true] == 0 || told[false] == 0 {
				t.Errorf("told %v", told)
			}
		})
	}
}

// silently has the transaction ended before a command of a statement, in one of the client's or not.
func (e *ended) silently(shape string, within bool, at int) (hit bool, err error) {
	e.t.Helper()
	e.begin(shape)
	if within {
		for _, text := range []string{"BEGIN", first} {
			if err := e.run(text, false); err != nil {
				e.t.Fatalf("%s: %v", text, err)
			}
		}
	}
	e.ender.armSilently(at)
	err = e.run(shape, false)
	_, hit = e.ender.disarm()
	_ = e.run("ROLLBACK", false)
	_ = e.conn.Close()
	if said, ok := err.(*mysql.MySQLError); err != nil && !ok { //nolint:errorlint // the session has ended
		return hit, nil
	} else if ok && said.Number == 1305 {
		e.t.Errorf("%s: the client is told %v", shape, err)
	}
	return hit, err
}
