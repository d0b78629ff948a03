package difftest

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/canarytest"
)

var sessionMinutes = flag.Float64("minutes", 10, "how long sessions are fuzzed if TUNIC_LONG is set")

// unfit are scripts that are left out: they wait for other sessions, kill them, leave what outlasts a
// session, as XA does, or change what all sessions share.
var unfit = []string{
	"kill", "locks", "immediatelock", "users", "user", "grants", "grantmatrix", "grantmoved", "ledger", "manychanges", "big",
	"xa", "phases", "commands", "variables", "show", "ddl", "loaddata",
}

// fuzzable are the scripts of both corpora that sessions are made of.
func fuzzable(t *testing.T, flavor string) []*Script {
	t.Helper()
	return slices.DeleteFunc(slices.Concat(protectedCorpus(t), corpus(t)), func(s *Script) bool {
		return slices.Contains(unfit, s.Name) || s.Flavor != "" && s.Flavor != flavor || len(s.Configs) > 0
	})
}

// defects takes what tunic has logged, and returns the lines that tell of a panic.
func defects(log *canarytest.Log) (lines []string) {
	for line := range strings.Lines(log.Take()) {
		if strings.Contains(line, "defect of tunic") || strings.Contains(line, "panic") {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestSessionFuzz sends changed statements of the corpora through tunic and to a plain server. A
// short run does one script in six under one policy, and fails by what ends, hangs or confuses a
// session. With TUNIC_LONG it goes on for -minutes, under all policies, and fails by every other answer.
func TestSessionFuzz(t *testing.T) {
	long := os.Getenv("TUNIC_LONG") != ""
	first, _ := seeds()
	until := time.Now().Add(time.Duration(*sessionMinutes * float64(time.Minute)))
	for _, flavor := range flavors {
		t.Run(flavor, func(t *testing.T) {
			t.Parallel()
			pair, z := startPair(t, flavor), &sessionFuzz{kinds: map[string]int{}, until: until}
			if !long {
				z.until, z.only = time.Now().Add(time.Hour), 6
			}
			for round := uint64(0); round == 0 || long && z.whole && time.Now().Before(until); round++ {
				policy := Policies[(uint64(len(Policies))-2+round)%uint64(len(Policies))]
				z.whole = false
				t.Run(policy.Name, func(t *testing.T) { z.round(t, flavor, pair, policy, first+round) })
			}
			t.Logf("%d sessions, %d statements; findings: %v", z.sessions, z.statements, z.kinds)
		})
	}
}

// sessionFuzz is what the sessions of a server have found.
type sessionFuzz struct {
	kinds                map[string]int
	until                time.Time
	only                 int // one script in so many; 0: all
	sessions, statements int
	whole                bool   // the round went to its end
	last                 string // the session before
}

// round runs every script once, changed as the seed says.
func (z *sessionFuzz) round(t *testing.T, flavor string, pair *pair, policy *Policy, seed uint64) {
	t.Helper()
	t.Logf("again: TUNIC_LONG=1 go test ./internal/difftest -run 'TestSessionFuzz/%s' -seed %d", flavor, seed)
	log := new(canarytest.Log)
	r := &Runner{Flavor: flavor, Direct: pair.direct(0), Pins: knownDifferences(t), Protected: &Protected{Policy: policy, Refusals: Allowance{}}}
	r.Proxied = protecting(t, pair.servers[1], policy, sandbox.TunicOptions{Log: log})
	r.report = &Report{}
	if err := r.greetings(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, script := range fuzzable(t, flavor) {
		if time.Now().After(z.until) {
			break
		}
		if z.only == 0 || i%z.only == 0 {
			config := findConfig(fuzzedWays[(uint64(i)+seed)%uint64(len(fuzzedWays))])
			z.session(t, r, mutated(script, seed), config, log)
		}
	}
	z.whole = true
}

// fuzzedWays are the configurations that sessions are fuzzed in.
var fuzzedWays = []string{"text", "prepared", "text-eof", "prepared-eof"}

func (z *sessionFuzz) session(t *testing.T, r *Runner, script *Script, config *Config, log *canarytest.Log) {
	t.Helper()
	found, err := r.fuzzed(t.Context(), script, config)
	if err != nil && revived(t, r) {
		t.Logf("a server has ended itself after %s", z.last)
		found, err = r.fuzzed(t.Context(), script, config)
	}
	z.last = script.Name + " under " + config.Name
	if err != nil {
		t.Fatalf("severe: %s under %s: the database cannot be made anew: %v\n%s", script.Name, config.Name, err, strings.Join(defects(log), ""))
	}
	z.sessions++
	z.statements += r.report.Statements
	logged := defects(log)
	severe := false
	for _, f := range found {
		severe = severe || f.Weight == Severe
		z.tell(t, r, script, config, f, logged)
	}
	if len(logged) > 0 && !severe {
		t.Errorf("severe: %s under %s: tunic's log has\n%s", script.Name, config.Name, strings.Join(logged, ""))
	}
	log.Take() // what shrinking has logged
}

// revived starts the servers that have ended by a fault of their own; false if none has.
func revived(t *testing.T, r *Runner) (any bool) {
	t.Helper()
	for _, peer := range []Peer{r.Direct, r.Proxied} {
		select {
		case <-peer.Server.Done():
			if err := peer.Server.Restart(t.Context()); err != nil {
				t.Fatal(err)
			}
			any = true
		default:
		}
	}
	return any
}

// Of findings that are alike so many are told; the rest is counted.
const toldOfAKind = 3

func (z *sessionFuzz) tell(t *testing.T, r *Runner, script *Script, config *Config, f Finding, logged []string) {
	t.Helper()
	kind := f.Weight.String() + ": " + f.Kind
	if z.kinds[kind]++; f.Weight != Severe && z.kinds[kind] > toldOfAKind {
		return
	}
	if f.Weight == Severe || f.Weight == Wrong && z.only == 0 {
		t.Errorf("%s: %s\n%s", kind, f.Failure, strings.Join(logged, ""))
	} else {
		t.Logf("%s: %s", kind, f.Failure)
	}
	if f.Weight != Slight && f.Kind != "no answer in time" {
		t.Logf("%s shrinks to\n%s", script.Name, scriptText(r.smallest(t.Context(), script, config, f, 15*time.Second)))
	}
}

// TestJudge shows that the fuzz of sessions notices what it is there for.
func TestJudge(t *testing.T) {
	answer := func(affected int) []Reply {
		var result Result
		result.set("affected", affected)
		return []Reply{{Label: "query", Results: []Result{result}}}
	}
	failed := []Reply{{Label: "query", Results: []Result{{ErrNumber: 1064}}}}
	broken := func(how string) []Reply { return []Reply{{Label: "query", Broken: how}} }
	for _, c := range []struct {
		name            string
		direct, proxied []Reply
		weight          Weight
		found           bool
	}{
		{"the same", answer(1), answer(1), Slight, false},
		{"the same error", failed, failed, Slight, false},
		{"another answer", answer(1), answer(2), Wrong, true},
		{"an error for an answer", answer(1), failed, Wrong, true},
		{"an answer for an error", failed, answer(1), Slight, true},
		{"a session lost", failed, broken(closed), Severe, true},
		{"a hang", answer(1), broken("no answer in time"), Severe, true},
		{"a malformed packet", answer(1), broken("row 0: too short"), Severe, true},
		{"an end on both sides", broken(closed), broken(closed), Slight, false},
	} {
		found, _ := judge(c.direct, c.proxied)
		if len(found) > 0 != c.found || c.found && found[0].Weight != c.weight {
			t.Errorf("%s: %v", c.name, found)
		}
	}
}
