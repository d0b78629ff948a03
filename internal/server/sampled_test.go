package server

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// TestSampled: a flood of one message is cut, other messages are not, and the
// first line of the next period says how many were left out.
func TestSampled(t *testing.T) {
	var out bytes.Buffer
	h := newSampled(slog.New(slog.NewTextHandler(&out, nil))).With("client", "c").Handler()
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	say := func(message string, times int) (lines []string) {
		out.Reset()
		for range times {
			if err := h.Handle(context.Background(), slog.NewRecord(now, slog.LevelInfo, message, 0)); err != nil {
				t.Fatal(err)
			}
		}
		return strings.Split(strings.TrimSpace(out.String()), "\n")
	}
	if lines := say("refused", 1000); len(lines) != sampleLines || strings.Contains(out.String(), "omitted") {
		t.Errorf("%d lines of a flood:\n%s", len(lines), out.String())
	}
	if lines := say("denied", 1); !strings.Contains(lines[0], "msg=denied client=c") {
		t.Errorf("another message: %q", lines)
	}
	now = now.Add(samplePeriod)
	lines := say("refused", 2)
	if len(lines) != 2 || !strings.HasSuffix(lines[0], "omitted=980") || strings.Contains(lines[1], "omitted") {
		t.Errorf("in the next period: %q", lines)
	}
	now = now.Add(-time.Hour) // the clock is set back
	if lines := say("refused", 1000); len(lines) != sampleLines {
		t.Errorf("%d lines after the clock was set back", len(lines))
	}
}
