package keys

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"

	"golang.org/x/crypto/argon2"

	"tunic/internal/secret"
)

// PassphraseBytesMin is the shortest passphrase for a new key file: what SP
// 800-63B-4, section 3.1.1.2, asks of a password that stands alone. Nothing
// limits how often somebody with a stolen file can try.
const PassphraseBytesMin = 15

// ErrPassphraseShort is a passphrase that is too short for a new key file.
var ErrPassphraseShort = fmt.Errorf("is shorter than %d bytes", PassphraseBytesMin)

const saltBytes = 16

// stretch is how a passphrase becomes a key: argon2id (RFC 9106), version 0x13,
// with these parameters.
type stretch struct {
	memoryKiB uint32
	passes    uint32
	lanes     uint8
	salt      [saltBytes]byte
}

// newStretch has the second recommendation of RFC 9106, section 4: 64 MiB, 3
// passes, 4 lanes, about 0.1 s. The first takes 2 GiB, more than many machines
// that are to run tunic can spare when it starts.
func newStretch() stretch {
	s := stretch{memoryKiB: 64 << 10, passes: 3, lanes: 4}
	_, _ = rand.Read(s.salt[:]) // it never fails: crypto/rand ends the process instead
	return s
}

// What a key file may ask for: argon2 needs 8 KiB a lane, and a file must not
// exhaust the machine. There is no lower limit of strength: a file with weak
// parameters is one that its owner made, and refusing it helps nobody.
const (
	memoryKiBMax = 4 << 20
	passesMax    = 1000
)

const stretchForm = "argon2id m=%d t=%d p=%d salt=%s"

// String is the value of the wrap line.
func (s stretch) String() string {
	return fmt.Sprintf(stretchForm, s.memoryKiB, s.passes, s.lanes, base64.StdEncoding.EncodeToString(s.salt[:]))
}

// parseStretch reads the value of a wrap line, nil if it is none. Other
// spellings of the same are left to the caller to refuse.
func parseStretch(text string) *stretch {
	var s stretch
	var salt string
	if n, err := fmt.Sscanf(text, stretchForm, &s.memoryKiB, &s.passes, &s.lanes, &salt); n != 4 || err != nil {
		return nil
	}
	raw, err := base64.StdEncoding.DecodeString(salt)
	if err != nil || len(raw) != saltBytes || s.passes < 1 || s.passes > passesMax ||
		s.lanes < 1 || s.memoryKiB < 8*uint32(s.lanes) || s.memoryKiB > memoryKiBMax {
		return nil
	}
	copy(s.salt[:], raw)
	return &s
}

// key is what the passphrase becomes.
func (s stretch) key(passphrase *secret.Bytes) (*secret.Bytes, error) {
	return secret.Use(passphrase, func(text []byte) (*secret.Bytes, error) {
		return secret.Take(argon2.IDKey(text, s.salt[:], s.passes, s.memoryKiB, s.lanes, keyBytes)), nil
	})
}

// ReadPassphrase reads a file whose one line is a passphrase; its newline is
// not part of it. The file must be as private as a key file. An error is a
// [*FileError].
func ReadPassphrase(path string) (*secret.Bytes, error) {
	text, err := readPrivate(path, secret.BytesMax)
	if err != nil {
		return nil, &FileError{path, err}
	}
	defer secret.Zero(text)
	line := bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
	switch {
	case len(line) == 0:
		return nil, &FileError{path, errEmpty}
	case bytes.ContainsAny(line, "\n\x00"):
		return nil, &FileError{path, errors.New("has more than one line")}
	}
	return secret.Take(line), nil
}
