package answer

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/environment"
	"tunic/internal/identifier"
	"tunic/internal/outcome"
	"tunic/internal/sql"
	"tunic/internal/variables"
	"tunic/internal/wire"
)

// Diagnosis is what a GET DIAGNOSTICS sets user variables to.
type Diagnosis struct {
	// Set is the statement by which the server sets the variables AtServer, as its own.
	Set      []byte
	AtServer []string
	// Kept are those that are a message with a value of a row in it, which the server is not to get.
	Kept map[string]binding.Variable
}

// Diagnose answers a GET DIAGNOSTICS. Whoever sets the variables leaves everything that there is to say as it was.
// Where it fails by something else than this package's errors, the client is to be told of that.
func (t *Teller) Diagnose(text []byte) (d Diagnosis, err error) {
	read, err := sql.Parse(text, t.Modes)
	if err != nil || len(read) != 1 {
		return d, ErrUnknown
	}
	asked, ok := read[0].Diagnostics()
	if !ok {
		return d, ErrUnknown
	}
	told, err := t.conditions()
	if err != nil {
		return d, unanswered(err)
	}
	if d.Kept, err = t.messagesKept(&asked, told); err != nil {
		return d, err
	}
	if d.Set, ok = t.diagnosticsSet(asked, told); !ok || d.Kept == nil {
		return d, ErrUnknown
	}
	for _, it := range asked.Items {
		d.AtServer = append(d.AtServer, it.Variable)
	}
	return d, nil
}

// conditions are what there is to say of the statement before, all of which tunic has from
// here on.
func (t *Teller) conditions() ([][]wire.Cell, error) {
	if !t.Last.IsOwn() {
		return nil, nil
	}
	_, rows, err := t.Server.Rows([]byte("SHOW WARNINGS"))
	if err != nil {
		return nil, err
	}
	told := t.outcome(false, rows, false)
	if t.Last.IsRefused() {
		return told, nil
	}
	if notices := t.Carried.Notices(); !notices.Whole() {
		if notices.Count() > 0 && len(rows) > 0 { // in which order?
			return nil, backend.ErrAnswered
		}
		for _, cells := range told[notices.Count():] {
			number, _ := strconv.Atoi(string(cells[1].Bytes))
			notices.Add(outcome.LevelOf(cells[0].Bytes), uint16(number), cells[2].Bytes)
		}
		notices.HaveHeard()
	}
	return told, nil
}

// messagesKept takes from what is asked for the messages that may have a value of a protected
// column in them, which the server is not to get, and returns the variables that are set to
// them; nil if that cannot be.
func (t *Teller) messagesKept(asked *sql.Diagnostics, told [][]wire.Cell) (map[string]binding.Variable, error) {
	kept := make(map[string]binding.Variable)
	if asked.Condition == 0 || asked.Condition > len(told) {
		return kept, nil
	}
	number, message := told[asked.Condition-1][1].Bytes, told[asked.Condition-1][2].Bytes
	if t.Last.NamesOnly(number) {
		return kept, nil
	}
	left := asked.Items[:0:0]
	for _, it := range asked.Items {
		delete(kept, it.Variable) // the last one counts
		if it.Item != "MESSAGE_TEXT" {
			left = append(left, it)
			continue
		}
		v, err := t.messageVariable(message)
		if err != nil || v == nil || !variables.Keepable(it.Variable) {
			return nil, err
		}
		left = slices.DeleteFunc(left, func(other sql.DiagnosticItem) bool { return other.Variable == it.Variable })
		kept[it.Variable] = *v
	}
	asked.Items = left
	return kept, nil
}

// messageVariable is a variable with a message, in the character set that the server gives it; nil
// if that cannot have it.
func (t *Teller) messageVariable(message []byte) (*binding.Variable, error) {
	all, err := variables.Ask(t.Server, environment.FlavorOf(t.Modes), []string{string(outcome.AppendText(nil, nil, t.Modes))})
	if err != nil || len(all) != 1 {
		return nil, errors.Join(err, backend.ErrAnswered)
	}
	v := &all[0]
	ascii := !slices.ContainsFunc(message, func(b byte) bool { return b >= utf8.RuneSelf })
	if c := v.Source.Collation; c == nil || !ascii && !(strings.HasPrefix(c.Charset.Name, "utf8") && utf8.Valid(message)) {
		return nil, nil //nolint:nilnil // there is none, and nothing has failed
	}
	v.Source.Bytes, v.Null, v.Secret = bytes.Clone(message), false, true
	return v, nil
}

// diagnosticsSet is the statement that sets the variables; ok is false if something is
// asked for that is not known.
func (t *Teller) diagnosticsSet(asked sql.Diagnostics, told [][]wire.Cell) (set []byte, ok bool) {
	if asked.Condition > len(told) {
		return nil, false // which is a condition of its own
	}
	set = []byte("SET ")
	for i, it := range asked.Items {
		if i > 0 {
			set = append(set, ", "...)
		}
		set = append(set, "@"+identifier.Quoted(it.Variable)+" = "...)
		if asked.Condition == 0 {
			set, ok = t.Last.StatementItem(set, it.Item, len(told))
		} else {
			set, ok = t.Last.ConditionItem(set, it.Item, told[asked.Condition-1], t.Modes)
		}
		if !ok {
			return nil, false
		}
	}
	return set, true
}
