package ledger

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"tunic/internal/keys"
)

// TestSeen: what was seen is there at the next start, and nothing older takes its place.
func TestSeen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seen")
	one, two := keys.Project{1}, keys.Project{2}
	open := func() *Seen {
		t.Helper()
		s, err := OpenSeen(path)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open()
	if s.any() || s.newer(one, 0) {
		t.Error("a new file has seen something")
	}
	for _, version := range []uint64{0, 7, 5} {
		if err := s.saw(one, version); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range []*Seen{s, open()} {
		if !s.any() || !s.newer(one, 6) || s.newer(one, 7) || s.newer(one, 8) || !s.newer(two, 9) {
			t.Errorf("it has seen %x, %d", s.project, s.version)
		}
	}
	newer, older := open(), open() // two tunics, of which one takes over from the other
	if err := errors.Join(newer.saw(one, 9), older.saw(one, 8)); err != nil {
		t.Fatal(err)
	}
	if s := open(); s.version != 9 {
		t.Errorf("version %d, which is older, has replaced 9", s.version)
	}
	left, err := filepath.Glob(path + ".*")
	if err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
	for _, text := range []string{
		"x", "tunic-state 1", "tunic-state 1 00 1\n", "tunic-state 2 01000000000000000000000000000000 7\n",
		"tunic-state 1 01000000000000000000000000000000 7", "tunic-state 1 01000000000000000000000000000000 -7\n",
		"tunic-state 1 01000000000000000000000000000000 07\n", "tunic-state 1 01000000000000000000000000000000 7\n\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenSeen(path); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	if _, err := OpenSeen(filepath.Join(path, "below")); err == nil {
		t.Error("a file below a file")
	}
	var none *Seen
	if none.any() || none.newer(one, 1) || none.saw(one, 1) != nil {
		t.Error("nothing has seen something")
	}
}
