package server

import (
	"context"
	dbsql "database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/session"
	"tunic/internal/sqlerr"
	"tunic/internal/waittest"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// patience bounds what a test waits for; nothing is measured with it.
const patience = 20 * time.Second

// app logs in as the application.
func app(t *testing.T, addr string) *wiretest.Peer {
	t.Helper()
	peer, err := wiretest.Client{User: "app", Password: "app", Database: "test"}.Dial(context.Background(), addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = peer.Close() })
	_ = peer.Net.SetDeadline(time.Now().Add(patience))
	return peer
}

// run runs a statement that must succeed.
func run(t *testing.T, p *wiretest.Peer, text string) []wiretest.Set {
	t.Helper()
	sets, err := p.Query(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return sets
}

// single is the single value of a statement.
func single(t *testing.T, p *wiretest.Peer, text string) string {
	t.Helper()
	rows, err := run(t, p, text)[0].Text()
	if err != nil || len(rows) != 1 || len(rows[0]) != 1 {
		t.Fatalf("%s: %v %v", text, rows, err)
	}
	return rows[0][0]
}

// wantFarewell wants the connection to end with this error.
func wantFarewell(t *testing.T, p *wiretest.Peer, number uint16) {
	t.Helper()
	p.Wire.SetSequence(0)
	if err := p.Play(wiretest.ExpectErr(number), wiretest.ExpectGone); err != nil {
		t.Error(err)
	}
}

// phases counts the sessions of a server in each phase.
func phases(s *Server) map[session.Phase]int {
	counts := make(map[session.Phase]int)
	for _, client := range s.all() {
		counts[client.Mark().Phase()]++
	}
	return counts
}

// served is a proxy whose end a test decides itself.
type served struct {
	*Server
	addr   string
	stop   context.CancelFunc
	result chan error
}

func serveUntilStopped(t *testing.T, backend string, drain time.Duration) *served {
	t.Helper()
	cfg := proxySettings(t, backend)
	cfg.Limits.Drain = drain
	return serveConfigured(t, cfg)
}

func serveConfigured(t *testing.T, cfg *config.Config) *served {
	t.Helper()
	return serveLogged(t, cfg, io.Discard)
}

func serveLogged(t *testing.T, cfg *config.Config, log io.Writer) *served {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	proxy, err := New(ctx, cfg, nil, testMetrics(), slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if err := proxy.Listen(); err != nil {
		t.Fatal(err)
	}
	s := &served{Server: proxy, addr: proxy.Addr().String(), stop: cancel, result: make(chan error, 1)}
	go func() { s.result <- proxy.Serve(ctx) }()
	return s
}

func (s *served) ended(t *testing.T) {
	t.Helper()
	select {
	case err := <-s.result:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("serving did not end")
	}
}

func TestDrain(t *testing.T) {
	server := mariaDB(t)
	s := serveUntilStopped(t, server.Addr, patience)
	idle, busy, inTransaction := app(t, s.addr), app(t, s.addr), app(t, s.addr)
	holds := app(t, server.Addr) // what busy waits for
	run(t, holds, "SELECT GET_LOCK('drains', 0)")
	run(t, idle, "CREATE TABLE IF NOT EXISTS drained (a INT)")
	run(t, idle, "TRUNCATE drained")
	run(t, inTransaction, "BEGIN")
	run(t, inTransaction, "INSERT INTO drained VALUES (1)")
	if err := busy.Command(wire.Query{Text: []byte("SELECT GET_LOCK('drains', 60), 'answered'")}.AppendQuery(nil, busy.Caps)); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "one session busy, one in a transaction", func() bool {
		p := phases(s.Server)
		return p[session.PhaseBusy] == 1 && p[session.PhaseTransaction] == 1 && p[session.PhaseIdle] == 1
	})
	s.stop()
	wantFarewell(t, idle, 1053)
	if _, err := net.Dial("tcp", s.addr); err == nil {
		t.Error("still listening while it drains")
	}
	run(t, holds, "SELECT RELEASE_LOCK('drains')")
	if sets, err := busy.ReadAnswer(wire.ComQuery, nil); err != nil || len(sets[0].Rows) != 1 {
		t.Errorf("the answer under way was not finished: %v", err)
	}
	run(t, busy, "SELECT RELEASE_LOCK('drains')")
	wantFarewell(t, busy, 1053)
	run(t, inTransaction, "INSERT INTO drained VALUES (2)")
	run(t, inTransaction, "COMMIT")
	if err := inTransaction.Play(wiretest.ExpectGone); err != nil { // with the answer, and without a word
		t.Error(err)
	}
	s.ended(t)
	if n := single(t, app(t, server.Addr), "SELECT COUNT(*) FROM drained"); n != "2" {
		t.Errorf("%s rows committed, want 2", n)
	}
}

func TestDrainCutsOff(t *testing.T) {
	server := mariaDB(t)
	s := serveUntilStopped(t, server.Addr, 100*time.Millisecond)
	stays, busy := app(t, s.addr), app(t, s.addr)
	run(t, stays, "BEGIN")
	if err := busy.Command(wire.Query{Text: []byte("SELECT SLEEP(30)")}.AppendQuery(nil, busy.Caps)); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "busy", func() bool { return phases(s.Server)[session.PhaseBusy] == 1 })
	s.stop()
	if err := busy.Play(wiretest.ExpectErr(1053), wiretest.ExpectGone); err != nil {
		t.Error("one whose statement runs: ", err)
	}
	wantFarewell(t, stays, 1053)
	s.ended(t)
}

