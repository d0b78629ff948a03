package crypt

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/catalog"
	"tunic/internal/keys"
	"tunic/internal/policy"
	"tunic/internal/scheme"
)

// TestEpochsOfALife: master keys come one by one, with epochs between them that none was made
// for. A column opens what was sealed under any epoch up to its own, whenever the tree got
// which key; what was sealed under a later one it does not; and what was sealed under a master
// key that is gone nobody does.
func TestEpochsOfALife(t *testing.T) {
	c := column(t, 1, "varchar(20)", "utf8mb4_bin")
	rapid.Check(t, func(t *rapid.T) {
		life := drawLife(t)
		at := func(epoch uint16) *Column {
			next := *c
			next.Epoch = epoch
			col, err := NewRing(life.tree).Column(&next)
			if err != nil {
				t.Fatal(err)
			}
			return col
		}
		value := draw(t, c)
		sealed := map[uint16][]byte{}
		for _, m := range life.masters {
			if err := life.grow(m); err != nil {
				t.Fatal(err)
			}
			for _, epoch := range life.epochsOf(m) {
				form, err := at(epoch).AppendSealed(nil, value)
				if err != nil {
					t.Fatal(err)
				}
				sealed[epoch] = form
			}
		}
		newest := life.tree.Newest()
		for epoch, form := range sealed {
			if _, of, ok := scheme.Header(form); !ok || of != epoch {
				t.Fatalf("the form of epoch %d says %d", epoch, of)
			}
			for reader := range sealed {
				got, err := at(reader).AppendOpened(nil, form)
				if reader >= epoch && (err != nil || !bytes.Equal(got, value)) {
					t.Fatalf("a column of epoch %d, a form of %d: %v", reader, epoch, err)
				}
				if reader < epoch && !errors.Is(err, scheme.ErrEpoch) {
					t.Fatalf("a column of epoch %d opens a form of %d: %v", reader, epoch, err)
				}
			}
			alone, err := keys.NewTree(life.tree.Project(), life.tree.Master(newest))
			if err != nil {
				t.Fatal(err)
			}
			next := *c
			next.Epoch = newest
			last, err := NewRing(alone).Column(withoutLayers(&next))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := last.AppendOpened(nil, form); (err == nil) != (epoch >= newest) {
				t.Fatalf("a form of epoch %d, with the key of %d alone: %v", epoch, newest, err)
			}
		}
	})
}

// TestTokensAreOfEpochs: tokens of a layer do not change when master keys come, and those of
// two epochs have nothing to do with each other.
func TestTokensAreOfEpochs(t *testing.T) {
	c := column(t, 1, "varchar(20)", "utf8mb4_bin")
	rapid.Check(t, func(t *rapid.T) {
		life := drawLife(t)
		value := draw(t, c)
		token := func(epoch uint16) string {
			next := *c
			next.Layers = append([]catalog.Layer(nil), c.Layers...)
			for i := range next.Layers {
				next.Layers[i].Epoch = epoch
			}
			col, err := NewRing(life.tree).Column(&next)
			if err != nil {
				t.Fatal(err)
			}
			made, err := col.AppendToken(nil, policy.Equality, value)
			if err != nil {
				t.Fatal(err)
			}
			return string(made)
		}
		before := map[uint16]string{}
		for _, m := range life.masters {
			if err := life.grow(m); err != nil {
				t.Fatal(err)
			}
			for _, epoch := range life.epochsOf(m) {
				before[epoch] = token(epoch)
			}
		}
		seen := map[string]bool{}
		for epoch, was := range before {
			if is := token(epoch); is != was || seen[is] {
				t.Fatalf("the token of epoch %d has changed, or is another epoch's", epoch)
			}
			seen[was] = true
		}
	})
}

// life is the master keys of a project, in the order in which they come.
type life struct {
	tree    *keys.Tree
	masters []*keys.Master
}

// drawLife draws versions that begin with 0.
func drawLife(t *rapid.T) *life {
	kek, err := keys.NewKEK()
	if err != nil {
		t.Fatal(err)
	}
	l := &life{}
	version := uint16(0)
	for range rapid.IntRange(1, 4).Draw(t, "master keys") {
		m, _, err := kek.NewMaster(keys.Project{1}, version)
		if err != nil {
			t.Fatal(err)
		}
		l.masters = append(l.masters, m)
		version += uint16(rapid.IntRange(1, 300).Draw(t, "step"))
	}
	return l
}

// grow gives the tree the next master key.
func (l *life) grow(m *keys.Master) (err error) {
	if l.tree == nil {
		l.tree, err = keys.NewTree(m.Project(), m)
		return err
	}
	return l.tree.Grow(m)
}

// epochsOf are some of the epochs that a master key serves: the first, and the last if there
// is another key behind it.
func (l *life) epochsOf(m *keys.Master) []uint16 {
	for i, of := range l.masters {
		if of == m && i+1 < len(l.masters) && l.masters[i+1].Version() > m.Version()+1 {
			return []uint16{m.Version(), l.masters[i+1].Version() - 1}
		}
	}
	return []uint16{m.Version()}
}

// withoutLayers is a column without the layers, whose keys may be gone.
func withoutLayers(c *catalog.Column) *catalog.Column {
	c.Layers = nil
	return c
}
