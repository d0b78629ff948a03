package wire_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tunic/internal/wire"
)

// An outcome is what following an answer has come to.
type outcome struct {
	Consumed int
	Done     bool
	Error    string // its kind

	Status       wire.Status
	Warnings     uint16
	Succeeded    int
	Failed       bool
	ErrNumber    uint16
	Prepared     wire.Prepared
	SessionState string
}

// kind names the error by what errors.Is sees in it.
func kind(err error) string {
	for _, known := range []error{wire.ErrMalformed, wire.ErrSequence, wire.ErrTooLarge} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	if err != nil {
		return "unknown kind: " + err.Error()
	}
	return ""
}

// A cut says how many more bytes arrive, of those left.
type cut func(left int) int

func whole(left int) int { return left }

func byByte(int) int { return 1 }

// cuts makes a cut that gives each size in turn and starts over.
func cuts(sizes ...int) cut {
	i := 0
	return func(left int) int {
		n := sizes[i%len(sizes)]
		i++
		return min(max(n, 1), left)
	}
}

// fileFrames is how many frames the client sends where the tests' servers ask
// for a local file: its content and the empty one behind it.
const fileFrames = 2

// asksCursor among the capabilities of a test says that the command has asked for
// a cursor.
const asksCursor wire.Capability = 1 << 63

// begin starts following the answer to a command of one frame.
func begin(r *wire.Response, command wire.Command, caps wire.Capability) {
	r.Begin(command, caps&^asksCursor, 1)
	if caps.Has(asksCursor) {
		r.MayOpenCursor()
	}
}

// follow scans b as it would arrive in pieces, and keeps what is not understood
// yet as a Conn does. Slices end where the bytes end, so that reading past them
// panics.
func follow(command wire.Command, caps wire.Capability, b []byte, arrive cut) outcome {
	return followOn(new(wire.Response), command, caps, b, arrive)
}

// followOn is follow with a Response that has followed other answers.
func followOn(r *wire.Response, command wire.Command, caps wire.Capability, b []byte, arrive cut) outcome {
	begin(r, command, caps)
	from, to := 0, 0
	for {
		n, err := r.Scan(b[from:to:to])
		from += n
		switch {
		case err != nil:
			return outcomeOf(r, from, err)
		case r.WantsFile():
			r.FileSent(r.Sequence() + fileFrames)
		case r.Done(), n == 0 && to == len(b):
			return outcomeOf(r, from, nil)
		case to < len(b):
			to += arrive(len(b) - to)
		}
	}
}

// followSteps is follow by whole frames; of rows by what takes nothing else, if rows says
// so.
func followSteps(command wire.Command, caps wire.Capability, b []byte, rows bool) outcome {
	var r wire.Response
	begin(&r, command, caps)
	from := 0
	for {
		if rows {
			if row := r.Row(b[from:]); row != nil {
				from += wire.HeaderBytes + len(row)
				continue
			}
		}
		n, err := r.Step(b[from:])
		from += n
		switch {
		case err != nil:
			return outcomeOf(&r, from, err)
		case r.WantsFile():
			r.FileSent(r.Sequence() + fileFrames)
		case r.Done(), n == 0:
			return outcomeOf(&r, from, nil)
		}
	}
}

func outcomeOf(r *wire.Response, consumed int, err error) outcome {
	return outcome{
		Consumed: consumed, Done: r.Done(), Error: kind(err), Status: r.Status, Warnings: r.Warnings,
		Succeeded: r.Succeeded, Failed: r.Failed, ErrNumber: r.ErrNumber, Prepared: r.Prepared,
		SessionState: string(r.SessionState),
	}
}

// String says it in one or two lines.
func (o outcome) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "done %t after %d bytes: results %d, status %#x, warnings %d", o.Done, o.Consumed, o.Succeeded, uint16(o.Status), o.Warnings)
	if o.Failed {
		fmt.Fprintf(&b, ", error %d", o.ErrNumber)
	}
	if o.Error != "" {
		fmt.Fprintf(&b, ", %s", o.Error)
	}
	if o.Prepared != (wire.Prepared{}) {
		fmt.Fprintf(&b, "\nprepared %+v", o.Prepared)
	}
	err := wire.SessionChanges([]byte(o.SessionState), func(c wire.Change) {
		fmt.Fprintf(&b, "\nchange %d: %s %s", c.Kind, c.Name, c.Value)
	})
	if err != nil {
		fmt.Fprintf(&b, "\nsession state %x: %v", o.SessionState, err)
	}
	return b.String()
}

// sameHoweverCut fails unless every way in which the bytes can arrive comes to
// the outcome of their coming at once, which it returns.
func sameHoweverCut(t rapid.TB, command wire.Command, caps wire.Capability, b []byte, more ...cut) outcome {
	t.Helper()
	want := follow(command, caps, b, whole)
	ways := append([]cut{cuts(3, 1, 4), cuts(wire.HeaderBytes), cuts(wire.HeaderBytes+1, 2), cuts(16 << 10)}, more...)
	if len(b) < 1<<16 {
		ways = append(ways, byByte)
	} else {
		ways = append(ways[3:], cuts(1<<20, 1, 4, 100))
	}
	for i, way := range ways {
		if diff := cmp.Diff(want, follow(command, caps, b, way)); diff != "" {
			t.Errorf("%s: whole and cut in way %d differ:\n%s", command, i, diff)
		}
	}
	return want
}
