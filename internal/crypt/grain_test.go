package crypt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/keys/keystest"
	"tunic/internal/policy"
)

// grainedColumn is an INT whose order layer has a grain.
func grainedColumn(t *testing.T, grain string) *catalog.Column {
	t.Helper()
	c := column(t, 1, "int", "")
	if grain == "" {
		return c
	}
	g, err := policy.ParseGrain(grain)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Layers {
		if c.Layers[i].Capability == policy.Order {
			c.Layers[i].Grain = g
		}
	}
	return c
}

// TestGrainHidesWhatIsBelow: tokens of a layer with a grain are the same within it and sort
// beyond it, and tokens of two grains have nothing to do with each other: who has both would
// learn more than the finer one tells.
func TestGrainHidesWhatIsBelow(t *testing.T) {
	tree := keystest.Tree(t)
	tokens := func(grain string, values ...int64) (all [][]byte) {
		col := made(t, tree, grainedColumn(t, grain))
		for _, v := range values {
			token, err := col.AppendToken(nil, policy.Order, binary.BigEndian.AppendUint64(nil, uint64(v)))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, token)
		}
		return all
	}
	ten := tokens("10", -1, 0, 9, 10)
	if !bytes.Equal(ten[1], ten[2]) || bytes.Compare(ten[0], ten[1]) >= 0 || bytes.Compare(ten[2], ten[3]) >= 0 {
		t.Errorf("tokens of -1, 0, 9 and 10 by tens: %x", ten)
	}
	exact, twenty := tokens("", 0, 1), tokens("20", 0, 20)
	if bytes.Equal(exact[0], ten[1]) || bytes.Equal(ten[1], twenty[0]) || bytes.Equal(exact[1], ten[3]) || bytes.Equal(ten[3], twenty[1]) {
		t.Error("layers of two grains share tokens")
	}
}

// TestGrainOfAnotherType: a catalog that gives a column a grain that is none of its type's has
// no tokens, rather than others.
func TestGrainOfAnotherType(t *testing.T) {
	if _, err := NewRing(keystest.Tree(t)).Column(grainedColumn(t, "day")); !errors.Is(err, errScheme) {
		t.Errorf("days of an INT: %v", err)
	}
}
