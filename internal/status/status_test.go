package status

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/metrics"
	"tunic/internal/sql"
	"tunic/internal/usage"
)

var rewrite = flag.Bool("rewrite", false, "rewrite golden files")

// fake is a source with a job that goes on.
type fake struct {
	asked int
	done  uint64
	many  int // tables
}

func (f *fake) Limit() int    { return 100 }
func (f *fake) Working() bool { return true }

func (f *fake) Warnings() []Warning {
	return []Warning{{"memory", Notice, "a notice", "do this"}, {"ledger", Alarm, "an alarm", "do that"}}
}

func (f *fake) Protection(context.Context) *Protection {
	f.asked++
	p := &Protection{
		Ledger: Ledger{Project: "5eb1d3e1fb5afc055ceb679805de2138", Usable: true, Version: 7, Members: 2, Leased: true},
		Keys:   Keys{Epoch: 1, Versions: []uint16{1, 0}, Seals: 5, SealsMax: 1 << 31},
		Jobs: []Job{
			{ID: 3, Kind: "add_layer", Table: "shop.person", Column: "name", State: "failed", Stage: "fill", Cause: "disk_full", Fix: "make room"},
			{ID: 4, Kind: "add_layer", Table: "shop.visit", Column: "why", State: "running", Stage: "fill", Here: true, Progress: Progress{Done: f.done, Expected: 10_000}},
		},
		Encryptions: []Encryption{{Table: "shop.old", Direction: "encrypt", Progress: Progress{Done: f.done, Expected: 100}}},
	}
	for i := range f.many {
		p.Tables = append(p.Tables, Table{Schema: "shop", Name: fmt.Sprintf("table_%03d", i), State: TableProtected, Columns: 4, ProtectedColumns: 2, Layers: 1})
	}
	return p
}

// gathering is a Gatherer over a fake.
func gathering(f *fake) (*Gatherer, *metrics.Metrics, *usage.Top, *usage.Refused) {
	m := metrics.New(metrics.Options{
		StatementKinds: []string{"SELECT", "INSERT"}, StatementActions: []string{"forward", "refuse", "execute", "define"}, RefusalCodes: []uint16{2001, 2010},
	})
	top, refused := usage.NewTop(5), new(usage.Refused)
	return New(Options{
		Version: "v1", Commit: "abc", Metrics: m, Source: f, Usage: top, Refused: refused,
		Ready: func(context.Context) error { return nil }, Draining: func() bool { return false },
	}), m, top, refused
}

// template is the Template of a text.
func template(top *usage.Top, text string) *usage.Template {
	var fp sql.Fingerprinter
	f := fp.Fingerprint([]byte(text), 0)
	return top.Open(&f, 0, true)
}

// TestJSON: the JSON, its names and its figures.
func TestJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{many: 30}
		g, m, top, refused := gathering(f)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go g.Run(ctx)
		time.Sleep(tick / 2) // between two readings
		one, other := template(top, "SELECT a FROM t WHERE b = 'secret'"), template(top, "SELECT secret(1)")
		for range 20 {
			f.done += 100
			for range 10 {
				m.Statement(0, 0).Inc()
				m.Duration(0).Observe(3 * time.Millisecond)
				one.Add(3*time.Millisecond, true)
			}
			m.Statement(0, 2).Inc()
			m.Local.Inc()
			m.Statement(1, 1).Inc()
			m.Refusal(2010).Inc()
			refused.Note(2010, other)
			m.Bytes.ClientIn.Add(500)
			time.Sleep(tick)
		}
		m.Connections.Open.Inc()
		m.RowCache.Hits.Add(3)
		m.RowCache.Misses.Inc()
		m.RowCache.Stale.Inc()
		got, err := json.MarshalIndent(g.Gather(t.Context(), Ask{Templates: 5, Tables: 2, Search: "_02"}), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "status.json", append(got, '\n'))
	})
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs; -rewrite makes it anew:\n%s", path, diff)
	}
}

// TestAsksRarely: however many ask, the database is asked once a second at most.
func TestAsksRarely(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		g, _, _, _ := gathering(f)
		for range 50 {
			g.Gather(t.Context(), Ask{})
			time.Sleep(100 * time.Millisecond)
		}
		if f.asked > 6 {
			t.Errorf("asked %d times in 5 seconds", f.asked)
		}
	})
}

// TestHealth: ready, not and why, and draining.
func TestHealth(t *testing.T) {
	g, _, _, _ := gathering(&fake{})
	for _, c := range []struct {
		ready    error
		draining bool
		want     Health
	}{
		{nil, false, Health{State: Ready}},
		{errors.New("the database is away"), false, Health{NotReady, "the database is away"}},
		{context.DeadlineExceeded, false, Health{NotReady, "the database server does not answer"}},
		{nil, true, Health{State: Draining}},
	} {
		g.o.Draining = func() bool { return c.draining }
		if got := g.health(c.ready); got != c.want {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

// TestHistoryIsBounded: after hours there are five minutes, and kinds only of the window.
func TestHistoryIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, m, _, _ := gathering(&fake{})
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go g.Run(ctx)
		time.Sleep(tick / 2) // between two readings
		for range 1000 {
			m.Duration(0).Observe(time.Millisecond)
			time.Sleep(tick)
		}
		h := g.recorder.history()
		if len(h.Statements) != kept-1 || h.Statements[0] < 0.99 || h.Statements[0] > 1.01 {
			t.Errorf("%d readings, the first of %v a second", len(h.Statements), h.Statements[0])
		}
		with := 0
		for _, r := range g.recorder.readings {
			if r.durations != nil {
				with++
			}
		}
		if with > window+1 {
			t.Errorf("%d readings have kinds", with)
		}
	})
}
