package attempt

import (
	"context"

	"tunic/internal/inflight"
	"tunic/internal/plan"
	"tunic/internal/transaction"
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

// Lands is when the server has answered the statement, or before something that may make a change of its own, which would
// wait for the statement: until it Resumes the server gets nothing of it as it is planned.
func (a *Attempt) Lands() {
	if a.ledger != nil {
		a.flight.End()
	}
}

// waits is before the statement waits for a change, which would wait for the statement. The server has got nothing of it.
func (a *Attempt) waits() {
	if p, was := a.flight.Suspend(); was {
		a.waiting, a.waitsFor = true, p
	}
}

// goesOn is after it has waited: it is in flight again, as it was planned. It is false if it has to be planned anew, since a
// table has become protected meanwhile.
func (a *Attempt) goesOn() bool {
	if !a.waiting {
		return true
	}
	p := a.waitsFor
	a.waiting, a.waitsFor = false, nil
	return a.beginsAgain(p)
}

// beginsAgain begins a statement again that was planned before; p is nil if it was not. It is false if it would be another one
// by now.
func (a *Attempt) beginsAgain(p *plan.Plan) bool {
	base := a.base
	a.begins()
	a.flight.IsFor(p)
	if a.base != base && (p == nil || p.Outlived(a.Catalog())) {
		return false
	}
	a.caughtUp = max(a.caughtUp, a.base.Version) // its own change may be what is new
	return true
}

// Resumes is when the server is to have the statement after all, as it was planned. It is false if it must not: a table
// has become protected meanwhile.
func (a *Attempt) Resumes(p *plan.Plan) bool {
	return a.ledger == nil || a.beginsAgain(p)
}

// AwaitSettled waits until what is coming has come, or does not, before a statement that goes by a catalog without it and may
// end the transaction for whose sake it does. It is false if that takes too long: the change may be waiting for the
// transaction.
func (a *Attempt) AwaitSettled() bool {
	coming := a.ledger.Catalog().Coming()
	waiting, cancel := context.WithTimeout(a.life, transaction.Patience(coming))
	defer cancel()
	a.Lands()
	a.ledger.CatchUp(waiting.Done(), coming, a.caughtUp)
	return waiting.Err() == nil
}
