package charset

import (
	"sync/atomic"
	"unicode/utf8"

	"vitess.io/vitess/go/mysql/collations"
	"vitess.io/vitess/go/mysql/collations/colldata"
)

// rootWeigher is a collation without contractions: unicode_ci and
// unicode_520_ci. Each character has its weights whatever stands beside it, so
// they are kept by character, and weighing allocates nothing.
type rootWeigher struct {
	set   *Charset
	table *rootTable
}

// rootTables hold the weights for every encoding, by the library's number of the
// collation in utf8mb4.
var rootTables = map[collations.ID]*rootTable{
	224: {id: 224}, // utf8mb4_unicode_ci
	246: {id: 246}, // utf8mb4_unicode_520_ci
}

// rootTable is filled page by page, as text needs it: most text needs three.
type rootTable struct {
	id    collations.ID
	pages [(utf8.MaxRune + 1) / 256]atomic.Pointer[rootPage]
}

// rootPage has the weights of 256 characters, those of character i from
// starts[i] to starts[i+1].
type rootPage struct {
	starts  [257]uint16
	weights []byte
}

func (w *rootWeigher) appendWeights(dst, s []byte) []byte {
	ascii := w.table.page(0)
	for i := 0; i < len(s); {
		if w.set.ascii && s[i] < utf8.RuneSelf {
			dst = append(dst, ascii.of(s[i])...)
			i++
			continue
		}
		r, n := w.set.codec.decode(s[i:])
		if n == 0 {
			return append(append(dst, 0xFF, 0xFF), s[i:]...) // FFFF is no weight
		}
		dst = append(dst, w.table.page(r>>8).of(byte(r))...)
		i += n
	}
	return dst
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
		p.starts[i] = uint16(len(p.weights))
		p.weights = appendRoot(p.weights, t.id, number<<8|i)
	}
	p.starts[256] = uint16(len(p.weights))
	slot.Store(p)
	return p
}

// appendRoot appends the weights of one character: the library's, or the
// implicit ones where it has none.
func appendRoot(dst []byte, id collations.ID, r rune) []byte {
	if isImplicit(r) {
		return appendImplicit(dst, r)
	}
	var char [utf8.UTFMax]byte
	return colldata.Lookup(id).WeightString(dst, utf8.AppendRune(char[:0], r), 0)
}

// isImplicit reports whether the servers weigh the character by its number, and
// the library leaves it out, or takes it for the end of the string.
func isImplicit(r rune) bool { return r == 0xFFFF || r >= 0xD800 && r <= 0xDFFF }

// appendImplicit appends the implicit weights of a character from U+8000 to
// U+FFFF (UTS #10, section 10.1.3).
func appendImplicit(dst []byte, r rune) []byte {
	return append(dst, 0xFB, 0xC1, byte(r>>8)|0x80, byte(r))
}
