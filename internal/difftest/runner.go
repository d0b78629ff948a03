package difftest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"tunic/internal/sandbox"
	"tunic/internal/wire"
)

// The database every script starts with, empty, and the account it uses.
const (
	Database    = "difftest"
	appUser     = sandbox.AppUser
	appPassword = sandbox.AppPassword
)

// failuresMax is how many steps of a script may fail under one configuration
// before the rest of it is left out: what follows a divergence tells nothing new.
const failuresMax = 10

// sampled: a configuration that is only sampled runs one script in so many.
const sampled = 3

// Peer is one of the two servers with what stands before it.
type Peer struct {
	Target Target          // what the clients of this side connect to
	Server *sandbox.Server // the server behind it, to prepare and to look into
}

// Runner compares two peers.
type Runner struct {
	Flavor  string // "mariadb" or "mysql"
	Direct  Peer
	Proxied Peer
	Pins    *Pins // nil: nothing is tolerated
	// Protected is set where Proxied protects tables.
	Protected *Protected

	offered [2]wire.Capability
	report  *Report
}

// Run runs the scripts under the configurations and reports. An error means that
// the comparison itself could not be done.
func (r *Runner) Run(ctx context.Context, scripts []*Script, configs []*Config) (*Report, error) {
	r.report = &Report{Flavor: r.Flavor, Server: r.Direct.Server.Version, Distinct: len(distinct(scripts, r.Flavor))}
	began := time.Now()
	if err := r.greetings(ctx); err != nil {
		return nil, err
	}
	for i, config := range configs {
		if config.Flavor != "" && config.Flavor != r.Flavor || !r.canRun(config) {
			continue
		}
		r.report.Configs++
		for j, script := range scripts {
			if config.Sample && (i+j)%sampled != 0 || !script.runs(r.Flavor, config) {
				continue
			}
			if err := r.script(ctx, script, config); err != nil {
				return nil, fmt.Errorf("%s under %s: %w", script.Name, config.Name, err)
			}
		}
	}
	r.report.Took = time.Since(began)
	return r.report, nil
}

// runs reports whether the script is meant for the server and the configuration.
func (s *Script) runs(flavor string, config *Config) bool {
	if s.Flavor != "" && s.Flavor != flavor {
		return false
	}
	for _, name := range s.Configs {
		if name == config.Name {
			return true
		}
	}
	return len(s.Configs) == 0
}

// greetings compares what the two sides offer before anyone has logged in.
func (r *Runner) greetings(ctx context.Context) error {
	var replies [2][]Reply
	for i, t := range []Target{r.Direct.Target, r.Proxied.Target} {
		greeting, err := Offer(ctx, t.Addr)
		if err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
		r.offered[i] = greeting.Capabilities
		replies[i] = []Reply{greetingReply(greeting)}
	}
	step := &Step{File: "greeting", Name: "greeting"}
	differences, count := Compare(replies[0], replies[1], true)
	r.report.Comparisons += count
	r.note("greeting", &Config{Name: "any"}, step, differences)
	return nil
}

// greetingReply makes the greeting comparable. The connection number and the
// challenge are each connection's own.
func greetingReply(g wire.Handshake) Reply {
	var result Result
	result.setText("version", g.Version)
	result.set("charset", g.Charset)
	result.set("status", showStatus(g.Status))
	result.setText("plugin", g.Plugin)
	result.set("challenge-bytes", len(g.Challenge))
	for bit := range 64 {
		flag := wire.Capability(1) << bit
		if name := flag.String(); name != "" {
			result.set("offers."+name, g.Capabilities.Has(flag))
		}
	}
	return Reply{Label: "greeting", Results: []Result{result}}
}

// canRun reports whether both sides offer what the configuration is about. What
// only tunic lacks is a difference of the greeting, to be pinned there.
func (r *Runner) canRun(c *Config) bool {
	missing := c.wants() &^ (r.offered[0] & r.offered[1])
	if missing == 0 {
		return true
	}
	r.report.NotRun = append(r.report.NotRun, fmt.Sprintf("%s: not offered by both: %s", c.Name, missing))
	return false
}

