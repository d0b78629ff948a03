package plan

import (
	"tunic/internal/catalog"
	"tunic/internal/plan/explanation"
	"tunic/internal/recipe"
)

// Action is what is done with a text: one of the types of this file, each with what it
// needs and nothing else.
type Action interface {
	// number is the action's place among actionNames; no other package has actions.
	number() int
}

// Forward sends the text to the server as it came.
type Forward struct{}

// Refuse answers with an error; the server does not see the text.
type Refuse struct {
	// Refusal is the error for the client: a *sqlerr.Error.
	Refusal error
	// Needs are tables that a query names beside protected ones, and that it needs the
	// definitions of: see PlanBeside.
	Needs []Named
	// Via are views by which the statement comes to some of them.
	Via map[Named]*catalog.Table
	// Outdated are views that the statement names, and that have to be told anew first,
	// themselves or what they are over.
	Outdated []*catalog.Table
}

// Execute has the server run the stored statement, and finishes what it cannot.
type Execute struct {
	Run *recipe.Run
	// Tells says that the query asks what tables there are: what other tunics have written
	// of them is read before it is answered.
	Tells bool
}

// Define hands the plan's Definition to who makes definitions.
type Define struct{}

// Introspect answers a question about tables.
type Introspect struct {
	Inquiry *Inquiry
	// Outdated are views that the answer tells of, and that have to be told anew first,
	// themselves or what they are over.
	Outdated []*catalog.Table
}

// Explain has the server explain the stored statement, and adds what tunic does itself.
type Explain struct {
	Explained *explanation.Explained
}

// SetVariables sets user variables, as the plan's Held says.
type SetVariables struct{}

// ByName does what the plan's Textual says, with a statement that PREPARE has named.
type ByName struct{}

// Fold computes what the plan's Folded says, and plans the text with that in it.
type Fold struct{}

// Call does what the plan's Called says: a procedure of tunic's own.
type Call struct{}

// Each does the statements of the text one after the other, each by a plan of its own.
type Each struct {
	// Refusal is the error for the client of who cannot do that: a *sqlerr.Error.
	Refusal error
}

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
func (p *Plan) refuse(refusal error) { p.Action = &Refuse{Refusal: refusal} }

// forward makes the plan one that forwards it.
func (p *Plan) forward() { p.Action = &Forward{} }

// Run is how the statement of a plan is executed, nil of one that is not.
func (p *Plan) Run() *recipe.Run {
	if a, ok := p.Action.(*Execute); ok {
		return a.Run
	}
	return nil
}

// Inquiry is the question about tables that a plan answers, nil of others.
func (p *Plan) Inquiry() *Inquiry {
	if a, ok := p.Action.(*Introspect); ok {
		return a.Inquiry
	}
	return nil
}

// Explained is what a plan explains, nil of others.
func (p *Plan) Explained() *explanation.Explained {
	if a, ok := p.Action.(*Explain); ok {
		return a.Explained
	}
	return nil
}

// Refusal is the error for the client of a plan that refuses the text, or would where its
// statements cannot be done one after the other; nil of others.
func (p *Plan) Refusal() error {
	switch a := p.Action.(type) {
	case *Refuse:
		return a.Refusal
	case *Each:
		return a.Refusal
	}
	return nil
}

// Needs are the tables of which definitions are to be looked up before a refused text is planned
// again; none of other plans.
func (p *Plan) Needs() []Named {
	if a, ok := p.Action.(*Refuse); ok {
		return a.Needs
	}
	return nil
}

// Outdated are the views that have to be told anew before the plan holds, or is made again.
func (p *Plan) Outdated() []*catalog.Table {
	switch a := p.Action.(type) {
	case *Refuse:
		return a.Outdated
	case *Introspect:
		return a.Outdated
	}
	return nil
}
