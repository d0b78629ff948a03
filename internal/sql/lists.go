package sql

import "bytes"

// A list is a context in which repeated elements show once: the rows of VALUES
// and the items of IN. It exists at one depth of parentheses.
type list struct {
	kind  listKind
	state elementState
	mark  token // the literal, if state is elementLiteral
	cells int   // literals so far, if the row has nothing else; -1 otherwise

	start              int    // where the current element begins in the template
	before             counts // of tokens before it
	prevStart, prevEnd int    // the element before, if it may be repeated; prevEnd 0 if not
	run                bool   // it was: ... follows it
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
	elementOther
)

const runMark = "..."

func (f *Fingerprinter) inList() bool { return f.listed&f.bit() != 0 }

func (f *Fingerprinter) list() *list { return &f.lists[f.depth&(maxDepth-1)] }

// begin starts an element that begins at the end of the template.
func (l *list) begin(f *Fingerprinter) {
	l.start, l.state, l.before = len(f.out), elementEmpty, f.seen
}

// disturb notes that the element is more than a literal. After a row, it ends
// the list.
func (l *list) disturb(f *Fingerprinter) {
	l.state = elementOther
	if l.kind == listRows {
		f.listed &^= f.bit()
	}
}

func (l *list) literal(f *Fingerprinter, t token) {
	if l.state == elementEmpty || (l.state == elementSign && t < tokenHex) {
		l.state, l.mark = elementLiteral, t
		return
	}
	f.seen.others++
	l.disturb(f)
}

func (l *list) sign(f *Fingerprinter) {
	if l.state == elementEmpty && l.kind != listRows {
		l.state = elementSign
		return
	}
	f.seen.others++
	l.disturb(f)
}

// constant takes the word w for a literal where a cell of VALUES may be one.
func (l *list) constant(f *Fingerprinter, w []byte) bool {
	if l.kind != listCells || l.state != elementEmpty {
		return false
	}
	if !is(w, "NULL") && !is(w, "TRUE") && !is(w, "FALSE") {
		return false
	}
	f.seen.literals++
	l.state = elementLiteral
	return true
}

// end finishes the element before the current token and brings the template up
// to that token.
func (l *list) end(f *Fingerprinter) {
	if l.state != elementLiteral {
		l.cells = -1
		f.flush(f.lx.from)
		return
	}
	if l.cells >= 0 {
		l.cells++
	}
	mark := marks[tokenNumber]
	if l.kind != listCells {
		mark = marks[l.mark]
	}
	f.out = append(f.out[:l.start], mark...)
	f.copied = f.lx.from
}

// collapse drops the element that ends at the end of the template if it looks
// like the one before it. The caller knows that it may be repeated.
func (l *list) collapse(f *Fingerprinter, may bool) {
	switch {
	case !may:
		l.prevEnd = 0
	case l.prevEnd > 0 && bytes.Equal(f.out[l.start:], f.out[l.prevStart:l.prevEnd]):
		f.out = f.out[:l.prevEnd]
		f.out = append(f.out, runMark...)
		l.run = true
	default:
		l.prevStart, l.prevEnd, l.run = l.start, len(f.out), false
	}
}

// open handles an opening parenthesis.
func (f *Fingerprinter) open() {
	kind, listed := f.opens()
	if f.depth++; f.depth >= maxDepth {
		return
	}
	bit := f.bit()
	f.byList &^= bit
	f.sized &^= bit
	f.listed &^= bit
	if f.prev == tokenWord && sizedTypes.has(f.prevWord()) {
		f.sized |= bit
	}
	if listed {
		f.listed |= bit
		f.flush(f.lx.pos)
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
	if f.prev == tokenWord {
		f.other() // it is a function's, or a keyword's
		switch w := f.prevWord(); {
		case is(w, "IN"):
			return listItems, true
		case is(w, "VALUES") && !f.inList():
			f.listed |= f.bit()
			*f.list() = list{kind: listRows}
			f.flush(f.lx.from)
			f.list().begin(f)
			return listCells, true
		}
		return 0, false
	}
	if f.inList() {
		switch l := f.list(); {
		case l.kind == listRows && f.prev == tokenComma:
			f.flush(f.lx.from)
			l.begin(f)
			return listCells, true
		case l.kind == listItems && l.state == elementEmpty:
			l.state = elementTuple
			return listTuple, true
		}
	}
	byItem := f.byItem
	f.other()
	f.byItem = byItem // ORDER BY (2) is a position
	return 0, false
}

func (f *Fingerprinter) prevWord() []byte {
	return f.lx.text[f.prevFrom:wordEnd(f.lx.text, f.prevFrom)]
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
		l.end(f)
		l.collapse(f, l.repeatable(f))
		f.up()
	case listCells:
		l.end(f)
		f.flush(f.lx.pos)
		f.up()
		f.endRow(l)
	}
}

func (f *Fingerprinter) up() {
	if f.depth > 0 {
		f.depth--
	}
}

// repeatable says that the item of an IN is made of literals only.
func (l *list) repeatable(f *Fingerprinter) bool {
	return (l.state == elementLiteral || l.state == elementTuple) &&
		f.seen.others == l.before.others && f.seen.params == l.before.params && f.seen.literals > l.before.literals
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
	rows.collapse(f, may)
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
		if f.prev != tokenClose {
			f.other()
		}
		return
	}
	l.end(f)
	if l.kind == listItems {
		l.collapse(f, l.repeatable(f))
	}
	f.flush(f.lx.pos)
	l.begin(f)
}
