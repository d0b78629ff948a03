package difftest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"tunic/internal/sandbox"
)

var (
	rewrite      = flag.Bool("rewrite", false, "write testdata/refusals.txt as the run counts them")
	onlyPolicies = flag.String("policies", "", "comma-separated policies to run protected tables under; all if empty")
	listRefusals = flag.Bool("refusals", false, "log every statement that is refused")
)

// protectedCorpus are the scripts over tables that a policy protects.
func protectedCorpus(t *testing.T) []*Script {
	t.Helper()
	return some(t, filepath.Join("testdata", "protected"))
}

// TestProtectedCorpusOnPlainServers shows that the corpus keeps its promises, and that
// two equal servers answer all of it alike: what differs through tunic is tunic's.
func TestProtectedCorpusOnPlainServers(t *testing.T) {
	if testing.Short() {
		t.Skip("-short; tunic has no part in it")
	}
	for _, flavor := range flavors {
		t.Run(flavor, func(t *testing.T) {
			t.Parallel()
			p := startPair(t, flavor)
			r := &Runner{Flavor: flavor, Direct: p.direct(0), Proxied: p.direct(1)}
			check(t, run(t, r, normalised(protectedCorpus(t), "index-use"), configs(t, plainWays("text", "prepared")...)))
		})
	}
}

// normalised has a rule hold for all statements of scripts.
func normalised(scripts []*Script, rule string) []*Script {
	for _, script := range scripts {
		for i := range script.Steps {
			script.Steps[i].Rules = append(script.Steps[i].Rules, rule)
		}
	}
	return scripts
}

// everyWay is how protected tables are used when there is time for all of it. Cursors
// are left out, and metadata that a client may remember: tunic opens no cursor over
// rows that it finishes itself, and decides by itself when to send metadata anew.
var everyWay = []string{"text", "prepared", "prepared-eof", "text-eof", "found-rows", "zlib", "attributes-prepared"}

// twoWays is how they are used otherwise.
var twoWays = []string{"text", "prepared"}

func ways(t *testing.T) []*Config {
	t.Helper()
	switch {
	case *onlyConfigs != "":
		return named(t, strings.Split(*onlyConfigs, ","))
	case *everything:
		return named(t, everyWay)
	case testing.Short():
		return named(t, twoWays[:1])
	}
	return named(t, twoWays)
}

// policies are the ones to run.
func policies() []*Policy {
	switch {
	case *onlyPolicies == "" && testing.Short():
		return []*Policy{findPolicy("order")}
	case *onlyPolicies == "":
		return Policies
	}
	return slices.DeleteFunc(slices.Clone(Policies), func(p *Policy) bool {
		return !slices.Contains(strings.Split(*onlyPolicies, ","), p.Name)
	})
}

// protecting starts tunic before the server, with a policy and a key of its own. It does not say
// what layers tell: a plain server has no such notes.
func protecting(t *testing.T, s *sandbox.Server, p *Policy, more sandbox.TunicOptions) Peer {
	t.Helper()
	forget(t, s)
	settings := filepath.Join(t.TempDir(), "tunic.toml")
	if err := os.WriteFile(settings, []byte(p.Settings), 0o600); err != nil {
		t.Fatal(err)
	}
	more.Backend, more.Protect = s.Addr, p != plainly
	more.Args = append(more.Args, "--config", settings, "--policy-keys", "allow")
	if more.Log == nil {
		more.Log = serverLog("tunic-"+p.Name, 0)
	}
	tunic, err := sandbox.StartTunic(t.Context(), more)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tunic.Stop(); err != nil {
			t.Error(err)
		}
	})
	return Peer{Target: Target{Name: "tunic", Addr: tunic.Addr}, Server: s}
}

// forget makes the server one that has never known a tunic.
func forget(t *testing.T, s *sandbox.Server) {
	t.Helper()
	err := s.Exec(t.Context(), "SET foreign_key_checks = 0", "DROP DATABASE IF EXISTS _tunic",
		"DROP DATABASE IF EXISTS "+Database, "DROP DATABASE IF EXISTS "+Database+"_second", "DROP DATABASE IF EXISTS vaults")
	if err != nil {
		t.Fatal(err)
	}
}

// allowance is testdata/refusals.txt, shared by the flavors that run at a time.
var allowance struct {
	sync.Mutex
	Allowance
}

const allowanceFile = "testdata/refusals.txt"

