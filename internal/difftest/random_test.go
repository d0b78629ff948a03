package difftest

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"tunic/internal/difftest/generate"
	"tunic/internal/sandbox"
)

var (
	firstSeed = flag.Uint64("seed", 1, "the first seed of random workloads; 0 draws one")
	seedCount = flag.Int("seeds", 0, "how many seeds; 0 for as many as there is time for")
	onlyShape = flag.String("shape", "", "the shape of random workloads: table or tables; both if empty")
)

// A seed makes a workload of each shape, which runs in one way (text or prepared)
// under each policy.
const (
	workloadStatements = 125
	seedsOfTest        = 8  // 12,000 statements a server, under six policies
	seedsOfLong        = 67 // 100,500
	shrinksMax         = 2  // workloads of a policy whose failure is shrunk, which takes its time
)

// refusedMax is how many of a hundred random statements tunic may refuse under a
// policy: of a generator most of whose statements are refused what is left tells
// too little.
const (
	refusedMax       = 12
	refusedMaxNarrow = 25
)

func seeds() (first uint64, count int) {
	first, count = *firstSeed, *seedCount
	if first == 0 {
		first = uint64(time.Now().UnixNano())
	}
	if count == 0 {
		count = seedsOfTest
		if *everything {
			count = seedsOfLong
		}
		if testing.Short() {
			count = 2
		}
	}
	return first, count
}

// TestRandomWorkloads runs random statements over random tables through tunic and on
// a plain server. Each workload runs under every policy: since each is held against
// the same plain answers, the answers under any two policies are the same. One of them
// has a budget that most statements keep to and some do not: those are refused.
func TestRandomWorkloads(t *testing.T) {
	first, count := seeds()
	fmt.Printf("random workloads: go test ./internal/difftest -run TestRandomWorkloads -seed %d -seeds %d\n", first, count)
	for _, flavor := range flavors {
		t.Run(flavor, func(t *testing.T) {
			t.Parallel()
			pair := startPair(t, flavor)
			for _, policy := range randomPolicies() {
				t.Run(policy.Name, func(t *testing.T) {
					proxied := protecting(t, pair.servers[1], policy, sandbox.TunicOptions{})
					r := &Runner{Flavor: flavor, Direct: pair.direct(0), Proxied: proxied, Pins: knownDifferences(t)}
					randomWorkloads(t, r, policy, first, count)
				})
			}
		})
	}
}

// randomPolicies are the ones for random workloads: those of the corpus and two more.
func randomPolicies() []*Policy {
	all := slices.Concat(Policies, []*Policy{few, narrow})
	if *onlyPolicies == "" {
		if testing.Short() {
			return []*Policy{findPolicy("order")}
		}
		return all
	}
	return slices.DeleteFunc(all, func(p *Policy) bool {
		return !slices.Contains(strings.Split(*onlyPolicies, ","), p.Name)
	})
}

func randomWorkloads(t *testing.T, r *Runner, policy *Policy, first uint64, count int) {
	t.Helper()
	total := &Protected{Policy: policy, Refusals: Allowance{}}
	statements, shrinks := 0, 0
	for seed := first; seed < first+uint64(count); seed++ {
		config := findConfig(twoWays[seed%uint64(len(twoWays))])
		for _, script := range scriptsOf(t, seed) {
			r.Protected = total
			report := run(t, r, []*Script{script}, []*Config{config})
			statements += report.Statements
			if len(report.Failures) == 0 {
				continue
			}
			t.Errorf("%s, policy %s: %s", script.Name, policy.Name, report.Failures[0])
			if shrinks++; shrinks <= shrinksMax {
				t.Logf("%s shrinks to\n%s", script.Name, listing(r.shrunk(t.Context(), script, config, report.Failures[0])))
			}
		}
	}
	holdRefusals(t, total, statements)
}

// scriptsOf are the scripts that a seed makes.
func scriptsOf(t *testing.T, seed uint64) (scripts []*Script) {
	t.Helper()
	for _, shape := range generate.Shapes {
		if *onlyShape != "" && *onlyShape != shape.Name {
			continue
		}
		script, err := workloadScript(generate.New(seed, shape, workloadStatements))
		if err != nil {
			t.Fatal(err)
		}
		scripts = append(scripts, script)
	}
	return scripts
}

// holdRefusals tells what was refused, and fails if it is much.
func holdRefusals(t *testing.T, total *Protected, statements int) {
	t.Helper()
	refused, most := total.Refusals.sum(), refusedMax
	if total.Policy == narrow {
		most = refusedMaxNarrow
	}
	t.Logf("%d statements, %d refused (%.1f %%):\n%s", statements, refused, 100*float64(refused)/float64(statements), strings.Join(summed(total.Refusals), "\n"))
	if *listRefusals {
		t.Log("refused:\n" + strings.Join(total.Refused, "\n"))
	}
	if statements >= workloadStatements*seedsOfTest && 100*refused > most*statements {
		t.Errorf("%d of %d statements were refused, more than %d %%: what is left tells too little", refused, statements, most)
	}
}

func (a Allowance) sum() (n int) {
	for _, count := range a {
		n += count
	}
	return n
}

// summed are the refusals by code and kind.
func summed(a Allowance) (lines []string) {
	counts := map[string]int{}
	for r, n := range a {
		counts[r.Code+" "+r.Kind] += n
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		lines = append(lines, fmt.Sprintf("%s: %d", name, counts[name]))
	}
	return lines
}

// TestRandomWorkloadsOnPlainServers shows that workloads have one right answer: two
// equal servers agree about all of it.
func TestRandomWorkloadsOnPlainServers(t *testing.T) {
	first, count := seeds()
	for _, flavor := range flavors {
		t.Run(flavor, func(t *testing.T) {
			t.Parallel()
			p := startPair(t, flavor)
			r := &Runner{Flavor: flavor, Direct: p.direct(0), Proxied: p.direct(1)}
			var scripts []*Script
			for seed := first; seed < first+uint64(count); seed++ {
				scripts = append(scripts, scriptsOf(t, seed)...)
			}
			check(t, run(t, r, scripts, configs(t, "text")))
		})
	}
}
