package fingerprint

import (
	"sort"

	"tunic/internal/sql/lex"
)

// Literals are where the literals of a text stand that its template has marks
// for. A [Fingerprinter] records them when [Fingerprinter.Record] tells it to.
//
// A place is the template's position of a literal. Most places are of one
// literal. Where the template writes repeated elements once (the rows of
// VALUES, the items of IN), the elements are a group, and each literal of an
// element is a place of as many literals as the group has elements:
//
//	INSERT INTO t VALUES (1,'a'),(2,'b') ON DUPLICATE KEY UPDATE n = 7
//	INSERT INTO t VALUES (?,?)...        ON DUPLICATE KEY UPDATE n = ?
//	                      group 0, cells 0 and 1; 2 elements         single 0
//
// Two texts with one template have the same places; they differ in the
// literals, and in the number of elements of each group.
type Literals struct {
	all    []Literal
	groups []group

	nested   bool // a group is inside an element of another
	overflow bool // there are more than literalsMax
}

// Literal is where one literal stands in the text. Adjacent strings are one
// literal, and so is a number with its sign where a cell of VALUES or an item
// of IN is nothing else; NULL, TRUE and FALSE are literals in VALUES.
type Literal struct {
	// From and To bound the literal's bytes.
	From, To int32
	// word is where the word before a literal begins that says what it is: an
	// introducer, DATE, TIME, TIMESTAMP; 0 without one. It is anyType for a
	// literal whose type the template does not tell.
	word int32
}

// anyType is the word of a literal that is all there is in a cell of VALUES.
const anyType = -1

// Place is a template's position of a literal.
type Place struct {
	// Group is the group that the place belongs to, in the order of the text; -1
	// for the place of one literal.
	Group int
	// Cell numbers the literals of one element of the group, or the places of one
	// literal in the text.
	Cell int
}

// group is a run of repeated elements.
type group struct {
	first         int // index of its first literal
	cells         int // literals of one element
	elements      int
	rows          bool // the elements are rows of VALUES, not items of IN
	headEnd, end  int  // where, in the text, its first and its last element end
	singles, upTo int  // how many singles are before it, and how many literals of groups up to its end
}

// Bounds of what is recorded. A text with more literals has no places; the
// memory of one with many is given back once a text comes that needs much less.
const (
	literalsMax  = 4 << 20
	literalsKeep = 4 << 10
)

// Groups is the number of groups.
func (l *Literals) Groups() int { return len(l.groups) }

// Singles is the number of places of one literal.
func (l *Literals) Singles() int {
	if len(l.groups) == 0 {
		return len(l.all)
	}
	return len(l.all) - l.groups[len(l.groups)-1].upTo
}

// Cells is the number of places in group g.
func (l *Literals) Cells(g int) int { return l.groups[g].cells }

// Rows says that the elements of group g are rows of VALUES; they are the
// items of an IN otherwise.
func (l *Literals) Rows(g int) bool { return l.groups[g].rows }

// Elements is the number of elements of group g, at least two.
func (l *Literals) Elements(g int) int { return l.groups[g].elements }

// Regular says that every literal of the text has a place. It has not where
// the elements of a group have groups of their own, of sizes that differ from
// element to element, and where there are millions of literals. It is then not
// allowed to ask for more. The first is the same for all texts of a template.
func (l *Literals) Regular() bool { return !l.nested && !l.overflow }

// At is the literal at place p in an element of its group; element is 0 for a
// place of one literal. Like an index of a slice, the place has to be there.
func (l *Literals) At(p Place, element int) Literal {
	if p.Group >= 0 {
		g := &l.groups[p.Group]
		return l.all[g.first+element*g.cells+p.Cell]
	}
	// The groups that begin before the single push it back.
	n := sort.Search(len(l.groups), func(i int) bool { return l.groups[i].singles > p.Cell })
	if n == 0 {
		return l.all[p.Cell]
	}
	return l.all[l.groups[n-1].upTo+p.Cell]
}

