package charset

import (
	"bytes"
	"testing"
)

// FuzzBytes gives every character set and collation bytes that need not be well
// formed: nothing may panic, lengths must fit together, and strings that the
// collation cannot read must not become equal to others unseen.
func FuzzBytes(f *testing.F) {
	f.Add([]byte("Zoë "), uint16(1))
	f.Add([]byte("\xed\xa0\x80\xff\xef\xbf\xbf a"), uint16(224))
	f.Add([]byte("\x00\x61\xd8\x00\xdc"), uint16(54))
	f.Add([]byte("\x8f\xa1\xa1\x8e\xe3\x90"), uint16(12))
	f.Add([]byte("\xe0"), uint16(95)) // the first byte of a character of two
	f.Fuzz(func(t *testing.T, s []byte, id uint16) {
		for _, flavor := range []Flavor{MariaDB, MySQL} {
			if c := byID(flavor, id); c != nil {
				checkCharset(t, c.Charset, s)
				if c.exact {
					checkWeights(t, c, s)
				}
			}
		}
	})
}

// TestShortBytes gives every character set and collation each byte alone, behind a letter,
// and before bytes that may or may not go on with a character.
func TestShortBytes(t *testing.T) {
	for _, flavor := range []Flavor{MariaDB, MySQL} {
		sets := map[*Charset]bool{}
		for _, c := range flavor.names().collations {
			c = c.ready()
			for b := range 0x100 {
				for _, s := range [][]byte{{byte(b)}, {'a', byte(b)}, {byte(b), ' '}, {byte(b), 0x81}, {byte(b), 0xFF, byte(b)}} {
					if !sets[c.Charset] {
						checkCharset(t, c.Charset, s)
					}
					if c.exact {
						checkWeights(t, c, s)
					}
				}
			}
			sets[c.Charset] = true
		}
	}
}

// byID is the collation of that number, as the protocol has it; nil if there is none.
func byID(f Flavor, id uint16) *Collation {
	for _, c := range f.names().collations {
		if c.ID == id {
			return c.ready()
		}
	}
	return nil
}

func checkCharset(t *testing.T, set *Charset, s []byte) {
	t.Helper()
	if _, unknown := set.codec.(unknownCodec); unknown {
		return
	}
	n := set.CharLen(s)
	if got := set.TruncateChars(s, n); !bytes.Equal(got, s) {
		t.Fatalf("%s: the first %d of %d characters of %x are %x", set.Name, n, n, s, got)
	}
	if half := set.TruncateChars(s, n/2); set.CharLen(half) != n/2 {
		t.Fatalf("%s: %x cut to %d characters has %d", set.Name, s, n/2, set.CharLen(half))
	}
	if stored := repaired(set, s); !set.Valid(stored) {
		t.Fatalf("%s: %x is repaired to %x", set.Name, s, stored)
	}
	utf8mb4, _ := CharsetByName(set.Flavor, "utf8mb4")
	if out, bad := Convert(nil, utf8mb4, set, s); set != utf8mb4 && !set.isBinary() && !utf8mb4.Valid(out) || bad >= len(s)+set.BytesMin {
		t.Fatalf("%s: %x becomes %x, bad at %d", set.Name, s, out, bad)
	}
}

// checkWeights changes the last byte behind the first that is not well formed:
// the weight string must change with it.
func checkWeights(t *testing.T, c *Collation, s []byte) {
	t.Helper()
	before := c.AppendWeights(nil, s)
	if bad := c.Charset.FirstBad(s); bad < 0 || bad == len(s)-1 || s[len(s)-1]|1 == ' '|1 {
		return
	}
	changed := bytes.Clone(s)
	changed[len(s)-1] ^= 1
	if c.Charset.FirstBad(changed) >= 0 && bytes.Equal(before, c.AppendWeights(nil, changed)) {
		t.Fatalf("%s: %x and %x are equal", c.Name, s, changed)
	}
}
