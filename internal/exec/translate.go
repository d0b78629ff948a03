package exec

import (
	"bytes"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/guard"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// Errors of the server that need more than other names.
const (
	errDuplicate     = 1062
	errDuplicateName = 1586 // the same, with the name of the key (ER_DUP_ENTRY_WITH_KEY_NAME)
	errSyntax        = 1064
	noteExplained    = 1003 // what an EXPLAIN has made of the statement (ER_YES)
)

// translate is the message of an error or warning of the server about the stored
// statement, in the words of the logical one. A stored form is never in it, and
// neither is a value that stands for one.
func (st *Statement) translate(m *wire.Err) []byte { return st.translateMessage(m.Number, m.Message) }

// translate is translate of an error about what was just sent, whose values are
// still known.
func (s *Session) translate(st *Statement, m *wire.Err) []byte {
	if message := s.violated(m.Number, m.Message); message != nil {
		return message
	}
	if m.Number == errDuplicate || m.Number == errDuplicateName {
		if message, ok := s.duplicate(st, m.Message); ok {
			s.entry = translated{bytes.Clone(m.Message), message}
			return message
		}
	}
	return st.translate(m)
}

// translated is a message of the server and what the client was told in its place.
type translated struct{ message, text []byte }

// said is an error of the server about what was just sent, for a client.
func (s *Session) said(st *Statement, m *wire.Err) *sqlerr.Error {
	return &sqlerr.Error{Number: m.Number, State: m.State, Message: string(s.translate(st, m))}
}

// violated is what the server would say of the next row that fails a CHECK, if that is
// what it says; nil if it is not.
func (s *Session) violated(number uint16, message []byte) []byte {
	if number != guard.ErrCheck && number != guard.ErrConstraint || !bytes.Contains(message, formCheck) || s.last == nil {
		return nil
	}
	g := s.binder.NextViolation()
	if g == nil {
		return nil
	}
	return []byte(g.Violation(s.last.Run.Table, s.env.Value.Flavor).Message)
}

// formCheck is in the name of the CHECK that every stored table has of its forms.
var formCheck = []byte("tunic$")

func (st *Statement) translateMessage(number uint16, message []byte) []byte {
	switch number {
	case errDuplicate, errDuplicateName:
		return st.translateDuplicate(message)
	case errSyntax: // of a statement that the client has not written
		message, _, _ = bytes.Cut(message, []byte(" near "))
	case noteExplained:
		message = []byte(hideForms(string(message)))
	}
	return st.renameQuoted(message)
}

// translated is the error with its message translated, for a client.
func (st *Statement) translated(m *wire.Err) *sqlerr.Error {
	return &sqlerr.Error{Number: m.Number, State: m.State, Message: string(st.translate(m))}
}

// errBadField is of a name that is no column: of what is described it is the client's own.
const errBadField = 1054

// misdescribed is an error of the server about what it was asked to describe, whose names
// of columns are those that the client has written.
func (st *Statement) misdescribed(m *wire.Err) *sqlerr.Error {
	e := st.translated(m)
	if name := quotedFirst(m.Message); m.Number == errBadField && catalog.Reserved(name) && !strings.Contains(name, ".") {
		_, rest, _ := strings.Cut(string(m.Message), name)
		head, _, _ := strings.Cut(string(m.Message), name)
		e.Message = head + name + string(st.renameQuotedBehind(rest))
	}
	return e
}

// renameQuotedBehind is renameQuoted for what stands behind a quoted name.
func (st *Statement) renameQuotedBehind(rest string) []byte {
	if rest == "" {
		return nil
	}
	return append([]byte{rest[0]}, st.renameQuoted([]byte(rest[1:]))...)
}

// quotedFirst is the first name in quotes.
func quotedFirst(message []byte) string {
	_, rest, ok := bytes.Cut(message, []byte("'"))
	name, _, closed := bytes.Cut(rest, []byte("'"))
	if !ok || !closed {
		return ""
	}
	return string(name)
}

// Parts of `Duplicate entry '…' for key 'name'`.
var (
	duplicateEntry = []byte("Duplicate entry")
	forKey         = []byte(" for key ")
)

// translateDuplicate leaves out the entry, unless the key is of plain columns only:
// what the server has in a key over protected columns are tokens, and tunic's own
// messages hold no value.
func (st *Statement) translateDuplicate(message []byte) []byte {
	at := bytes.LastIndex(message, forKey) // there may be anything in the entry
	if at < 0 {
		return duplicateEntry
	}
	name := string(bytes.Trim(message[at+len(forKey):], "'`"))
	if st.plainKey(name) {
		return bytes.Clone(message)
	}
	return append(append(bytes.Clone(duplicateEntry), forKey...), st.renameQuoted(message[at+len(forKey):])...)
}

// plainKey reports whether a key has only plain columns.
func (st *Statement) plainKey(name string) bool {
	if t := st.Run.Table; t.Plain() && strings.Contains(t.Definition, " KEY `"+name[strings.LastIndexByte(name, '.')+1:]+"` (") {
		return true
	}
	k := st.keyNamed(name)
	return k != nil && !slices.ContainsFunc(k.Parts, func(p catalog.Part) bool { return p.Layer != 0 })
}

// renameQuoted puts logical names in the place of stored ones, and nothing in the
// place of bytes that are no text, where they stand in quotes.
func (st *Statement) renameQuoted(message []byte) []byte {
	out := make([]byte, 0, len(message))
	for len(message) > 0 {
		open := bytes.IndexAny(message, "'`")
		if open < 0 {
			break
		}
		length := bytes.IndexByte(message[open+1:], message[open])
		if length < 0 {
			break
		}
		quoted := message[open+1 : open+1+length]
		out = append(out, message[:open+1]...)
		out = append(out, st.renameParts(quoted)...)
		out = append(out, message[open])
		message = message[open+length+2:]
	}
	return append(out, message...)
}

// renameParts renames each part of schema.table.column.
func (st *Statement) renameParts(quoted []byte) string {
	if bytes.ContainsFunc(quoted, unprintable) || bytes.Contains(quoted, []byte(`\x`)) {
		return ""
	}
	parts := strings.Split(string(quoted), ".")
	for i, part := range parts {
		if i+1 < len(parts) && strings.EqualFold(part, catalog.Schema) {
			if twin := st.twinOf(parts[i+1]); twin != nil {
				parts[i] = twin.Schema
				continue
			}
		}
		parts[i] = st.renamePart(part)
	}
	return strings.Join(parts, ".")
}

func (st *Statement) renamePart(name string) string {
	twin := st.twinOf(name)
	switch {
	case strings.EqualFold(name, catalog.Schema):
		return st.Run.Table.Schema
	case twin != nil:
		return twin.Name
	case !catalog.Reserved(name):
		return name
	}
	if logical := st.logical(name); logical != "" {
		return logical
	}
	return name[:strings.LastIndexByte(name, '$')] // of another table, by a foreign key
}

// unprintable is a character that no name has: what is left of bytes that are no
// text, and controls.
func unprintable(r rune) bool { return r < ' ' || r == 0x7f || r == '\ufffd' }
