package crashtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tunic/internal/crash"
	"tunic/internal/sandbox"
)

// idle is how many accounts the bank has whose table is converted: filling takes several chunks.
const idle = 1500

// converters are the commands that convert a table, with the points that they pass, in an order
// in which one run of a command comes to most of them. What behind a point is done
// already when a command is begun again comes in the next round.
var converters = map[string]struct {
	flags  []string
	points []string
}{
	"encrypt": {[]string{"--columns", "owner,balance,touched"}, []string{
		"ddl.adopt.copied", "ddl.fence.added", "layers.chunk.read", "layers.chunk.written", "layers.chunk.committed:2", "layers.chunk.looked",
		"ddl.swap.key", "ddl.online.altering", "ddl.online.altered", "ddl.purge.dropped", "ddl.purge.dropped", "ddl.purge.anew",
		"migrate.step", "migrate.step", "migrate.step", "ddl.online.settled", "migrate.step",
		"ledger.announcing", "ledger.announced", "ledger.known", "ledger.defined", "ledger.settling", "ledger.settled",
	}},
	"decrypt": {[]string{"--policy-default", "plain"}, []string{
		"ddl.bare.fence", "ddl.bare.added", "ddl.bare.added:3", "layers.chunk.read", "layers.chunk.written", "layers.chunk.committed:2", "layers.chunk.looked",
		"ddl.bare.shaped", "ddl.bare.key", "ddl.online.altering", "ddl.online.altered", "ddl.bare.dropped", "ddl.bare.dropped", "ddl.bare.left",
		"ddl.bare.step", "ddl.bare.step:2", "ddl.bare.step:3", "ddl.bare.step:4", "ddl.online.settled", "ddl.bare.step:5", "ddl.bare.step:6",
		"ledger.announcing", "ledger.announced", "ledger.known", "ledger.defined", "ledger.settling", "ledger.settled",
	}},
}

// onlyOf are the points that one flavor passes.
var onlyOf = map[string]sandbox.Flavor{"ddl.bare.fence": sandbox.MariaDB}

// TestConversion: a plain table comes to be protected and plain again, over and over, while
// clients of two tunics transfer money in it, and `tunic encrypt` and `tunic decrypt` are killed at
// each of their points, and begun again. No acknowledged transfer is lost, none comes to be that
// was not, and no sum is wrong, whether the table is plain, protected or on its way.
func TestConversion(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short; it takes minutes")
	}
	if os.Getenv("TUNIC_LONG") == "" {
		t.Skip("takes minutes; set TUNIC_LONG=1 or run `make crash`")
	}
	s := newConversion(t)
	defer s.end()
	s.check("at first")
	todo := map[string][]string{}
	for command := range converters {
		todo[command] = s.pointsOf(command)
	}
	const rounds = 12 // what one round has not passed the next may
	for range rounds {
		if len(todo["encrypt"])+len(todo["decrypt"]) == 0 {
			break
		}
		for _, command := range []string{"encrypt", "decrypt"} {
			todo[command] = s.convert(command, todo[command])
		}
	}
	for _, command := range []string{"encrypt", "decrypt"} {
		s.amid("tunic "+command, func() ([]byte, error) { return s.converting(command, "") }, func() bool { return s.isConverted(command) })
		s.convert(command, nil)
	}
	for command, left := range todo {
		for _, name := range left {
			t.Errorf("tunic %s has not passed %s", command, name)
		}
	}
	s.end()
	t.Logf("%d checks", s.checks)
	s.report()
}

// newConversion starts a server, both tunics and the clients of a bank whose accounts are in a
// plain table.
func newConversion(t *testing.T) *siege {
	t.Helper()
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("seed %d, %s", *seed, *flavor)
	s := &siege{world: newWorld(t, sandbox.Flavor(*flavor)), rnd: rand.New(rand.NewPCG(*seed, 1))}
	s.converts = true
	s.bank = newBank(s.world, "purse", "payment", idle)
	plain := []string{"CREATE DATABASE " + database, "USE " + database, "CREATE TABLE purse" + accountColumns, "ALTER TABLE purse ADD KEY by_owner (owner)", s.bank.opening()}
	if err := s.server.Exec(t.Context(), plain...); err != nil {
		t.Fatal(err)
	}
	first := s.newClient("opener", s.nodes[0], *seed)
	defer first.close()
	if err := s.bank.openTransfers(first); err != nil {
		t.Fatal(err)
	}
	for i, n := range s.nodes {
		s.checkers[i] = s.newClient("checker", n, 0)
		t.Cleanup(s.checkers[i].close)
	}
	s.start()
	return s
}

