package crashtest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tunic/internal/sandbox"
)

// verdict is what `tunic verify --json` tells.
type verdict struct {
	Tables []struct {
		Good       bool
		Changing   bool // a definition was under way
		Rows       int64
		Mismatches []struct{ Of, Problem string }
	}
}

// mended is how long stored columns may be left that a change was about to give forms to or to
// take away. Nobody reads them; the tunic that lives on, or is started, takes them away as soon
// as it has the table for a moment.
const mended = time.Minute

// verify runs `tunic verify`, which is to find nothing but what is mended by itself, and that no
// more within a time.
func (s *siege) verify() error {
	for until := time.Now().Add(mended); ; {
		is, err := s.verified()
		if err == nil || !is.columnsLeft() || time.Now().After(until) {
			return err
		}
		s.count("looks at columns that were still to be taken away")
		time.Sleep(200 * time.Millisecond)
	}
}

// columnsLeft reports whether columns that belong to nothing are all there is to find, or tables
// from which they are being taken away, which are to be looked at again.
func (v verdict) columnsLeft() bool {
	left := false
	for _, t := range v.Tables {
		for _, m := range t.Mismatches {
			if m.Of != "column" || m.Problem != "not made by tunic" {
				return false
			}
			left = true
		}
		left = left || t.Changing
		if !t.Good && !t.Changing && len(t.Mismatches) == 0 {
			return false
		}
	}
	return left
}

// verified runs it once.
func (s *siege) verified() (is verdict, err error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), stuck)
	defer cancel()
	c := exec.CommandContext(ctx, s.binary, "verify", "--json", "--quiet", "--backend", s.server.Addr,
		"--service-user", sandbox.ServiceUser, "--key", filepath.Join(s.nodes[0].dir, "key"))
	c.Env = append(sandbox.WithoutSettings(os.Environ()), "TUNIC_SERVICE_PASSWORD="+sandbox.ServicePassword)
	var said strings.Builder
	c.Stderr = &said
	out, err := c.Output()
	unread := json.Unmarshal(out, &is)
	if err != nil {
		return is, fmt.Errorf("tunic verify: %w: %s\n%s", err, said.String(), out)
	}
	least := 3
	if s.converts {
		least = 2
	}
	if unread != nil || len(is.Tables) < least {
		return is, fmt.Errorf("tunic verify has looked at %d tables: %w\n%s", len(is.Tables), unread, out)
	}
	return is, nil
}
