package binding

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"

	"tunic/internal/sqlerr"
)

// MariaDB's JSON is text with a CHECK that it is a document. The server cannot check
// what is sealed.

// documentDepth is how deep documents may be nested for which it is known what
// MariaDB says: it takes 31.
const documentDepth = 31

// Document checks a value of such a column, in UTF-8. What the two readers might
// judge differently is refused.
func (b *Binder) Document(c *Column, text []byte) error {
	const constraintFailed = 4025
	valid, known := IsDocument(text)
	switch {
	case !known || b.Env.Value.Ignore && !valid:
		return sqlerr.ValueRefused("a document of this form")
	case valid:
		return nil
	}
	return &sqlerr.Error{
		Number: constraintFailed, State: "23000",
		Message: "CONSTRAINT `" + c.Names.Table + "." + c.Names.Name + "` failed for `" + c.Names.Schema + "`.`" + c.Names.Table + "`",
	}
}

// IsDocument reports whether MariaDB takes a text for a document, where that is known.
// It reads some escapes and numbers that are none of RFC 8259 (1.), and does not read
// others that are (half a surrogate pair).
func IsDocument(text []byte) (valid, known bool) {
	if bytes.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f }) {
		return false, false
	}
	if !json.Valid(text) {
		return false, !bytes.ContainsAny(text, `\.`)
	}
	return true, plainEscapes(text) && depthOf(text) <= documentDepth
}

// plainEscapes reports whether every \u of a valid document is a character by itself: no
// half of a surrogate pair and no NUL. Programs write all that is not ASCII so.
func plainEscapes(text []byte) bool {
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if i++; text[i] != 'u' {
			continue
		}
		code, err := strconv.ParseUint(string(text[i+1:i+5]), 16, 16)
		if err != nil || code == 0 || utf16.IsSurrogate(rune(code)) {
			return false
		}
	}
	return true
}

// depthOf is how deep a document is nested.
func depthOf(text []byte) (deepest int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
			deepest = max(deepest, depth)
		case c == ']' || c == '}':
			depth--
		}
	}
	return deepest
}
