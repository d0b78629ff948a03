package metrics

import (
	"cmp"
	"slices"
)

// Statements is how many statements of one kind met one action.
type Statements struct {
	Kind, Action string
	Count        uint64
}

// ReadStatements reads tunic_statements_total, without the pairs that never happened.
func (m *Metrics) ReadStatements() (all []Statements) {
	g := &m.statements
	columns := g.columns.list
	for i := range g.cells {
		if n := g.cells[i].Value(); n > 0 {
			all = append(all, Statements{g.rows.list[i/len(columns)], columns[i%len(columns)], n})
		}
	}
	return all
}

// Durations are how long statements of one kind took.
type Durations struct {
	Kind string
	Buckets
}

// ReadDurations reads the durations by kind, without the kinds that never came.
func (m *Metrics) ReadDurations() (all []Durations) {
	for i := range m.durations {
		if b := m.durations[i].Buckets(); b.Count() > 0 {
			all = append(all, Durations{m.statements.rows.list[i], b})
		}
	}
	return all
}

// Refusals is how often clients got an error of tunic's own.
type Refusals struct {
	Code  uint16
	Count uint64
}

// ReadRefusals reads tunic_refusals_total, the most frequent first, without those that
// never happened.
func (m *Metrics) ReadRefusals() (all []Refusals) {
	for code, c := range m.refusals {
		if n := c.Value(); n > 0 {
			all = append(all, Refusals{code, n})
		}
	}
	slices.SortFunc(all, func(a, b Refusals) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Code, b.Code))
	})
	return all
}

// ReadSessions is how many sessions are in each state, by name.
func (m *Metrics) ReadSessions() map[string]int64 {
	all := make(map[string]int64, sessionStates)
	for state, n := range m.readSessions() {
		all[sessionStateNames[state]] = n
	}
	return all
}

// ReadPlanCache is what the plan cache says of itself.
func (m *Metrics) ReadPlanCache() PlanCache { return m.readPlanCache() }

// Unknown is the kind of what is on no list.
const Unknown = unknown
