package wire

import "fmt"

// series makes of the answers to several commands the answer to one, as servers give
// it to a text of several statements: the frames are numbered on from one answer to
// the next, and every answer but the last says that more results follow.
type series struct {
	caps     Capability
	sequence uint8    // of the client's next frame
	follows  bool     // another answer follows the one that is written
	answer   Response // the one that is written, numbered from 1 on
	partial  []byte   // whole frames that were handed out, and the beginning of one
	out      int      // bytes of partial that were
}

// BeginSeries has what is written from here on be one answer to a client with these
// capabilities. It begins after the packet of the command was read.
func (c *Conn) BeginSeries(caps Capability) {
	c.series = &series{caps: caps, sequence: c.sequence}
}

// NextAnswer begins the next answer of the series, to a COM_QUERY of one frame; more
// says that another follows it.
func (c *Conn) NextAnswer(more bool) {
	c.series.follows = more
	c.sequence = 1
	c.series.answer.Begin(ComQuery, c.series.caps, c.sequence)
}

// AnswerFailed reports whether the answer that was written last ended with an error,
// which ends the series.
func (c *Conn) AnswerFailed() bool { return c.series.answer.Failed }

// EndSeries has frames be written as they come again.
func (c *Conn) EndSeries() {
	c.sequence = c.series.sequence
	c.series = nil
}

// pass returns the frames that are whole, as those of the series. They are valid until
// the next call.
func (s *series) pass(frames []byte) ([]byte, error) {
	if s.out > 0 { // a long frame that goes on stays where it is
		s.partial = append(s.partial[:0], s.partial[s.out:]...)
		s.out = 0
	}
	s.partial = append(s.partial, frames...)
	used := 0
	for used < len(s.partial) {
		succeeded := s.answer.Succeeded
		n, err := s.answer.Step(s.partial[used:])
		switch {
		case err != nil:
			return nil, err
		case n == 0 && s.answer.Done():
			return nil, fmt.Errorf("%w: a frame behind an answer", ErrMalformed)
		case n == 0:
			s.out = used
			return s.partial[:used], nil
		}
		frame := s.partial[used : used+n]
		frame[3] = s.sequence
		s.sequence++
		if s.follows && (s.answer.Succeeded > succeeded || s.answer.Ended() == EndedDefinitions) {
			announceMore(frame[HeaderBytes:])
		}
		used += n
	}
	s.out = used
	return s.partial, nil
}

// announceMore sets StatusMoreResults in an OK or EOF.
func announceMore(payload []byte) {
	const warningsBytes = 2
	at := 1
	if payload[0] == headerEOF && len(payload) <= eofBytesMax {
		at += warningsBytes
	} else {
		d := decoder{rest: payload[1:]}
		d.lenenc() // affected rows
		d.lenenc() // last insert id
		at = len(payload) - len(d.rest)
	}
	if at < len(payload) {
		payload[at] |= byte(StatusMoreResults)
	}
}
