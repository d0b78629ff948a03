package keys

import (
	"errors"
	"fmt"
	"slices"

	"tunic/internal/secret"
)

// ErrNoMaster is an epoch older than every master key of the tree.
var ErrNoMaster = errors.New("no master key serves the epoch")

// Tree is the master keys of one project. Any number of goroutines may use it.
type Tree struct {
	project Project
	masters []*Master // by version, the newest first
}

// NewTree makes the tree of a project of its master keys, in any order. It
// takes them over: wiping the tree wipes them.
func NewTree(project Project, masters ...*Master) (*Tree, error) {
	masters = slices.Clone(masters)
	slices.SortFunc(masters, func(a, b *Master) int { return int(b.version) - int(a.version) })
	for i, m := range masters {
		switch {
		case m.project != project:
			return nil, errors.New("a master key of another project")
		case i > 0 && m.version == masters[i-1].version:
			return nil, fmt.Errorf("two master keys of version %d", m.version)
		}
	}
	if len(masters) == 0 {
		return nil, errors.New("a key tree without a master key")
	}
	return &Tree{project, masters}, nil
}

// Project is the project of the tree.
func (t *Tree) Project() Project { return t.project }

// Derive computes a key of n bytes. The same derivation gives the same key,
// in every process; derivations that differ in anything, n included, give keys
// that have nothing to do with each other. The caller wipes the key.
//
// It takes microseconds and allocates: it is not for the path of a value.
//
// The errors are [ErrNoMaster], [ErrSuite], [secret.ErrWiped], or say what is
// wrong with the derivation.
func (t *Tree) Derive(d Derivation, n int) (*secret.Bytes, error) {
	if err := d.check(n); err != nil {
		return nil, fmt.Errorf("derive a key: %w", err)
	}
	m, err := t.master(d.Epoch)
	if err != nil {
		return nil, fmt.Errorf("derive a key: %w", err)
	}
	return derive(m.key, d.info(t.project, n), n)
}

// MasterVersion is the version of the master key that serves an epoch, or
// [ErrNoMaster].
func (t *Tree) MasterVersion(epoch uint16) (uint16, error) {
	m, err := t.master(epoch)
	if err != nil {
		return 0, err
	}
	return m.version, nil
}

// master is the newest one that is not newer than the epoch.
func (t *Tree) master(epoch uint16) (*Master, error) {
	for _, m := range t.masters {
		if m.version <= epoch {
			return m, nil
		}
	}
	return nil, fmt.Errorf("%w: epoch %d, and the oldest is of %d", ErrNoMaster, epoch, t.masters[len(t.masters)-1].version)
}

// Wipe forgets the master keys. Keys derived before stay until they are wiped
// themselves.
func (t *Tree) Wipe() {
	for _, m := range t.masters {
		m.Wipe()
	}
}
