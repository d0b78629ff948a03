package binding

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"tunic/internal/catalog"
	"tunic/internal/environment"
	"tunic/internal/recipe"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// entryBytes is how long the entry in the message of a duplicate may be.
const entryBytes = 64

// Entry finds the row whose tokens the server shows and returns its values, as the
// server would show them. It is not found where rows of several values could be meant:
// the server cuts long tokens, and those of text are alike for A and a.
func (b *Binder) Entry(key *catalog.Key, shown []byte) (entry []byte, ok bool) {
	notices := b.Notices
	defer func() { b.Notices = notices }() // values that are converted again say nothing new
	cut, partial := bytes.CutSuffix(shown, []byte("..."))
	if b.Env.Value.Flavor != value.MariaDB {
		cut, partial = shown, len(shown) >= entryBytes-1
	}
	if !b.Statement.Inserts() {
		return b.entryOf(key, cut, partial, -1, 0)
	}
	for row := range b.Statement.rowGroups {
		for element := range b.Statement.RowsOf(row, b.ElementCount) {
			of, fits := b.entryOf(key, cut, partial, row, element)
			if fits && ok && !bytes.Equal(of, entry) {
				return nil, false
			}
			if fits {
				entry, ok = of, true
			}
		}
	}
	return entry, ok
}

// entryOf is entry for one row of an INSERT, or for what an UPDATE assigns. partial
// says that the server has not shown all.
func (b *Binder) entryOf(key *catalog.Key, shown []byte, partial bool, row, element int) ([]byte, bool) {
	var entry []byte
	for i, part := range key.Parts {
		if i > 0 {
			entry = append(entry, '-')
			if shown, _ = bytes.CutPrefix(shown, []byte("-")); len(shown) == 0 && !partial {
				return nil, false
			}
		}
		if part.Layer == 0 {
			text, rest, ok := b.plainPart(key.Parts[i+1:], shown, partial, row, element)
			if !ok {
				return nil, false
			}
			entry, shown = append(entry, text...), rest
			continue
		}
		n := b.operandOf(part.Column, row)
		if n < 0 {
			return nil, false
		}
		token, ok := b.shownToken(n, part, element)
		if !ok {
			return nil, false
		}
		switch rest, whole := bytes.CutPrefix(shown, token); {
		case whole:
			shown = rest
		case partial && bytes.HasPrefix(token, shown):
			shown = nil
		default:
			return nil, false
		}
		entry = b.appendShown(entry, n)
	}
	return b.CutEntry(entry), len(shown) == 0
}

// plainPart is what the server shows of a plain column: all before the token of the
// next protected one.
func (b *Binder) plainPart(after []catalog.Part, shown []byte, partial bool, row, element int) (text, rest []byte, ok bool) {
	if len(after) == 0 {
		return shown, nil, len(shown) > 0
	}
	n := b.operandOf(after[0].Column, row)
	if n < 0 || after[0].Layer == 0 { // where the first of two ends nobody can tell
		return nil, nil, false
	}
	token, ok := b.shownToken(n, after[0], element)
	if !ok {
		return nil, nil, false
	}
	at := bytes.Index(shown, append([]byte("-"), token...))
	for size := len(token); at < 0 && partial && size > 8; size-- { // it is cut somewhere
		if bytes.HasSuffix(shown, append([]byte("-"), token[:size]...)) {
			at = len(shown) - size - 1
		}
	}
	if at < 0 {
		return nil, nil, false
	}
	return shown[:at], shown[at:], true
}

// operandOf is the operand that is assigned to a column, -1 if it has none.
func (b *Binder) operandOf(column string, row int) int {
	for n := range b.Statement.Operands {
		o := &b.Statement.Operands[n]
		if o.Use == recipe.Assign && (row < 0 || o.Row == row) && strings.EqualFold(o.Column.Name, column) {
			return n
		}
	}
	return -1
}

// shownToken is the token of an operand as servers show bytes: those of a BINARY
// without the zeros at their end.
func (b *Binder) shownToken(n int, part catalog.Part, element int) ([]byte, bool) {
	null, err := b.makeForm(&slot{operand: n, column: b.Statement.Operands[n].Column, form: recipe.Token, layer: part.Layer}, element)
	if null || err != nil {
		return nil, false
	}
	return environment.AppendEscaped(nil, bytes.TrimRight(b.Form, "\x00")), true
}

// appendShown appends the value of an operand that was bound, as servers show it.
func (b *Binder) appendShown(dst []byte, n int) []byte {
	return b.Env.AppendShown(dst, &b.Statement.Operands[n].Column.Type, b.bounds[n].canonical)
}

// CutEntry cuts an entry as the server does, and has it in the character set of
// results. Servers have it in utf8mb3 first, where a character of four bytes is a
// question mark.
func (b *Binder) CutEntry(entry []byte) []byte {
	entry = []byte(strings.Map(func(r rune) rune {
		if r > 0xffff {
			return '?'
		}
		return r
	}, string(entry)))
	switch {
	case len(entry) <= entryBytes:
	case b.Env.Value.Flavor == value.MariaDB:
		entry = append(cutText(entry, entryBytes-len("...")), "..."...)
	default:
		entry = cutBytes(entry)
	}
	unicode, ok := charset.CharsetByName(b.Env.Value.Flavor, "utf8mb4")
	if !ok || b.Env.Results == nil || b.Env.Results == unicode {
		return entry
	}
	converted, _ := charset.Convert(nil, b.Env.Results, unicode, entry)
	return converted
}

// cutBytes cuts as MySQL does: between any two bytes, and those that are left of a
// character are taken for characters of their own.
func cutBytes(text []byte) []byte {
	whole := cutText(text, entryBytes)
	out := bytes.Clone(whole)
	for _, c := range text[len(whole):entryBytes] {
		out = utf8.AppendRune(out, rune(c))
	}
	return out
}

// cutText cuts text after at most so many bytes, and not within a character.
func cutText(text []byte, most int) []byte {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
