package plain

import (
	"maps"
	"sync"
	"sync/atomic"

	"tunic/internal/policy"
	"tunic/internal/resolve"
)

// Known are tables that are known to be there, and plain as the policy has it. They are
// forgotten when this tunic changes a definition, or another one does, which makes another version
// of the catalog, and when the policy is another one.
type Known struct {
	mu    sync.Mutex // to add to them
	known atomic.Pointer[existingIn]
}

// existingIn are such tables, by a version of the catalog and a policy.
type existingIn struct {
	version uint64
	policy  *policy.Policy
	tables  map[resolve.Name]struct{}
}

// Has allocates nothing: it is asked for every statement that is forwarded.
func (e *Known) Has(n resolve.Name, version uint64, by *policy.Policy) bool {
	known := e.known.Load()
	if known == nil || known.version != version || known.policy != by {
		return false
	}
	_, ok := known.tables[n]
	return ok
}

// existingMax bounds them.
const existingMax = 10000

// Add notes that a table is there.
func (e *Known) Add(n resolve.Name, version uint64, by *policy.Policy) {
	e.mu.Lock()
	defer e.mu.Unlock()
	next := map[resolve.Name]struct{}{n: {}}
	if known := e.known.Load(); known != nil && known.version == version && known.policy == by && len(known.tables) < existingMax {
		maps.Copy(next, known.tables)
	}
	e.known.Store(&existingIn{version, by, next})
}

// Forget forgets them all.
func (e *Known) Forget() { e.known.Store(nil) }
