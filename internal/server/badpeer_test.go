package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tunic/internal/catalog"
	"tunic/internal/config"
	"tunic/internal/waittest"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// The tests of badpeer_*_test.go have clients and servers that break the
// protocol in every way somebody once did. Whatever they do, tunic ends that
// session and no other: a witness keeps querying beside them, no session ends by
// a defect, and when the test is over no goroutine and no descriptor is left.

// leavesNothing holds a test to leaving neither goroutines nor descriptors
// behind. It comes before whatever the test starts.
func leavesNothing(t *testing.T) {
	t.Helper()
	running, open := goleak.IgnoreCurrent(), descriptors(t)
	t.Cleanup(func() {
		for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			if descriptors(t) <= open && goleak.Find(running) == nil {
				return
			}
		}
		t.Errorf("%d descriptors are open, %d were before", descriptors(t), open)
		goleak.VerifyNone(t, running)
	})
}

// descriptors counts the process's open files and sockets.
func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("skipped: descriptors are counted in /proc/self/fd: ", err)
	}
	return len(entries)
}

// defects is a log that keeps what tunic says of defects of its own.
type defects struct {
	slog.Handler
	mu    sync.Mutex
	found []string
}

func (d *defects) Handle(ctx context.Context, r slog.Record) error {
	if strings.Contains(r.Message, "defect") {
		var text bytes.Buffer
		_ = slog.NewTextHandler(&text, nil).Handle(ctx, r)
		d.mu.Lock()
		d.found = append(d.found, text.String())
		d.mu.Unlock()
	}
	return d.Handler.Handle(ctx, r)
}

func (d *defects) WithAttrs([]slog.Attr) slog.Handler { return d }

// startTested starts a proxy whose sessions must not end by a defect.
func startTested(t *testing.T, cfg *config.Config) (*Server, string) {
	t.Helper()
	found := &defects{Handler: slog.NewTextHandler(io.Discard, nil)}
	proxy, err := New(t.Context(), cfg, nil, testMetrics(), slog.New(found))
	if err != nil {
		t.Fatal(err)
	}
	if err := proxy.Listen(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- proxy.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		for _, text := range found.found {
			t.Errorf("a session ended by a defect: %s", text)
		}
	})
	return proxy, proxy.Addr().String()
}

// testedMariaDB starts a proxy before a real server, changed by change.
func testedMariaDB(t *testing.T, change func(*config.Config)) (*Server, string) {
	t.Helper()
	server := mariaDB(t)
	leavesNothing(t)
	cfg := proxySettings(t, server.Addr)
	if change != nil {
		change(cfg)
	}
	proxy, addr := startTested(t, cfg)
	witness(t, addr)
	return proxy, addr
}

// witness is a client that does nothing wrong, and that must not notice anything
// until the test is over.
func witness(t *testing.T, addr string) {
	t.Helper()
	peer, err := wiretest.Client{User: "app", Password: "app"}.Dial(context.Background(), addr)
	if err != nil {
		t.Fatal(err)
	}
	stop, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- errors.Join(testify(peer, stop), peer.Close()) }()
	t.Cleanup(func() {
		close(stop)
		if err := <-done; err != nil {
			t.Errorf("another session was disturbed: %v", err)
		}
	})
}

// testify queries until it is told to stop.
func testify(peer *wiretest.Peer, stop <-chan struct{}) error {
	for asked := false; ; asked = true {
		select {
		case <-stop:
			if asked {
				return nil
			}
		case <-time.After(time.Millisecond):
		}
		if err := peer.Net.SetDeadline(time.Now().Add(patience)); err != nil {
			return err
		}
		sets, err := peer.Query("SELECT 4711")
		if err != nil {
			return err
		}
		if rows, err := sets[0].Text(); err != nil || len(rows) != 1 || rows[0][0] != "4711" {
			return errors.Join(errors.New("another answer"), err)
		}
	}
}

