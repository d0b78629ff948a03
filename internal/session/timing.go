package session

import (
	"time"

	"tunic/internal/plan"
	"tunic/internal/usage"
)

// begins is when a command begins, with its plan if it runs statements. One statement of many
// is timed by phase.
func (s *Session) begins(p *plan.Plan) time.Time {
	s.untime()
	if p != nil && p.Template.Timed() {
		s.clock.Begin(true)
		s.server.Time(s.clock.Spent(usage.Server))
		s.client.Time(s.clock.Spent(usage.Send))
	}
	return time.Now()
}

// untime ends the timing of phases, if a statement is timed.
func (s *Session) untime() {
	if s.clock.On() {
		s.clock.Begin(false)
		s.server.Time(nil)
		s.client.Time(nil)
	}
}

// took counts how long a command has taken that was answered.
func (s *Session) took(p *plan.Plan, begin time.Time) {
	d, kind := time.Since(begin), -1
	if p != nil {
		if len(p.Statements) > 0 {
			kind = int(p.Statements[0].Kind)
		}
		if p.Run().FinishesRows() {
			s.shared.Metrics.Local.Inc()
		}
		s.clock.End(p.Template, d)
		p.Template.Add(d, !s.response.Failed)
	}
	s.shared.Metrics.Duration(kind).Observe(d)
	s.server.Time(nil)
	s.client.Time(nil)
}