// TestCutOff: a drain that is told to end does not wait for its limit, and neither
// does one that is told so before it begins.
func TestCutOff(t *testing.T) {
	server := mariaDB(t)
	for name, order := range map[string]func(s *served){
		"during the drain": func(s *served) { s.stop(); waittest.Until(t, "it drains", s.draining.Load); s.CutOff() },
		"before it":        func(s *served) { s.CutOff(); s.stop() },
		"twice":            func(s *served) { s.stop(); s.CutOff(); s.CutOff() },
	} {
		t.Run(name, func(t *testing.T) {
			s := serveUntilStopped(t, server.Addr, time.Hour)
			stays := app(t, s.addr)
			run(t, stays, "BEGIN")
			order(s)
			wantFarewell(t, stays, 1053)
			s.ended(t)
		})
	}
}

// TestCutStatementsEnd: a statement that is cut off does not go on at the server. It
// waits for a lock there, where the server looks after no client.
func TestCutStatementsEnd(t *testing.T) {
	sandboxtest.Each(t, func(t *testing.T, server *sandbox.Server) {
		s := serveUntilStopped(t, server.Addr, 0)
		holds, busy := app(t, server.Addr), app(t, s.addr)
		run(t, holds, "CREATE TABLE IF NOT EXISTS cut (a INT PRIMARY KEY)")
		run(t, holds, "REPLACE INTO cut VALUES (1)")
		run(t, holds, "BEGIN")
		run(t, holds, "SELECT a FROM cut FOR UPDATE")
		if err := busy.Command([]byte("\x03UPDATE cut SET a = 2")); err != nil {
			t.Fatal(err)
		}
		waits := "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE 'UPDATE cut%'"
		waittest.Until(t, "the statement waits", func() bool { return single(t, holds, waits) == "1" })
		s.stop()
		if err := busy.Play(wiretest.ExpectErr(1053), wiretest.ExpectGone); err != nil {
			t.Error(err)
		}
		s.ended(t)
		waittest.Until(t, "the statement has ended", func() bool { return single(t, holds, waits) == "0" })
	}, sandboxtest.TLS)
}

// TestDrainCutsLogins: clients that are logging in when the drain is over, and
// those whose answer has begun, end as well, each as far as the protocol lets it
// be told.
func TestDrainCutsLogins(t *testing.T) {
	server := mariaDB(t)
	s := serveUntilStopped(t, server.Addr, 100*time.Millisecond)
	logsIn := connect(t, s.addr)
	if err := wiretest.ReadGreeting(logsIn); err != nil {
		t.Fatal(err)
	}
	deaf := app(t, s.addr) // it takes nothing of a long answer
	if err := deaf.Command([]byte("\x03SELECT REPEAT('x', 1000000) FROM seq_1_to_500")); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "one logs in, one is written to", func() bool {
		p := phases(s.Server)
		return p[session.PhaseLogin] == 1 && p[session.PhaseWriting] == 1
	})
	s.stop()
	if number, _ := lastWord(t, logsIn); number != 1053 {
		t.Errorf("one that logs in: last word is error %d", number)
	}
	s.ended(t)
	if err := wiretest.Drain(deaf); err != nil && !wiretest.Gone(err) {
		t.Error("not closed: ", err)
	}
}

