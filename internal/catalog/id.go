package catalog

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
)

// ID names a table, a column or a key domain for good: RENAME does not change it.
// It is 128 random bits.
type ID [16]byte

// NewID is the ID of something new: no other one is like it.
func NewID() (id ID) {
	_, _ = rand.Read(id[:]) // never fails: crypto/rand ends the program instead
	return id
}

// IsZero reports whether there is no ID.
func (id ID) IsZero() bool { return id == ID{} }

// String is the ID in 32 hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

var errID = errors.New("catalog: an ID is 32 hexadecimal digits")

// MarshalText implements encoding.TextMarshaler.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (id *ID) UnmarshalText(text []byte) error {
	if len(text) != 2*len(id) {
		return errID
	}
	if _, err := hex.Decode(id[:], text); err != nil {
		return errID
	}
	return nil
}
