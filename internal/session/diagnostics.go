package session

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/identifier"
	"tunic/internal/outcome"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/variables"
	"tunic/internal/wire"
)

// diagnoses reports whether a statement is a GET DIAGNOSTICS of what the server does not
// know, or not all of.
func (s *Session) diagnoses(p *plan.Plan) bool {
	return len(p.Statements) == 1 && p.Statements[0].Kind == sql.GetDiagnostics && s.shared.Ledger != nil &&
		(s.last.IsOwn() || !s.last.Counts.Known())
}

// tellDiagnostics sets user variables to what there is to say of the statement before. The
// server sets them, as its own, but those that are a message with a value of a row in it.
func (s *Session) tellDiagnostics(text []byte) error {
	read, err := sql.Parse(text, s.state.Modes())
	if err != nil || len(read) != 1 {
		return s.outcomeUnknown()
	}
	asked, ok := read[0].Diagnostics()
	if !ok {
		return s.outcomeUnknown()
	}
	told, err := s.conditions()
	if err != nil {
		return s.unanswered(err)
	}
	before := s.last.Keep()
	kept, err := s.messagesKept(&asked, told)
	if err != nil {
		return s.tellFailed(err)
	}
	set, ok := s.diagnosticsSet(asked, told)
	if !ok || kept == nil {
		return s.outcomeUnknown()
	}
	for _, it := range asked.Items {
		s.variables.Drop(it.Variable)
	}
	if len(asked.Items) > 0 {
		if err := s.idle(string(set)); err != nil {
			return s.tellFailed(err)
		}
	}
	for name, v := range kept {
		if err := s.variables.Set(name, v); err != nil {
			return s.tellFailed(err)
		}
	}
	// It leaves everything as it was, but the server's list is of another statement now.
	s.last.Back(before)
	s.last.Passes()
	s.last.Counts.Diagnosed(len(kept) > 0) // it was asked for the type of a message
	return s.tellOK("")
}

// conditions are what there is to say of the statement before, all of which tunic has from
// here on.
func (s *Session) conditions() ([][]wire.Cell, error) {
	if !s.last.IsOwn() {
		return nil, nil
	}
	_, rows, err := s.server.Rows([]byte("SHOW WARNINGS"))
	if err != nil {
		return nil, err
	}
	notices := s.executor().Notices()
	told := s.outcome(false, rows, false)
	if !s.last.IsRefused() && !notices.Whole() {
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
func (s *Session) messagesKept(asked *sql.Diagnostics, told [][]wire.Cell) (map[string]binding.Variable, error) {
	kept := make(map[string]binding.Variable)
	if asked.Condition == 0 || asked.Condition > len(told) {
		return kept, nil
	}
	number, message := told[asked.Condition-1][1].Bytes, told[asked.Condition-1][2].Bytes
	if s.last.NamesOnly(number) {
		return kept, nil
	}
	left := asked.Items[:0:0]
	for _, it := range asked.Items {
		delete(kept, it.Variable) // the last one counts
		if it.Item != "MESSAGE_TEXT" {
			left = append(left, it)
			continue
		}
		v, err := s.messageVariable(message)
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
func (s *Session) messageVariable(message []byte) (*binding.Variable, error) {
	all, err := s.askValues([]string{string(outcome.AppendText(nil, nil, s.state.Modes()))})
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
func (s *Session) diagnosticsSet(asked sql.Diagnostics, told [][]wire.Cell) (set []byte, ok bool) {
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
			set, ok = s.last.StatementItem(set, it.Item, len(told))
		} else {
			set, ok = s.last.ConditionItem(set, it.Item, told[asked.Condition-1], s.state.Modes())
		}
		if !ok {
			return nil, false
		}
	}
	return set, true
}
