package wire

// AdmitBytes are enough for a command and the number of a prepared statement.
const AdmitBytes = 1 + 4

// SetAdmit has admit asked before a packet of bytes or more is read: with its first
// AdmitBytes and how many bytes it may have, which is the limit of the Conn where the packet
// goes on in further frames. What of a packet it refuses, with an error, is read and
// dropped, and ReadPacket returns that error: the next packet can be read.
func (c *Conn) SetAdmit(bytes int, admit func(head []byte, bytes int) error) {
	c.large, c.admit = bytes, admit
}

// admitLarge asks whether a large packet may be read, whose first header is there.
func (c *Conn) admitLarge(length int) error {
	if err := c.need(HeaderBytes + AdmitBytes); err != nil {
		return unexpected(err)
	}
	most := length
	if length == FrameBytesMax {
		most = c.limit
	}
	refusal := c.admit(c.in[c.start+HeaderBytes:][:AdmitBytes], most)
	if refusal == nil {
		return nil
	}
	if err := c.skip(length); err != nil {
		return unexpected(err)
	}
	return refusal
}

// skip reads over a packet whose first header, of length, has been checked.
func (c *Conn) skip(length int) error {
	for {
		c.start += HeaderBytes
		for left := length; left > 0; {
			if c.start == c.end {
				if err := c.Fill(); err != nil {
					return err
				}
			}
			n := min(left, c.end-c.start)
			c.start, left = c.start+n, left-n
		}
		if length < FrameBytesMax {
			return nil
		}
		var err error
		if length, err = c.readHeader(); err != nil {
			return err
		}
	}
}
