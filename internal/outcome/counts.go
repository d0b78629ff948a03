package outcome

import (
	"slices"

	"tunic/internal/exec"
	"tunic/internal/plan"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// Count is who knows what a function counts.
type Count struct {
	by    countedBy
	n     int64 // if it is tunic
	heard bool  // it is the server, and tunic knows as well
}

type countedBy uint8

const (
	countedByServer countedBy = iota
	countedHere
	countedByNobody
)

// elsewhere is what is known when the server was asked something by tunic.
func (c Count) elsewhere() Count {
	switch {
	case c.by != countedByServer:
		return c
	case c.heard:
		return Count{by: countedHere, n: c.n}
	default:
		return Count{by: countedByNobody}
	}
}

// Counts are what ROW_COUNT() and FOUND_ROWS() are of.
type Counts struct{ changed, found Count }

// Known reports whether the server knows both.
func (c *Counts) Known() bool {
	return c.changed.by == countedByServer && c.found.by == countedByServer
}

// Disturb notes that the server was asked something by tunic.
func (c *Counts) Disturb() {
	c.changed.by = countedByNobody
	c.found = c.found.elsewhere()
}

// Fail notes that a statement has failed, or returned rows, of which the server does not
// know. It leaves FOUND_ROWS() as it was.
func (c *Counts) Fail() { c.changed = Count{by: countedHere, n: -1} }

// Pass notes that the server gets the statements of a plan from the client. Those that
// are no queries leave FOUND_ROWS() as it was.
func (c *Counts) Pass(p *plan.Plan) {
	c.changed = Count{}
	if c.found == (Count{}) {
		return
	}
	for i := range p.Statements {
		switch p.Statements[i].Kind {
		case sql.Select, sql.SetOperation, sql.Table:
			c.found = Count{}
		case sql.Set, sql.Insert, sql.Replace, sql.Update, sql.Delete, sql.Begin, sql.Commit, sql.Rollback, sql.Use, sql.ShowWarnings:
		default:
			if c.found.heard = false; c.found.by == countedHere {
				c.found.by = countedByNobody
			}
		}
	}
}

// AsksForRows reports whether a plan is that of a query, or of queries.
func AsksForRows(p *plan.Plan) bool {
	return p != nil && slices.ContainsFunc(p.Statements, func(s plan.Statement) bool { return isQuery(s.Kind) })
}

// Passed notes whether the server has carried out what it got; before is what FOUND_ROWS() was of. A
// query that fails leaves it as it was.
func (c *Counts) Passed(before Count, failed bool) {
	if failed && before.by != countedByServer {
		c.found = Count{by: countedByNobody}
	}
}

// Carry notes what a statement that was carried out has counted.
func (c *Counts) Carry(x *exec.Session) {
	found, returned := x.Found()
	changed, wrote := x.Changed()
	switch {
	case !x.Uncounted() && x.LeavesFound():
		if c.changed = (Count{}); c.found.heard { // the server may have been asked for its settings
			c.found = c.found.elsewhere()
		}
		return
	case !x.Uncounted():
		c.changed, c.found = Count{}, Count{n: int64(found), heard: returned}
		return
	}
	c.Disturb()
	switch {
	case returned:
		c.found = Count{by: countedHere, n: int64(found)}
	case !x.LeavesFound():
		c.found = Count{by: countedByNobody}
	}
	switch {
	case wrote:
		c.changed = Count{by: countedHere, n: int64(changed)}
	case returned:
		c.changed = Count{by: countedHere, n: -1} // of what returns rows
	}
}

// Prepare notes that the server has prepared a statement, which leaves everything as it was
// before; stood says that tunic has asked it for the flags of the session as well.
func (c *Counts) Prepare(before Counts, stood bool) {
	if *c = before; c.found.heard {
		c.found = c.found.elsewhere()
	}
	if stood {
		c.changed = c.changed.elsewhere()
	}
}

// Assign notes what a statement has counted that has set user variables: before is what
// FOUND_ROWS() was of, which a SET leaves as it was, and asked says that it is asked for how many rows
// there were without a LIMIT.
func (c *Counts) Assign(before Count, set, asked bool, rows int) {
	if !set {
		c.changed = Count{by: countedHere, n: int64(rows)}
		if c.found = c.changed; asked {
			c.found = Count{by: countedByNobody}
		}
		return
	}
	c.changed, c.found = Count{by: countedHere}, before.elsewhere() // the server was asked for the values
}

// Hear takes over what the server has told of the last statement of a plan, if that says what
// ROW_COUNT() is: the OK of a routine does not.
func (c *Counts) Hear(p *plan.Plan, r *wire.Response) {
	if c.changed.by != countedByServer || p == nil || len(p.Statements) == 0 {
		return
	}
	last := p.Statements[len(p.Statements)-1].Kind
	switch {
	case r.Failed:
		c.changed.n, c.changed.heard = -1, true
	case r.Returned:
		c.changed.n, c.changed.heard = -1, isQuery(last)
	case last != sql.Call && last != sql.Execute && last != sql.ExecuteImmediate:
		c.changed.n, c.changed.heard = int64(r.Affected), true
	}
}

func isQuery(k sql.Kind) bool { return k == sql.Select || k == sql.SetOperation || k == sql.Table }

// told is the value, if tunic knows it.
func (c Count) told() (n int64, ok bool) {
	return c.n, c.by == countedHere || c.by == countedByServer && c.heard
}

// TellsCounts reports whether a plan is that of a statement which is told of counts.
func TellsCounts(p *plan.Plan) bool {
	return p != nil && p.Run() != nil && p.Run().TellsCounts()
}

// LoseFound notes that nobody knows how many rows a query has found.
func (c *Counts) LoseFound() { c.found = Count{by: countedByNobody} }

// FoundNow is what FOUND_ROWS() is of.
func (c *Counts) FoundNow() Count { return c.found }

// LeaveChanged notes that the server knows how many rows were changed.
func (c *Counts) LeaveChanged() { c.changed.by = countedByServer }

// Value is ROW_COUNT() or FOUND_ROWS(), if tunic knows it.
func (c *Counts) Value(of string) (n int64, ok bool) {
	if of == recipe.FoundRows {
		return c.found.told()
	}
	return c.changed.told()
}

// Diagnosed notes that user variables were set to what there is to say of a statement, which leaves everything as it
// was; asked says that the server was asked for more.
func (c *Counts) Diagnosed(asked bool) {
	if c.changed.by == countedByServer {
		c.changed.by = countedByNobody
	}
	if asked {
		c.found = c.found.elsewhere()
	}
}

// Answered notes that a question for counts has been answered with one row, which the server has got as well.
func (c *Counts) Answered() { *c = Counts{found: Count{n: 1, heard: true}} }