func TestIdleTimeout(t *testing.T) {
	server := mariaDB(t)
	cfg := proxySettings(t, server.Addr)
	cfg.Limits.IdleTimeout = 200 * time.Millisecond
	_, addr := startProxy(t, cfg)
	wantFarewell(t, app(t, addr), 4031)
}

func TestConnectionLimit(t *testing.T) {
	server := mariaDB(t)
	cfg := proxySettings(t, server.Addr)
	cfg.Limits.Connections = 2
	proxy, addr, lines := startLoggedProxy(t, cfg)
	first := app(t, addr)
	app(t, addr)
	refused, err := wiretest.Connect(t.Context(), addr)
	if err != nil {
		t.Fatal(err)
	}
	if err := refused.Play(wiretest.ExpectErr(1040), wiretest.ExpectGone); err != nil {
		t.Error(err)
	}
	if n := proxy.metrics.Refusal(uint16(sqlerr.TooManyConnections(2).Code)).Value(); n != 1 {
		t.Errorf("%d refusals counted", n)
	}
	if !strings.Contains(lines.String(), `msg="connection refused" client=`+refused.Net.LocalAddr().String()+" code=TUNIC-4001") {
		t.Errorf("the log says\n%s", lines.String())
	}
	if err := proxy.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "all 2 connections of --max-connections") {
		t.Errorf("ready for another client: %v", err)
	}
	_ = first.Close()
	waittest.Until(t, "a place is free", func() bool { return len(proxy.all()) == 1 })
	run(t, app(t, addr), "DO 1")
}

// TestServerDies: its sessions end as they would without tunic, and keep no place;
// those that come after the server's return work.
func TestServerDies(t *testing.T) {
	server := sandboxtest.Own(t, sandbox.MariaDB)
	cfg := proxySettings(t, server.Addr)
	cfg.Limits.Connections = 2
	proxy, addr := startProxy(t, cfg)
	busy, idle := app(t, addr), app(t, addr)
	if err := busy.Command(wire.Query{Text: []byte("SELECT SLEEP(30)")}.AppendQuery(nil, busy.Caps)); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "busy", func() bool { return phases(proxy)[session.PhaseBusy] == 1 })
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*wiretest.Peer{"in a statement": busy, "idle": idle} {
		if number, _ := lastWord(t, p); number != 0 {
			t.Errorf("%s: error %d, want the end alone", name, number)
		}
	}
	sessions(t, proxy, 0)
	refused, err := wiretest.Connect(t.Context(), addr)
	if err != nil {
		t.Fatal(err)
	}
	if err := refused.Play(wiretest.ExpectErr(1429), wiretest.ExpectGone); err != nil {
		t.Error("while the server is down: ", err)
	}
	if err := proxy.Ready(t.Context()); err == nil {
		t.Error("ready without a server")
	}
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	run(t, app(t, addr), "SELECT 1")
	if err := proxy.Ready(t.Context()); err != nil {
		t.Error("not ready: ", err)
	}
}

func TestKillQuery(t *testing.T) {
	server := mariaDB(t)
	_, addr := startProxy(t, proxySettings(t, server.Addr))
	victim, killer := app(t, addr), app(t, addr)
	id := single(t, victim, "SELECT CONNECTION_ID()")
	if greeted := fmt.Sprint(victim.Handshake.ConnectionID); greeted != id {
		t.Errorf("greeted as connection %s, which the server calls %s", greeted, id)
	}
	if err := victim.Command(wire.Query{Text: []byte("SELECT GET_LOCK('runs', 0), SLEEP(30)")}.AppendQuery(nil, victim.Caps)); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the statement runs", func() bool {
		return single(t, killer, "SELECT IS_FREE_LOCK('runs')") == "0"
	})
	run(t, killer, "KILL QUERY "+id)
	_, err := victim.ReadAnswer(wire.ComQuery, nil)
	var failure *wiretest.ServerError
	if err != nil && (!errors.As(err, &failure) || failure.Number != 1317) {
		t.Errorf("killed: %v, want error 1317 or SLEEP's 1", err)
	}
	run(t, victim, "SELECT 1")
}

