package ledger

import (
	"bytes"
	"slices"
	"sync"

	"tunic/internal/catalog"
)

// Gate keeps statements and changes of a table's definition apart, within one
// process. A stored statement is right for one definition of its table. The
// server's own lock on metadata keeps a definition from changing while a statement
// runs, but it knows nothing of one that is made and not sent yet, and would take
// it after the change.
//
// Whoever carries out a statement enters the gates of its tables before looking
// which definitions they have, and leaves when the server has answered. A change
// closes them: it waits until all have left, and nobody enters until the change is
// written down. Change does so by itself.
//
// A transaction that has used the table before passes a closed gate: it holds the
// server's lock, so that the change is waiting for it and has done nothing yet.
// Keeping it waiting in turn would be a deadlock. So it would where one statement
// changes several tables, of which the transaction has used another one.
//
// Not all that a transaction has used is known here: a plain table that the same statement
// changes or locks, the other table of a foreign key, what a statement has used that failed, what a
// view or trigger of the server's has. So any transaction for which the server may keep something
// passes a closed gate, once it has been left, as statements of other processes do. The server makes
// it wait, or ends it, as it would without tunic; or refuses it, if the table has been changed.
//
// For a quiet moment ([Ledger.Quiesce]) a gate is held: who has not used the table waits as if it were
// closed, and it is told when all are gone that have.
type Gate struct {
	turnstiles sync.Map // of *turnstile by catalog.ID
}

// turnstile is the gate of one table.
type turnstile struct {
	mu     sync.Mutex
	inside int
	using  int      // transactions that have used the table
	held   int      // by how many it is held
	closed *closing // nil while it is open
	empty  bool     // all have left since it was closed
	// moved is closed, and forgotten, when something changes that somebody waits for.
	moved chan struct{}
}

// closing is what gates are closed for.
type closing struct {
	// together are the tables of one statement of the server's, which has done nothing
	// before it has got all of them.
	together []catalog.ID
}

// Passage is by what somebody passes a gate that is closed.
type Passage struct {
	// Uses are the tables that its transaction has used, and that the server keeps from changes until
	// its end; nil is none.
	Uses func(catalog.ID) bool
	// Holds says that the server may keep others from changes as well for the transaction, and that it
	// refuses the statement if the table has been changed.
	Holds bool
}

func (p Passage) uses(id catalog.ID) bool { return p.Uses != nil && p.Uses(id) }

// passes reports whether somebody passes a gate that is closed, and perhaps empty.
func (c *closing) passes(by Passage, empty bool) bool {
	return c != nil && (by.Holds && empty || by.Uses != nil && slices.ContainsFunc(c.together, by.Uses))
}

func (g *Gate) of(id catalog.ID) *turnstile {
	t, ok := g.turnstiles.Load(id)
	if !ok {
		t, _ = g.turnstiles.LoadOrStore(id, new(turnstile))
	}
	return t.(*turnstile) //nolint:forcetypeassert // nothing else is stored
}

// Enter enters the gate of a table, and waits while it is closed for who asks.
// It is false if done is closed first. What it returns leaves again.
func (g *Gate) Enter(id catalog.ID, by Passage, done <-chan struct{}) (*Inside, bool) {
	t := g.of(id)
	pass := by.uses(id)
	t.mu.Lock()
	for t.bars(by, pass) {
		if !t.wait(done) {
			t.mu.Unlock()
			return nil, false
		}
	}
	t.inside++
	t.mu.Unlock()
	return (*Inside)(t), true
}

// TryEnter is Enter that does not wait: it is false if the gate is closed for who asks.
func (g *Gate) TryEnter(id catalog.ID, by Passage) (*Inside, bool) {
	t := g.of(id)
	pass := by.uses(id)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.bars(by, pass) {
		return nil, false
	}
	t.inside++
	return (*Inside)(t), true
}

// bars reports whether a gate is closed for who asks; pass says that it has used the table. The caller holds mu.
func (t *turnstile) bars(by Passage, pass bool) bool {
	return (t.closed != nil || t.held > 0) && !pass && !t.closed.passes(by, t.empty)
}

// Use notes that a transaction has used a table and goes on.
func (g *Gate) Use(id catalog.ID) *Use {
	t := g.of(id)
	t.mu.Lock()
	t.using++
	t.mu.Unlock()
	return (*Use)(t)
}

// Use is that of a table by an open transaction.
type Use turnstile

// End is after the transaction's end, or when it has given the table back.
func (u *Use) End() {
	t := (*turnstile)(u)
	t.mu.Lock()
	t.using--
	if t.using == 0 {
		t.move()
	}
	t.mu.Unlock()
}

// hold keeps those out that have not used a table, until it is let go.
func (g *Gate) hold(id catalog.ID) (letGo func()) {
	t := g.of(id)
	t.mu.Lock()
	t.held++
	t.mu.Unlock()
	return sync.OnceFunc(func() {
		t.mu.Lock()
		t.held--
		t.move()
		t.mu.Unlock()
	})
}

// awaitStill waits until nobody is inside and no transaction is open; false if done is closed
// first.
func (g *Gate) awaitStill(id catalog.ID, done <-chan struct{}) bool {
	t := g.of(id)
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.inside > 0 || t.using > 0 {
		if !t.wait(done) {
			return false
		}
	}
	return true
}

// Busy is how many are inside of a table's gate or have used it in an open transaction.
func (g *Gate) Busy(id catalog.ID) int {
	t := g.of(id)
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.inside + t.using
}

// users is how many open transactions have used a table.
func (g *Gate) users(id catalog.ID) int {
	t := g.of(id)
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.using
}

// Inside is somebody who has entered a gate.
type Inside turnstile

// Leave leaves it.
func (i *Inside) Leave() {
	t := (*turnstile)(i)
	t.mu.Lock()
	t.inside--
	if t.inside == 0 {
		t.move()
	}
	t.mu.Unlock()
}

// Close closes the gates of tables and waits until nobody is inside; false if done
// is closed first. What it returns opens them. together are those that one statement changes.
func (g *Gate) Close(ids, together []catalog.ID, done <-chan struct{}) (open func(), ok bool) {
	by := &closing{together}
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b catalog.ID) int { return bytes.Compare(a[:], b[:]) }) // two changes wait in one order
	var shut []*turnstile
	open = func() {
		for _, t := range shut {
			t.reopen()
		}
	}
	for _, id := range slices.Compact(ids) {
		t := g.of(id)
		if !t.shut(by, done) {
			open()
			return nil, false
		}
		shut = append(shut, t)
	}
	return open, true
}

func (t *turnstile) shut(by *closing, done <-chan struct{}) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.closed != nil {
		if !t.wait(done) {
			return false
		}
	}
	t.closed = by
	for t.inside > 0 {
		if !t.wait(done) {
			t.closed = nil
			t.move()
			return false
		}
	}
	t.empty = true
	t.move()
	return true
}

func (t *turnstile) reopen() {
	t.mu.Lock()
	t.closed, t.empty = nil, false
	t.move()
	t.mu.Unlock()
}

// wait waits for a move, with mu free meanwhile; false if done is closed first.
func (t *turnstile) wait(done <-chan struct{}) bool {
	if t.moved == nil {
		t.moved = make(chan struct{})
	}
	moved := t.moved
	t.mu.Unlock()
	defer t.mu.Lock()
	select {
	case <-moved:
		return true
	case <-done:
		return false
	}
}

func (t *turnstile) move() {
	if t.moved != nil {
		close(t.moved)
		t.moved = nil
	}
}
