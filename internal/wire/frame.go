package wire

import (
	"errors"
	"fmt"
)

const (
	// HeaderBytes is the size of a frame header: three bytes of payload length,
	// little endian, and the sequence number.
	HeaderBytes = 4
	// FrameBytesMax is the largest payload of one frame. A frame of exactly this
	// size is continued by the next one, so a packet of a multiple of it ends
	// with an empty frame.
	FrameBytesMax = 1<<24 - 1
	// PacketBytesMax is the largest payload tunic ever accepts, the protocol's
	// own limit on max_allowed_packet (MySQL manual, "Packet Too Large").
	PacketBytesMax = 1 << 30
)

// Errors of framing and decoding; test for them with errors.Is.
var (
	// ErrMalformed marks bytes that are not what the protocol allows there.
	ErrMalformed = errors.New("malformed packet")
	// ErrSequence marks a frame whose sequence number is not the next one.
	ErrSequence = errors.New("packet out of order")
	// ErrInterrupted marks a read that has failed in the middle of a packet. What
	// has been taken of it is gone, so the connection cannot be read any further.
	ErrInterrupted = errors.New("interrupted in the middle of a packet")
	// ErrTooLarge marks a packet over the limit of its reader.
	ErrTooLarge = errors.New("packet too large")
)

// SequenceError is the ErrSequence of one frame.
type SequenceError struct{ Got, Want uint8 }

// Error implements error.
func (e *SequenceError) Error() string {
	return fmt.Sprintf("%v: got %d, want %d", ErrSequence, e.Got, e.Want)
}

// Is makes it an ErrSequence.
func (e *SequenceError) Is(target error) bool { return target == ErrSequence }

// TooLargeError is the ErrTooLarge of one packet. Bytes counts what has been
// announced of it so far.
type TooLargeError struct{ Bytes, Limit int }

// Error implements error.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%v: %d bytes, the limit is %d", ErrTooLarge, e.Bytes, e.Limit)
}

// Is makes it an ErrTooLarge.
func (e *TooLargeError) Is(target error) bool { return target == ErrTooLarge }

// malformed returns an error that names the message and the part of it that
// could not be decoded. It never holds bytes of the packet.
func malformed(message, part string) error {
	return fmt.Errorf("%w: %s: %s", ErrMalformed, message, part)
}

// frameLength reads the payload length of the frame header at the start of b.
func frameLength(b []byte) int {
	return int(b[0]) | int(b[1])<<8 | int(b[2])<<16
}

// putHeader writes a frame header into b.
func putHeader(b []byte, length int, sequence uint8) {
	b[0], b[1], b[2], b[3] = byte(length), byte(length>>8), byte(length>>16), sequence
}

// AppendPacket appends payload as one packet whose first frame has the given
// sequence number, and returns the sequence number that follows.
func AppendPacket(b, payload []byte, sequence uint8) ([]byte, uint8) {
	for {
		part := payload
		if len(part) > FrameBytesMax {
			part = part[:FrameBytesMax]
		}
		b = append(b, byte(len(part)), byte(len(part)>>8), byte(len(part)>>16), sequence)
		b = append(b, part...)
		sequence++
		payload = payload[len(part):]
		if len(part) < FrameBytesMax {
			return b, sequence
		}
	}
}
