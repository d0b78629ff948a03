package translation

import (
	"bytes"

	"tunic/internal/binding"
	"tunic/internal/guard"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// A Translator tells a client what the server says of its last statement. It knows the values
// that were just sent, as long as the Binder does.
type Translator struct {
	Binder *binding.Binder
	// Last is the statement that the server has been asked for last; nil if nothing is translated of it.
	Last *binding.Statement
	// duplicate is the error of the last statement, if it was of a duplicate.
	duplicate translated
}

// translated is a message of the server and what the client was told in its place.
type translated struct{ message, text []byte }

// Begin begins a statement.
func (t *Translator) Begin() { t.duplicate = translated{} }

// Sent is Message of an error about what was just sent, whose values are still known.
func (t *Translator) Sent(st *binding.Statement, m *wire.Err) []byte {
	if message := t.Violated(m.Number, m.Message); message != nil {
		return message
	}
	if IsDuplicate(m.Number) {
		if message, ok := t.entered(st, m.Message); ok {
			t.duplicate = translated{bytes.Clone(m.Message), message}
			return message
		}
	}
	return Message(st, m.Number, m.Message)
}

// Error is an error of the server about what was just sent, for a client.
func (t *Translator) Error(st *binding.Statement, m *wire.Err) *sqlerr.Error {
	return &sqlerr.Error{Number: m.Number, State: m.State, Message: string(t.Sent(st, m))}
}

// Warning is the text of a warning or error that the server has of the last statement.
func (t *Translator) Warning(number uint16, message []byte) []byte {
	if t.Last == nil {
		return message
	}
	if own := t.Violated(number, message); own != nil {
		return own
	}
	if len(message) > 0 && bytes.Equal(t.duplicate.message, message) {
		return t.duplicate.text
	}
	return Message(t.Last, number, message)
}

// formCheck is in the name of the CHECK that every stored table has of its forms.
var formCheck = []byte("tunic$")

// Violated is what the server would say of the next row that fails a CHECK, if that is
// what it says; nil if it is not.
func (t *Translator) Violated(number uint16, message []byte) []byte {
	if number != guard.ErrCheck && number != guard.ErrConstraint || !bytes.Contains(message, formCheck) || t.Last == nil {
		return nil
	}
	g := t.Binder.NextViolation()
	if g == nil {
		return nil
	}
	return []byte(g.Violation(t.Last.Run.Table, t.Binder.Env.Value.Flavor).Message)
}

// entered is the message of an error of the server about a key over protected
// columns. The server shows the tokens of the row that it does not take; the client
// is shown the values that it has sent for them. Only who has sent them gets the
// message: it is in no log.
func (t *Translator) entered(st *binding.Statement, message []byte) ([]byte, bool) {
	d, ok := AsDuplicate(message)
	if !ok || d.Entry == nil || t.Binder.Statement != st {
		return nil, false
	}
	key := Key(st, d.Key)
	if key == nil {
		return nil, false
	}
	entry, ok := t.Binder.Entry(key, d.Entry)
	if !ok {
		return nil, false
	}
	return d.With(st, entry), true
}
