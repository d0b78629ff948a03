package plan

import (
	"tunic/internal/catalog"
	"tunic/internal/plan/explanation"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// Action is what is done with a text: a Forward, Refuse, Execute, Define, DefineView, Grant,
// Introspect, Explain, SetVariables, ByName, Fold, Call or Each, with what it needs and nothing else.
type Action interface {
	// number is the action's place among actionNames; no other package has actions.
	number() int
}

// Forward sends the text to the server as it came.
type Forward struct {
	// MayDefine says that a statement is a program that may define tables when it runs.
	MayDefine bool
	// Guesses are words of a text that cannot be read, one of which may be the name of a
	// table; AnyTable says that other names may be.
	Guesses  []string
	AnyTable bool
	Wording
	// Guarded are those of the plan's Names of which a column is named, or may get a value,
	// that the policy does not let be plain.
	Guarded []resolve.Name
	// Locks are the tables, with their schemas, that the statement locks for the session;
	// nil if it locks none, or is one of several.
	Locks *sql.TableLocks
	// Variables are the user variables that the server would read.
	Variables Variables
	// Own is what tunic does itself instead, with a query of no table that reads user
	// variables, where they have values that the server does not; nil if it cannot.
	Own *Plan
}

// Wording is what a text may say of tables of which the plan's Names has none: in a query of a statement that is none, in a
// program, in a text to be prepared, in a statement that cannot be read.
type Wording struct {
	// Words are those, in lower case, that it may name tables and columns by.
	Words []string
	// Unnamed says that it may give a column a value, or compare it with one, without the column's name.
	Unnamed bool
}

// Variables are the user variables that a server reads.
type Variables struct {
	// Names are those that statements name, in lower case; Any says that there may be others.
	Names []string
	Any   bool
	// Programs says that statements may set off a program of the server's, which may read any
	// variable: a trigger, a function, a view that calls one. Calls says that one is a program
	// itself, or calls one.
	Programs, Calls bool
}

// VariablesOf are those that a text names.
func VariablesOf(text []byte, m sql.Modes) (v Variables) {
	v.Names, v.Any = sql.UserVariables(text, m)
	return v
}

// Refuse answers with an error; the server does not see the text.
type Refuse struct {
	// Refusal is the error for the client: a *sqlerr.Error.
	Refusal error
	// Needs are tables that a query names beside protected ones, and that it needs the
	// definitions of: see PlanBeside.
	Needs []resolve.Name
	// Via are views by which the statement comes to some of them.
	Via map[resolve.Name]*catalog.Table
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

// Define hands a definition of a table or schema to who makes definitions.
type Define struct {
	// Statement is nil if it cannot be read, but names nothing protected and does not speak
	// to tunic.
	Statement ast.Statement
	// Made is its query if it is a CREATE TABLE … SELECT.
	Made *MadeTable
	// MayDefine says that it may be of other tables than the plan's Names.
	MayDefine bool
	Wording
	// Others are tables and sequences that it names, and that no rule of the policy is asked about.
	Others []resolve.Name
}

// DefineView has a view made or changed.
type DefineView struct {
	View *DefinedView
	Wording
}

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

// ByName does something with a statement that PREPARE has named.
type ByName struct{ sql.Textual }

// Each does the statements of the text one after the other, each by a plan of its own.
type Each struct {
	// Refusal is the error for the client of who cannot do that: a *sqlerr.Error.
	Refusal error
}

func (*Forward) number() int      { return 0 }
func (*Refuse) number() int       { return 1 }
func (*Execute) number() int      { return 2 }
func (*Define) number() int       { return 3 }
func (*DefineView) number() int   { return 3 }
func (*Grant) number() int        { return 3 }
func (*Introspect) number() int   { return 4 }
func (*Explain) number() int      { return 5 }
func (*SetVariables) number() int { return 6 }
func (*ByName) number() int       { return 7 }
func (*Fold) number() int         { return 8 }
func (*Call) number() int         { return 9 }
func (*Each) number() int         { return 10 }

// actionNames are the names of actions in metrics and logs, by their numbers.
var actionNames = [...]string{"forward", "refuse", "execute", "define", "introspect", "explain", "set_variables", "by_name", "fold", "call", "each"}

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

// forward makes the plan one that forwards it, and returns how.
func (p *Plan) forward() *Forward {
	f, ok := p.Action.(*Forward)
	if !ok {
		f = &Forward{}
		p.Action = f
	}
	return f
}

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

// Defines reports whether the statement of a plan is one for who makes definitions.
func (p *Plan) Defines() bool {
	switch p.Action.(type) {
	case *Define, *DefineView, *Grant:
		return true
	}
	return false
}

// Own is what tunic does itself instead of forwarding a text, nil of other plans, and if it cannot.
func (p *Plan) Own() *Plan {
	if a, ok := p.Action.(*Forward); ok {
		return a.Own
	}
	return nil
}

// Variables are the user variables that the server would read; none of a plan that does not
// forward the text.
func (p *Plan) Variables() Variables {
	if a, ok := p.Action.(*Forward); ok {
		return a.Variables
	}
	return Variables{}
}

// Locks are the tables that the statement of a plan locks for the session, nil if it locks none, or
// is one of several.
func (p *Plan) Locks() *sql.TableLocks {
	if a, ok := p.Action.(*Forward); ok {
		return a.Locks
	}
	return nil
}

// Wording is what a text may say of tables of which Names has none.
func (p *Plan) Wording() Wording {
	switch a := p.Action.(type) {
	case *Forward:
		return a.Wording
	case *Define:
		return a.Wording
	case *DefineView:
		return a.Wording
	}
	return Wording{}
}

// View is the view that a plan has made or changed, nil of others.
func (p *Plan) View() *DefinedView {
	if a, ok := p.Action.(*DefineView); ok {
		return a.View
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
func (p *Plan) Needs() []resolve.Name {
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

// As is a plan's action as one of a type, which it is known to be.
func As[A Action](p *Plan) A {
	a, ok := p.Action.(A)
	if !ok {
		panic("plan: an action is not what it was taken for")
	}
	return a
}
