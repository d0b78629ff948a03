package environment

import (
	"bytes"
	"fmt"

	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// AppendShown appends a value of a type as servers show it in messages.
func (e *Environment) AppendShown(dst []byte, t *value.Type, canonical []byte) []byte {
	text := value.AppendText(nil, t, canonical, &e.Value)
	if t.Kind == value.Binary {
		text = bytes.TrimRight(text, "\x00")
	}
	if t.Kind.IsBytes() || t.Kind == value.Bit {
		return AppendEscaped(dst, text)
	}
	if unicode, ok := charset.CharsetByName(e.Value.Flavor, "utf8mb4"); ok && t.Collation != nil {
		text, _ = charset.Convert(nil, unicode, t.Collation.Charset, text)
	}
	return append(dst, text...)
}

// AppendEscaped appends bytes as servers show those that are no text.
func AppendEscaped(dst, raw []byte) []byte {
	for _, c := range raw {
		if c < ' ' || c > '~' {
			dst = fmt.Appendf(dst, `\x%02X`, c)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}
