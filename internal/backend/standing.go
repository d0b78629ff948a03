package backend

import (
	"bytes"

	"tunic/internal/wire"
)

// Standing asks the server for the flags of the session by COM_PING, which leaves the list of
// warnings and FOUND_ROWS() as they are. failed is what the server has said instead. It may be
// called between two commands; err is one of the connection.
func (c *Conn) Standing() (status wire.Status, failed *wire.Err, err error) {
	c.SetSequence(0)
	if err := c.Send(wire.Bytes{byte(wire.ComPing)}); err != nil {
		return 0, nil, err
	}
	var r wire.Response
	r.Begin(wire.ComPing, c.Capabilities, c.Sequence())
	for !r.Done() {
		frame, err := c.nextFrame(&r)
		switch {
		case err != nil:
			return 0, nil, err
		case r.Failed:
			m, err := wire.DecodeErr(bytes.Clone(frame[wire.HeaderBytes:]))
			return 0, &m, err
		}
	}
	return r.Status, nil, nil
}
