package scheme

import "encoding/binary"

// HeaderSize is the size in bytes of the header of a sealed form:
//
//	offset  size  field
//	0       1     suite
//	1       2     key epoch, big endian
//
// What follows is the suite's. The header says which key opens the form; it is
// authenticated by the tag, so it cannot say so falsely.
const HeaderSize = 3

// EpochOffset is where in a sealed form its epoch is, two bytes.
const EpochOffset = 1

// SealsMax is how many values one key may seal before the column moves on to
// its next epoch. SP 800-38D, 8.3, allows 2^32 with random nonces, which keeps
// the chance of one repeating below 2^-32; half of it leaves room for counting
// only roughly, and for proxies that do not know of each other's last seals.
const SealsMax = 1 << 31

// PutHeader writes a header into the first HeaderSize bytes of b.
func PutHeader(b []byte, suite Suite, epoch uint16) {
	_ = b[HeaderSize-1]
	b[0] = byte(suite)
	binary.BigEndian.PutUint16(b[EpochOffset:], epoch)
}

// Header reads the header of a sealed form, without a key. It is not yet
// authenticated: use it to choose the key, and for nothing else. ok is false if
// the form is too short to have one or names a suite that is not built.
func Header(sealed []byte) (suite Suite, epoch uint16, ok bool) {
	if len(sealed) < HeaderSize {
		return 0, 0, false
	}
	suite = Suite(sealed[0])
	return suite, binary.BigEndian.Uint16(sealed[EpochOffset:]), suite.KeySize() != 0
}
