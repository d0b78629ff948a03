package fingerprint

import "tunic/internal/sql/lex"

// Rows of plain literals, which are most rows, are read here and not by the
// lexer: the first is written to the template as its number of cells, those
// after it nowhere. That is what makes an INSERT of many rows cheap. A row that
// is not understood here is left to the lexer, whole.

// plainRow reads a row whose opening parenthesis is the current token, writes
// its template and starts the list of rows with it; false if it is not plain.
func (f *Fingerprinter) plainRow() bool {
	first := len(f.literals.all)
	end, cells := f.rowEnd(f.lx.Pos)
	if end < 0 {
		f.literals.all = f.literals.all[:first]
		return false
	}
	f.flush(f.lx.From)
	rows := f.list()
	*rows = list{kind: listRows, prevStart: len(f.out), prevFirst: first, prevCells: cells, prevTo: end}
	f.listed |= f.bit()
	f.out = append(f.out, '(')
	for range cells {
		f.out = append(f.out, "?,"...)
	}
	f.out[len(f.out)-1] = ')'
	rows.prevEnd = len(f.out)
	f.seen.literals += cells
	f.passTo(end)
	f.sameRows(rows, cells)
	return true
}

// passTo makes the closing parenthesis before text[end] the current token.
func (f *Fingerprinter) passTo(end int) {
	f.copied = end
	f.lx.From, f.lx.Pos, f.lx.Last = end-1, end, lex.Close
}

// sameRows passes over the rows that follow, as long as each is plain and has
// that many cells. The current token is the closing parenthesis of a row that
// had a template of as many marks.
func (f *Fingerprinter) sameRows(rows *list, cells int) {
	end, more := f.lx.Pos, 0
	for {
		first := len(f.literals.all)
		next, n := f.nextRow(end)
		if n != cells {
			f.literals.all = f.literals.all[:first]
			break
		}
		end = next
		more++
	}
	if more == 0 {
		return
	}
	if f.recording {
		f.recordRun(rows, more, end)
	}
	if !rows.run {
		f.out = append(f.out, runMark...)
		rows.run = true
	}
	f.passTo(end)
}

// nextRow reads a comma and a row at text[i], as rowEnd does.
func (f *Fingerprinter) nextRow(i int) (end, cells int) {
	text := f.lx.Text
	i = lex.SkipSpace(text, i)
	if i >= len(text) || text[i] != ',' {
		return -1, 0
	}
	i = lex.SkipSpace(text, i+1)
	if i >= len(text) || text[i] != '(' {
		return -1, 0
	}
	return f.rowEnd(i + 1)
}

// rowEnd reads a row of literals after its opening parenthesis. It returns the
// index after the closing one and the number of cells, or -1 and 0. The cells
// are recorded either way.
func (f *Fingerprinter) rowEnd(i int) (end, cells int) {
	lx := &f.lx
	if lx.Charset == lex.CharsetOpaque {
		return -1, 0
	}
	for {
		from := i
		if i = cellEnd(lx, i); i < 0 || i >= len(lx.Text) {
			return -1, 0
		}
		if f.recording {
			f.recordCell(from, i)
		}
		cells++
		switch lx.Text[i] {
		case ')':
			return i + 1, cells
		case ',':
			i++
		default:
			return -1, 0
		}
	}
}

// cellEnd returns the index of what follows the literal at text[i] and the
// white space after it, or -1 if it is not a plain one.
func cellEnd(lx *lex.Lexer, i int) int {
	text := lx.Text
	i = lex.SkipSpace(text, i)
	if i >= len(text) {
		return -1
	}
	switch c := text[i]; {
	case c == '\'':
		i = lex.QuotedEnd(text, i+1, c, lx.Modes&lex.NoBackslashEscapes == 0, lx.Charset)
	case lex.IsDigit(c):
		i = cellNumber(text, i)
	case c == '-' && i+1 < len(text) && lex.IsDigit(text[i+1]):
		i = cellNumber(text, i)
	case c|0x20 == 'n' && i+4 < len(text) && lex.Is(text[i:i+4], "NULL"):
		i += 4
	default:
		return -1
	}
	if i < 0 {
		return -1
	}
	return lex.SkipSpace(text, i)
}

// cellNumber returns the end of the number at text[i], which may have a minus
// sign, or -1. A hexadecimal one takes no sign.
func cellNumber(text []byte, i int) int {
	negative := text[i] == '-'
	if negative {
		i++
	}
	t, end := lex.ReadNumber(text, i)
	if t != lex.Number && t != lex.Float && (t != lex.Hex || negative) {
		return -1
	}
	return end
}
