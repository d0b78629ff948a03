package fingerprint

import (
	"bytes"

	"tunic/internal/sql/lex"
)

// A list is a context in which repeated elements show once: the rows of VALUES
// and the items of IN. It exists at one depth of parentheses.
type list struct {
	kind  listKind
	state elementState
	mark  lex.Token // the literal, if state is elementLiteral; tokenWord if it is a constant
	cells int       // literals so far, if the row has nothing else; -1 otherwise

	signed bool // the literal has a sign
	from   int  // the sign's index in the text, or the constant's

	start              int    // where the current element begins in the template
	before             counts // of tokens before it
	prevStart, prevEnd int    // the element before, if it may be repeated; prevEnd 0 if not
	run                bool   // it was: ... follows it

	// Of literals that are recorded: where the element begins among them, and the
	// element before, and where that ends in the text.
	first, prevFirst, prevCells, prevTo int
}

type listKind uint8

const (
	listRows  listKind = iota // VALUES (…),(…): outside the parentheses
	listCells                 // inside those
	listItems                 // IN (…, …)
	listTuple                 // a row that is an item of IN
)

// elementState says what an element is so far.
type elementState uint8

const (
	elementEmpty elementState = iota
	elementSign
	elementLiteral
	elementTuple
	elementConstant // NULL, TRUE or FALSE
	elementOther
)

const runMark = "..."

func (f *Fingerprinter) inList() bool { return f.listed&f.bit() != 0 }

func (f *Fingerprinter) list() *list { return &f.lists[f.depth&(maxDepth-1)] }

// begin starts an element that begins at the end of the template.
func (l *list) begin(f *Fingerprinter) {
	l.start, l.state, l.before = len(f.out), elementEmpty, f.seen
	l.signed, l.first = false, len(f.literals.all)
}

// disturb notes that the element is more than a literal. After a row, it ends
// the list.
func (l *list) disturb(f *Fingerprinter) {
	l.state = elementOther
	if l.kind == listRows {
		f.listed &^= f.bit()
	}
}

func (l *list) literal(f *Fingerprinter, t lex.Token) {
	if l.state == elementEmpty || (l.state == elementSign && t < lex.Hex) {
		l.state, l.mark = elementLiteral, t
		return
	}
	f.seen.others++
	l.disturb(f)
}

func (l *list) sign(f *Fingerprinter) {
	if l.state == elementEmpty && l.kind != listRows {
		l.state, l.signed, l.from = elementSign, true, f.lx.From
		return
	}
	f.seen.others++
	l.disturb(f)
}

// constant notes the word w if it is the whole element so far and a constant.
// In a cell of VALUES it is a literal like others; in an IN it stays a word.
func (l *list) constant(f *Fingerprinter, w []byte) bool {
	if l.kind == listRows || l.state != elementEmpty {
		return false
	}
	if !lex.Is(w, "NULL") && !lex.Is(w, "TRUE") && !lex.Is(w, "FALSE") {
		return false
	}
	if l.kind == listCells {
		f.seen.literals++
		l.state, l.mark, l.from = elementLiteral, lex.Word, f.lx.From
		return true
	}
	f.seen.others++
	l.state = elementConstant
	return true
}

// end finishes the element before the current token and brings the template up
// to that token.
func (l *list) end(f *Fingerprinter) {
	if l.state != elementLiteral {
		l.cells = -1
		f.flush(f.lx.From)
		return
	}
	if l.cells >= 0 {
		l.cells++
	}
	mark := marks[lex.Number]
	if l.kind != listCells {
		mark = marks[l.mark]
	}
	if f.recording {
		f.recordElement(l)
	}
	f.out = append(f.out[:l.start], mark...)
	f.copied = f.lx.From
}

// collapse drops the element that ends at the end of the template and before
// text[to] if it looks like the one before it. The caller knows that it may be
// repeated.
func (l *list) collapse(f *Fingerprinter, may bool, to int) {
	switch {
	case !may:
		l.prevEnd = 0
	case l.prevEnd > 0 && bytes.Equal(f.out[l.start:], f.out[l.prevStart:l.prevEnd]):
		f.out = f.out[:l.prevEnd]
		f.out = append(f.out, runMark...)
		if f.recording {
			f.recordRun(l, 1, to)
		}
		l.run = true
	default:
		l.prevStart, l.prevEnd, l.run = l.start, len(f.out), false
		l.prevFirst, l.prevCells, l.prevTo = l.first, len(f.literals.all)-l.first, to
	}
}

// open handles an opening parenthesis, and the whole row if it is one of plain
// literals. It returns the token that is the current one after it.
func (f *Fingerprinter) open() lex.Token {
	if f.opensRow() && f.plainRow() {
		return lex.Close
	}
	f.openList()
	return lex.Open
}