// script runs a script on both sides, from an empty database to its last step,
// and compares what it leaves behind.
func (r *Runner) script(ctx context.Context, script *Script, config *Config) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	caps := config.agreed(r.offered[0] & r.offered[1])
	pair := [2]*side{newSide(r.Direct.Target, config, caps), newSide(r.Proxied.Target, config, caps)}
	defer pair[0].close()
	defer pair[1].close()
	failed := 0
	for i := range script.Steps {
		step := &script.Steps[i]
		if !step.runsOn(r.Flavor) {
			continue
		}
		if step.Kind == StepAwait {
			if err := r.await(ctx, script, step); err != nil {
				return err
			}
			continue
		}
		if !r.step(ctx, script, config, step, pair) {
			if failed++; failed == failuresMax {
				r.report.Abandoned = append(r.report.Abandoned, script.Name+" under "+config.Name)
				return nil
			}
		}
	}
	r.remains(ctx, script, config, pair)
	return nil
}

// begin makes the database of both sides empty.
func (r *Runner) begin(ctx context.Context) error {
	if r.Protected == nil {
		return r.eachServer(func(s *sandbox.Server) error { return s.Exec(ctx, fresh...) })
	}
	r.Protected.begin()
	if r.Protected.Accounts {
		if err := r.eachServer(func(s *sandbox.Server) error { return s.Exec(ctx, accounts...) }); err != nil {
			return err
		}
	}
	return errors.Join(refreshed(ctx, r.Direct.Target), refreshed(ctx, r.Proxied.Target))
}

// fresh makes the database empty and takes back what scripts do outside of it.
var fresh = slices.Concat([]string{
	"SET SESSION lock_wait_timeout = 30",
	"DROP DATABASE IF EXISTS " + Database + "_second",
	"DROP DATABASE IF EXISTS " + Database,
	"CREATE DATABASE " + Database + " CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci",
}, accounts)

// accounts makes the accounts of the corpus, and drops those that scripts make.
var accounts = []string{
	"DROP USER IF EXISTS 'difftest_u'@'%', 'difftest_v'@'%'",
	"DROP ROLE IF EXISTS difftest_r",
	"CREATE USER IF NOT EXISTS 'reader'@'%' IDENTIFIED BY 'reader'",
	"GRANT SELECT ON " + Database + ".* TO 'reader'@'%'",
}

func (r *Runner) eachServer(do func(*sandbox.Server) error) error {
	for _, p := range []Peer{r.Direct, r.Proxied} {
		if err := do(p.Server); err != nil {
			return fmt.Errorf("%s: %w", p.Target.Name, err)
		}
	}
	return nil
}

// step runs a step on both sides at the same time and compares. It reports
// whether all is as it should be.
func (r *Runner) step(ctx context.Context, script *Script, config *Config, step *Step, pair [2]*side) bool {
	replies, answered := r.replies(ctx, config, step, pair)
	r.report.Statements++
	if !answered {
		return true
	}
	ok := true
	if problem := r.promised(config, step, replies[0]); problem != "" {
		r.report.fail(Failure{Config: config.Name, Step: step, Problem: problem})
		ok = false
	}
	replies[0] = r.mask(step, replies[0])
	replies[1] = r.mask(step, replies[1])
	if r.Protected != nil {
		r.tolerateLeftOut(replies[0], replies[1])
	}
	differences, count := Compare(replies[0], replies[1], step.Ordered)
	r.report.Comparisons += count
	if r.Protected == nil && refused(replies[1]) {
		r.report.Refusals++
	}
	return r.note(script.Name, config, step, differences) && ok
}

// mask applies the rules that hold for the step.
func (r *Runner) mask(step *Step, replies []Reply) []Reply {
	for _, rule := range Rules {
		if rule.holds(step, r.Flavor, r.Protected != nil) {
			replies = rule.apply(replies)
		}
	}
	return replies
}

