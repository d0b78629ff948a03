package session

import (
	"maps"
	"sync"
	"sync/atomic"

	"tunic/internal/plan"
	"tunic/internal/policy"
)

// existing are tables that are known to be there, and plain as the policy has it. They are
// forgotten when this tunic changes a definition, or another one does, which makes another version
// of the catalog, and when the policy is another one.
type existing struct {
	mu    sync.Mutex // to add to them
	known atomic.Pointer[existingIn]
}

// existingIn are such tables, by a version of the catalog and a policy.
type existingIn struct {
	version uint64
	policy  *policy.Policy
	tables  map[plan.Named]struct{}
}

// has allocates nothing: it is asked for every statement that is forwarded.
func (e *existing) has(n plan.Named, version uint64, by *policy.Policy) bool {
	known := e.known.Load()
	if known == nil || known.version != version || known.policy != by {
		return false
	}
	_, ok := known.tables[n]
	return ok
}

// existingMax bounds them.
const existingMax = 10000

func (e *existing) add(n plan.Named, version uint64, by *policy.Policy) {
	e.mu.Lock()
	defer e.mu.Unlock()
	next := map[plan.Named]struct{}{n: {}}
	if known := e.known.Load(); known != nil && known.version == version && known.policy == by && len(known.tables) < existingMax {
		maps.Copy(next, known.tables)
	}
	e.known.Store(&existingIn{version, by, next})
}

func (e *existing) forget() { e.known.Store(nil) }
