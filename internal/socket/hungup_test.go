package socket

import (
	"io"
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

// onRests runs a test on what is left of a connection that was closed here, and on its peer.
func onRests(t *testing.T, test func(t *testing.T, rest *Rest, peer net.Conn)) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("skipped: only Linux tells")
	}
	for _, network := range []string{"tcp", "unix"} {
		t.Run(network, func(t *testing.T) {
			wrapped, peer := pair(t, network)
			rest, err := Keep(wrapped)
			if err != nil {
				t.Fatal(err)
			}
			_ = wrapped.Close()
			rest.Finish()
			test(t, rest, peer)
		})
	}
}

// TestRest: of a connection that was closed here it is known when the peer has closed it, too, which reads to its end.
func TestRest(t *testing.T) {
	onRests(t, func(t *testing.T, rest *Rest, peer net.Conn) {
		defer rest.Close()
		if n, err := peer.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			t.Errorf("the peer reads %d bytes, %v", n, err)
		}
		if _, err := peer.Write([]byte("unread")); err != nil || rest.Over() {
			t.Errorf("the peer writes still: %v; it is over: %t", err, rest.Over())
		}
		_ = peer.Close()
		waittest.Until(t, "the peer has hung up", rest.Over)
	})
}

// TestRestOfLongAnswer: a peer that goes on writing an answer is told soon that nobody reads it.
func TestRestOfLongAnswer(t *testing.T) {
	onRests(t, func(t *testing.T, rest *Rest, peer net.Conn) {
		failed := make(chan error)
		go func() {
			var err error
			for block := make([]byte, 64<<10); err == nil; {
				_, err = peer.Write(block)
			}
			failed <- err
		}()
		waittest.Until(t, "it is over", rest.Over)
		rest.Close()
		if err := <-failed; err == nil {
			t.Error("the peer has written all")
		}
	})
}
