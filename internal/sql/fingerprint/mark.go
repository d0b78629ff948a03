package fingerprint

// Mark is what a template tells of the literal at a place.
type Mark uint8

// The marks.
const (
	MarkAny      Mark = iota // any literal, a signed number and NULL included: a cell of VALUES
	MarkExact                // an integer or a decimal
	MarkFloat                // a number with an exponent
	MarkHex                  // hexadecimal or binary
	MarkString               // a string
	MarkNational             // a national string
)

// Mark is what the literal's template tells of it.
func (l Literal) Mark(text []byte) Mark {
	switch c := text[l.From]; {
	case l.word == anyType:
		return MarkAny
	case c == '\'', c == '"':
		return MarkString
	case c|0x20 == 'n':
		return MarkNational
	}
	switch _, k := l.AppendValue(nil, text, 0); k {
	case LiteralFloat:
		return MarkFloat
	case LiteralHex, LiteralHexNumber, LiteralBit:
		return MarkHex
	default:
		return MarkExact
	}
}
