package charset

// Charset is a character set of one flavor of server. Its methods neither
// allocate nor keep what they are given.
type Charset struct {
	Name     string
	Flavor   Flavor
	BytesMin int // of one character
	BytesMax int // of one character

	codec   codec
	ascii   bool // bytes below 0x80 are ASCII wherever they stand
	convert bool // reading and writing characters is exact
	why     string
	def     *Collation
	bin     *Collation
}

// codec reads and writes characters of one encoding.
type codec interface {
	// decode reads the first character of s, which is not empty. n is its length
	// in bytes; 0 says that s does not start with a well-formed character. r is
	// noRune if the character has no place in Unicode.
	decode(s []byte) (r rune, n int)
	// encode appends r. It reports false, and appends nothing, if the character
	// set has no such character.
	encode(dst []byte, r rune) ([]byte, bool)
}

// noRune stands for a character that is well formed and not in Unicode.
const noRune rune = -1

// Convertible reports whether Convert, Valid, CharLen and TruncateChars have been
// found to do what the server does. If not, why says what is missing.
func (c *Charset) Convertible() (ok bool, why string) { return c.convert, c.why }

// ConvertibleTo reports whether Convert from c to another set does what the server does.
func (c *Charset) ConvertibleTo(to *Charset) bool { return c.convert && to.convert }

// Default returns the collation that a column of the character set has if it
// names none, in MariaDB 10.11 and MySQL 9. A server can be set to another:
// default_collation_for_utf8mb4 of MySQL, character_set_collations of MariaDB,
// which from 11.5 on has uca1400_ai_ci for Unicode.
func (c *Charset) Default() *Collation { return c.def.ready() }

// Bin returns the _bin collation of the character set; for binary, binary.
func (c *Charset) Bin() *Collation { return c.bin.ready() }

// FirstBad returns the offset of the first byte of s that does not belong to a
// well-formed character, -1 if there is none.
func (c *Charset) FirstBad(s []byte) int {
	for i := c.asciiRun(s); i < len(s); {
		_, n := c.codec.decode(s[i:])
		if n == 0 {
			return i
		}
		i += n
		i += c.asciiRun(s[i:])
	}
	return -1
}

// Valid reports whether s consists of well-formed characters.
func (c *Charset) Valid(s []byte) bool { return c.FirstBad(s) < 0 }

// CharLen returns the number of characters of s. A byte that does not belong to
// a well-formed character counts as one.
func (c *Charset) CharLen(s []byte) int {
	if c.BytesMax == 1 {
		return len(s)
	}
	chars := 0
	for i := 0; i < len(s); chars++ {
		i += c.step(s[i:])
	}
	return chars
}

// TruncateChars returns the first chars characters of s, all of s if it has no
// more. It counts as CharLen does.
func (c *Charset) TruncateChars(s []byte, chars int) []byte {
	if chars >= len(s) {
		return s
	}
	if c.BytesMax == 1 {
		return s[:max(chars, 0)]
	}
	i := 0
	for ; chars > 0 && i < len(s); chars-- {
		i += c.step(s[i:])
	}
	return s[:i]
}

// step returns the length of the first character of s in bytes.
func (c *Charset) step(s []byte) int {
	if c.ascii && s[0] < 0x80 {
		return 1
	}
	_, n := c.codec.decode(s)
	return max(n, 1)
}

// isUnicode reports whether the character set is an encoding of all of Unicode,
// or of its BMP.
func (c *Charset) isUnicode() bool {
	switch c.Name {
	case "utf8mb4", "utf8mb3", "ucs2", "utf16", "utf16le", "utf32":
		return true
	}
	return false
}

// asciiRun returns how many bytes at the start of s are ASCII characters.
func (c *Charset) asciiRun(s []byte) int {
	if !c.ascii {
		return 0
	}
	return asciiRun(s)
}
