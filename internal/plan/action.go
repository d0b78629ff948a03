package plan

// Action is what is done with a text: one of the types of this file, each with what it
// needs and nothing else.
type Action interface {
	// number is the action's place among actionNames; no other package has actions.
	number() int
}

// Forward sends the text to the server as it came.
type Forward struct{}

// Refuse answers with the plan's Refusal; the server does not see the text.
type Refuse struct{}

// Execute does what the plan's Run says; the server sees the stored statement.
type Execute struct{}

// Define hands the plan's Definition to who makes definitions.
type Define struct{}

// Introspect does what the plan's Inquiry says.
type Introspect struct{}

// Explain has the server explain the stored statement, and adds what the plan's
// Explained says.
type Explain struct{}

// SetVariables sets user variables, as the plan's Held says.
type SetVariables struct{}

// ByName does what the plan's Textual says, with a statement that PREPARE has named.
type ByName struct{}

// Fold computes what the plan's Folded says, and plans the text with that in it.
type Fold struct{}

// Call does what the plan's Called says: a procedure of tunic's own.
type Call struct{}

// Each does the statements of the text one after the other, each by a plan of its
// own. Who cannot do that refuses the text, with the plan's Refusal.
type Each struct{}

func (*Forward) number() int      { return 0 }
func (*Refuse) number() int       { return 1 }
func (*Execute) number() int      { return 2 }
func (*Define) number() int       { return 3 }
func (*Introspect) number() int   { return 4 }
func (*Explain) number() int      { return 5 }
func (*SetVariables) number() int { return 6 }
func (*ByName) number() int       { return 7 }
func (*Fold) number() int         { return 8 }
func (*Call) number() int         { return 9 }
func (*Each) number() int         { return 10 }

// actionNames are the names of actions in metrics and logs, by their numbers. Who watches a
// tunic has them in queries, so they stay.
var actionNames = [...]string{"forward", "refuse", "carry", "define", "inquire", "explain", "hold", "name", "fold", "call", "each"}

// ActionNames are the names of all actions, by their numbers.
func ActionNames() []string { return actionNames[:] }

// ActionName is the name of a plan's action in metrics and logs.
func (p *Plan) ActionName() string { return actionNames[p.Action.number()] }

// ActionNumber is the place of that name among ActionNames.
func (p *Plan) ActionNumber() int { return p.Action.number() }

// Is reports whether a plan's action is of a type, as in Is[*Forward](p).
func Is[A Action](p *Plan) bool {
	_, ok := p.Action.(A)
	return ok
}

// refuse makes the plan one that refuses the text.
func (p *Plan) refuse(refusal error) { p.Action, p.Refusal = &Refuse{}, refusal }

// forward makes the plan one that forwards it.
func (p *Plan) forward() { p.Action, p.Refusal = &Forward{}, nil }
