package wire

// BufferSize is the size of the read buffer, for tests of what a Conn holds.
func (c *Conn) BufferSize() int { return len(c.in) }

// HeldBytes is the room that is kept for a frame that is not complete.
func (c *Conn) HeldBytes() int { return cap(c.align.room) }
