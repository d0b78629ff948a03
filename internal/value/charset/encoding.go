package charset

import (
	"strings"

	"vitess.io/vitess/go/mysql/collations/charset"
	"vitess.io/vitess/go/mysql/collations/charset/eightbit"
	"vitess.io/vitess/go/mysql/collations/colldata"
)

// newCharset finds the codec of a character set. Of a character set without one
// nothing can be read, only copied.
func newCharset(f Flavor, name string, bytesMax int) *Charset {
	c := &Charset{Name: name, Flavor: f, BytesMin: 1, BytesMax: bytesMax, why: "not compared"}
	switch {
	case name == "binary":
		c.codec = binaryCodec{}
	case isEastern(name):
		c.codec, c.ascii = newEasternCodec(f, name), name != "sjis" // which writes no backslash
	case name == "utf8mb3", name == "utf8mb4":
		c.codec, c.ascii = utf8Codec{bytesMax: bytesMax, surrogates: f == MariaDB}, true
	case name == "ascii":
		c.setTable(asciiRunes(), f != MariaDB)
	default:
		c.fromLibrary()
	}
	return c
}

func (c *Charset) setTable(runes *[256]rune, seven bool) {
	t := newTableCodec(runes, seven)
	c.codec, c.ascii = t, t.isASCII()
}

func asciiRunes() *[256]rune {
	runes := new([256]rune)
	for b := range runes {
		runes[b] = noRune
		if b < 0x80 {
			runes[b] = rune(b)
		}
	}
	return runes
}

// fromLibrary takes the encoding of the library, if it has it.
func (c *Charset) fromLibrary() {
	lib := libraryCharset(c.Name)
	switch lib := lib.(type) {
	case nil:
		c.codec = unknownCodec{}
	case *eightbit.Charset_8bit, eightbit.Charset_latin1:
		c.setTable(libraryRunes(lib), false)
	default:
		c.BytesMin = minWidth(lib)
		c.codec = libraryCodec{
			lib: lib, bytesMin: c.BytesMin,
			strict: c.Name == "utf32" && c.Flavor == MySQL,
			pairs:  strings.HasPrefix(c.Name, "utf16"),
		}
		c.ascii = c.BytesMin == 1
	}
}

// libraryCharset finds an encoding by its collations.
func libraryCharset(name string) charset.Charset {
	for id := range libraryIDs {
		if lib := colldata.Lookup(id); lib != nil && lib.Charset().Name() == name {
			return lib.Charset()
		}
	}
	return nil
}

// libraryRunes reads the table of an 8-bit character set out of the library, where
// zero stands for a byte without a character.
func libraryRunes(lib charset.Charset) *[256]rune {
	runes := new([256]rune)
	for b := range runes {
		runes[b], _ = lib.DecodeRune([]byte{byte(b)})
		if runes[b] == 0 && b != 0 {
			runes[b] = noRune
		}
	}
	return runes
}
