package exec

import (
	"errors"
	"testing"

	"tunic/internal/wire/wiretest"
)

// TestWritesDeadlocked: a deadlock ends the transaction of one client, with all that
// its statement was to write, and the other goes on, as at a plain server.
func TestWritesDeadlocked(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		first := r.pair(t, wiretest.ClientCaps)
		first.each(filled...)
		second := r.pair(t, wiretest.ClientCaps)
		for _, peers := range [][2]*wiretest.Peer{{first.direct, second.direct}, {first.tunnel, second.tunnel}} {
			numbers := deadlock(t, peers[0], peers[1])
			if numbers != [2]uint16{0, errDeadlock} && numbers != [2]uint16{errDeadlock, 0} {
				t.Errorf("errors %v", numbers)
			}
		}
		first.same(allStock)
	})
}

const errDeadlock = 1213

// deadlock has two clients each change a row and then all of them. It returns their
// errors, and leaves the rows as they were.
func deadlock(t *testing.T, a, b *wiretest.Peer) (numbers [2]uint16) {
	t.Helper()
	query := func(p *wiretest.Peer, statement string) uint16 {
		_, err := p.Query(statement)
		if e, ok := errors.AsType[*wiretest.ServerError](err); ok {
			return e.Number
		}
		if err != nil {
			t.Error(err)
		}
		return 0
	}
	query(a, "BEGIN")
	query(b, "BEGIN")
	query(a, "UPDATE stock SET k = k + 1 WHERE id = 1")
	query(b, "UPDATE stock SET k = k + 1 WHERE id = 4")
	done := make(chan uint16)
	go func() { done <- query(a, "UPDATE stock SET k = k + 1 ORDER BY id") }()
	numbers[1] = query(b, "UPDATE stock SET k = k + 1 ORDER BY id DESC")
	query(b, "ROLLBACK")
	numbers[0] = <-done
	query(a, "ROLLBACK")
	return numbers
}
