package charset

import (
	"strings"
	"unicode/utf8"

	"vitess.io/vitess/go/mysql/collations"
	"vitess.io/vitess/go/mysql/collations/colldata"
)

// nopadDistance is how far MariaDB's NO PAD collations are numbered above the
// PAD SPACE ones with the same weights.
const nopadDistance = 1024

// libraryID is the number that the library has the weights of c under.
func (c *Collation) libraryID() collations.ID {
	id := collations.ID(c.ID)
	if c.Flavor == MariaDB && strings.Contains(c.Name, "nopad") {
		id -= nopadDistance
	}
	return id
}

// build finds the family of c. It leaves c without a weigher if there is none.
func (c *Collation) build() {
	if t := rootOf(c.Name); t != nil && c.Charset.isUnicode() {
		c.weigher = &rootWeigher{set: c.Charset, table: t}
	} else if lib := colldata.Lookup(c.libraryID()); lib != nil {
		c.weigher = c.family(lib)
	} else if c.Binary && isEastern(c.Charset.Name) {
		c.weigher = byteWeigher{}
	}
	if c.weigher != nil && c.PadSpace {
		c.space = c.weigher.appendWeights(nil, c.Charset.spaces(1))
	}
}

func (c *Collation) family(lib colldata.Collation) weigher {
	switch lib := lib.(type) {
	case *colldata.Collation_binary, *colldata.Collation_8bit_bin, *colldata.Collation_utf8mb4_0900_bin:
		return byteWeigher{}
	case *colldata.Collation_unicode_bin:
		if c.Charset.ascii {
			return byteWeigher{}
		}
		return &runeWeigher{set: c.Charset}
	case *colldata.Collation_unicode_general_ci:
		return newRuneWeigher(c.Charset)
	case *colldata.Collation_8bit_simple_ci:
		return newTableWeigher(lib)
	case *colldata.Collation_utf8mb4_uca_0900:
		return uca9Weigher{lib}
	case *colldata.Collation_uca_legacy:
		return &ucaWeigher{lib: lib, set: c.Charset}
	case *colldata.Collation_multibyte:
		if lib.IsBinary() {
			return byteWeigher{}
		}
		return newMultibyteWeigher(lib, c.Charset)
	}
	return nil
}

// multibyteWeigher is a collation of an East Asian encoding: a letter of ASCII weighs as
// its table says, every other character as its bytes. The library is asked for the table
// alone, as it reads past the end of a character that is cut off.
type multibyteWeigher struct {
	set   *Charset
	ascii [utf8.RuneSelf]byte
}

func newMultibyteWeigher(lib *colldata.Collation_multibyte, set *Charset) *multibyteWeigher {
	w := &multibyteWeigher{set: set}
	for b := range w.ascii {
		w.ascii[b] = lib.WeightString(nil, []byte{byte(b)}, 0)[0]
	}
	return w
}

func (w *multibyteWeigher) appendWeights(dst, s []byte) []byte {
	for len(s) > 0 {
		if s[0] < utf8.RuneSelf {
			dst, s = append(dst, w.ascii[s[0]]), s[1:]
			continue
		}
		_, n := w.set.codec.decode(s)
		n = max(n, 1)
		dst, s = append(dst, s[:n]...), s[n:]
	}
	return dst
}

// spaces returns n spaces in the character set.
func (c *Charset) spaces(n int) []byte {
	var s []byte
	for range n {
		s, _ = c.codec.encode(s, ' ')
	}
	return s
}
