package sqlerr

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// messageBytesMax is how much of a message MySQL clients keep
// (MYSQL_ERRMSG_SIZE, 512, with its terminator).
const messageBytesMax = 511

// identRunesMax is the longest identifier the server has (MySQL manual,
// Identifier Length Limits); a dotted name has up to three.
const identRunesMax = 3*64 + 2

// Error is an error for a client: what an ERR packet carries. It is also what
// a relayed server error is held in; Code is 0 then.
type Error struct {
	// Number is the MySQL error number.
	Number uint16
	// State is the SQLSTATE, five characters.
	State string
	// Message is the text the client shows; for tunic's own errors code, fact,
	// fix and the command that explains it, at most 511 bytes.
	Message string
	Code    Code
}

// Error writes the error as the mysql client does.
func (e *Error) Error() string {
	return fmt.Sprintf("ERROR %d (%s): %s", e.Number, e.State, e.Message)
}

// Is makes errors.Is compare tunic's own errors by code, so that a test or a
// caller can ask for errors.Is(err, sqlerr.ServerLost()) whatever the text.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && e.Code != 0 && e.Code == t.Code
}

// fact is a piece of a message known when tunic was compiled. Other packages
// cannot name the type, so they can pass only untyped string constants: text
// that came from a client or a server cannot become a fact.
type fact string

// placeholder is one {name} of an entry's message and what replaces it.
type placeholder struct{ name, text string }

// number fills {name} with n.
func number[N ~int | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64](name string, n N) placeholder {
	return placeholder{name, fmt.Sprintf("%d", n)}
}

// hexByte fills {name} with b as 0x2a.
func hexByte(name string, b byte) placeholder {
	return placeholder{name, fmt.Sprintf("0x%02x", b)}
}

// span fills {name} with d as settings write it: 8h, not 8h0m0s.
func span(name string, d time.Duration) placeholder {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return placeholder{name, text}
}

// constant fills {name} with text of tunic's own.
func constant(name string, f fact) placeholder { return placeholder{name, string(f)} }

// ident fills {name} with an identifier: clipped to what the server allows, and
// without control characters, which could forge a line of a log.
func ident(name, id string) placeholder {
	clean := strings.Map(visible, id)
	if runes := []rune(clean); len(runes) > identRunesMax {
		clean = string(runes[:identRunesMax]) + "…"
	}
	return placeholder{name, clean}
}

// visible replaces what does not print by a question mark.
func visible(r rune) rune {
	if unicode.IsPrint(r) && r != unicode.ReplacementChar {
		return r
	}
	return '?'
}

// clientError makes the error of a code, its placeholders filled.
func clientError(c Code, fill ...placeholder) *Error {
	e, ok := Lookup(c)
	if !ok || e.State == "" {
		panic("sqlerr: " + c.String() + " is not an error for clients")
	}
	return &Error{Number: e.Number, State: e.State, Message: message(e, fill), Code: c}
}

// message is "CODE: fact; fix; see command", clipped only if an identifier is so
// long that the whole does not fit.
func message(e Entry, fill []placeholder) string {
	link := "; see " + e.Code.Help()
	text := e.Code.String() + ": " + expand(e.Message, fill) + "; " + expand(e.Fix, fill)
	if room := messageBytesMax - len(link); len(text) > room {
		text = strings.ToValidUTF8(text[:room-len("…")], "") + "…"
	}
	return text + link
}

// Parts are what is wrong, with the code, and what to do about it, without the command that explains it, for a line
// that has a fix and such a command of its own. fix is "" where the message does not end with it as the table has it.
func (e *Error) Parts() (fact, fix string) {
	entry, _ := Lookup(e.Code)
	text := strings.TrimSuffix(e.Message, "; see "+e.Code.Help())
	if fact, ok := strings.CutSuffix(text, "; "+entry.Fix); ok {
		return fact, entry.Fix
	}
	return text, ""
}

// expand replaces the placeholders of text.
func expand(text string, fill []placeholder) string {
	for _, p := range fill {
		text = strings.ReplaceAll(text, "{"+p.name+"}", p.text)
	}
	return text
}
