package clients

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/waittest"
)

// fleet are tunics before one server, with a table for each pool.
type fleet struct {
	server *sandbox.Server
	tunics []*sandbox.Proc
	dir    string
	args   []string
}

func startFleet(t *testing.T, n int, args ...string) *fleet {
	t.Helper()
	f := &fleet{server: sandboxtest.Own(t, sandbox.MariaDB, sandboxtest.Volatile, sandboxtest.Args("--max-connections=1000")), dir: t.TempDir()}
	f.args = append([]string{"--policy-default", "plain", "--tls", "disabled", "--key", filepath.Join(f.dir, "0", "key")}, args...)
	for i := range n {
		f.tunics = append(f.tunics, nil)
		f.start(t, i, sandbox.TunicOptions{Protect: i == 0})
	}
	t.Cleanup(func() {
		for _, p := range f.tunics {
			if err := p.Stop(); err != nil {
				t.Error(err)
			}
		}
	})
	return f
}

// socket is the takeover socket of a tunic; the name is short enough for one.
func (f *fleet) socket(i int) string { return fmt.Sprintf("/tmp/tunic-test-%d-%d", os.Getpid(), i) }

// start starts a tunic; a later one has the addresses of the one before.
func (f *fleet) start(t *testing.T, i int, o sandbox.TunicOptions, args ...string) {
	t.Helper()
	o.Backend, o.Dir = f.server.Addr, filepath.Join(f.dir, fmt.Sprint(i))
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if before := f.tunics[i]; before != nil {
		o.Listen, o.Admin = before.Addr, before.AdminAddr
	}
	o.Args = append(append([]string{"--takeover-socket", f.socket(i)}, f.args...), args...)
	next, err := sandbox.StartTunic(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	f.tunics[i] = next
}

// takeOver has a new tunic take over from one, and waits until that has ended.
func (f *fleet) takeOver(t *testing.T, i int) {
	t.Helper()
	before := f.tunics[i]
	f.start(t, i, sandbox.TunicOptions{}, "--takeover")
	<-before.Done()
	if err := before.Err(); err != nil {
		t.Errorf("the tunic before: %v\n%s", err, before.Output())
	}
}

// makeTables makes the tables of the pools through a tunic, and returns a connection to read it by, which is no pool's.
func (f *fleet) makeTables(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("mysql", f.tunics[0].DSN("app", "app", "test"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	for _, pool := range pools {
		if _, err := db.Exec("CREATE TABLE " + newPool(pool, "").table() + ` (worker INT, n INT, number BIGINT COMMENT 'tunic: sealed',
			note VARCHAR(40) COMMENT 'tunic: equality', PRIMARY KEY (worker, n))`); err != nil {
			t.Fatal(err)
		}
	}
	direct, err := sql.Open("mysql", f.server.DSN("root", "root", "test"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = direct.Close() })
	return direct
}

// TestTakeover: a pool of an application loses nothing while one tunic takes over from another one.
func TestTakeover(t *testing.T) {
	f := startFleet(t, 1)
	direct := f.makeTables(t)
	p := startPool(t, f.tunics[0].Addr)
	times := 1
	if long() {
		times = 20
	}
	for range times {
		p.moves(t)
		f.takeOver(t, 0)
		p.moves(t)
	}
	p.check(t, direct)
}

// documented is the part of the page on high availability in a language.
func documented(t *testing.T, language string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/high-availability.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindSubmatch(page)
	if found == nil {
		t.Fatalf("the page has no %s", language)
	}
	return string(found[1])
}

// balance starts HAProxy as the page has it, before two tunics.
func (f *fleet) balance(t *testing.T) *sandbox.Proc {
	t.Helper()
	config := documented(t, "haproxy")
	put := func(old, with string) {
		t.Helper()
		if strings.Count(config, old) != 1 {
			t.Fatalf("the page's configuration has not one %q", old)
		}
		config = strings.Replace(config, old, with, 1)
	}
	put("bind :3306", "bind @LISTEN@")
	for i, p := range f.tunics {
		_, port, _ := strings.Cut(p.AdminAddr, ":")
		put(fmt.Sprintf("10.0.0.1%d:3307 port 9307", i+1), p.Addr+" port "+port)
	}
	balancer, err := sandbox.StartHAProxy(t.Context(), sandbox.HAProxyOptions{Config: config})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = balancer.Stop() })
	return balancer
}

// TestBalancedConfig: HAProxy reads the configuration of the page, and clients come through it.
func TestBalancedConfig(t *testing.T) {
	f := startFleet(t, 2)
	direct := f.makeTables(t)
	f.proxied(t)
	p := startPool(t, f.balance(t).Addr)
	p.moves(t)
	p.check(t, direct)
}

// proxied starts the tunics anew as they are before a balancer, with the delay that the page has.
func (f *fleet) proxied(t *testing.T) {
	t.Helper()
	delay := regexp.MustCompile(`drain_delay = "(.*?)"`).FindStringSubmatch(documented(t, "toml"))
	if delay == nil {
		t.Fatal("the page has no drain_delay")
	}
	for i := range f.tunics {
		if err := f.tunics[i].Stop(); err != nil {
			t.Fatal(err)
		}
	}
	f.args = append(f.args, "--drain-delay", delay[1], "--drain", "10s", "--proxy-protocol", "127.0.0.1")
	for i := range f.tunics {
		f.startBehind(t, i)
	}
}

// startBehind starts a tunic that waits for headers: it greets nobody else, so its page is asked.
func (f *fleet) startBehind(t *testing.T, i int, args ...string) {
	t.Helper()
	f.start(t, i, sandbox.TunicOptions{Proxied: true}, args...)
}

// TestRestarts (`make restarts`): two tunics behind HAProxy are restarted by turns, five times each, and then
// taken over from as often, under pools and sysbench.
func TestRestarts(t *testing.T) {
	if !long() {
		t.Skip("skipped: it takes minutes; make restarts")
	}
	needSysbench(t)
	alchemy, node := sqlAlchemy(t), sequelize(t)
	f := startFleet(t, 2)
	direct := f.makeTables(t)
	f.proxied(t)
	balancer := f.balance(t)
	bench := f.sysbench(t, balancer)
	work := poolsAtWork{
		startPool(t, balancer.Addr),
		startProgram(t, "sqlalchemy", balancer.Addr, alchemy),
		startProgram(t, "sequelize", balancer.Addr, node),
	}
	f.rounds(t, "restarted", work, func(i int) {
		if err := f.tunics[i].Stop(); err != nil {
			t.Fatal(err)
		}
		f.startBehind(t, i)
		f.awaitUp(t, balancer, i)
	})
	f.rounds(t, "taken over from", work, func(i int) {
		before := f.tunics[i]
		f.startBehind(t, i, "--takeover")
		<-before.Done()
		if err := before.Err(); err != nil {
			t.Errorf("the tunic before: %v\n%s", err, before.Output())
		}
	})
	for _, p := range work {
		p.check(t, direct)
	}
	bench(t)
}

// poolsAtWork are the pools of a test.
type poolsAtWork []*pool

func (all poolsAtWork) move(t *testing.T) {
	t.Helper()
	for _, p := range all {
		p.moves(t)
	}
}

// rounds does something to each tunic by turns, five times, while the pools work.
func (f *fleet) rounds(t *testing.T, what string, work poolsAtWork, do func(i int)) {
	t.Helper()
	for round := range 5 {
		for i := range f.tunics {
			work.move(t)
			do(i)
		}
		work.move(t)
		var counts []string
		for _, p := range work {
			counts = append(counts, fmt.Sprintf("%s %d (%d failed)", p.name, p.count(), p.ended()-p.count()))
		}
		t.Logf("both %s %d times; transactions: %s", what, round+1, strings.Join(counts, ", "))
	}
}

// awaitUp waits until clients come to a tunic, which HAProxy has seen to be back.
func (f *fleet) awaitUp(t *testing.T, balancer *sandbox.Proc, i int) {
	t.Helper()
	come := func() {
		db, err := sql.Open("mysql", balancer.DSN("app", "app", "test"))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if err := db.Ping(); err != nil {
			t.Error("a client that comes: ", err)
		}
	}
	login := regexp.MustCompile(`(?m)^tunic_logins_total\{result="ok"\} [1-9]`)
	waittest.Until(t, "clients come to the new tunic", func() bool {
		come()
		answer, err := http.Get("http://" + f.tunics[i].AdminAddr + "/metrics")
		if err != nil {
			return false
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		return err == nil && login.Match(text)
	})
}

// connectsAnew is sysbench's script with a connection for each transaction.
const connectsAnew = `require("oltp_read_write")
local transaction = event
function event()
  transaction()
  thread_done()
  thread_init()
end
`

// sysbench runs it through the balancer, until the function that it returns is called. Each transaction
// has a connection of its own, since sysbench does not look at one before it uses it. An error of any
// kind ends sysbench.
func (f *fleet) sysbench(t *testing.T, balancer *sandbox.Proc) (end func(t *testing.T)) {
	t.Helper()
	if err := f.server.Exec(t.Context(), "CREATE DATABASE sbtest"); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "connects.lua")
	if err := os.WriteFile(script, []byte(connectsAnew), 0o600); err != nil {
		t.Fatal(err)
	}
	w := workload{script: script, threads: poolWorkers, time: 10 * time.Second, database: "sbtest", rows: 1000}
	if out, err := w.sysbench(t.Context(), balancer.Addr, "prepare"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan int, 1)
	go func() {
		all := 0
		for ctx.Err() == nil {
			out, err := w.sysbench(context.WithoutCancel(ctx), balancer.Addr, "run")
			if err != nil || complained.MatchString(out) {
				t.Errorf("sysbench: %v\n%s", err, out)
				break
			}
			if found := transactions.FindStringSubmatch(out); found != nil {
				n, _ := strconv.Atoi(found[1])
				all += n
			}
		}
		done <- all
	}()
	return func(t *testing.T) {
		t.Helper()
		stop()
		all := <-done
		t.Logf("sysbench: %d transactions", all)
		if all == 0 {
			t.Error("sysbench has done nothing")
		}
	}
}
