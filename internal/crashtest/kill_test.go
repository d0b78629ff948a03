package crashtest

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
)

var (
	crashes = flag.Int("crashes", 3, "how often a tunic is killed at a random time")
	servers = flag.Int("servers", 1, "how often the server is killed")
	stops   = flag.Int("stops", 1, "how often a tunic is stopped for longer than its lease")
	seed    = flag.Uint64("seed", 0, "of what is drawn; 0 draws one")
	flavor  = flag.String("flavor", string(sandbox.MariaDB), "the server: MariaDB or MySQL")
	only    = flag.String("points", "", "kill only at crash points whose names begin with this; none if it is -")
	at      = flag.Int("at", 8, "at how many of them, which the seed draws; 0 kills at each, which has to be passed")
	within  = flag.Duration("within", 90*time.Second, "no kill begins later than this; 0 sets no limit")
)

func TestMain(m *testing.M) {
	_ = mysql.SetLogger(&mysql.NopLogger{}) // that a connection breaks is no news here
	os.Exit(sandboxtest.Main(m))
}

// The crowd.
const (
	tellersEach  = 2
	countersEach = 2
)

// siege is a world with its workloads, and what kills in it.
type siege struct {
	*world
	rnd      *rand.Rand
	bank     *bank
	counters []*counter
	definers []*definer
	checkers [2]*client // one at each tunic
	checks   int
	whole    bool      // of a conversion: no table is on its way
	until    time.Time // no kill begins after it; zero sets no limit
}

// TestKill kills, and looks what has been lost: nothing.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short; it takes minutes")
	}
	if os.Getenv("TUNIC_LONG") == "" {
		t.Skip("takes minutes; set TUNIC_LONG=1 or run `make crash`")
	}
	s := newSiege(t)
	defer s.end()
	s.check("at first")
	if *within > 0 {
		s.until = time.Now().Add(*within)
	}
	s.often(*servers, s.theServer)
	s.often(*stops, s.beyondLease)
	s.often(*crashes, s.atRandom)
	s.atPoints()
	s.end()
	s.lastly()
	t.Logf("%d checks", s.checks)
	s.report()
}

// newSiege starts a server, both tunics and their clients, who make no definition of some kinds.
func newSiege(t *testing.T, without ...string) *siege {
	t.Helper()
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("seed %d, %s", *seed, *flavor)
	s := &siege{world: newWorld(t, sandbox.Flavor(*flavor)), rnd: rand.New(rand.NewPCG(*seed, 1))}
	s.without = without
	s.populate()
	return s
}

// often kills a number of times, as far as there is time.
func (s *siege) often(times int, kill func()) {
	for range times {
		if s.late() {
			return
		}
		kill()
	}
}

// late reports whether no kill is to begin any more.
func (s *siege) late() bool { return !s.until.IsZero() && time.Now().After(s.until) }

// populate makes tables and starts clients.
func (s *siege) populate() {
	s.t.Helper()
	must := func(err error) {
		if err != nil {
			s.t.Fatal(err)
		}
	}
	must(s.server.Exec(s.t.Context(), "CREATE DATABASE "+database))
	first := s.newClient("opener", s.nodes[0], *seed)
	defer first.close()
	s.bank = newBank(s.world, "account", "transfer", accounts)
	must(s.bank.open(first))
	must(openCounters(first))
	for i, n := range s.nodes {
		s.checkers[i] = s.newClient("checker", n, 0)
		s.t.Cleanup(s.checkers[i].close)
		for j := range countersEach {
			c := newCounter(s.newClient(fmt.Sprintf("counter %d", j), n, s.rnd.Uint64()), i*countersEach+j)
			must(c.fill())
			s.counters = append(s.counters, c)
		}
		table, column := "account", "balance"
		if i > 0 {
			table, column = "counter", "note"
		}
		beside := s.newClient("definer's witness", s.nodes[1-i], 0)
		s.t.Cleanup(beside.close)
		d := newDefiner(s.newClient("definer", n, s.rnd.Uint64()), beside, table, column, strings.ToLower(n.name)+"_")
		must(d.open())
		s.definers = append(s.definers, d)
	}
	s.start()
}

