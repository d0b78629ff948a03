package crypt

import (
	"bytes"
	"fmt"
	"slices"
	"sync"

	"tunic/internal/catalog"
	"tunic/internal/keys"
)

// Ring makes the columns and families of a project and keeps them. It may be used by any number
// of goroutines.
type Ring struct {
	tree *keys.Tree

	mu       sync.Mutex
	columns  map[*catalog.Column]*Column
	families map[*catalog.Family]*Family
	seals    *Seals
}

// NewRing makes the ring of a key tree.
func NewRing(tree *keys.Tree) *Ring { return NewRingCounting(tree, nil) }

// NewRingCounting makes a ring that counts its seals with others; nil is for none.
func NewRingCounting(tree *keys.Tree, seals *Seals) *Ring {
	if seals == nil {
		seals = new(Seals)
	}
	return &Ring{tree: tree, columns: map[*catalog.Column]*Column{}, families: map[*catalog.Family]*Family{}, seals: seals}
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
	if made.sealer != nil {
		made.sealer.CountIn(r.seals.counter(keys.Use{Domain: keys.Domain(c.ID), Epoch: c.Epoch}))
	}
	r.columns[c] = made
	return made, nil
}

// Family is the cryptography of a family of a table, whose values are asked in the order of Family.Columns. It fails with
// ErrLayout where the layout that is written is not one of the columns that the family has.
func (r *Ring) Family(t *catalog.Table, f *catalog.Family) (*Family, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known := r.families[f]; known != nil {
		return known, nil
	}
	made, err := familyFor(r.tree, t, f, r.seals)
	if err != nil {
		return nil, fmt.Errorf("family %s: %w", f.ID, err)
	}
	r.families[f] = made
	return made, nil
}

func familyFor(tree *keys.Tree, t *catalog.Table, f *catalog.Family, seals *Seals) (*Family, error) {
	if len(f.Layouts) == 0 {
		return nil, ErrLayout
	}
	written := f.Layouts[len(f.Layouts)-1].Written
	last, err := readLayout(written)
	if err != nil {
		return nil, err
	}
	members := t.Members(f)
	var columns []*catalog.Column
	for _, id := range last.columns {
		at := slices.IndexFunc(members, func(i int) bool { return t.Columns[i].ID == id })
		if at < 0 {
			return nil, fmt.Errorf("%w: of a column that is no member", ErrLayout)
		}
		columns = append(columns, &t.Columns[members[at]])
	}
	// What the catalog says of the columns now has to be what the layout was made of.
	now, err := AppendLayout(nil, columns)
	if err != nil {
		return nil, err
	}
	if len(columns) != len(members) || !bytes.Equal(now, written) {
		return nil, fmt.Errorf("%w: of other columns", ErrLayout)
	}
	return NewFamily(tree, f.ID, f.Epoch, f.Layouts, last.columns, f.Added, seals)
}

// Keep forgets the columns and families of all tables but those of a version of the catalog.
func (r *Ring) Keep(c *catalog.Catalog) {
	r.mu.Lock()
	defer r.mu.Unlock()
	current := make(map[*catalog.Column]*Column, len(r.columns))
	families := make(map[*catalog.Family]*Family, len(r.families))
	for t := range c.Tables() {
		for i := range t.Columns {
			if made := r.columns[&t.Columns[i]]; made != nil {
				current[&t.Columns[i]] = made
			}
		}
		for i := range t.Families {
			if made := r.families[&t.Families[i]]; made != nil {
				families[&t.Families[i]] = made
			}
		}
	}
	r.columns, r.families = current, families
}
