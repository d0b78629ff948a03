package wire

// OpenPacket returns the write buffer, with room for the header of one more packet
// at its end. The caller appends the packet's payload to it and gives it to
// ClosePacket, or calls DropPacket; nothing else is written meanwhile. A payload is
// built in place so, and copied only if it does not fit into one frame.
func (c *Conn) OpenPacket() []byte {
	c.opened = c.beginPacket()
	return c.out
}

// ClosePacket makes a packet of what has been appended since OpenPacket.
func (c *Conn) ClosePacket(b []byte) {
	c.out = b
	c.endPacket(c.opened)
}

// DropPacket takes back OpenPacket: nothing of the packet is written. b is the
// buffer as it has grown meanwhile.
func (c *Conn) DropPacket(b []byte) { c.out = b[:c.opened] }

// PacketBytes is how many bytes of payload b has since OpenPacket.
func (c *Conn) PacketBytes(b []byte) int { return len(b) - c.opened - HeaderBytes }

// Reserve makes room in the write buffer for about n bytes to come, in one step and,
// if they are many, in memory that other packets have used before.
func (c *Conn) Reserve(n int) {
	if cap(c.out)-len(c.out) >= n || len(c.out)+n <= outBytesMax {
		return
	}
	grown := takeLarge(len(c.out) + min(n, FrameBytesMax))
	c.out = append(grown[:0], c.out...)
}

// IsFrameOf reports whether a frame is that of a payload, and not of one that was
// made of it.
func IsFrameOf(frame, payload []byte) bool {
	return len(frame) == HeaderBytes+len(payload) && len(payload) > 0 && &frame[HeaderBytes] == &payload[0]
}