// opensRow says that the parenthesis opens the first row of VALUES, whose
// literals are data.
func (f *Fingerprinter) opensRow() bool {
	return f.prev == lex.Word && f.setting == setNot && f.depth < maxDepth-1 && lex.Is(f.prevWord(), "VALUES") && !f.inList()
}

func (f *Fingerprinter) openList() {
	kind, listed := f.opens()
	if f.depth++; f.depth >= maxDepth {
		return
	}
	bit := f.bit()
	f.byList &^= bit
	f.sized &^= bit
	f.listed &^= bit
	if f.prev == lex.Word && sizedTypes.Has(f.prevWord()) {
		f.sized |= bit
	}
	if listed {
		f.listed |= bit
		f.flush(f.lx.Pos)
		l := f.list()
		*l = list{kind: kind}
		l.begin(f)
	}
}

// opens decides what the parenthesis opens, and notes it in the list around it.
func (f *Fingerprinter) opens() (kind listKind, listed bool) {
	if f.depth >= maxDepth-1 {
		f.other()
		return 0, false
	}
	byItem := f.byItem
	if f.prev == lex.Word {
		f.other() // it is a function's, or a keyword's
		f.byItem = byItem
		switch w := f.prevWord(); {
		case lex.Is(w, "IN"):
			return listItems, true
		case lex.Is(w, "VALUES") && !f.inList():
			f.listed |= f.bit()
			*f.list() = list{kind: listRows}
			f.flush(f.lx.From)
			f.list().begin(f)
			return listCells, true
		}
		return 0, false
	}
	if f.inList() {
		switch l := f.list(); {
		case l.kind == listRows && f.prev == lex.Comma:
			f.flush(f.lx.From)
			l.begin(f)
			return listCells, true
		case l.kind == listItems && l.state == elementEmpty:
			f.flush(f.lx.From)
			l.start, l.state = len(f.out), elementTuple
			return listTuple, true
		}
	}
	f.other()
	f.byItem = byItem // ORDER BY (2) is a position, GROUP BY 1, ((2)) as well
	return 0, false
}

func (f *Fingerprinter) prevWord() []byte {
	return f.lx.Text[f.prevFrom:lex.WordEnd(f.lx.Text, f.prevFrom)]
}

// close handles a closing parenthesis.
func (f *Fingerprinter) close() {
	f.byItem = false
	if !f.inList() || f.depth >= maxDepth {
		f.up()
		return
	}
	l := f.list()
	f.listed &^= f.bit()
	switch l.kind {
	case listRows:
		f.up()
	case listTuple:
		l.end(f)
		f.up()
	case listItems:
		l.endItem(f)
		f.up()
	case listCells:
		l.end(f)
		f.flush(f.lx.Pos)
		f.up()
		f.endRow(l)
	}
}

// up leaves a parenthesis. One that was not opened is no SQL.
func (f *Fingerprinter) up() {
	if f.depth == 0 {
		f.lx.Unclean = true
		return
	}
	f.depth--
}

// endItem ends an item of an IN, and says whether what follows may be items.
// After anything but literals it is not: IN (SELECT 1, 1) has two columns.
func (l *list) endItem(f *Fingerprinter) bool {
	l.end(f)
	may := (l.state == elementLiteral || l.state == elementTuple) &&
		f.seen.others == l.before.others && f.seen.params == l.before.params && f.seen.literals > l.before.literals
	l.collapse(f, may, f.lx.Gap)
	return may || l.state == elementConstant
}

// endRow ends a row of VALUES whose cells are in cells. VALUES(c) in ON
// DUPLICATE KEY UPDATE is a function, not a row; it takes a column's name, so
// a first row with a literal in it cannot be one.
func (f *Fingerprinter) endRow(cells *list) {
	if !f.inList() || f.list().kind != listRows {
		return
	}
	rows := f.list()
	may := f.seen.params == rows.before.params && f.seen.literals > rows.before.literals
	if !may && rows.prevEnd == 0 {
		f.listed &^= f.bit()
		return
	}
	rows.collapse(f, may, f.lx.Pos)
	if may && cells.cells > 0 {
		f.sameRows(rows, cells.cells)
	}
}

// comma handles a comma, which separates the elements of a list and the
// positions of an ORDER BY.
func (f *Fingerprinter) comma() {
	f.byItem = f.byList&f.bit() != 0
	if !f.inList() {
		return
	}
	l := f.list()
	if l.kind == listRows {
		if f.prev != lex.Close {
			f.other()
		}
		return
	}
	if l.kind != listItems {
		l.end(f)
	} else if !l.endItem(f) {
		f.listed &^= f.bit()
		return
	}
	f.flush(f.lx.Pos)
	l.begin(f)
}
