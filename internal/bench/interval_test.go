package bench

import (
	"strings"
	"testing"

	"tunic/internal/bench/document"
)

// sysbench's lines of a second are read, and no other line is taken for one.
func TestParseInterval(t *testing.T) {
	var seconds []document.Second
	for line := range strings.Lines(recorded(t, "point_select_intervals")) {
		if s, ok := parseInterval(strings.TrimSpace(line)); ok {
			seconds = append(seconds, s)
		}
	}
	if len(seconds) != 1 || seconds[0].TPS != 48220.35 || seconds[0].P95Ms != 0.09 {
		t.Errorf("%+v", seconds)
	}
}
