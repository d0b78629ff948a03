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
)

const (
	workloadStatements = 125
	seedsOfTest        = 20 // 10,000 statements a server, under four policies
	seedsOfAll         = 160
	shrinksMax         = 2 // workloads of a policy whose failure is shrunk, which takes its time
)

func seeds() (first uint64, count int) {
	first, count = *firstSeed, *seedCount
	if first == 0 {
		first = uint64(time.Now().UnixNano())
	}
	if count == 0 {
		count = seedsOfTest
		if *everything {
			count = seedsOfAll
		}
		if testing.Short() {
			count = 2
		}
	}
	return first, count
}

// TestRandomWorkloads runs random statements over random tables through tunic and on
// a plain server. Each workload runs under every policy: since each is held against
// the same plain answers, the answers under any two policies are the same.
func TestRandomWorkloads(t *testing.T) {
	first, count := seeds()
	fmt.Printf("random workloads: go test ./internal/difftest -run TestRandomWorkloads -seed %d -seeds %d\n", first, count)
	for _, flavor := range flavors {
		t.Run(flavor, func(t *testing.T) {
			t.Parallel()
			pair := startPair(t, flavor)
			for _, policy := range policies() {
				t.Run(policy.Name, func(t *testing.T) {
					proxied := protecting(t, pair.servers[1], policy, sandbox.TunicOptions{})
					r := &Runner{Flavor: flavor, Direct: pair.direct(0), Proxied: proxied, Pins: knownDifferences(t)}
					randomWorkloads(t, r, policy, first, count)
				})
			}
		})
	}
}

func randomWorkloads(t *testing.T, r *Runner, policy *Policy, first uint64, count int) {
	t.Helper()
	total := &Protected{Policy: policy, Refusals: Allowance{}}
	statements, shrinks := 0, 0
	for seed := first; seed < first+uint64(count); seed++ {
		script, err := workloadScript(generate.New(seed, workloadStatements))
		if err != nil {
			t.Fatal(err)
		}
		config := findConfig(twoWays[seed%uint64(len(twoWays))])
		r.Protected = total
		report := run(t, r, []*Script{script}, []*Config{config})
		statements += report.Statements
		if len(report.Failures) == 0 {
			continue
		}
		t.Errorf("seed %d, policy %s: %s", seed, policy.Name, report.Failures[0])
		if shrinks++; shrinks <= shrinksMax {
			t.Logf("seed %d shrinks to\n%s", seed, listing(r.shrunk(t.Context(), script, config, report.Failures[0].Step)))
		}
	}
	refused := summed(total.Refusals)
	t.Logf("%d statements, refused:\n%s", statements, strings.Join(refused, "\n"))
	if n := total.Refusals.sum(); n > statements/2 {
		t.Errorf("%d of %d statements were refused: what is left tells too little", n, statements)
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
				script, err := workloadScript(generate.New(seed, workloadStatements))
				if err != nil {
					t.Fatal(err)
				}
				scripts = append(scripts, script)
			}
			check(t, run(t, r, scripts, configs(t, "text")))
		})
	}
}
