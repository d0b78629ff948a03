package socket

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// pair is two ends of a connection, the first one wrapped.
func pair(tb testing.TB, network string) (wrapped, plain net.Conn) {
	tb.Helper()
	address := "127.0.0.1:0"
	if network == "unix" {
		dir, err := os.MkdirTemp("", "s") // tb.TempDir is too long for a socket
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { _ = os.RemoveAll(dir) })
		address = filepath.Join(dir, "s")
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		tb.Fatal(err)
	}
	defer listener.Close()
	dialled, err := net.Dial(network, listener.Addr().String())
	if err != nil {
		tb.Fatal(err)
	}
	accepted, err := listener.Accept()
	if err != nil {
		tb.Fatal(err)
	}
	wrapped = New(dialled)
	tb.Cleanup(func() { _ = wrapped.Close(); _ = accepted.Close() })
	return wrapped, accepted
}

// TestThereAndBack sends more than socket buffers hold, both ways at once.
func TestThereAndBack(t *testing.T) {
	for _, network := range []string{"tcp", "unix"} {
		t.Run(network, func(t *testing.T) {
			wrapped, plain := pair(t, network)
			content := bytes.Repeat([]byte("0123456789abcdef"), 1<<19)
			go func() { _, _ = io.Copy(plain, plain) }()
			go func() {
				if n, err := wrapped.Write(content); n != len(content) || err != nil {
					t.Errorf("wrote %d bytes, %v", n, err)
				}
			}()
			got := make([]byte, len(content))
			if _, err := io.ReadFull(wrapped, got); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, content) {
				t.Error("other bytes came back")
			}
		})
	}
}

func TestEnds(t *testing.T) {
	wrapped, plain := pair(t, "tcp")
	if _, err := plain.Write([]byte("last")); err != nil {
		t.Fatal(err)
	}
	_ = plain.Close()
	if got, err := io.ReadAll(wrapped); string(got) != "last" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
	var err error
	for range 100 { // the first write is answered with a reset, a later one fails
		if _, err = wrapped.Write([]byte("x")); err != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if _, ok := errors.AsType[*net.OpError](err); !ok {
		t.Errorf("writing to nobody: %v, want a net.OpError", err)
	}
}

func TestDeadlines(t *testing.T) {
	wrapped, plain := pair(t, "tcp")
	past := time.Unix(1, 0)
	_ = wrapped.SetReadDeadline(past)
	if _, err := wrapped.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a read after its deadline: %v", err)
	}
	_ = wrapped.SetReadDeadline(time.Time{})
	waiting := make(chan error, 1)
	go func() {
		_, err := wrapped.Read(make([]byte, 1))
		waiting <- err
	}()
	_ = wrapped.SetReadDeadline(past)
	if err := <-waiting; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a read that waits: %v", err)
	}
	_ = wrapped.SetReadDeadline(time.Time{})
	if _, err := plain.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if n, err := wrapped.Read(make([]byte, 8)); n != 1 || err != nil {
		t.Errorf("after the deadline is lifted: %d, %v", n, err)
	}
}

// TestWriteDeadline: a write that nobody reads ends at its deadline and says how
// much of it has gone.
func TestWriteDeadline(t *testing.T) {
	wrapped, plain := pair(t, "tcp")
	type outcome struct {
		n   int
		err error
	}
	written := make(chan outcome, 1)
	go func() {
		n, err := wrapped.Write(make([]byte, 64<<20))
		written <- outcome{n, err}
	}()
	if _, err := plain.Read(make([]byte, 1)); err != nil { // it is under way
		t.Fatal(err)
	}
	_ = wrapped.SetWriteDeadline(time.Unix(1, 0))
	if got := <-written; !errors.Is(got.err, os.ErrDeadlineExceeded) || got.n == 0 {
		t.Errorf("a write that nobody reads: %d bytes, %v", got.n, got.err)
	}
}

// TestCloseWakes: a read that waits ends when another goroutine closes.
func TestCloseWakes(t *testing.T) {
	wrapped, _ := pair(t, "tcp")
	waiting := make(chan error, 1)
	go func() {
		_, err := wrapped.Read(make([]byte, 1))
		waiting <- err
	}()
	_ = wrapped.Close()
	if err := <-waiting; !errors.Is(err, net.ErrClosed) {
		t.Errorf("a read on a closed connection: %v", err)
	}
	if _, err := wrapped.Write([]byte("x")); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a write on a closed connection: %v", err)
	}
}

// TestNoSocket: what is no socket works as it did.
func TestNoSocket(t *testing.T) {
	a, b := net.Pipe()
	defer b.Close()
	if New(a) != a {
		t.Error("a pipe was wrapped")
	}
}

func TestNothingToDo(t *testing.T) {
	wrapped, _ := pair(t, "tcp")
	if n, err := wrapped.Read(nil); n != 0 || err != nil {
		t.Errorf("reading nothing: %d, %v", n, err)
	}
	if n, err := wrapped.Write(nil); n != 0 || err != nil {
		t.Errorf("writing nothing: %d, %v", n, err)
	}
}

func TestAllocatesNothing(t *testing.T) {
	wrapped, plain := pair(t, "tcp")
	other := New(plain)
	buffer := make([]byte, 64)
	n := testing.AllocsPerRun(1000, func() {
		if _, err := wrapped.Write(buffer); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(other, buffer); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
