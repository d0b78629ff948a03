package wire

import (
	"bytes"
	"errors"
	"testing"
)

// TestAdmit: a large packet is asked for with its first byte and its size, one that is
// refused is dropped with all its frames, and the next one can be read.
func TestAdmit(t *testing.T) {
	const large = 1 << 20
	refusal := errors.New("no")
	for _, c := range []struct {
		bytes, asked int
	}{
		{large - 1, 0}, {large, large}, {FrameBytesMax, PacketBytesMax}, {2*FrameBytesMax + 7, PacketBytesMax},
	} {
		for _, refuses := range []bool{false, true} {
			var stream bytes.Buffer
			client := NewConn(&stream, 0)
			client.WritePacket(append([]byte{3}, make([]byte, c.bytes-1)...))
			if err := client.Flush(); err != nil {
				t.Fatal(err)
			}
			client.SetSequence(0)
			client.WritePacket([]byte("next"))
			if err := client.Flush(); err != nil {
				t.Fatal(err)
			}
			conn, asked := NewConn(&stream, PacketBytesMax), 0
			conn.SetAdmit(large, func(head []byte, bytes int) error {
				if asked = bytes; string(head) != "\x03\x00\x00\x00\x00" {
					t.Errorf("asked for a packet of %d", head)
				}
				if refuses {
					return refusal
				}
				return nil
			})
			payload, err := conn.ReadPacket()
			switch {
			case asked != c.asked:
				t.Errorf("%d bytes: asked for %d, want %d", c.bytes, asked, c.asked)
			case refuses && asked > 0 && !errors.Is(err, refusal):
				t.Errorf("%d bytes: %v, want a refusal", c.bytes, err)
			case !(refuses && asked > 0) && (err != nil || len(payload) != c.bytes):
				t.Errorf("%d bytes: %d were read, %v", c.bytes, len(payload), err)
			}
			conn.SetSequence(0)
			if next, err := conn.ReadPacket(); err != nil || string(next) != "next" {
				t.Errorf("%d bytes: the next packet is %d bytes, %v", c.bytes, len(next), err)
			}
		}
	}
}
