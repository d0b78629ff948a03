package crashtest

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tunic/internal/crash"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
)

// Limits that only end what hangs.
const (
	stuck  = 90 * time.Second // a statement, or a client that does not come to rest
	reread = 10 * time.Millisecond
)

// world is a server with two tunics before it, and the clients of both.
type world struct {
	t      *testing.T
	server *sandbox.Server
	root   *sql.DB // directly
	binary string
	nodes  [2]*node
	crowd  []*client

	restarts atomic.Int64 // of the server; counted while it is down
	gate     sync.RWMutex // a client holds it for a step; who holds all of it finds clients at rest
	over     atomic.Bool
	away     atomic.Bool // the server or a tunic was, since clients were at rest the last time
	running  sync.WaitGroup
	without  []string // kinds of definitions that nobody makes
	converts bool     // a table comes to be protected and plain again

	mu    sync.Mutex
	tally map[string]int
}

// node is a tunic, which has its address for life.
type node struct {
	name string
	dir  string
	addr string
	proc *sandbox.Proc
	want atomic.Value // the kind of definition that passes the point at which it is to be killed, a string
}

// newWorld starts a server and both tunics.
func newWorld(t *testing.T, flavor sandbox.Flavor) *world {
	t.Helper()
	w := &world{t: t, tally: map[string]int{}}
	var err error
	if w.binary, err = sandbox.TaggedBinary(t.Context(), "crashpoints"); err != nil {
		t.Fatal(err)
	}
	w.server = sandboxtest.Own(t, flavor)
	if w.root, err = sql.Open("mysql", w.server.DSN("root", "root", "")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.root.Close() })
	for i := range w.nodes {
		n := &node{name: string(rune('A' + i)), dir: filepath.Join(t.TempDir(), "tunic")}
		n.want.Store("")
		w.nodes[i] = n
		if i > 0 {
			shareKey(t, w.nodes[0].dir, n.dir)
		}
		w.begin(n)
	}
	t.Cleanup(func() {
		for _, n := range w.nodes {
			if err := n.proc.Stop(); err != nil {
				t.Errorf("stop tunic %s: %v", n.name, err)
			}
		}
	})
	return w
}

// shareKey gives a tunic the key file of another.
func shareKey(t *testing.T, from, to string) {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(from, "key"))
	if err == nil {
		err = errors.Join(os.MkdirAll(to, 0o700), os.WriteFile(filepath.Join(to, "key"), key, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// begin starts a tunic that is not to be killed at a point.
func (w *world) begin(n *node) {
	w.t.Helper()
	if died := w.beginAt(n, ""); died {
		w.t.Fatalf("tunic %s was killed by nobody", n.name)
	}
}

// beginAt starts a tunic that is to be killed at a point, and reports whether it was
// already, on its way up.
func (w *world) beginAt(n *node, point string) (died bool) {
	w.t.Helper()
	if n.proc != nil {
		if err := n.proc.Stop(); err != nil { // it is dead; its findings are looked at
			w.t.Error(err)
		}
	}
	o := sandbox.TunicOptions{Binary: w.binary, Backend: w.server.Addr, Listen: n.addr, Dir: n.dir, Protect: true}
	if point != "" {
		o.Env = []string{crash.PointVariable + "=" + point}
	}
	proc, err := sandbox.StartTunic(w.t.Context(), o)
	if failed, ended := errors.AsType[*sandbox.StartError](err); ended && point != "" && killed(failed.Cause) {
		return true
	}
	if err != nil {
		w.t.Fatalf("start tunic %s: %v", n.name, err)
	}
	n.proc, n.addr = proc, proc.Addr
	return false
}

// killed reports whether a process ended by SIGKILL.
func killed(err error) bool {
	return err != nil && strings.Contains(err.Error(), syscall.SIGKILL.String())
}

// count counts something for the lines at the end.
func (w *world) count(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tally[what]++
}

// report prints what was counted.
func (w *world) report() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, what := range slices.Sorted(maps.Keys(w.tally)) {
		w.t.Logf("%7d %s", w.tally[what], what)
	}
}

// run has a client take steps until the end. An error is a wrong answer.
func (w *world) run(c *client, step func() error) {
	w.crowd = append(w.crowd, c)
	w.running.Go(func() {
		defer c.close()
		for !w.over.Load() {
			w.gate.RLock()
			err := step()
			w.gate.RUnlock()
			if errors.Is(err, errOver) {
				return
			}
			if err != nil {
				w.t.Errorf("%s: %v", c.name, err)
				return
			}
			c.doing.Store("")
			time.Sleep(time.Millisecond) // for the others: the machine has few cores
		}
	})
}

// atRest does something while all clients are between two statements, and know what has
// become of what they have sent.
func (w *world) atRest(do func()) {
	w.t.Helper()
	rest := make(chan struct{})
	go func() { w.gate.Lock(); close(rest) }()
	select {
	case <-rest:
	case <-time.After(stuck):
		for _, c := range w.crowd {
			w.t.Logf("%s: %v", c.name, c.doing.Load())
		}
		for _, n := range w.nodes {
			w.t.Logf("tunic %s said last:\n%s", n.name, n.proc.Output())
		}
		w.t.Fatalf("clients do not come to rest within %v", stuck)
	}
	defer w.gate.Unlock()
	do()
	w.away.Store(false)
}

// end ends all clients.
func (w *world) end() {
	w.over.Store(true)
	w.running.Wait()
}

// killTunic kills a tunic and starts it again, to be killed at a point if there is one.
func (w *world) killTunic(n *node, next string) {
	w.t.Helper()
	if err := n.proc.Kill(); err != nil {
		w.t.Fatal(err)
	}
	if w.beginAt(n, next) {
		w.begin(n)
	}
}

// killServer kills the server and starts it again on what it has written.
func (w *world) killServer() {
	w.t.Helper()
	w.away.Store(true)
	if err := w.server.Kill(); err != nil {
		w.t.Fatal(err)
	}
	w.restarts.Add(1)
	if err := w.server.Restart(context.WithoutCancel(w.t.Context())); err != nil {
		w.t.Fatal(err)
	}
}

// stopTunic stops a tunic for a time, in which it counts no beat, and lets it go on.
func (w *world) stopTunic(n *node, long time.Duration) {
	w.t.Helper()
	w.away.Store(true)
	if err := syscall.Kill(n.proc.PID, syscall.SIGSTOP); err != nil {
		w.t.Fatal(err)
	}
	time.Sleep(long)
	if err := syscall.Kill(n.proc.PID, syscall.SIGCONT); err != nil {
		w.t.Fatal(err)
	}
}

// eventually tries until there is nothing wrong any more, and returns what is wrong still.
func eventually(within time.Duration, look func() error) error {
	for until := time.Now().Add(within); ; time.Sleep(reread) {
		err := look()
		if err == nil || time.Now().After(until) {
			return err
		}
	}
}
