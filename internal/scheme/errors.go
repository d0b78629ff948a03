package scheme

import (
	"errors"
	"fmt"
)

// What goes wrong when a scheme is made.
var (
	ErrSuite   = errors.New("this suite is reserved or unknown; only suite 1 (AES) is built")
	ErrKeySize = errors.New("the key has the wrong size for its suite")
	ErrParams  = errors.New("the scheme does not have these parameters")
)

// What goes wrong with a stored form. Each of these means that the server
// returned something tunic did not store there, or that tunic looked with the
// wrong key: an alarm, never a NULL and never the raw bytes.
var (
	// ErrOpen: the authentication tag does not fit key, context and bytes.
	ErrOpen = errors.New("the stored form is not authentic: altered, moved, or sealed under another key")
	// ErrForm: too short or too long for what it should be.
	ErrForm = errors.New("the stored bytes are no form of this scheme")
	// ErrEpoch: sealed under another epoch's key than the sealer's.
	ErrEpoch = errors.New("the stored form belongs to another key epoch")
	// ErrPadding: authentic, and not padded as this column's values are.
	ErrPadding = errors.New("the opened value is not padded as its type asks")
)

// ErrValue means that the value is not one the scheme takes: the caller encoded
// it for other parameters.
var ErrValue = errors.New("the value has the wrong size for this scheme")

// BatchError is the failure of one value of a batch. Of a batch that fails
// nothing is returned.
type BatchError struct {
	Index int   // of the value, from 0
	Err   error // what the call for the single value returns
}

// Error returns the message of the value's error and its place.
func (e *BatchError) Error() string { return fmt.Sprintf("value %d of a batch: %v", e.Index, e.Err) }

// Unwrap returns the value's error.
func (e *BatchError) Unwrap() error { return e.Err }
