package server

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Anybody who reaches the port can cause these many lines of one message, so
// that a flood of connections cannot fill a disk.
const (
	sampleLines  = 20
	samplePeriod = time.Minute
)

// sampled is a [slog.Handler] that lets the first lines of each message in a
// period through and counts the others; the next line that passes says how many
// were left out. The metrics count them all.
type sampled struct {
	slog.Handler
	shared *samples
}

// samples counts the lines of each message. Messages are constants of the
// program, so there are few.
type samples struct {
	mu     sync.Mutex
	counts map[string]sample
}

// sample is what became of the lines of one message.
type sample struct {
	begin   time.Time // of the period
	passed  int       // in it
	omitted int       // since the last that passed
}

// newSampled is a logger for lines that clients can cause.
func newSampled(log *slog.Logger) *slog.Logger {
	return slog.New(&sampled{log.Handler(), &samples{counts: map[string]sample{}}})
}

// Handle implements [slog.Handler].
func (h *sampled) Handle(ctx context.Context, r slog.Record) error {
	passes, omitted := h.shared.take(r.Message, r.Time)
	if !passes {
		return nil
	}
	if omitted > 0 {
		r = r.Clone()
		r.AddAttrs(slog.Int("omitted", omitted))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (h *sampled) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &sampled{h.Handler.WithAttrs(attrs), h.shared}
}

// WithGroup implements [slog.Handler].
func (h *sampled) WithGroup(name string) slog.Handler {
	return &sampled{h.Handler.WithGroup(name), h.shared}
}

// take counts a line and reports whether it passes, and how many did not since
// one last did.
func (s *samples) take(message string, now time.Time) (passes bool, omitted int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.counts[message]
	if since := now.Sub(c.begin); since >= samplePeriod || since < 0 {
		c.begin, c.passed = now, 0
	}
	if passes = c.passed < sampleLines; passes {
		c.passed++
		omitted, c.omitted = c.omitted, 0
	} else {
		c.omitted++
	}
	s.counts[message] = c
	return passes, omitted
}
