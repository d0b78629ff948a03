// Package keystest has key trees for the tests of rooms that stand on keys, and do not
// care which: every tree is that of a new project, and nothing of it is kept.
package keystest

import (
	"testing"

	"tunic/internal/keys"
)

// Tree is the key tree of a new project, with a master key of its own.
func Tree(tb testing.TB) *keys.Tree {
	tb.Helper()
	kek, err := keys.NewKEK()
	if err != nil {
		tb.Fatal(err)
	}
	var project keys.Project
	copy(project[:], "project of a test")
	master, _, err := kek.NewMaster(project, 0)
	if err != nil {
		tb.Fatal(err)
	}
	tree, err := keys.NewTree(project, master)
	if err != nil {
		tb.Fatal(err)
	}
	return tree
}
