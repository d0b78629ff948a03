package statements

import (
	"iter"
	"maps"

	"tunic/internal/sql"
	"tunic/internal/wire"
)

// In is what a statement was prepared in.
type In struct {
	Schema string
	Modes  sql.Modes
}

// Outdated is no version of a catalog.
const Outdated = ^uint64(0)

// Numbered are the prepared statements of one client by the server's numbers.
type Numbered[T any] struct {
	Max  int // how many there may be
	byID map[uint32]T
	last uint32
}

// Count is how many there are.
func (n *Numbered[T]) Count() int { return len(n.byID) }

// IsFull reports whether there may be no more, beside others that are kept elsewhere.
func (n *Numbered[T]) IsFull(others int) bool { return n.Count()+others >= n.Max }

// Find returns the statement of a number, or of the one prepared last, as
// MariaDB's clients may say.
func (n *Numbered[T]) Find(id uint32) (T, bool) {
	if id == wire.LastPrepared {
		id = n.last
	}
	st, ok := n.byID[id]
	return st, ok
}

// Fails is before a statement is prepared: if that fails, there is none that was prepared last.
func (n *Numbered[T]) Fails() { n.last = 0 }

// Add keeps the statement that was prepared last.
func (n *Numbered[T]) Add(id uint32, st T) {
	if n.byID == nil {
		n.byID = make(map[uint32]T)
	}
	n.byID[id], n.last = st, id
}

// Remove forgets a statement, and returns it.
func (n *Numbered[T]) Remove(id uint32) (T, bool) {
	st, ok := n.byID[id]
	delete(n.byID, id)
	return st, ok
}

// All are the statements.
func (n *Numbered[T]) All() iter.Seq[T] { return maps.Values(n.byID) }

// Clear forgets them all.
func (n *Numbered[T]) Clear() { n.byID, n.last = nil, 0 }