// replies runs the step on both sides; ok is false where tunic has refused it.
func (r *Runner) replies(ctx context.Context, config *Config, step *Step, pair [2]*side) (replies [2][]Reply, ok bool) {
	if r.Protected != nil && !step.Background && step.Kind != StepReap {
		return r.throughFirst(ctx, step, config, pair)
	}
	return both(ctx, pair, step), true
}

func both(ctx context.Context, pair [2]*side, step *Step) (replies [2][]Reply) {
	var wait sync.WaitGroup
	for i, s := range pair {
		wait.Go(func() { replies[i] = s.step(ctx, step) })
	}
	wait.Wait()
	return replies
}

// note sorts differences into tolerated ones and failures.
func (r *Runner) note(script string, config *Config, step *Step, differences []Difference) bool {
	var left []Difference
	for _, d := range differences {
		if r.Pins != nil && r.Pins.Match(r.Flavor, config.Name, script+"/"+step.Name, d.Field) != nil {
			r.report.Tolerated++
			continue
		}
		left = append(left, d)
	}
	if len(left) == 0 {
		return true
	}
	r.report.fail(Failure{Config: config.Name, Step: step, Differences: left})
	return false
}

// unexpected says what the corpus promised and the plain server did not keep.
func (r *Runner) unexpected(config *Config, step *Step, replies []Reply) string {
	if config.Loose || step.Open || step.Background || len(replies) == 0 {
		return ""
	}
	want := step.expectedError(r.Flavor)
	if step.Multi && !config.Caps.Has(wire.ClientMultiStatements) {
		want = errSyntax
	}
	got, broken := outcome(replies)
	switch {
	case step.mayDie(r.Flavor):
		if broken == "" && got == 0 {
			return "corpus: the connection was to end with this step, and did not"
		}
		return ""
	case broken != "":
		return "corpus: the connection ended on the plain server: " + broken
	case got != want:
		return fmt.Sprintf("corpus: expected error %d, the plain server's is %d", want, got)
	}
	return ""
}

// errSyntax is ER_PARSE_ERROR.
const errSyntax = 1064

// outcome is the error of the step's last execution, and how its connection
// ended. An error of the first tries to prepare what cannot be prepared, and
// SHOW WARNINGS, do not count.
func outcome(replies []Reply) (number uint16, broken string) {
	for _, reply := range replies {
		if reply.Broken != "" {
			broken = reply.Broken
		}
		if reply.Label == "warnings" || strings.HasPrefix(reply.Label, "close") {
			continue
		}
		number = reply.failed()
	}
	return number, broken
}

// refused reports whether one of the replies is a refusal of tunic's own.
func refused(replies []Reply) bool {
	for _, reply := range replies {
		for _, result := range reply.Results {
			if result.ErrNumber != 0 && strings.Contains(result.field("error.message"), "TUNIC-") {
				return true
			}
		}
	}
	return false
}

// awaitLimit is how long a background statement may take to begin.
const awaitLimit = 20 * time.Second

// await waits until the last background statement of a session runs on both
// servers, by looking at their process lists.
func (r *Runner) await(ctx context.Context, script *Script, await *Step) error {
	var text string
	for i := range script.Steps {
		s := &script.Steps[i]
		if s == await {
			break
		}
		if s.Background && s.Session.Name == await.Target {
			text = s.SQL
		}
	}
	ctx, cancel := context.WithTimeout(ctx, awaitLimit)
	defer cancel()
	return r.eachServer(func(s *sandbox.Server) error {
		db, err := sql.Open("mysql", s.DSN("root", "root", ""))
		if err != nil {
			return err
		}
		defer db.Close() //nolint:errcheck // nothing depends on it
		for {
			var running int
			const query = "SELECT COUNT(*) FROM information_schema.processlist WHERE info = ? AND command IN ('Query','Execute')"
			if err := db.QueryRowContext(ctx, query, text).Scan(&running); err != nil {
				return fmt.Errorf("%s: %w", await.Where(), err)
			}
			if running > 0 {
				return nil
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
}
