package server

import (
	"context"
	"runtime/debug"
	"time"

	"tunic/internal/metrics"
	"tunic/internal/session"
)

// watched is what the watch has last seen of a session.
type watched struct {
	mark  session.Mark
	since time.Time
}

// watchInterval is how often sessions are looked at: the precision of their
// idle and write timeouts, and how long a session may outlive its server's
// connection, bought with nothing on the way of a query.
const watchInterval = time.Second

// goneAfter is how long a command may run before it is looked whether its client
// is still there. Servers do the same while they wait (a statement of a client
// that has left goes on otherwise, with its locks).
const goneAfter = 2 * time.Second

// watchSessions ends sessions that are idle or stalled for too long or whose server
// has gone, and looks at the certificate now and then.
func (s *Server) watchSessions(ctx context.Context) {
	interval := s.watchInterval()
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	daily := time.NewTicker(expiryRepeat)
	defer daily.Stop()
	s.tellEpoch()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			s.look(now)
			s.tellEpoch()
			if next := s.watchInterval(); next != interval {
				interval = next
				ticker.Reset(interval)
			}
		case now := <-daily.C:
			s.checkCertificate(now)
		}
	}
}

// watchInterval is how often sessions are looked at by the limits there are.
func (s *Server) watchInterval() time.Duration {
	interval := watchInterval
	limits := &s.live.Load().Limits
	for _, limit := range []time.Duration{limits.IdleTimeout, limits.WriteTimeout} {
		if limit > 0 {
			interval = min(interval, max(limit/4, time.Millisecond))
		}
	}
	return interval
}

// tellEpoch tells under which epoch this tunic makes what is new.
func (s *Server) tellEpoch() {
	if s.protection != nil {
		s.metrics.KeyEpoch.Set(int64(s.protection.ledger.Tree().Newest()))
	}
}

// look compares every session with what was seen of it before.
func (s *Server) look(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for client, seen := range s.sessions {
		mark := client.Mark()
		if mark != seen.mark || seen.since.IsZero() {
			s.sessions[client] = watched{mark: mark, since: now}
			continue
		}
		unchanged := now.Sub(seen.since)
		switch mark.Phase() {
		case session.PhaseIdle, session.PhaseTransaction:
			s.lookIdle(client, unchanged)
		case session.PhaseWriting:
			if limit := s.live.Load().Limits.WriteTimeout; limit > 0 && unchanged >= limit {
				client.Ending().EndStalled()
			}
		case session.PhaseBusy:
			if unchanged >= goneAfter && client.ClientGone() {
				client.Close()
			}
		case session.PhaseFile:
			limit := s.live.Load().Limits.IdleTimeout
			if limit > 0 && unchanged >= limit || unchanged >= goneAfter && client.ServerGone() {
				client.Ending().EndIdle()
			}
		case session.PhaseLogin:
		}
	}
}

// lookIdle looks at a session that waits for its client, as it has done for so long.
// It reads nothing of its server's, so it would not notice that this has closed the
// connection: it would keep its client's, and its place among --max-connections.
func (s *Server) lookIdle(client *session.Session, unchanged time.Duration) {
	switch limit := s.live.Load().Limits.IdleTimeout; {
	case limit > 0 && unchanged >= limit:
		client.Ending().EndIdle()
	case client.ServerGone():
		client.Ending().EndGone()
	}
}

// watchMetrics lets the metrics read what is counted elsewhere.
func (s *Server) watchMetrics() {
	s.metrics.WatchPlanCache(func() metrics.PlanCache {
		hits, misses, evictions, entries, bytes := s.planner.Stats()
		return metrics.PlanCache{Hits: hits, Misses: misses, Evictions: evictions, Entries: entries, Bytes: bytes}
	})
	s.metrics.WatchSessions(func() metrics.Sessions {
		var counts metrics.Sessions
		s.mu.Lock()
		defer s.mu.Unlock()
		for client := range s.sessions {
			counts[state(client.Mark().Phase())]++
		}
		return counts
	})
}

func state(p session.Phase) metrics.SessionState {
	switch p {
	case session.PhaseLogin:
		return metrics.SessionLogin
	case session.PhaseIdle:
		return metrics.SessionIdle
	case session.PhaseTransaction:
		return metrics.SessionTransaction
	default:
		return metrics.SessionBusy
	}
}

// stack is where a defect happened. It holds addresses of functions, and no
// values of statements or rows.
func stack() string { return string(debug.Stack()) }
