// Package crash names the points at which a process may be killed so that the loss is
// greatest: between two steps of a journal, between what is written and what says so,
// at the boundaries of a chunk.
//
// A room calls Point("room.step") where it has just done something that a kill must not
// lose, or is about to do something that a kill must not tear. In tunic as it is built
// for use Point is empty, and costs nothing: the compiler leaves no call. Built with the
// tag crashpoints, tunic kills itself with SIGKILL at a passing of a point that the
// environment names, and writes the points that it passes into a file:
//
//	CRASH_POINT=ledger.announced      kill at the first passing of that point
//	CRASH_POINT=layers.chunk.read:3   at the third
//	CRASH_PASSINGS=FILE               append the name of each point that is passed
//
// A name is a literal, in lower case, with dots: the room, then what has just been done.
// The kill harness (package crashtest) reads the names out of the sources, and demands
// that tunic is killed at every one of them and comes back whole.
package crash

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// The variables that steer a build with the tag. They are none of tunic's settings, which
// begin with TUNIC_ and are all told by `tunic serve --help`.
const (
	PointVariable    = "CRASH_POINT"
	PassingsVariable = "CRASH_PASSINGS"
)

// errTarget says that a target is not of the form NAME or NAME:N.
var errTarget = errors.New("crash: a point is NAME or NAME:N, with N from 1")

// target is a passing of a point. The zero value is none.
type target struct {
	name string
	nth  int // from 1

	mu     sync.Mutex
	passed int
}

// parseTarget reads NAME or NAME:N; of "" there is none.
func parseTarget(text string) (*target, error) {
	name, nth, counted := strings.Cut(text, ":")
	t := &target{name: name, nth: 1}
	if counted {
		var err error
		if t.nth, err = strconv.Atoi(nth); err != nil || t.nth < 1 || name == "" {
			return nil, fmt.Errorf("%w: %q", errTarget, text)
		}
	}
	return t, nil
}

// hit counts a passing of a point and reports whether it is the one.
func (t *target) hit(name string) bool {
	if name != t.name {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.passed++
	return t.passed == t.nth
}
