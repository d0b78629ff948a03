package keys

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"tunic/internal/secret"
)

// ErrNoMaster is an epoch older than every master key of the tree.
var ErrNoMaster = errors.New("no master key serves the epoch")

// Tree is the master keys of one project. Any number of goroutines may use it.
type Tree struct {
	project Project
	masters *atomic.Pointer[[]*Master] // by version, the newest first; the list is never changed
}

// NewTree makes the tree of a project of its master keys, in any order. It
// takes them over: wiping the tree wipes them.
func NewTree(project Project, masters ...*Master) (*Tree, error) {
	if len(masters) == 0 {
		return nil, errors.New("a key tree without a master key")
	}
	t := &Tree{project: project, masters: new(atomic.Pointer[[]*Master])}
	t.masters.Store(&[]*Master{})
	if err := t.Grow(masters...); err != nil {
		return nil, err
	}
	return t, nil
}

// Grow takes over further master keys, all or none of them. What was derived before stays
// what it is as long as their versions are above every epoch in use ([KEK.NewMaster]). Two
// goroutines must not grow one tree at once.
func (t *Tree) Grow(masters ...*Master) error {
	all := slices.Concat(*t.masters.Load(), masters)
	slices.SortFunc(all, func(a, b *Master) int { return int(b.version) - int(a.version) })
	for i, m := range all {
		switch {
		case m.project != t.project:
			return errors.New("a master key of another project")
		case i > 0 && m.version == all[i-1].version:
			return fmt.Errorf("two master keys of version %d", m.version)
		}
	}
	t.masters.Store(&all)
	return nil
}

// With is a tree of the same master keys, which the two share, and further ones.
func (t *Tree) With(more ...*Master) (*Tree, error) {
	return NewTree(t.project, slices.Concat(*t.masters.Load(), more)...)
}

// Versions are those of its master keys, the newest first.
func (t *Tree) Versions() (all []uint16) {
	for _, m := range *t.masters.Load() {
		all = append(all, m.version)
	}
	return all
}

// Project is the project of the tree.
func (t *Tree) Project() Project { return t.project }

// Newest is the version of the newest master key: the epoch that new keys are of.
func (t *Tree) Newest() uint16 { return (*t.masters.Load())[0].version }

// Master is the master key of a version, nil if the tree has none.
func (t *Tree) Master(version uint16) *Master {
	for _, m := range *t.masters.Load() {
		if m.version == version {
			return m
		}
	}
	return nil
}

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
	all := *t.masters.Load()
	for _, m := range all {
		if m.version <= epoch {
			return m, nil
		}
	}
	return nil, fmt.Errorf("%w: epoch %d, and the oldest is of %d", ErrNoMaster, epoch, all[len(all)-1].version)
}

// Wipe forgets the master keys. Keys derived before stay until they are wiped
// themselves.
func (t *Tree) Wipe() {
	for _, m := range *t.masters.Load() {
		m.Wipe()
	}
}
