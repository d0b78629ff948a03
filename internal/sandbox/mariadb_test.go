package sandbox

import (
	"errors"
	"strings"
	"testing"
)

// TestMissingProgram: what is not there is a reason to skip, but not where
// everything must be there; either way the error says how to get it.
func TestMissingProgram(t *testing.T) {
	for _, c := range []struct {
		require string
		skips   bool
	}{{"", true}, {"1", false}} {
		t.Setenv("TUNIC_REQUIRE_CLIENTS", c.require)
		_, err := findProgram("no-such-program-anywhere", "no-such-package")
		if err == nil || errors.Is(err, ErrUnavailable) != c.skips {
			t.Errorf("required %q: %v, unavailable %t", c.require, err, !c.skips)
		}
		for _, want := range []string{"no-such-program-anywhere is not installed", "`make deps`", "no-such-package"} {
			if err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("required %q: %v, without %q", c.require, err, want)
			}
		}
	}
}
