package meter

import (
	"cmp"
	"errors"
	"slices"

	"github.com/google/pprof/profile"
)

// FunctionCost is a function's share of all processor time.
type FunctionCost struct {
	Function string  `json:"function"`
	Flat     float64 `json:"flat"`       // in itself
	Total    float64 `json:"cumulative"` // in itself and in what it has called
}

// Costs is where processor time went.
type Costs struct {
	Seconds   float64        // that were sampled
	functions []FunctionCost // in no order
}

// InFile is what a document says of a profile that is in the file.
func (c Costs) InFile(name string) *CPUProfile {
	return &CPUProfile{File: name, Seconds: c.Seconds, Flat: c.topFlat(profileTop), Total: c.topTotal(profileTop)}
}

// ReadCosts adds up a profile as /debug/pprof/profile answers it.
func ReadCosts(content []byte) (Costs, error) {
	p, err := profile.ParseData(content)
	if err != nil {
		return Costs{}, err
	}
	last := len(p.SampleType) - 1 // of a CPU profile the time, behind the number of samples
	if last < 0 || p.SampleType[last].Type != "cpu" || p.SampleType[last].Unit != "nanoseconds" {
		return Costs{}, errors.New("not a profile of processor time")
	}
	costs := Costs{}
	spent := map[string]*FunctionCost{}
	for _, s := range p.Sample {
		seconds := float64(s.Value[last]) / 1e9
		costs.Seconds += seconds
		addSample(spent, s, seconds)
	}
	for _, c := range spent {
		c.Flat, c.Total = part(c.Flat, costs.Seconds), part(c.Total, costs.Seconds)
		costs.functions = append(costs.functions, *c)
	}
	return costs, nil
}

// addSample adds a stack, whose end is first. A function that has called itself counts once.
func addSample(spent map[string]*FunctionCost, s *profile.Sample, seconds float64) {
	seen := map[string]bool{}
	for _, name := range namesOf(s) {
		if spent[name] == nil {
			spent[name] = &FunctionCost{Function: name}
		}
		if len(seen) == 0 {
			spent[name].Flat += seconds
		}
		if !seen[name] {
			spent[name].Total += seconds
		}
		seen[name] = true
	}
}

// namesOf are the functions of a stack. A location has several where calls are inlined, and
// none where the runtime knows no function.
func namesOf(s *profile.Sample) (names []string) {
	for _, location := range s.Location {
		for _, line := range location.Line {
			if line.Function != nil {
				names = append(names, line.Function.Name)
			}
		}
	}
	return names
}

// part is a share of all, and 0 of nothing.
func part(of, all float64) float64 {
	if all == 0 {
		return 0
	}
	return of / all
}

// topFlat are the functions in which most was spent.
func (c Costs) topFlat(n int) []FunctionCost {
	return c.top(n, func(f FunctionCost) float64 { return f.Flat })
}

// topTotal are those in which, or below which, most was.
func (c Costs) topTotal(n int) []FunctionCost {
	return c.top(n, func(f FunctionCost) float64 { return f.Total })
}

// top are the first n by a share, by name where it is the same.
func (c Costs) top(n int, share func(FunctionCost) float64) []FunctionCost {
	all := slices.SortedFunc(slices.Values(c.functions), func(a, b FunctionCost) int {
		return cmp.Or(cmp.Compare(share(b), share(a)), cmp.Compare(a.Function, b.Function))
	})
	return all[:min(n, len(all))]
}
