package upkeep

import (
	"context"
	"sync"

	"tunic/internal/catalog"
)

// keeper is what mends later.
type keeper struct {
	mu      sync.Mutex
	life    context.Context // nil while there is none
	running sync.WaitGroup
	due     map[dueMending]bool // what somebody is at or waits for: whether it has been asked for again since
}

// dueMending is one of a table.
type dueMending struct {
	table catalog.ID
	name  string
}

// again reports whether a mending has been asked for since it was begun; if not, it is over.
func (k *keeper) again(due dueMending) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.due[due] && k.life.Err() == nil {
		k.due[due] = false
		return true
	}
	delete(k.due, due)
	return false
}
