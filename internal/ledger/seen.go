package ledger

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"

	"tunic/internal/disk"
	"tunic/internal/keys"
)

// Seen is a file that keeps the newest version of a ledger that was seen, so that an older one is
// noticed at the next start. It is nil where nothing keeps it.
//
// The file is one line of text: "tunic-state 1", the project in hexadecimal digits, and the version
// in decimal ones, with a space between them.
type Seen struct {
	path string

	mu      sync.Mutex
	project keys.Project
	version uint64
	there   bool
}

// ErrSeenFile says that a file is none that keeps what was seen.
var ErrSeenFile = errors.New("it is no state file of tunic")

const seenForm = "tunic-state 1"

// OpenSeen reads the file, or makes sure that it can be made where it is not there.
func OpenSeen(path string) (*Seen, error) {
	s := &Seen{path: path}
	err := s.read()
	if errors.Is(err, fs.ErrNotExist) {
		return s, disk.ReplaceFile(s.path, nil)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// read takes over what the file says.
func (s *Seen) read() error {
	text, err := os.ReadFile(s.path)
	if err != nil || len(text) == 0 {
		return err
	}
	var seen uint64
	rest, ok := strings.CutPrefix(string(text), seenForm+" ")
	id, version, ok2 := strings.Cut(strings.TrimSuffix(rest, "\n"), " ")
	project, err := hex.DecodeString(id)
	if _, err2 := fmt.Sscanf(version, "%d", &seen); !ok || !ok2 || err != nil || err2 != nil || len(project) != len(s.project) ||
		string(text) != s.line(keys.Project(project), seen) {
		return ErrSeenFile
	}
	s.project, s.version, s.there = keys.Project(project), seen, true
	return nil
}

func (s *Seen) line(p keys.Project, version uint64) string {
	return fmt.Sprintf("%s %x %d\n", seenForm, p[:], version)
}

// any reports whether a ledger was seen.
func (s *Seen) any() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.there
}

// newer reports whether something newer was seen than a version, or another project.
func (s *Seen) newer(p keys.Project, version uint64) bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.there && (s.project != p || s.version > version)
}

// saw keeps a version, if it is newer.
func (s *Seen) saw(p keys.Project, version uint64) error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.there && s.version >= version {
		return nil
	}
	// While one tunic takes over from another one, both have the file: an older version does not
	// replace the other's.
	if other := (&Seen{path: s.path}); other.read() == nil && other.there && other.project == p && other.version >= version {
		s.project, s.version, s.there = p, version, true
		return nil
	}
	if err := disk.ReplaceFile(s.path, []byte(s.line(p, version))); err != nil {
		return err
	}
	s.project, s.version, s.there = p, version, true
	return nil
}

// saw notes a version of the ledger, for the next start. A file that cannot be written is no reason
// to refuse anything now.
func (l *Ledger) saw(version uint64) {
	if err := l.o.Seen.saw(l.sealer.tree.Project(), version); err != nil && l.o.Log != nil {
		l.o.Log.Error("the state file is not written: an older ledger may not be noticed at the next start", "error", err)
	}
}
