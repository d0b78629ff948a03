package keys

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Suite is the set of algorithms behind all forms of a column. The number is
// stored in sealed forms.
type Suite uint8

// The suites. Only [SuiteAES] can be used; the numbers of the others are taken
// so that nothing else gets them.
const (
	SuiteAES  Suite = 1 // AES-256-GCM, AES-CMAC, AES-FF1, HKDF-SHA256
	SuiteSM   Suite = 2 // SM4-GCM, SM4-CMAC, HKDF-SM3; reserved
	SuiteXAES Suite = 3 // XAES-256-GCM, else as SuiteAES; reserved
)

// ErrSuite is a suite that this version cannot derive keys for.
var ErrSuite = errors.New("the suite is not supported")

// Supported reports whether keys of the suite can be derived.
func (s Suite) Supported() bool { return s == SuiteAES }

// String is the suite in a word.
func (s Suite) String() string {
	switch s {
	case SuiteAES:
		return "aes"
	case SuiteSM:
		return "sm"
	case SuiteXAES:
		return "xaes"
	default:
		return fmt.Sprintf("suite %d", uint8(s))
	}
}

// Purpose is what a derived key is for. No two purposes share a key.
type Purpose uint8

// The purposes. Those up to PurposeSearch are of a domain; the others of the
// whole project.
const (
	PurposeSealed   Purpose = iota + 1 // the sealed form of values
	PurposeEquality                    // the layer for equality
	PurposeOrder                       // the layer for order
	PurposeSum                         // the layer for sums
	PurposeSearch                      // the layer for search
	PurposeCatalog                     // rows of the catalog
	PurposeChecksum                    // comparing rows with their layers
	PurposeBackup                      // backup streams
)

// purposes are the words that go into the derivation, which must never change,
// and whether the purpose is of a domain.
var purposes = map[Purpose]struct {
	word     string
	ofDomain bool
}{
	PurposeSealed:   {"sealed", true},
	PurposeEquality: {"equality", true},
	PurposeOrder:    {"order", true},
	PurposeSum:      {"sum", true},
	PurposeSearch:   {"search", true},
	PurposeCatalog:  {"catalog", false},
	PurposeChecksum: {"checksum", false},
	PurposeBackup:   {"backup", false},
}

// String is the word of the purpose.
func (p Purpose) String() string {
	if known, ok := purposes[p]; ok {
		return known.word
	}
	return fmt.Sprintf("purpose %d", uint8(p))
}

// Domain is the UUID of the columns that share derived keys. It, not the name,
// goes into keys, so that a column can be renamed.
type Domain [16]byte

// Use is a key of sealed forms by what it is used for: the forms of a domain in an epoch.
type Use struct {
	Domain Domain
	Epoch  uint16
}

// Derivation says which key is meant.
type Derivation struct {
	Purpose Purpose
	Suite   Suite
	// Domain is zero for, and only for, purposes of the whole project.
	Domain Domain
	// Epoch is the generation of the key. It also chooses the master key.
	Epoch uint16
	// Params tells apart keys of one purpose: scheme and parameters, such as
	// "ord1 w=4". At most ParamsBytesMax bytes.
	Params string
}

// Limits of a derivation.
const (
	ParamsBytesMax = 255
	// DerivedBytesMin and DerivedBytesMax bound the length of a derived key: 128
	// bits, the least that is a key, and two keys of 256 bits.
	DerivedBytesMin = 16
	DerivedBytesMax = 64
)

// check refuses what no caller can mean.
func (d Derivation) check(n int) error {
	purpose, known := purposes[d.Purpose]
	switch {
	case !known:
		return fmt.Errorf("%s has no keys", d.Purpose)
	case !d.Suite.Supported():
		return fmt.Errorf("%w: %s", ErrSuite, d.Suite)
	case purpose.ofDomain == (d.Domain == Domain{}):
		return fmt.Errorf("purpose %s with a domain, or without one", d.Purpose)
	case len(d.Params) > ParamsBytesMax:
		return fmt.Errorf("parameters of %d bytes, at most %d", len(d.Params), ParamsBytesMax)
	case n < DerivedBytesMin || n > DerivedBytesMax:
		return fmt.Errorf("a key of %d bytes, not %d to %d", n, DerivedBytesMin, DerivedBytesMax)
	}
	return nil
}

// info is what HKDF expands a master key with. Numbers are big endian; each
// field is preceded by its length in 2 bytes, so that two derivations that
// differ anywhere differ here.
//
//	size  field
//	16    project
//	2     "v1"
//	1     suite
//	any   purpose, its word
//	16    domain
//	2     epoch
//	any   params
//	2     length of the key
//
// The length is part of it because HKDF's shorter outputs are the beginnings
// of its longer ones. The first byte is 0, so no info is one of the labels that
// keys are used with elsewhere, which are letters.
func (d Derivation) info(project Project, n int) string {
	var info []byte
	field := func(content []byte) {
		info = binary.BigEndian.AppendUint16(info, uint16(len(content)))
		info = append(info, content...)
	}
	field(project[:])
	field([]byte("v1"))
	field([]byte{byte(d.Suite)})
	field([]byte(d.Purpose.String()))
	field(d.Domain[:])
	field(binary.BigEndian.AppendUint16(nil, d.Epoch))
	field([]byte(d.Params))
	field(binary.BigEndian.AppendUint16(nil, uint16(n)))
	return string(info)
}
