package wire

// BufferSize is the size of the read buffer, for tests of what a Conn holds.
func (c *Conn) BufferSize() int { return len(c.in) }
