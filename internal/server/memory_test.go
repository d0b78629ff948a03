package server

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tunic/internal/budget"
	"tunic/internal/racetest"
	"tunic/internal/sandbox"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

const (
	mebibyte = 1 << 20
	// idleBytesMax is what a tunic with a thousand idle sessions may hold in all.
	idleBytesMax = 100 * mebibyte
	// growthBytesMax is what caches and the garbage collector's room may add to
	// it, however many texts and statements have passed.
	growthBytesMax = 150 * mebibyte
)

// process starts tunic as users run it, for its memory to be measured.
func process(t *testing.T) (addr string, rss func() int64) {
	t.Helper()
	proxy := measured(t)
	return proxy.Addr, func() int64 { return rssOf(t, proxy) }
}

func measured(t *testing.T) *sandbox.Proc {
	t.Helper()
	if racetest.On {
		t.Skip("skipped: the race detector's memory is not tunic's")
	}
	server := mariaDB(t)
	proxy, err := sandbox.StartTunic(t.Context(), sandbox.TunicOptions{Backend: server.Addr, Args: []string{"--admin-pprof"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = proxy.Stop() })
	return proxy
}

func rssOf(t *testing.T, proxy *sandbox.Proc) int64 {
	t.Helper()
	n, err := sandbox.RSS(proxy.PID)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// heldBy is what a tunic holds once its garbage is collected: its memory without what the collector has free and
// is about to give back. How much of that there is at a moment depends on when it has run.
func heldBy(t *testing.T, proxy *sandbox.Proc) int64 {
	t.Helper()
	asked(t, proxy, "/debug/pprof/heap?gc=1")
	text := asked(t, proxy, "/metrics")
	return rssOf(t, proxy) - (seriesIn(t, text, "go_memstats_heap_idle_bytes") - seriesIn(t, text, "go_memstats_heap_released_bytes"))
}

func asked(t *testing.T, proxy *sandbox.Proc, path string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+proxy.AdminAddr+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v", path, response.StatusCode, err)
	}
	return string(body)
}

// seriesIn is the value of a series without labels.
func seriesIn(t *testing.T, text, name string) int64 {
	t.Helper()
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				t.Fatal(err)
			}
			return int64(n)
		}
	}
	t.Fatalf("%s is not there", name)
	return 0
}

func TestIdleSessionsAreSmall(t *testing.T) {
	proxy := measured(t)
	const sessions = 1000
	before := heldBy(t, proxy)
	for range sessions {
		run(t, app(t, proxy.Addr), "SELECT 1")
	}
	after := heldBy(t, proxy)
	t.Logf("%d idle sessions: %d MiB in all, %d before them", sessions, after/mebibyte, before/mebibyte)
	if after > idleBytesMax {
		t.Errorf("%d idle sessions hold %d bytes, the limit is %d", sessions, after, idleBytesMax)
	}
}

func TestDistinctTextsAreBounded(t *testing.T) {
	addr, rss := process(t)
	const texts, clients = 100_000, 8
	first := app(t, addr)
	run(t, first, "SELECT 1")
	before := rss()
	var group sync.WaitGroup
	for c := range clients {
		peer, err := wiretest.Client{User: "app", Password: "app", Database: "test"}.Dial(context.Background(), addr)
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			defer peer.Close()
			for i := c; i < texts; i += clients {
				if _, err := peer.Query(fmt.Sprintf("SELECT 1 AS a_name_of_some_length_%d, 2 AS another_%d", i, i)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	after := rss()
	t.Logf("%d distinct texts: %d MiB, %d before them", texts, after/mebibyte, before/mebibyte)
	if after-before > growthBytesMax {
		t.Errorf("%d distinct texts added %d bytes, the limit is %d", texts, after-before, growthBytesMax)
	}
}

func TestPreparedStatementsAreBounded(t *testing.T) {
	addr, rss := process(t)
	const statements = 10_000
	peer := app(t, addr)
	before := rss()
	for i := range statements {
		text := fmt.Sprintf("SELECT ? AS a_name_of_some_length_%d", i)
		if err := peer.Command(append([]byte{byte(wire.ComStmtPrepare)}, text...)); err != nil {
			t.Fatal(err)
		}
		sets, err := peer.ReadAnswer(wire.ComStmtPrepare, nil)
		if err != nil {
			t.Fatalf("statement %d: %v", i, err)
		}
		if i%1000 == 0 { // they all work, not only the last one
			executeInt(t, peer, sets[0].Statement)
		}
	}
	after := rss()
	t.Logf("%d prepared statements: %d MiB, %d before them", statements, after/mebibyte, before/mebibyte)
	if after-before > growthBytesMax {
		t.Errorf("%d prepared statements added %d bytes, the limit is %d", statements, after-before, growthBytesMax)
	}
}

// executeInt executes a statement of one parameter with the number 7.
func executeInt(t *testing.T, peer *wiretest.Peer, statement uint32) {
	t.Helper()
	body := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtExecute)}, statement)
	body = append(body, 0, 1, 0, 0, 0, 0, 1, byte(wire.TypeTiny), 0, 7)
	if err := peer.Command(body); err != nil {
		t.Fatal(err)
	}
	sets, err := peer.ReadAnswer(wire.ComStmtExecute, nil)
	if err != nil || len(sets[0].Rows) != 1 {
		t.Fatalf("statement %d: %v", statement, err)
	}
}

// TestRowCacheBytes: the row cache has what is asked for, and no more than an eighth of the process's memory.
func TestRowCacheBytes(t *testing.T) {
	for _, c := range []struct{ asked, process, want int64 }{
		{32 * mebibyte, 0, 32 * mebibyte},
		{32 * mebibyte, 1024 * mebibyte, 32 * mebibyte},
		{32 * mebibyte, 64 * mebibyte, 8 * mebibyte},
		{0, 1024 * mebibyte, 0},
	} {
		var memory *budget.Memory
		if c.process > 0 {
			memory = budget.NewMemory(c.process / 2)
		}
		if got := rowCacheBytes(c.asked, memory); got != int(c.want) {
			t.Errorf("%d asked for of %d: %d, want %d", c.asked, c.process, got, c.want)
		}
	}
}