// Record makes the Fingerprinter record literals from its next call on, or
// stop to.
func (f *Fingerprinter) Record(on bool) {
	if f.recording != on {
		f.recording, f.literals = on, Literals{}
	}
}

// Literals are those of the last text, if they were recorded. They are valid
// until the Fingerprinter's next call, and only if the fingerprint is clean.
func (f *Fingerprinter) Literals() *Literals { return &f.literals }

// Release gives back memory that a large text has taken. Template and literals are not valid any
// more.
func (f *Fingerprinter) Release() {
	if cap(f.out) > bufferKeep {
		f.out = nil
	}
	if cap(f.literals.all) > literalsKeep || cap(f.literals.groups) > literalsKeep {
		f.literals = Literals{}
	}
}

func (l *Literals) reset() {
	if c := cap(l.all); c > literalsKeep && len(l.all) < c/4 {
		l.all = nil
	}
	if c := cap(l.groups); c > literalsKeep && len(l.groups) < c/4 {
		l.groups = nil
	}
	*l = Literals{all: l.all[:0], groups: l.groups[:0]}
}

func (l *Literals) add(from, to, word int) {
	if len(l.all) >= literalsMax {
		l.overflow = true
		return
	}
	l.all = append(l.all, Literal{From: int32(from), To: int32(to), word: int32(word)})
}

// finish counts the places. Groups are in the order of the text.
func (l *Literals) finish() {
	upTo := 0
	for i := range l.groups {
		g := &l.groups[i]
		g.singles = g.first - upTo
		upTo += g.cells * g.elements
		g.upTo = upTo
	}
}

// recordMark records the current token, which becomes a mark.
func (f *Fingerprinter) recordMark(t lex.Token) {
	word := 0
	if f.prev == lex.Word {
		w := f.prevWord()
		introduced := w[0] == '_' && lex.Introducers.Has(w) // a string, or one in hexadecimal digits
		if introduced || t == lex.String && (f.prevRole == roleBraced || lex.BeforeTemporal.Has(w)) {
			word = f.prevFrom
		}
	}
	f.literals.add(f.lx.From, f.lx.Pos, word)
}

// recordJoined makes the current token, a string, part of the literal before.
func (f *Fingerprinter) recordJoined() {
	if n := len(f.literals.all); n > 0 && !f.literals.overflow {
		f.literals.all[n-1].To = int32(f.lx.Pos)
	}
}

// recordElement completes the element of one literal that ends before the
// current token: its sign is part of the literal, and a constant is one.
func (f *Fingerprinter) recordElement(l *list) {
	n := len(f.literals.all)
	if l.mark == lex.Word {
		f.literals.add(l.from, f.lx.Gap, anyType)
		return
	}
	if n == 0 || f.literals.overflow {
		return
	}
	if l.signed {
		f.literals.all[n-1].From = int32(l.from)
	}
	if l.kind == listCells {
		f.literals.all[n-1].word = anyType
	}
}

// recordCell records the cell of a plain row in text[from:end]; there may be
// white space on both sides of it.
func (f *Fingerprinter) recordCell(from, end int) {
	text := f.lx.Text
	from = lex.SkipSpace(text, from)
	for lex.IsSpace(text[end-1]) {
		end--
	}
	f.literals.add(from, end, anyType)
}

// recordRun notes that n more elements of list l, the last of which ends before
// text[end], look like the one before them.
func (f *Fingerprinter) recordRun(l *list, n, end int) {
	r := &f.literals
	if !l.run {
		last := len(r.groups) - 1
		r.nested = r.nested || (last >= 0 && r.groups[last].first >= l.prevFirst)
		r.groups = append(r.groups, group{
			first: l.prevFirst, cells: l.prevCells, elements: 1, headEnd: l.prevTo, rows: l.kind == listRows,
		})
	}
	g := &r.groups[len(r.groups)-1]
	g.elements += n
	g.end = end
	// Elements that look alike have the same number of literals, unless there
	// are groups in them.
	if g.first+g.elements*g.cells != len(r.all) {
		r.nested = true
	}
}
