package exec

import (
	"bytes"
	"strings"

	"tunic/internal/catalog"
)

// duplicate is the message of an error of the server about a key over protected
// columns. The server shows the tokens of the row that it does not take; the client
// is shown the values that it has sent for them. Only who has sent them gets the
// message: it is in no log.
func (s *Session) duplicate(st *Statement, message []byte) ([]byte, bool) {
	at := bytes.LastIndex(message, forKey)
	open := len(duplicateEntry) + len(" '")
	if at < 0 || open > at-1 || !bytes.HasPrefix(message, duplicateEntry) {
		return nil, false
	}
	key := st.keyNamed(string(bytes.Trim(message[at+len(forKey):], "'`")))
	if key == nil || s.binder.Statement != &st.Statement {
		return nil, false
	}
	entry, ok := s.binder.Entry(key, message[open:at-1])
	if !ok {
		return nil, false
	}
	out := append(append(bytes.Clone(duplicateEntry), " '"...), entry...)
	out = append(append(out, '\''), forKey...)
	return append(out, st.renameQuoted(message[at+len(forKey):])...), true
}

// keyNamed is a key by what a server calls it: MySQL says the name of its table
// before its own.
func (st *Statement) keyNamed(name string) *catalog.Key {
	name = name[strings.LastIndexByte(name, '.')+1:]
	for i := range st.Run.Table.Keys {
		if k := &st.Run.Table.Keys[i]; strings.EqualFold(k.Name, name) {
			return k
		}
	}
	return nil
}
