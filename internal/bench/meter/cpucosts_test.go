package meter

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"
)

// writtenProfile has stacks with their nanoseconds. Functions of a stack are parted by
// spaces, its end first; those with a + between them are one location, inlined.
func writtenProfile(t *testing.T, kind string, stacks map[string]int64) []byte {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: kind, Unit: "nanoseconds"}}}
	for stack, spent := range stacks {
		s := &profile.Sample{Value: []int64{1, spent}}
		for _, place := range strings.Fields(stack) {
			l := &profile.Location{ID: uint64(len(p.Location) + 1)}
			for _, name := range strings.Split(place, "+") {
				if name == "?" {
					continue // no function is known
				}
				f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name}
				p.Function = append(p.Function, f)
				l.Line = append(l.Line, profile.Line{Function: f})
			}
			p.Location = append(p.Location, l)
			s.Location = append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReadCosts(t *testing.T) {
	got, err := ReadCosts(writtenProfile(t, "cpu", map[string]int64{
		"write+send serve main":  5e8, // what is inlined comes before what it is in
		"serve main":             2e8,
		"walk walk walk main":    2e8, // calls itself, and counts once
		"? collect":              1e8,
		"never-sampled+for main": 0,
	}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(1.0, got.Seconds, rounded); diff != "" {
		t.Error(diff)
	}
	flat := []FunctionCost{{"write", 0.5, 0.5}, {"serve", 0.2, 0.7}, {"walk", 0.2, 0.2}, {"collect", 0.1, 0.1}}
	if diff := cmp.Diff(flat, got.topFlat(4), rounded); diff != "" {
		t.Error(diff)
	}
	total := []FunctionCost{{"main", 0, 0.9}, {"serve", 0.2, 0.7}, {"send", 0, 0.5}, {"write", 0.5, 0.5}}
	if diff := cmp.Diff(total, got.topTotal(4), rounded); diff != "" {
		t.Error(diff)
	}
	if all := got.topFlat(100); len(all) != 8 {
		t.Errorf("%d functions: %v", len(all), all)
	}
}

// rounded takes sums for the same that differ by the order in which they were added.
var rounded = cmp.Comparer(func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 })

// TestReadCostsOfNothing: a tunic that had nothing to do has a profile, and no shares of it.
func TestReadCostsOfNothing(t *testing.T) {
	got, err := ReadCosts(writtenProfile(t, "cpu", map[string]int64{"main": 0}))
	if diff := cmp.Diff([]FunctionCost{{Function: "main"}}, got.topFlat(1)); err != nil || diff != "" {
		t.Errorf("%v, %s", err, diff)
	}
}

// TestReadCostsRefuses what is no profile, or of something else than processor time.
func TestReadCostsRefuses(t *testing.T) {
	for name, content := range map[string][]byte{
		"nothing": nil,
		"a page":  []byte("<html></html>"),
		"waiting": writtenProfile(t, "delay", map[string]int64{"main": 1}),
		"half":    writtenProfile(t, "cpu", map[string]int64{"main": 1})[:20],
	} {
		if got, err := ReadCosts(content); err == nil {
			t.Errorf("%s passes: %+v", name, got)
		}
	}
}
