package charset

// tableCodec is a character set of one byte a character.
type tableCodec struct {
	runes *[256]rune // noRune where the byte has no place in Unicode
	bytes map[rune]byte
	seven bool // bytes from 0x80 are not well formed
}

// newTableCodec makes the way back from the way there. Of two bytes that mean
// the same character, back says which one is written.
func newTableCodec(runes *[256]rune, seven bool) *tableCodec {
	c := &tableCodec{runes: runes, bytes: make(map[rune]byte, 256), seven: seven}
	for b := 255; b >= 0; b-- {
		if r := runes[b]; r != noRune {
			c.bytes[r] = byte(b)
		}
	}
	return c
}

func (c *tableCodec) decode(s []byte) (rune, int) {
	if c.seven && s[0] >= 0x80 {
		return 0, 0
	}
	return c.runes[s[0]], 1
}

func (c *tableCodec) encode(dst []byte, r rune) ([]byte, bool) {
	b, ok := c.bytes[r]
	if !ok {
		return dst, false
	}
	return append(dst, b), true
}

// isASCII reports whether the lower half of the table is ASCII.
func (c *tableCodec) isASCII() bool {
	for b := range rune(0x80) {
		if c.runes[b] != b {
			return false
		}
	}
	return true
}

// binaryCodec is the character set of bytes that are no characters.
type binaryCodec struct{}

func (binaryCodec) decode(s []byte) (rune, int) { return rune(s[0]), 1 }

func (binaryCodec) encode(dst []byte, r rune) ([]byte, bool) {
	if r < 0 || r > 0xFF {
		return dst, false
	}
	return append(dst, byte(r)), true
}
