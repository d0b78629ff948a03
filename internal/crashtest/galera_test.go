package crashtest

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tunic/internal/sandbox"
	"tunic/internal/waittest"
)

var minutes = flag.Float64("minutes", 1, "how long TestGalera has transactions made")

const (
	galeraNodes  = 3
	galeraEach   = 4 // clients of a tunic, and of a node
	galeraBeside = 2 // those of a node who go to it directly
	hotRows      = 4
)

// cluster is a Galera cluster, a tunic before each node.
type cluster struct {
	t      *testing.T
	dir    string
	galera *sandbox.Galera
	tunics [galeraNodes]*sandbox.Proc
	down   [galeraNodes]atomic.Bool // a node is not there, or not ready
	over   atomic.Bool
	next   atomic.Int64
	crowds [2]*hotCrowd
}

// TestGalera has clients of all nodes change a few rows in transactions while two nodes are
// killed and come back. What was acknowledged is stored, and nothing else; and a client of a
// tunic is told no error that a client of a node is not.
func TestGalera(t *testing.T) {
	if os.Getenv("TUNIC_LONG") == "" {
		t.Skip("takes minutes; set TUNIC_LONG=1 or run `make galera`")
	}
	c := newCluster(t)
	through, direct := newHotCrowd(c, "through tunic", "shop"), newHotCrowd(c, "directly", "plain")
	c.crowds = [2]*hotCrowd{through, direct}
	for i := range galeraNodes {
		c.startTunic(i)
		through.dsn[i] = c.tunics[i].DSN(sandbox.AppUser, sandbox.AppPassword, through.schema)
		direct.dsn[i] = c.galera.Nodes[i].DSN(sandbox.AppUser, sandbox.AppPassword, direct.schema)
		if i == 0 { // one tunic makes definitions: locks are not of a cluster
			through.open()
			direct.open()
		}
	}
	began, long := time.Now(), time.Duration(*minutes*float64(time.Minute))
	var running sync.WaitGroup
	for i := range galeraNodes {
		for j := range galeraEach {
			running.Go(func() { through.client(i, j) })
		}
		for j := range galeraBeside {
			running.Go(func() { direct.client(i, j) })
		}
	}
	for k, i := range []int{1, 2} {
		time.Sleep(time.Until(began.Add(long * time.Duration(2*k+1) / 5)))
		c.kill(i)
	}
	time.Sleep(time.Until(began.Add(long)))
	c.over.Store(true)
	running.Wait()
	for _, h := range c.crowds {
		h.check()
	}
}

// newCluster starts the nodes and the tunics.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	dir, release, err := sandbox.FreshFolder("galera")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = release(!t.Failed()) })
	c := &cluster{t: t, dir: dir}
	if c.galera, err = sandbox.StartGalera(t.Context(), galeraNodes, dir); errors.Is(err, sandbox.ErrUnavailable) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.galera.Stop(); err != nil {
			t.Error(err)
		}
	})
	for i := range galeraNodes {
		c.awaitReady(i)
	}
	if err := c.galera.Nodes[0].Exec(t.Context(), "CREATE DATABASE shop", "CREATE DATABASE plain"); err != nil {
		t.Fatal(err)
	}
	return c
}

// startTunic starts the tunic of a node.
func (c *cluster) startTunic(i int) {
	t := c.t
	t.Helper()
	o := sandbox.TunicOptions{Backend: c.galera.Nodes[i].Addr, Dir: filepath.Join(c.dir, fmt.Sprintf("tunic%d", i)), Protect: true}
	if i > 0 {
		shareKey(t, c.tunics[0].Dir, o.Dir)
	}
	var err error
	if c.tunics[i], err = sandbox.StartTunic(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("tunic %d said last:\n%s", i, c.tunics[i].Output())
		}
		if err := c.tunics[i].Stop(); err != nil {
			t.Error(err)
		}
	})
}

// awaitReady waits until a node takes statements.
func (c *cluster) awaitReady(i int) {
	c.t.Helper()
	root, err := sql.Open("mysql", c.galera.Nodes[i].DSN("root", "root", ""))
	if err != nil {
		c.t.Fatal(err)
	}
	defer root.Close()
	waittest.Until(c.t, fmt.Sprintf("node %d is synced", i), func() bool {
		var name, state string
		err := root.QueryRow("SHOW STATUS LIKE 'wsrep_local_state_comment'").Scan(&name, &state)
		return err == nil && state == "Synced"
	})
}

// kill kills a node, and brings it back.
func (c *cluster) kill(i int) {
	c.t.Helper()
	c.down[i].Store(true)
	began := time.Now()
	if err := c.galera.Nodes[i].Kill(); err != nil {
		c.t.Fatal(err)
	}
	time.Sleep(5 * time.Second) // the others go on without it
	if err := c.galera.Nodes[i].Restart(context.WithoutCancel(c.t.Context())); err != nil {
		c.t.Errorf("node %d does not come back: %v", i, err)
		return
	}
	c.awaitReady(i)
	c.down[i].Store(false)
	c.t.Logf("node %d was killed, and is back after %v", i, time.Since(began).Round(time.Second))
}

// hotCrowd is the clients of a schema. All of them write the same few rows.
type hotCrowd struct {
	*cluster
	name, schema string
	dsn          [galeraNodes]string

	mu       sync.Mutex
	fates    map[int64]outcome // of each transaction, by its number
	who      map[int64]string
	errors   map[string]int    // what clients were told, by number and step
	messages map[string]string // one of each
	conns    int               // that broke
}

func newHotCrowd(c *cluster, name, schema string) *hotCrowd {
	return &hotCrowd{cluster: c, name: name, schema: schema, fates: map[int64]outcome{}, who: map[int64]string{}, errors: map[string]int{}, messages: map[string]string{}}
}

// open makes the tables.
func (h *hotCrowd) open() {
	h.t.Helper()
	db, err := sql.Open("mysql", h.dsn[0])
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	texts := []string{
		"CREATE TABLE hot (id INT PRIMARY KEY, n BIGINT NOT NULL, note VARCHAR(40) NOT NULL)",
		"CREATE TABLE made (id BIGINT NOT NULL, part INT NOT NULL, hot INT NOT NULL, was BIGINT NOT NULL, note VARCHAR(40) NOT NULL, PRIMARY KEY (id, part))",
	}
	for i := range hotRows {
		texts = append(texts, fmt.Sprintf("INSERT INTO hot VALUES (%d, 0, 'new')", i))
	}
	for _, text := range texts {
		if _, err := db.Exec(text); err != nil {
			h.t.Fatalf("%s: %s: %v", h.name, text, err)
		}
	}
}
