package session

import (
	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/recipe"
)

// runOf is how the statement of a plan is executed, or would be, where it is only
// explained; nil of others.
func runOf(p *plan.Plan) *recipe.Run {
	if e := p.Explained(); e != nil {
		return e.Run
	}
	return p.Run()
}

// tablesOf are the protected tables that a plan is about; none if it is about none, or
// about all.
func tablesOf(p *plan.Plan) []*catalog.Table {
	if run := runOf(p); run != nil {
		return run.Tables
	}
	if q := p.Inquiry(); q != nil && q.Table != nil {
		return []*catalog.Table{q.Table}
	}
	return nil
}

// tablesOfRun are the protected tables that a statement is executed over; none of one that is not.
func tablesOfRun(run *recipe.Run) []*catalog.Table {
	if run == nil {
		return nil
	}
	return run.Tables
}

// definesRead reports whether a plan is that of a definition that tunic has read.
func definesRead(p *plan.Plan) bool {
	switch a := p.Action.(type) {
	case *plan.Define:
		return a.Statement != nil
	case *plan.DefineView:
		return true
	}
	return false
}

// makesOfQuery reports whether a plan is that of a CREATE TABLE … SELECT.
func makesOfQuery(p *plan.Plan) bool {
	d, ok := p.Action.(*plan.Define)
	return ok && d.Made != nil
}
