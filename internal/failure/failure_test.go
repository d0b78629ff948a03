package failure

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"testing"

	"tunic/internal/backend"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// TestFailures: what a failure is for the log, for the client and for the session.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		err       error
		reason    string
		client    *sqlerr.Error // nil if it is gone
		timeout   bool
		malformed bool
	}{
		{err: io.EOF, reason: "EOF"},
		{err: &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, reason: "deadline", timeout: true},
		{err: &net.OpError{Op: "read", Err: net.ErrClosed}, reason: "closed"},
		{err: fmt.Errorf("read: %w", wire.ErrSequence), reason: "read: " + wire.ErrSequence.Error(), client: sqlerr.OutOfOrder(), malformed: true},
		{err: wire.ErrMalformed, reason: wire.ErrMalformed.Error(), client: sqlerr.Malformed("a packet of the client"), malformed: true},
		{err: backend.ErrShape, reason: backend.ErrShape.Error(), malformed: true},
	} {
		if got := Reason(c.err); got != c.reason {
			t.Errorf("%v: the log has %q, want %q", c.err, got, c.reason)
		}
		if got := OfClient(c.err); (got == nil) != (c.client == nil) || got != nil && got.Message != c.client.Message {
			t.Errorf("%v: the client is told %v, want %v", c.err, got, c.client)
		}
		if IsTimeout(c.err) != c.timeout || IsMalformed(c.err) != c.malformed {
			t.Errorf("%v: timeout %v, malformed %v", c.err, IsTimeout(c.err), IsMalformed(c.err))
		}
	}
}

// TestTooLarge: a packet over the limit is answered with the limit.
func TestTooLarge(t *testing.T) {
	err := fmt.Errorf("read: %w", &wire.TooLargeError{Limit: 4096})
	want := sqlerr.PacketTooLarge(4096)
	if got := OfClient(err); got == nil || got.Message != want.Message {
		t.Errorf("%v, want %v", got, want)
	}
	if !IsMalformed(err) || errors.Is(err, wire.ErrMalformed) {
		t.Error("a server that sends too much makes sense")
	}
}
