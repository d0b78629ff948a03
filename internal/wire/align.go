package wire

// aligner cuts a stream of frames where a frame ends. The compressed protocol
// lets a compressed packet end anywhere, and servers end them mostly between
// frames; a client that has only met those (MySQL's own in pure Python) waits for
// ever when a row is continued in the next one.
type aligner struct {
	held []byte // a frame that is not complete, in room
	room []byte
	left int // bytes to come of a frame that is too long to be held
}

// heldBytesMax is the size up to which a frame is held until it is complete. What
// is longer passes as it comes: a client that takes no answer may make tunic hold
// so much and no more.
const heldBytesMax = 1 << 20

// cut takes the next bytes of the stream and returns those that may be written
// now, up to the end of a frame. They are valid until the next call.
func (a *aligner) cut(b []byte) []byte {
	joined := len(a.held) > 0
	if joined {
		a.room = append(append(a.room[:0], a.held...), b...)
		b = a.room
	}
	n := a.whole(b)
	switch a.held = b[n:]; {
	case len(a.held) == 0 && cap(a.room) > outBytesMax:
		a.room = nil
	case !joined: // b is the caller's
		a.room = append(a.room[:0], a.held...)
		a.held = a.room
	}
	return b[:n]
}

// whole is how much of b may be written: complete frames, and what there is of
// one that is too long to be held.
func (a *aligner) whole(b []byte) int {
	n := min(a.left, len(b))
	a.left -= n
	for len(b)-n >= HeaderBytes {
		frame := HeaderBytes + frameLength(b[n:])
		there := min(frame, len(b)-n)
		if there < frame && frame <= heldBytesMax {
			break
		}
		n += there
		a.left = frame - there
	}
	return n
}
