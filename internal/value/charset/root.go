package charset

import (
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"vitess.io/vitess/go/mysql/collations"
	"vitess.io/vitess/go/mysql/collations/colldata"
)

// rootWeigher is a collation of no language: unicode_ci, unicode_520_ci and
// uca1400_ai_ci. A character has its weights whatever stands beside it, but for
// the few contractions of UCA 14.0.0, so they are kept by character, and weighing
// allocates nothing.
type rootWeigher struct {
	set   *Charset
	table *rootTable
}

// rootTable is filled page by page, as text needs it: most text needs three.
type rootTable struct {
	weigh        func(dst []byte, r rune) []byte // appends the weights of one character
	contractions map[contraction][]byte
	starters     map[rune]bool // where contractions start
	pages        [(utf8.MaxRune + 1) / 256]atomic.Pointer[rootPage]
}

// contraction is two or three characters that are weighed as one; the third is
// noRune if there are two.
type contraction [3]rune

// rootPage has the weights of 256 characters, those of character i from
// starts[i] to starts[i+1].
type rootPage struct {
	starts   [257]uint16
	weights  []byte
	starters [256]bool // contractions start with the character
}

// rootOf returns the table of a collation of no language, nil for any other.
func rootOf(name string) *rootTable {
	_, order, _ := strings.Cut(strings.Replace(name, "_nopad_", "_", 1), "_")
	switch order {
	case "unicode_ci":
		return rootTable400()
	case "unicode_520_ci":
		return rootTable520()
	case "uca1400_ai_ci":
		return rootTable1400()
	}
	return nil
}

var (
	rootTable400  = sync.OnceValue(func() *rootTable { return libraryTable(224) }) // utf8mb4_unicode_ci
	rootTable520  = sync.OnceValue(func() *rootTable { return libraryTable(246) }) // utf8mb4_unicode_520_ci
	rootTable1400 = sync.OnceValue(func() *rootTable { return readUCA1400(uca1400GZ) })
)

// libraryTable reads weights out of the library, and gives the implicit ones
// where it has none.
func libraryTable(id collations.ID) *rootTable {
	return &rootTable{weigh: func(dst []byte, r rune) []byte { return appendRoot(dst, id, r) }}
}

func (w *rootWeigher) appendWeights(dst, s []byte) []byte {
	ascii := w.table.page(0)
	for i := 0; i < len(s); {
		r, n, page := rune(s[i]), 1, ascii
		if !w.set.ascii || s[i] >= utf8.RuneSelf {
			if r, n = w.set.codec.decode(s[i:]); n == 0 {
				return append(append(dst, 0xFF, 0xFF), s[i:]...) // FFFF is no weight
			}
			page = w.table.page(r >> 8)
		}
		i += n
		if page.starters[byte(r)] {
			if weights, more := w.contracted(r, s[i:]); more > 0 {
				dst = append(dst, weights...)
				i += more
				continue
			}
		}
		dst = append(dst, page.of(byte(r))...)
	}
	return dst
}

// contracted finds the longest contraction of r with the start of s, and how
// many bytes of s belong to it.
func (w *rootWeigher) contracted(r rune, s []byte) (weights []byte, n int) {
	if len(s) == 0 {
		return nil, 0
	}
	second, n2 := w.set.codec.decode(s)
	if n2 == 0 {
		return nil, 0
	}
	if s3 := s[n2:]; len(s3) > 0 {
		third, n3 := w.set.codec.decode(s3)
		if weights, ok := w.table.contractions[contraction{r, second, third}]; ok && n3 > 0 {
			return weights, n2 + n3
		}
	}
	if weights, ok := w.table.contractions[contraction{r, second, noRune}]; ok {
		return weights, n2
	}
	return nil, 0
}

func (p *rootPage) of(b byte) []byte { return p.weights[p.starts[b]:p.starts[int(b)+1]] }

// page returns a page, and makes it if it is the first time. Two that make it at
// once make the same.
func (t *rootTable) page(number rune) *rootPage {
	slot := &t.pages[number]
	if p := slot.Load(); p != nil {
		return p
	}
	p := new(rootPage)
	for i := range rune(256) {
		p.starts[i] = uint16(len(p.weights)) // at most 256 characters of 36 bytes
		p.weights = t.weigh(p.weights, number<<8|i)
		p.starters[i] = t.starters[number<<8|i]
	}
	p.starts[256] = uint16(len(p.weights))
	slot.Store(p)
	return p
}

// appendRoot appends the weights of one character: the library's, or the
// implicit ones where it has none.
func appendRoot(dst []byte, id collations.ID, r rune) []byte {
	if isImplicit(r) {
		return appendImplicit(dst, 0xFBC0, r)
	}
	var char [utf8.UTFMax]byte
	return colldata.Lookup(id).WeightString(dst, utf8.AppendRune(char[:0], r), 0)
}

// isImplicit reports whether the servers weigh the character by its number, and
// the library leaves it out, or takes it for the end of the string.
func isImplicit(r rune) bool { return r == 0xFFFF || r >= 0xD800 && r <= 0xDFFF }

// appendImplicit appends the implicit weights of a character: two weights that
// hold its number, the first of them on top of base (UTS #10, section 10.1.3).
func appendImplicit(dst []byte, base uint16, r rune) []byte {
	high := base + uint16(r>>15)
	return append(dst, byte(high>>8), byte(high), byte(r>>8)|0x80, byte(r))
}