// connect opens a connection that says nothing, for a test to misuse.
func connect(t *testing.T, addr string) *wiretest.Peer {
	t.Helper()
	peer, err := wiretest.Connect(context.Background(), addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = peer.Close() })
	_ = peer.Net.SetDeadline(time.Now().Add(patience))
	return peer
}

// lastWord reads until tunic has closed the connection, and returns the error
// that its last packet was, if it was one, with its sequence number.
func lastWord(t *testing.T, p *wiretest.Peer) (number uint16, sequence uint8) {
	t.Helper()
	b, err := io.ReadAll(io.MultiReader(bytes.NewReader(p.Wire.TakeBuffered()), p.Net))
	if err != nil && !wiretest.Gone(err) {
		t.Errorf("tunic has not closed the connection: %v", err)
	}
	var payload []byte
	for len(b) >= wire.HeaderBytes {
		n := wire.HeaderBytes + (int(b[0]) | int(b[1])<<8 | int(b[2])<<16)
		if n > len(b) {
			return 0, 0 // closed inside a packet: no last word
		}
		sequence, payload, b = b[3], b[wire.HeaderBytes:n], b[n:]
	}
	if m, err := wire.DecodeErr(payload); err == nil {
		return m.Number, sequence
	}
	return 0, 0
}

// scripted starts a proxy before a scripted server. The service account and the
// witness find an honest database there; everybody else meets the steps.
func scripted(t *testing.T, change func(*config.Config), victim ...wiretest.Step) (*Server, string) {
	t.Helper()
	return scriptedServer(t, &wiretest.Server{Script: honest(victim...)}, change)
}

// honest is a script that is honest to all but the victim.
func honest(victim ...wiretest.Step) wiretest.Script {
	return wiretest.EveryConnection(wiretest.Try(wiretest.Greet, wiretest.ExpectLogin, byUser(victim)))
}

func scriptedServer(t *testing.T, server *wiretest.Server, change func(*config.Config)) (*Server, string) {
	t.Helper()
	leavesNothing(t)
	server.Start(t)
	cfg := proxySettings(t, server.Addr)
	if change != nil {
		change(cfg)
	}
	proxy, addr := startTested(t, cfg)
	witness(t, addr)
	return proxy, addr
}

// byUser lets honest clients in, and plays the steps for others.
func byUser(victim []wiretest.Step) wiretest.Step {
	return func(p *wiretest.Peer) error {
		login, err := wire.DecodeLogin(p.Last)
		if err != nil {
			return err
		}
		if user := string(login.User); user != "app" && user != "tunic_service" {
			return p.Play(victim...)
		}
		return p.Play(wiretest.Send(wiretest.OK(wire.OK{Status: wire.StatusAutocommit})), wiretest.Database(starts))
	}
}

// starts answers what tunic asks at its start: how long a packet may be, and how many
// tables there are that are protected.
func starts(p *wiretest.Peer, command []byte) (bool, error) {
	for asked, number := range map[string]string{"max_allowed_packet": "67108864", catalog.Schema: "0"} {
		if bytes.Contains(command, []byte(asked)) {
			return true, p.Play(wiretest.Send(wiretest.Result(0, []string{"n"}, []string{number})...))
		}
	}
	return false, nil
}

// victim logs in as the one for whom the scripted server misbehaves.
func victim(t *testing.T, addr string, caps wire.Capability) (*wiretest.Peer, error) {
	t.Helper()
	p := connect(t, addr)
	return p, wiretest.Client{User: "victim", Caps: caps}.Login(p)
}

// admit is the server's OK to a login.
var admit = wiretest.Send(wiretest.OK(wire.OK{Status: wire.StatusAutocommit}))

// sessions waits until only so many sessions are left.
func sessions(t *testing.T, proxy *Server, n int) {
	t.Helper()
	waittest.Until(t, "the sessions have ended", func() bool { return len(proxy.all()) == n })
}
