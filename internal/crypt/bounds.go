package crypt

import (
	"maps"
	"sync"
	"sync/atomic"

	"tunic/internal/scheme/gcm"
)

// bounds keeps what opens the forms of other headers than the one that is written. Any number of goroutines may look at it.
type bounds[K comparable] struct {
	known   atomic.Pointer[map[K]*gcm.Bound]
	deriver sync.Mutex
}

// of is what opens the forms of a header, nil if it is not there.
func (b *bounds[K]) of(header K) *gcm.Bound {
	if known := b.known.Load(); known != nil {
		return (*known)[header]
	}
	return nil
}

// add makes what opens the forms of a header. If as many as most are there, they are forgotten first: a header that is made up
// is not to fill memory.
func (b *bounds[K]) add(header K, most int, make func() (*gcm.Bound, error)) (*gcm.Bound, error) {
	b.deriver.Lock()
	defer b.deriver.Unlock()
	next := map[K]*gcm.Bound{}
	if known := b.known.Load(); known != nil && len(*known) < most {
		next = maps.Clone(*known)
	}
	made, err := make()
	if err != nil {
		return nil, err
	}
	next[header] = made
	b.known.Store(&next)
	return made, nil
}
