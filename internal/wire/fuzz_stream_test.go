package wire_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"

	"tunic/internal/wire"
)

// recordedStreams gives the recorded answers, each with its command and the
// capabilities of its connection.
func recordedStreams(f *testing.F, add func(command wire.Command, caps wire.Capability, answer []byte)) {
	f.Helper()
	for _, path := range []string{"testdata/answers/mariadb-all.txt", "testdata/answers/mysql-plain.txt"} {
		var caps wire.Capability
		datadriven.RunTestAny(f, path, func(t testing.TB, d *datadriven.TestData) string {
			if d.Cmd == "capabilities" {
				caps = capabilitiesNamed(t, d.Input)
				return d.Expected
			}
			var name string
			d.ScanArgs(t, "command", &name)
			caps := caps
			if d.HasArg("cursor") {
				caps |= asksCursor
			}
			add(commandNamed(t, name), caps, unhex(t, d.Input))
			return d.Expected
		})
	}
}

// sizesOf makes a cut of the bytes of a seed.
func sizesOf(seed []byte) cut {
	if len(seed) == 0 {
		return whole
	}
	sizes := make([]int, len(seed))
	for i, b := range seed {
		sizes[i] = int(b)
	}
	return cuts(sizes...)
}

// reframe makes well-formed frames of any bytes: a byte of length, then as much
// payload. Most random bytes fail at the first header and teach nothing more.
func reframe(b []byte) []byte {
	var stream []byte
	sequence := uint8(1)
	for len(b) > 0 {
		n := min(int(b[0]), len(b)-1)
		stream, sequence = wire.AppendPacket(stream, b[1:1+n], sequence)
		b = b[1+n:]
	}
	return stream
}

// unframe is the bytes that reframe makes a stream of, as far as it can.
func unframe(stream []byte) []byte {
	var b []byte
	for _, p := range payloads(stream) {
		p = p[:min(len(p), 255)]
		b = append(append(b, byte(len(p))), p...)
	}
	return b
}

// FuzzResponse holds following an answer at once against following it in pieces
// and by whole frames: same bytes, same end, same knowledge.
func FuzzResponse(f *testing.F) {
	recordedStreams(f, func(command wire.Command, caps wire.Capability, answer []byte) {
		f.Add(byte(command), uint64(caps), true, unframe(answer), []byte{3, 1})
	})
	f.Add(byte(wire.ComQuery), uint64(0), false, frames(oneColumn, column, eofMessage, "\x01a", eofMessage), []byte{1})
	f.Fuzz(func(t *testing.T, command byte, flags uint64, framed bool, stream, sizes []byte) {
		if framed {
			stream = reframe(stream)
		}
		got := sameHoweverCut(t, wire.Command(command), wire.Capability(flags), stream, sizesOf(sizes))
		if got.Consumed > len(stream) {
			t.Fatalf("%d of %d bytes", got.Consumed, len(stream))
		}
		if !got.Done && got.Error == "" {
			return // Scan may have passed a part of a row, of which Step waits for the rest
		}
		for _, rows := range [...]bool{false, true} {
			if diff := cmp.Diff(got, followSteps(wire.Command(command), wire.Capability(flags), stream, rows)); diff != "" {
				t.Fatalf("Scan and Step differ:\n%s", diff)
			}
		}
	})
}

// readAll reads packets to the end or the first error, as from a peer that
// starts every packet where the last one's numbers end.
func readAll(r io.Reader, first uint8, limit int) (all [][]byte, raw []byte, err error) {
	c := reading(r, limit)
	c.SetSequence(first)
	for {
		before := c.Sequence()
		payload, err := c.ReadPacket()
		if err != nil {
			return all, raw, err
		}
		all = append(all, bytes.Clone(payload))
		raw, _ = wire.AppendPacket(raw, payload, before)
		if frame := c.LastFrame(); frame != nil && !bytes.HasSuffix(raw, frame) {
			return all, raw, errors.New("the last frame is not the last packet")
		}
	}
}

// FuzzConn reads packets of a stream that comes at once and in pieces: same
// packets, same error, within the limit, and they encode to the stream again.
func FuzzConn(f *testing.F) {
	f.Add(packets([]byte("hello")), []byte{1}, uint16(100))
	f.Add(append(frames("a", "", "bc"), 1, 0, 0, 9, 'x'), []byte{5, 2}, uint16(2))
	f.Add(packets(make([]byte, 300)), []byte{200}, uint16(1000))
	f.Fuzz(func(t *testing.T, stream, sizes []byte, limit uint16) {
		var first uint8
		if len(stream) >= wire.HeaderBytes {
			first = stream[3]
		}
		all, raw, err := readAll(bytes.NewReader(stream), first, int(limit))
		if !bytes.HasPrefix(stream, raw) {
			t.Fatal("packets encode to something else than what was read")
		}
		for _, p := range all {
			if len(p) > int(limit) {
				t.Fatalf("a packet of %d bytes, limit %d", len(p), limit)
			}
		}
		pieces, _, pieceErr := readAll(&chunks{rest: stream, next: sizesOf(sizes)}, first, int(limit))
		if diff := cmp.Diff(all, pieces, cmp.Comparer(bytes.Equal)); diff != "" || err.Error() != pieceErr.Error() {
			t.Fatalf("at once: %v, in pieces: %v\n%s", err, pieceErr, diff)
		}
		known := []error{io.EOF, io.ErrUnexpectedEOF, wire.ErrSequence, wire.ErrTooLarge}
		if !slices.ContainsFunc(known, func(k error) bool { return errors.Is(err, k) }) {
			t.Fatal(err)
		}
	})
}