// pointsOf are the points at which a command is to be killed: those of the list, and whatever
// the sources have that no list names.
func (s *siege) pointsOf(command string) (all []string) {
	s.t.Helper()
	listed := map[string]bool{}
	for _, of := range converters {
		for _, name := range of.points {
			bare, _, _ := strings.Cut(name, ":")
			listed[bare] = true
		}
	}
	for _, p := range points(s.t) {
		if p.kind == conversionKind && !listed[p.name] {
			s.t.Errorf("%s is in no list of a command that passes it", p.name)
		}
	}
	for _, name := range converters[command].points {
		if of, some := onlyOf[name]; (!some || string(of) == *flavor) && strings.HasPrefix(name, *only) {
			all = append(all, name)
		}
	}
	return all
}

// convert runs a command to its end, killed at one point after the other, and returns those at
// which it could not be.
func (s *siege) convert(command string, at []string) (left []string) {
	s.t.Helper()
	for _, name := range at {
		if s.isConverted(command) || !s.command(command, name) {
			left = append(left, name)
			continue
		}
		s.count("kills of tunic " + command + " at " + name)
		s.check("a kill of tunic " + command + " at " + name)
	}
	if !s.isConverted(command) && s.command(command, "") {
		s.t.Fatalf("tunic %s was killed by nobody", command)
	}
	s.count("ends of tunic " + command)
	if !s.isConverted(command) {
		var name, is string
		err := s.root.QueryRow("SHOW CREATE TABLE "+database+".purse").Scan(&name, &is)
		s.t.Errorf("tunic %s has ended, and the table is not converted: %v %s", command, err, is)
	}
	var places int
	if err := s.root.QueryRow("SELECT COUNT(*) FROM _tunic.progress WHERE job >= 1 << 63").Scan(&places); err != nil || places > 0 {
		s.t.Errorf("tunic %s has ended, and how far it was is kept: %d, %v", command, places, err)
	}
	s.whole = command == "encrypt" // `tunic verify` has something to look at
	s.check("tunic " + command)
	s.whole = false
	return left
}

// isConverted reports whether the server has the table as a command leaves it at its end: with
// nothing of the way there, as a protected one or as a plain one.
func (s *siege) isConverted(command string) bool {
	s.t.Helper()
	var comment, kind string
	var columns, unseen, keys int
	err := s.root.QueryRow("SELECT TABLE_COMMENT FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = 'purse'", database).Scan(&comment)
	if err == nil {
		err = s.root.QueryRow("SELECT COUNT(*), COALESCE(SUM(EXTRA LIKE '%INVISIBLE%'), 0), MAX(IF(COLUMN_NAME = 'balance', DATA_TYPE, '')) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = 'purse' AND COLUMN_NAME NOT REGEXP '[$](eq|ord)$'", database).Scan(&columns, &unseen, &kind)
	}
	if err == nil {
		err = s.root.QueryRow("SELECT COUNT(DISTINCT INDEX_NAME) FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = 'purse'", database).Scan(&keys)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	if command == "decrypt" {
		return comment == "" && columns == 4 && keys == 2 && kind == "bigint"
	}
	return strings.HasPrefix(comment, "tunic ") && columns == 4+2 && unseen == 3+1 && keys == 2 && kind == "tinyint" // and the form of three columns, and the fence
}

// command runs one of the commands, to be killed at a point if there is one, and reports
// whether it was.
func (s *siege) command(name, point string) bool {
	s.t.Helper()
	out, err := s.converting(name, point)
	if ended, failed := errors.AsType[*exec.ExitError](err); failed && point != "" && killed(ended) {
		return true
	}
	if err != nil {
		s.t.Errorf("tunic %s: %v: %s", name, err, out)
	}
	return false
}

// converting runs one of the commands, whatever comes of it.
func (s *siege) converting(name, point string) (out []byte, err error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), 4*stuck)
	defer cancel()
	args := append([]string{
		name, "--quiet", "--backend", s.server.Addr, "--service-user", sandbox.ServiceUser,
		"--key", filepath.Join(s.nodes[0].dir, "key"),
	}, converters[name].flags...)
	c := exec.CommandContext(ctx, s.binary, append(args, database+".purse")...)
	c.Env = append(sandbox.WithoutSettings(os.Environ()), "TUNIC_SERVICE_PASSWORD="+sandbox.ServicePassword)
	if point != "" {
		c.Env = append(c.Env, crash.PointVariable+"="+point)
	}
	return c.CombinedOutput()
}

// plainSum compares the server's own sum of the accounts with what it is to be: of a table
// that is plain it has one.
func (s *siege) plainSum() error {
	if !s.converts || !s.isConverted("decrypt") {
		return nil
	}
	var sum string
	err := s.root.QueryRow("SELECT SUM(balance) FROM " + database + ".purse").Scan(&sum)
	if want := strconv.Itoa(idle * opening); err != nil || sum != want {
		return fmt.Errorf("the server has %s in all accounts, not %s: %w", sum, want, err)
	}
	s.count("sums by the server itself")
	return nil
}
