package inflight

import (
	"slices"
	"sync"
	"time"

	"tunic/internal/catalog"
)

// Client is somebody who may have a statement in flight.
type Client interface {
	// Behind reports whether the server may have a statement that was planned by a catalog before a version, by
	// which it would be another one; planned is the version of that catalog, or an older one. It may be called from
	// any goroutine.
	Behind(version uint64, now *catalog.Catalog) (planned uint64, behind bool)
	// Connection is the number of its connection, as the server shows it.
	Connection() uint32
}

// CutOff is a client that was cut off within a statement.
type CutOff interface {
	Client
	// Over reports whether the server has done with the statement.
	Over() bool
	// Close gives back what is held to know that.
	Close()
}

// Registry has the clients of one process. The zero value has none.
type Registry struct {
	mu      sync.Mutex
	clients map[Client]struct{}
	cut     []CutOff
}

// Enter adds a client, until it leaves.
func (r *Registry) Enter(c Client) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.clients == nil {
		r.clients = map[Client]struct{}{}
	}
	r.clients[c] = struct{}{}
}

// Leave takes a client out. cut is what it leaves behind; nil where the server has answered everything.
func (r *Registry) Leave(c Client, cut CutOff) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.clients, c)
	if cut != nil {
		r.cut = append(r.cut, cut)
	}
}

// sweep forgets those with whom the server has done, and reports whether others are left. The caller holds mu.
func (r *Registry) sweep() (left bool) {
	r.cut = slices.DeleteFunc(r.cut, func(c CutOff) bool {
		over := c.Over()
		if over {
			c.Close()
		}
		return over
	})
	return len(r.cut) > 0
}

// Close forgets all, once no client is left that has entered, and reports whether the server may still be doing something for
// one that was cut off after a time. look is called now and then: it finds out what the server has.
func (r *Registry) Close(patience time.Duration, look func()) (left bool) {
	pause := 5 * time.Millisecond
	for until := time.Now().Add(patience); r.swept() && time.Now().Before(until); pause = min(2*pause, patience/4) {
		time.Sleep(pause)
		look()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	left = len(r.cut)+len(r.clients) > 0
	for _, c := range r.cut {
		c.Close()
	}
	r.cut = nil
	return left
}

func (r *Registry) swept() (left bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sweep()
}

// Connections are those by which the server has statements that are behind a version, some of them if there are many.
func (r *Registry) Connections(version uint64, now *catalog.Catalog) (some []uint32) {
	const many = 10
	r.mu.Lock()
	defer r.mu.Unlock()
	hear := func(c Client) {
		if _, behind := c.Behind(version, now); behind && len(some) < many {
			some = append(some, c.Connection())
		}
	}
	r.each(hear)
	return some
}

// Oldest is the newest version, up to the given one of a catalog, that no statement in flight holds back.
func (r *Registry) Oldest(version uint64, now *catalog.Catalog) uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweep()
	oldest := version
	hear := func(c Client) {
		if planned, behind := c.Behind(version, now); behind {
			oldest = min(oldest, planned)
		}
	}
	r.each(hear)
	return oldest
}

// each calls do with every client, and with those that were cut off. The caller holds mu.
func (r *Registry) each(do func(Client)) {
	for c := range r.clients {
		do(c)
	}
	for _, c := range r.cut {
		do(c)
	}
}
