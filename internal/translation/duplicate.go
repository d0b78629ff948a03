package translation

import (
	"bytes"
	"slices"
	"strings"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/identifier"
)

// Errors of a row whose key is there already.
const (
	DuplicateEntry   = 1062
	errDuplicateName = 1586 // the same, with the name of the key (ER_DUP_ENTRY_WITH_KEY_NAME)
)

// IsDuplicate reports whether an error is that of a row whose key is there already.
func IsDuplicate(number uint16) bool { return number == DuplicateEntry || number == errDuplicateName }

// Parts of `Duplicate entry '…' for key 'name'`.
var (
	duplicateEntry = []byte("Duplicate entry")
	forKey         = []byte(" for key ")
)

// A Duplicate is what a server says of a duplicate.
type Duplicate struct {
	// Entry is what it shows of the row; nil if the message has it in other words.
	Entry []byte
	// Key is what it calls the key, which MySQL names behind its table.
	Key    string
	quoted []byte
}

// AsDuplicate reads the message of a duplicate.
func AsDuplicate(message []byte) (d Duplicate, ok bool) {
	at := bytes.LastIndex(message, forKey) // there may be anything in the entry
	if at < 0 {
		return Duplicate{}, false
	}
	d.quoted = message[at+len(forKey):]
	d.Key = string(bytes.Trim(d.quoted, "'`"))
	if open := len(duplicateEntry) + len(" '"); open <= at-1 && bytes.HasPrefix(message, duplicateEntry) {
		d.Entry = message[open : at-1]
	}
	return d, true
}

// With is the message with another entry, for a client.
func (d *Duplicate) With(st *binding.Statement, entry []byte) []byte {
	out := append(append(bytes.Clone(duplicateEntry), " '"...), entry...)
	out = append(append(out, '\''), forKey...)
	return append(out, renameQuoted(st, d.quoted)...)
}

// duplicateMessage leaves out the entry, unless the key is of plain columns only:
// what the server has in a key over protected columns are tokens, and tunic's own
// messages hold no value.
func duplicateMessage(st *binding.Statement, message []byte) []byte {
	d, ok := AsDuplicate(message)
	switch {
	case !ok:
		return duplicateEntry
	case PlainKey(st, d.Key):
		return bytes.Clone(message)
	}
	return append(append(bytes.Clone(duplicateEntry), forKey...), renameQuoted(st, d.quoted)...)
}

// Key is a key by what a server calls it: MySQL says the name of its table
// before its own. nil if there is none.
func Key(st *binding.Statement, name string) *catalog.Key {
	name = name[strings.LastIndexByte(name, '.')+1:]
	for i := range st.Run.Table.Keys {
		if k := &st.Run.Table.Keys[i]; strings.EqualFold(k.Name, name) {
			return k
		}
	}
	return nil
}

// PlainKey reports whether a key has only plain columns.
func PlainKey(st *binding.Statement, name string) bool {
	if t := st.Run.Table; t.Plain() && strings.Contains(t.Definition, " KEY "+identifier.Quoted(name[strings.LastIndexByte(name, '.')+1:])+" (") {
		return true
	}
	k := Key(st, name)
	return k != nil && !slices.ContainsFunc(k.Parts, func(p catalog.Part) bool { return p.Layer != 0 })
}
