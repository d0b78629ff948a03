package socket

import (
	"net"
	"runtime"
	"testing"

	"tunic/internal/waittest"
)

// TestHungUp: a peer is gone once it will send nothing more, whether or not all
// that it has sent was read.
func TestHungUp(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("skipped: only Linux tells")
	}
	for _, network := range []string{"tcp", "unix"} {
		t.Run(network, func(t *testing.T) {
			wrapped, plain := pair(t, network)
			if _, err := plain.Write([]byte("unread")); err != nil {
				t.Fatal(err)
			}
			if HungUp(wrapped) {
				t.Error("a peer that is there counts as gone")
			}
			if err := plain.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			waittest.Until(t, "the half-closed peer is seen", func() bool { return HungUp(wrapped) })
			buffer := make([]byte, 16)
			if n, err := wrapped.Read(buffer); string(buffer[:n]) != "unread" || err != nil {
				t.Errorf("looking has taken bytes away: read %q, %v", buffer[:n], err)
			}
			_ = wrapped.Close()
			if HungUp(wrapped) {
				t.Error("of a connection closed on this side nothing is known")
			}
		})
	}
}

// TestHungUpOfNoSocket: what is no socket is never known to be gone.
func TestHungUpOfNoSocket(t *testing.T) {
	a, b := net.Pipe()
	_ = b.Close()
	if HungUp(a) {
		t.Error("a pipe counts as gone")
	}
}