func (s *siege) start() {
	for _, c := range s.counters {
		s.run(c.client, c.take)
	}
	for _, d := range s.definers {
		s.run(d.client, d.take)
	}
	for _, n := range s.nodes {
		for range tellersEach {
			c := s.newClient("teller", n, s.rnd.Uint64())
			s.run(c, func() error { return s.bank.teller(c) })
		}
		c := s.newClient("auditor", n, s.rnd.Uint64())
		s.run(c, func() error { return s.bank.audit(c) })
	}
}

// check checks everything once clients have come to rest.
func (s *siege) check(after string) {
	s.t.Helper()
	began := time.Now()
	s.atRest(func() {
		rest := time.Since(began)
		defer func() {
			s.t.Logf("%s: at rest in %v, checked in %v", after, rest.Round(time.Millisecond), (time.Since(began) - rest).Round(time.Millisecond))
		}()
		at := s.checkers[s.checks%2]
		say := func(err error) {
			if err != nil {
				s.t.Errorf("after %s: %v", after, err)
			}
		}
		say(s.bank.check(at))
		for _, c := range s.counters {
			say(c.check(at))
		}
		for _, d := range s.definers {
			say(d.half())
			for _, by := range s.checkers {
				say(d.check(by))
			}
		}
		say(s.jobsEnd(at))
		say(s.settled())
		say(s.plainSum())
		if !s.converts || s.whole {
			say(s.verify())
		}
		s.checks++
	})
	if s.t.Failed() {
		s.end()
		for _, n := range s.nodes {
			s.t.Logf("tunic %s said last:\n%s", n.name, n.proc.Output())
		}
		s.report()
		s.t.Fatalf("failed after %s, check %d; -seed %d", after, s.checks, *seed)
	}
}

// settled looks whether the journal is empty, and no layer is there that no key wants:
// clients are at rest, and have asked for nothing that is not done or given up.
func (s *siege) settled() error {
	return eventually(30*time.Second, func() error {
		var entries int
		if err := s.root.QueryRow("SELECT COUNT(*) FROM _tunic.journal").Scan(&entries); err != nil {
			return err
		}
		if entries > 0 {
			return fmt.Errorf("%d changes are not settled", entries)
		}
		return nil
	})
}

// atPoints kills a tunic at crash points: at each, or at some, in an order that the seed draws.
// Each has to be passed where all are tried, in a second round at the latest: what is lost by
// one is more than one that a busy machine does not come to, and is looked for first.
func (s *siege) atPoints() {
	left := s.atEach(s.drawn())
	if *at > 0 {
		return
	}
	for _, p := range s.atEach(left) {
		s.t.Errorf("no tunic has passed %s", p.name)
	}
}

// atEach kills a tunic at points, and returns those that none has passed.
func (s *siege) atEach(all []point) (left []point) {
	for _, p := range all {
		if s.late() {
			return nil
		}
		if !s.at(p) {
			left = append(left, p)
		}
	}
	return left
}

// drawn are the points at which a tunic is to be killed.
func (s *siege) drawn() (all []point) {
	if *only == "-" {
		return nil
	}
	for _, p := range points(s.t) {
		if strings.HasPrefix(p.name, *only) && p.kind != rotationKind && p.kind != conversionKind { // see TestRotation, TestConversion
			all = append(all, p)
		}
	}
	if *at > 0 {
		s.rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:min(*at, len(all))]
	}
	return all
}

// patience is how long a point has to be passed, under load. Where some points are drawn,
// one that is not passed is no failure: a machine that has much else to do passes few.
func patience() time.Duration {
	if *at > 0 {
		return 10 * time.Second
	}
	return 90 * time.Second
}

// at kills a tunic at a point, and reports whether one passed it.
func (s *siege) at(p point) (died bool) {
	s.t.Helper()
	one, other := s.nodes[s.rnd.IntN(2)], (*node)(nil)
	for _, n := range s.nodes {
		if n != one {
			other = n
		}
	}
	if p.behind != "" {
		died = s.behind(one, other, p)
	} else {
		one.want.Store(p.kind)
		if died = s.arm(one, fmt.Sprintf("%s:%d", p.name, 1+s.rnd.IntN(2))); !died {
			died = s.awaitDeath(patience(), one)
		}
	}
	one.want.Store("")
	switch {
	case died:
		s.count("kills at " + p.name)
	default:
		s.count("points that no tunic has passed: " + p.name)
	}
	for _, n := range s.nodes {
		if n.isDead() {
			s.begin(n)
		} else if n == one || p.behind != "" {
			s.killTunic(n, "") // it is not to die at that point later
		}
	}
	s.check("a kill at " + p.name)
	return died
}

