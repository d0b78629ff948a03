package sql

// sameRows passes over the rows that follow the current one, a closing
// parenthesis, as long as each has the same number of cells and each cell is
// one literal. It is what makes an INSERT of many rows cheap: those rows are
// read once and written nowhere. Rows that it does not understand are left to
// the lexer.
func (f *Fingerprinter) sameRows(rows *list, cells int) {
	end := f.lx.pos
	for f.lx.cs != charsetOpaque {
		next := sameRow(&f.lx, end, cells)
		if next < 0 {
			break
		}
		end = next
	}
	if end == f.lx.pos {
		return
	}
	if !rows.run {
		f.out = append(f.out, runMark...)
		rows.run = true
	}
	f.lx.pos, f.copied = end, end
}

// sameRow returns the end of a comma and a row of that many literals at
// text[i], or -1.
func sameRow(lx *lexer, i, cells int) int {
	i = skipSpace(lx.text, i)
	if i >= len(lx.text) || lx.text[i] != ',' {
		return -1
	}
	i = skipSpace(lx.text, i+1)
	if i >= len(lx.text) || lx.text[i] != '(' {
		return -1
	}
	i++
	for {
		if i = cellEnd(lx, i); i < 0 || i >= len(lx.text) {
			return -1
		}
		cells--
		switch lx.text[i] {
		case ',':
			if cells == 0 {
				return -1
			}
		case ')':
			if cells != 0 {
				return -1
			}
			return i + 1
		default:
			return -1
		}
		i++
	}
}

// cellEnd returns the index of what follows the literal at text[i] and the
// white space after it, or -1 if it is not a plain one.
func cellEnd(lx *lexer, i int) int {
	text := lx.text
	i = skipSpace(text, i)
	if i >= len(text) {
		return -1
	}
	switch c := text[i]; {
	case c == '\'':
		i = quotedEnd(text, i+1, c, lx.modes&NoBackslashEscapes == 0, lx.cs)
	case isDigit(c), c == '-' && i+1 < len(text) && isDigit(text[i+1]):
		i = cellNumber(text, i)
	case c|0x20 == 'n' && i+4 < len(text) && is(text[i:i+4], "NULL"):
		i += 4
	default:
		return -1
	}
	if i < 0 {
		return -1
	}
	return skipSpace(text, i)
}

// cellNumber returns the end of the number at text[i], which may have a minus
// sign, or -1. A hexadecimal one takes no sign.
func cellNumber(text []byte, i int) int {
	negative := text[i] == '-'
	if negative {
		i++
	}
	t, end := number(text, i)
	if t != tokenNumber && t != tokenFloat && (t != tokenHex || negative) {
		return -1
	}
	return end
}

func skipSpace(text []byte, i int) int {
	for i < len(text) && classes[text[i]] == classSpace {
		i++
	}
	return i
}
