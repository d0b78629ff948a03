package difftest

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"tunic/internal/wire"
)

// packed is the client's end of the compressed protocol. It is not wire's, so
// that the two ends of a compressed connection do not share a mistake, and it is
// stricter: it checks sequence numbers and lengths.
type packed struct {
	transport io.ReadWriter
	zstd      bool
	sequence  uint8
	plain     []byte // unpacked and not yet read
}

const (
	packedHeaderBytes = 7
	packBytesMin      = 50 // shorter payloads go as they are, as the servers' own clients do
)

// Read implements io.Reader.
func (p *packed) Read(b []byte) (int, error) {
	for len(p.plain) == 0 {
		if err := p.unpack(); err != nil {
			return 0, err
		}
	}
	n := copy(b, p.plain)
	p.plain = p.plain[n:]
	return n, nil
}

func (p *packed) unpack() error {
	var header [packedHeaderBytes]byte
	if _, err := io.ReadFull(p.transport, header[:]); err != nil {
		return err
	}
	if header[3] != p.sequence {
		return fmt.Errorf("compressed packet has sequence number %d, want %d", header[3], p.sequence)
	}
	p.sequence++
	payload := make([]byte, length24(header[0:]))
	if _, err := io.ReadFull(p.transport, payload); err != nil {
		return err
	}
	plainBytes := length24(header[4:])
	if plainBytes == 0 {
		p.plain = payload
		return nil
	}
	plain, err := p.open(payload)
	if err == nil && len(plain) != plainBytes {
		err = fmt.Errorf("compressed packet has %d bytes, announced %d", len(plain), plainBytes)
	}
	p.plain = plain
	return err
}

func (p *packed) open(payload []byte) ([]byte, error) {
	if p.zstd {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		defer d.Close()
		return d.DecodeAll(payload, nil)
	}
	r, err := zlib.NewReader(bytes.NewReader(payload))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// Write implements io.Writer.
func (p *packed) Write(b []byte) (int, error) {
	var out []byte
	for rest := b; len(rest) > 0; {
		part := rest[:min(len(rest), wire.FrameBytesMax)]
		rest = rest[len(part):]
		payload, plainBytes := part, 0
		if len(part) >= packBytesMin {
			sealed, err := p.seal(part)
			if err != nil {
				return 0, err
			}
			if len(sealed) < len(part) {
				payload, plainBytes = sealed, len(part)
			}
		}
		out = append(append24(out, len(payload)), p.sequence)
		out = append(append24(out, plainBytes), payload...)
		p.sequence++
	}
	if _, err := p.transport.Write(out); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (p *packed) seal(plain []byte) ([]byte, error) {
	var out bytes.Buffer
	if p.zstd {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		return e.EncodeAll(plain, nil), e.Close()
	}
	w := zlib.NewWriter(&out)
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}

func length24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

func append24(b []byte, n int) []byte { return append(b, byte(n), byte(n>>8), byte(n>>16)) }
