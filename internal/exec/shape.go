package exec

import (
	"bytes"
	"slices"
	"strconv"

	"tunic/internal/sql"
	"tunic/internal/value/charset"
)

// A literal that is selected decides how long its column is said to be. What is
// described has another one there, of the same length.

// findListed finds the places of the described statement that are in its list.
func (st *Statement) findListed() {
	if st.run.Describe == nil {
		return
	}
	type hole struct {
		place sql.Place
		at    int
	}
	var holes []hole
	text, err := st.run.Describe.Fill(nil, func(int) int { return 1 }, func(dst []byte, h sql.Hole, _ int) ([]byte, error) {
		if h.Kind == sql.HolePlace {
			holes = append(holes, hole{h.Place, len(dst)})
		}
		return append(dst, '1'), nil
	})
	if err != nil {
		return
	}
	items := sql.AppendItems(nil, text, 0)
	for _, h := range holes {
		if slices.ContainsFunc(items, func(it sql.Item) bool { return h.at >= it.From && h.at < it.To }) {
			st.listed = append(st.listed, h.place)
		}
	}
}

// shapeOf is of which kind and how long the literals are that are selected.
func (b *binder) shapeOf(st *Statement) []byte {
	if b.prepared != nil {
		return b.prepared.shape
	}
	b.shape = b.shape[:0]
	for _, place := range st.listed {
		l := b.literals.At(place, 0)
		var kind sql.LiteralKind
		b.scratch, kind = l.AppendValue(b.scratch[:0], b.text, b.env.modes)
		b.shape = append(strconv.AppendInt(b.shape, int64(kind), 10), ':')
		b.shape = append(b.appendListed(b.shape, st, place, b.text[l.From:l.To], kind), ';')
	}
	return b.shape
}

// digitsMost is how many digits a number has that is a number of digits or of
// characters.
const digitsMost = 3

// appendListed appends what stands for a literal that is selected: the literal
// itself, if it says how many digits or characters a function leaves.
func (b *binder) appendListed(dst []byte, st *Statement, place sql.Place, literal []byte, kind sql.LiteralKind) []byte {
	if kind == sql.LiteralInteger && len(literal) <= digitsMost && slices.Contains(st.run.Digits, place) {
		return append(dst, literal...)
	}
	return b.appendAlike(dst, literal, kind)
}

// appendAlike appends a literal that is as long as one of the client's, whose value
// is in b.scratch, and has nothing else of it: digits become ones, characters
// become one letter, which is none of ASCII if one of them is not.
func (b *binder) appendAlike(dst, literal []byte, kind sql.LiteralKind) []byte {
	switch kind {
	case sql.LiteralString:
		return append(b.appendLetters(append(dst, '\''), b.scratch), '\'')
	case sql.LiteralNational:
		return append(b.appendLetters(append(dst, "N'"...), b.scratch), '\'')
	case sql.LiteralInteger, sql.LiteralDecimal, sql.LiteralFloat, sql.LiteralHexNumber:
		return appendOnes(dst, literal)
	case sql.LiteralHex:
		return append(append(append(dst, "x'"...), bytes.Repeat([]byte("11"), len(b.scratch))...), '\'')
	default:
		return append(dst, neutralLiterals[kind]...)
	}
}

// appendOnes appends a number with every digit a one.
func appendOnes(dst, number []byte) []byte {
	hexadecimal := bytes.HasPrefix(number, []byte("0x"))
	for i, c := range number {
		if hexadecimal && i < 2 || c < '0' || c > '9' && !hexadecimal {
			dst = append(dst, c)
		} else {
			dst = append(dst, '1')
		}
	}
	return dst
}

// appendLetters appends as many letters as a string of the client's has characters.
func (b *binder) appendLetters(dst, s []byte) []byte {
	letter := []byte("x")
	if bytes.ContainsFunc(s, func(r rune) bool { return r >= 0x80 }) {
		utf8, _ := charset.CharsetByName(b.env.value.Flavor, "utf8mb4")
		if converted, bad := charset.Convert(nil, b.env.client, utf8, []byte("é")); bad < 0 {
			letter = converted
		}
	}
	return append(dst, bytes.Repeat(letter, b.env.client.CharLen(s))...)
}
