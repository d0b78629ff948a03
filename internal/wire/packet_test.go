package wire

import (
	"bytes"
	"testing"
)

// TestOpenPacket: a packet that is built in place is the packet that WritePacket
// writes, of any length, and one that is dropped leaves nothing.
func TestOpenPacket(t *testing.T) {
	for _, n := range []int{0, 1, 250, FrameBytesMax - 1, FrameBytesMax, FrameBytesMax + 1} {
		payload := bytes.Repeat([]byte{'x'}, n)
		var built, written bytes.Buffer
		a, b := NewConn(&built, PacketBytesMax), NewConn(&written, PacketBytesMax)
		for range 2 {
			dropped := append(a.OpenPacket(), "dropped"...)
			a.DropPacket(dropped)
			open := append(a.OpenPacket(), payload...)
			if got := a.PacketBytes(open); got != n {
				t.Errorf("%d bytes counted, want %d", got, n)
			}
			a.ClosePacket(open)
			b.WritePacket(payload)
		}
		if a.Flush() != nil || b.Flush() != nil || !bytes.Equal(built.Bytes(), written.Bytes()) || a.Sequence() != b.Sequence() {
			t.Errorf("a packet of %d bytes differs", n)
		}
	}
}

// TestReserve: room that is reserved changes nothing of what is written.
func TestReserve(t *testing.T) {
	var reserved, written bytes.Buffer
	a, b := NewConn(&reserved, PacketBytesMax), NewConn(&written, PacketBytesMax)
	for _, n := range []int{0, 100, outBytesMax, 1 << 20, 2 * largeBufferBytesMax} {
		payload := bytes.Repeat([]byte{'y'}, n)
		a.WritePacket([]byte("before"))
		b.WritePacket([]byte("before"))
		a.Reserve(n)
		a.ClosePacket(append(a.OpenPacket(), payload...))
		b.WritePacket(payload)
		if a.Flush() != nil || b.Flush() != nil {
			t.Fatal("the buffers do not take it")
		}
	}
	if !bytes.Equal(reserved.Bytes(), written.Bytes()) {
		t.Error("what is written differs")
	}
}
