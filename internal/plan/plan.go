package plan

import (
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// Action is what is done with a text.
type Action uint8

const (
	// Forward sends the text to the server as it came.
	Forward Action = iota
	// Refuse answers with the plan's Refusal; the server does not see the text.
	Refuse
)

// Actions is how many there are.
const Actions = 2

// String is the action's name in metrics and logs.
func (a Action) String() string {
	switch a {
	case Forward:
		return "forward"
	case Refuse:
		return "refuse"
	}
	return "unknown"
}

// Plan is what is done with a text and what it does to the session. It is
// shared: nobody changes it.
type Plan struct {
	Action Action
	// Statements are those of the text, in their order; none if the text is
	// empty.
	Statements []Statement
	// Refusal is the error for the client if Action is Refuse: a *sqlerr.Error.
	Refusal error
	// Quiet says that no statement has an effect on the session.
	Quiet bool
}

// Statement is what a plan keeps of one statement: nothing of its text.
type Statement struct {
	Kind    sql.Kind
	Effects sql.Effects
}

// Names says which names may belong to protected data. Its answers hold for
// the life of a Planner. It is safe for concurrent use.
type Names interface {
	// Empty says that Protected is false for every name.
	Empty() bool
	// Protected says whether name, an identifier without its quotes, may be that
	// of a protected table, of a view or a stored program that touches one, or of
	// a schema with one. The empty name stands for what cannot be read. True
	// where in doubt.
	Protected(name []byte) bool
}

// Nothing is the Names of a server without protected tables.
type Nothing struct{}

// Empty is true.
func (Nothing) Empty() bool { return true }

// Protected is false for every name.
func (Nothing) Protected([]byte) bool { return false }

// decide makes the plan of a text.
func decide(text []byte, m sql.Modes, names Names) *Plan {
	read, err := sql.Parse(text, m)
	p := &Plan{Quiet: true, Statements: make([]Statement, 0, len(read))}
	for i := range read {
		s := &read[i]
		p.Statements = append(p.Statements, Statement{Kind: s.Kind, Effects: s.Effects})
		p.Quiet = p.Quiet && s.Effects.Quiet()
	}
	for i := 0; i < len(read) && p.Action == Forward && !names.Empty(); i++ {
		if read[i].Mentions(names.Protected) {
			p.Action, p.Refusal = judge(read[i].Kind, err)
		}
	}
	return p
}

// judge decides about a statement that names something protected. There is no
// way yet to run one on protected data, so that what would be planned is
// refused as well.
func judge(k sql.Kind, unread error) (Action, error) {
	switch {
	case unread != nil || k == sql.Unknown:
		return Refuse, sqlerr.StatementUnread()
	case Row(k).Class == ClassForward:
		return Forward, nil
	}
	return Refuse, sqlerr.StatementRefused(k.String())
}