// TestProtected is the oracle for protected tables: under each policy, the corpus
// through tunic and on a plain server. What tunic refuses is counted, and held
// against testdata/refusals.txt.
func TestProtected(t *testing.T) {
	var err error
	if allowance.Allowance, err = LoadAllowance(allowanceFile); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if *rewrite {
			if err := os.WriteFile(allowanceFile, []byte(allowance.String()), 0o644); err != nil {
				t.Error(err)
			}
		}
	})
	for _, flavor := range flavors {
		t.Run(flavor, func(t *testing.T) {
			t.Parallel()
			pair, pins := startPair(t, flavor), knownDifferences(t)
			for _, policy := range policies() {
				t.Run(policy.Name, func(t *testing.T) { underPolicy(t, flavor, pair, policy, pins) })
			}
			for _, pin := range staleOfCorpus(pins, flavor) {
				t.Errorf("%s:%d: the difference is gone: %s", pins.File, pin.Line, pin.Reason)
			}
		})
	}
}

// staleOfCorpus are the pins that the corpus should have matched and has not. Those
// of random workloads and canaries are matched elsewhere.
func staleOfCorpus(pins *Pins, flavor string) []*Pin {
	if *onlyPolicies != "" || !*everything { // not all have had the occasion
		return nil
	}
	return slices.DeleteFunc(stale(pins, flavor), func(p *Pin) bool {
		return strings.HasPrefix(p.Step, "seed-") || strings.HasPrefix(p.Step, "canary/") || strings.HasPrefix(p.Reason, "at times: ")
	})
}

func underPolicy(t *testing.T, flavor string, pair *pair, policy *Policy, pins *Pins) {
	t.Helper()
	proxied := protecting(t, pair.servers[1], policy, sandbox.TunicOptions{})
	for way, config := range ways(t) {
		t.Run(config.Name, func(t *testing.T) {
			if config.Flavor != "" && config.Flavor != flavor {
				t.Skipf("%s is for %s", config.Name, config.Flavor)
			}
			counted := &Protected{Policy: policy, Refusals: Allowance{}}
			r := &Runner{Flavor: flavor, Direct: pair.direct(0), Proxied: proxied, Pins: pins, Protected: counted}
			check(t, run(t, r, inTurn(protectedCorpus(t), policy, way), []*Config{config}))
			holdAgainst(t, counted, flavor, config.Name)
		})
	}
}

// inTurn are the scripts that run under a policy in one of two ways: each script goes the other
// way under the next policy, so that it is used in both, and under one of the two policies
// between sealed and order. Where all is asked for, or one way, each goes both ways under each
// policy.
func inTurn(scripts []*Script, policy *Policy, way int) (some []*Script) {
	if *everything || testing.Short() || *onlyConfigs != "" || *onlyScripts != "" || *rewrite {
		return scripts
	}
	between := slices.Index([]string{"equality", "mixed"}, policy.Name)
	for i, s := range scripts {
		if between >= 0 && (i/len(twoWays)+between)%2 != 0 {
			continue
		}
		if (i+slices.Index(Policies, policy)+way)%len(twoWays) == 0 {
			some = append(some, s)
		}
	}
	return some
}

// knownDifferences are the pins of protected tables.
func knownDifferences(t *testing.T) *Pins {
	t.Helper()
	pins, err := LoadPins(filepath.Join("testdata", "pins-protected.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return pins
}

// holdAgainst compares the refusals of a run with those allowed.
func holdAgainst(t *testing.T, p *Protected, flavor, config string) {
	t.Helper()
	if *listRefusals {
		t.Log("refused:\n" + strings.Join(p.Refused, "\n"))
	}
	if *onlyScripts != "" {
		return
	}
	allowance.Lock()
	defer allowance.Unlock()
	if *rewrite {
		for _, line := range allowance.Exceeded(p.Refusals) {
			fmt.Println("more refusals than before:", line)
		}
		allowance.Replace(p.Refusals, flavor, p.Policy.Name, config)
		return
	}
	for _, line := range allowance.Exceeded(p.Refusals) {
		t.Errorf("more refusals than testdata/refusals.txt allows: %s", line)
	}
	if !*everything { // then not all of them have had the occasion
		return
	}
	for _, line := range allowance.Unused(p.Refusals, flavor, p.Policy.Name, config) {
		t.Errorf("fewer refusals than testdata/refusals.txt allows, write it anew with -rewrite: %s", line)
	}
}
