package attempt

import (
	"tunic/internal/inflight"
	"tunic/internal/plan"
)

// Flight is the client's statement as it is in flight.
func (a *Attempt) Flight() *inflight.Statement[plan.Plan] { return a.flight }

// IsFor notes what the statement under way is planned as.
func (a *Attempt) IsFor(p *plan.Plan) {
	if a.ledger != nil {
		a.flight.IsFor(p)
	}
}

// Inner begins a statement of a definition's own, which is planned next.
func (a *Attempt) Inner() {
	if a.ledger != nil {
		a.begins()
	}
}

// Executes begins a statement that was planned before. It is false if that has to be planned anew.
func (a *Attempt) Executes(p *plan.Plan) bool {
	if a.ledger == nil {
		return true
	}
	a.begins()
	a.flight.IsFor(p)
	return !p.Outlived(a.Catalog())
}

// Lands is when the server has answered the statement, or gets nothing more of it as it is planned.
func (a *Attempt) Lands() {
	if a.ledger != nil {
		a.flight.End()
	}
}

// Rests is before something that may make a change of its own, which would wait for the statement.
func (a *Attempt) Rests() {
	if a.ledger != nil {
		a.rested = a.Catalog()
		a.flight.End()
	}
}

// Resumes is when the server is to have the statement after all, as it was planned. It is false if it must not: a table
// has become protected meanwhile.
func (a *Attempt) Resumes(p *plan.Plan) bool {
	if a.ledger == nil {
		return true
	}
	a.begins()
	a.flight.IsFor(p)
	now := a.Catalog()
	return now == a.rested || !p.Outlived(now)
}
