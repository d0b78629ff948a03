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

// recovered is how long stored columns may be left that a change was about to give forms to or to
// take away. Nobody reads them; the tunic that lives on, or is started, takes them away as soon
// as it has the table for a moment.
const recovered = time.Minute

// verify runs `tunic verify`, which is to find nothing but what is recovered by itself, and that no
// more within a time.
func (s *siege) verify() error {
	for until := time.Now().Add(recovered); ; {
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

// verifyCommand is `tunic verify` of a server, with the key file in the folder of a tunic.
func verifyCommand(ctx context.Context, binary, server, dir string, args ...string) *exec.Cmd {
	args = append([]string{"verify", "--quiet", "--backend", server, "--service-user", sandbox.ServiceUser, "--key", filepath.Join(dir, "key")}, args...)
	c := exec.CommandContext(ctx, binary, args...)
	c.Env = append(sandbox.WithoutSettings(os.Environ()), "TUNIC_SERVICE_PASSWORD="+sandbox.ServicePassword)
	return c
}

// verified runs it once.
func (s *siege) verified() (is verdict, err error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), stuck)
	defer cancel()
	c := verifyCommand(ctx, s.binary, s.server.Addr, s.nodes[0].dir, "--json")
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