// TestPreparedLimit: a session can hold as many statements as it may, no more,
// and closing one makes room.
func TestPreparedLimit(t *testing.T) {
	server := mariaDB(t)
	cfg := proxySettings(t, server.Addr)
	cfg.Limits.PreparedStatements = 3
	_, addr := startProxy(t, cfg)
	db := client(t, addr, "app", "app", func(c *mysql.Config) { c.DBName = "test" })
	db.SetMaxOpenConns(1)
	var kept []*dbsql.Stmt
	for range 3 {
		st, err := db.Prepare("SELECT ?")
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, st)
	}
	_, err := db.Prepare("SELECT ?")
	if refusal, ok := errors.AsType[*mysql.MySQLError](err); !ok || refusal.Number != 1461 {
		t.Fatalf("one too many: %v, want error 1461", err)
	}
	if err := kept[0].Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Prepare("SELECT ? + 1"); err != nil {
		t.Errorf("after closing one: %v", err)
	}
	var n int
	if err := kept[1].QueryRow(7).Scan(&n); err != nil || n != 7 {
		t.Errorf("a kept statement: %d, %v", n, err)
	}
}

// TestUnknownStatement: a number that the session has not prepared is refused
// and never reaches the server.
func TestUnknownStatement(t *testing.T) {
	server := mariaDB(t)
	_, addr := startProxy(t, proxySettings(t, server.Addr))
	p := app(t, addr)
	for _, command := range []wire.Command{wire.ComStmtExecute, wire.ComStmtFetch, wire.ComStmtReset, wire.ComStmtBulkExecute} {
		body := wire.Execute{Command: command, Statement: 99, Rest: []byte{0, 1, 0, 0, 0}}
		if err := p.Command(body.AppendTo(nil)); err != nil {
			t.Fatal(err)
		}
		if err := p.Play(wiretest.ExpectErr(1243)); err != nil {
			t.Error(command, err)
		}
	}
	run(t, p, "SELECT 1")
}

// TestDrainInsidePacket: a session that is told to end while its client is in the
// middle of a packet ends. What is left of the packet is never taken for a
// command.
func TestDrainInsidePacket(t *testing.T) {
	server := mariaDB(t)
	s := serveUntilStopped(t, server.Addr, patience)
	p := app(t, s.addr)
	run(t, p, "CREATE TABLE IF NOT EXISTS smuggled (a INT)")
	run(t, p, "TRUNCATE smuggled")
	run(t, p, "BEGIN")
	hidden := wire.Query{Text: []byte("INSERT INTO smuggled VALUES (1)")}.AppendQuery(nil, p.Caps)
	hiddenFrame, _ := wire.AppendPacket(nil, hidden, 0)
	first := make([]byte, wire.HeaderBytes+wire.FrameBytesMax) // a frame that another one continues
	first[0], first[1], first[2] = 0xff, 0xff, 0xff
	copy(first[wire.HeaderBytes:], "\x03/*")
	if _, err := p.Net.Write(first[:len(first)-1]); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "in a transaction", func() bool { return phases(s.Server)[session.PhaseTransaction] == 1 })
	s.stop()
	_, _ = p.Net.Write(append([]byte{0}, hiddenFrame...)) // it may be closed already
	if err := wiretest.Drain(p); err != nil {
		t.Error("not closed: ", err)
	}
	s.ended(t)
	if n := single(t, app(t, server.Addr), "SELECT COUNT(*) FROM smuggled"); n != "0" {
		t.Error("content of a packet was run as a statement")
	}
}

// TestClientLeaves: the statement of a client that has left is ended, with the
// locks it holds.
func TestClientLeaves(t *testing.T) {
	server := mariaDB(t)
	proxy, addr := startProxy(t, proxySettings(t, server.Addr))
	leaves := app(t, addr)
	if err := leaves.Command(wire.Query{Text: []byte("SELECT GET_LOCK('leaves', 0), SLEEP(300)")}.AppendQuery(nil, leaves.Caps)); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "busy", func() bool { return phases(proxy)[session.PhaseBusy] == 1 })
	_ = leaves.Close()
	waittest.Until(t, "the session has ended", func() bool { return len(proxy.all()) == 0 })
	watching := app(t, server.Addr)
	waittest.Until(t, "the statement has ended", func() bool {
		return single(t, watching, "SELECT IS_FREE_LOCK('leaves')") == "1"
	})
}
