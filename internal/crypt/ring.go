package crypt

import (
	"fmt"
	"sync"

	"tunic/internal/catalog"
	"tunic/internal/keys"
)

// Ring makes the columns of a project and keeps them. It may be used by any number
// of goroutines.
type Ring struct {
	tree *keys.Tree

	mu      sync.Mutex
	columns map[*catalog.Column]*Column
	seals   *Seals
}

// NewRing makes the ring of a key tree.
func NewRing(tree *keys.Tree) *Ring { return NewRingCounting(tree, nil) }

// NewRingCounting makes a ring that counts its seals with others; nil is for none.
func NewRingCounting(tree *keys.Tree, seals *Seals) *Ring {
	if seals == nil {
		seals = new(Seals)
	}
	return &Ring{tree: tree, columns: map[*catalog.Column]*Column{}, seals: seals}
}

// Column is the cryptography of a protected column. The catalog's column is not
// changed by anybody, so the same one always has the same.
func (r *Ring) Column(c *catalog.Column) (*Column, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known := r.columns[c]; known != nil {
		return known, nil
	}
	made, err := newColumn(r.tree, c)
	if err != nil {
		return nil, fmt.Errorf("column %s: %w", c.ID, err)
	}
	made.sealer.CountIn(r.seals.counter(keys.Use{Domain: keys.Domain(c.ID), Epoch: c.Epoch}))
	r.columns[c] = made
	return made, nil
}

// Keep forgets the columns of all tables but those of a version of the catalog.
func (r *Ring) Keep(c *catalog.Catalog) {
	r.mu.Lock()
	defer r.mu.Unlock()
	current := make(map[*catalog.Column]*Column, len(r.columns))
	for t := range c.Tables() {
		for i := range t.Columns {
			if made := r.columns[&t.Columns[i]]; made != nil {
				current[&t.Columns[i]] = made
			}
		}
	}
	r.columns = current
}