// behind kills one tunic at a point, and then who recovers what that has left at another. It
// reports whether anybody was. Transactions may keep who recovers from the table until it leaves
// that for later, and so it is done again and again.
func (s *siege) behind(one, other *node, p point) bool {
	if s.arm(other, p.name) {
		return true
	}
	one.want.Store(p.kind)
	for until := time.Now().Add(2 * patience()); !s.t.Failed() && time.Now().Before(until); {
		if !s.arm(one, p.behind) && !s.awaitDeath(time.Until(until), one, other) {
			return false
		}
		if other.isDead() {
			return true
		}
		s.count("kills at " + p.behind)
		if s.beginAt(one, p.name) || s.awaitDeath(recovering, one, other) {
			return true
		}
	}
	return false
}

// recovering is how long what a kill has left may stay before it is left anew.
const recovering = 5 * time.Second

// arm kills a tunic, and starts it to be killed at a point. It reports whether it was, on
// its way up.
func (s *siege) arm(n *node, point string) bool {
	s.t.Helper()
	if err := n.proc.Kill(); err != nil {
		s.t.Fatal(err)
	}
	s.count("kills at random")
	return s.beginAt(n, point)
}

// awaitDeath waits until one of some tunics is dead.
func (s *siege) awaitDeath(long time.Duration, of ...*node) bool {
	return eventually(long, func() error {
		for _, n := range of {
			if n.isDead() {
				return nil
			}
		}
		if s.t.Failed() {
			return nil
		}
		return context.DeadlineExceeded
	}) == nil && !s.t.Failed()
}

func (n *node) isDead() bool {
	select {
	case <-n.proc.Done():
		return true
	default:
		return false
	}
}

// moment lets some time pass under load.
func (s *siege) moment() { time.Sleep(time.Duration(50+s.rnd.IntN(900)) * time.Millisecond) }

// atRandom kills a tunic at some time.
func (s *siege) atRandom() {
	s.moment()
	n := s.nodes[s.rnd.IntN(2)]
	s.killTunic(n, "")
	s.count("kills at random")
	s.check("a kill of tunic " + n.name)
}

// theServer kills the server at some time, every other time while jobs are what is asked for
// most.
func (s *siege) theServer() {
	if s.rnd.IntN(2) == 0 {
		for _, n := range s.nodes {
			n.want.Store(jobKind)
			defer n.want.Store("")
		}
	}
	s.moment()
	s.killServer()
	s.count("kills of the server")
	s.check("a kill of the server")
}

// lease is that of a tunic, and somewhat more.
const lease = 3500 * time.Millisecond

// beyondLease stops a tunic for longer than its lease, every other time for so long that the
// server takes its locks from it.
func (s *siege) beyondLease() {
	s.moment()
	n := s.nodes[s.rnd.IntN(2)]
	s.stopTunic(n, lease+time.Duration(s.rnd.IntN(9000))*time.Millisecond)
	s.count("stops beyond the lease")
	s.moment()
	s.check("a stop of tunic " + n.name)
}

// lastly looks what one tunic alone leaves, once it has swept: a twin for each table, and
// no other.
func (s *siege) lastly() {
	for _, n := range s.nodes {
		if err := n.proc.Stop(); err != nil {
			s.t.Error(err)
		}
	}
	s.begin(s.nodes[0])
	var twins, tables int
	err := s.root.QueryRow("SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = '_tunic' AND TABLE_NAME LIKE 't\\_%'").Scan(&twins)
	if err == nil {
		err = s.root.QueryRow("SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_COMMENT LIKE 'tunic %' AND TABLE_SCHEMA = '" + database + "'").Scan(&tables)
	}
	if err != nil || twins != tables || tables < 3 {
		s.t.Errorf("%d twins of %d tables: %v", twins, tables, err)
	}
	if err := s.verify(); err != nil {
		s.t.Error(err)
	}
}
