package status

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"tunic/internal/metrics"
	"tunic/internal/sqlerr"
	"tunic/internal/usage"
)

// Source is what the server says of itself. Its methods may be called by many goroutines.
type Source interface {
	// Warnings are what an operator must see now.
	Warnings() []Warning
	// Limit is how many clients may be connected.
	Limit() int
	// Working reports whether there are jobs or encryptions under way.
	Working() bool
	// Protection is what there is to know of protected tables, with all of them and without
	// the pace of work; nil where tunic has no key.
	Protection(ctx context.Context) *Protection
}

// Options are what a Gatherer reads.
type Options struct {
	Version, Commit string
	Metrics         *metrics.Metrics
	Source          Source
	// Ready and Draining are those of the page /readyz.
	Ready    func(context.Context) error
	Draining func() bool
	// Usage and Refused know the templates, Names what of them may be shown.
	Usage   *usage.Top
	Refused *usage.Refused
	Names   usage.Names
}

// Gatherer makes snapshots. Its methods may be called by many goroutines.
type Gatherer struct {
	o        Options
	recorder *Recorder
	started  time.Time

	// mu guards what was asked of the database last, and keeps who asks at once from asking
	// it twice.
	mu         sync.Mutex
	protection *Protection
	unready    error
	asked      time.Time
}

// New makes a Gatherer. It has no rates until its Run is called.
func New(o Options) *Gatherer {
	return &Gatherer{o: o, recorder: NewRecorder(o.Metrics, o.Source), started: time.Now()}
}

// Run records rates until ctx is done.
func (g *Gatherer) Run(ctx context.Context) { g.recorder.Run(ctx) }

// Ask is what of long lists somebody wants to see.
type Ask struct {
	// Templates and Tables are how many at most.
	Templates, Tables int
	// Search is a part of the name of tables.
	Search string
}

// The most, and the usual, lengths of lists.
const (
	ListMax      = 1000
	ListDefault  = 20
	jobsShown    = 20
	searchLength = 200
)

// Limited is the Ask within bounds.
func (a Ask) Limited() Ask {
	a.Templates, a.Tables = min(max(a.Templates, 0), ListMax), min(max(a.Tables, 0), ListMax)
	a.Search = a.Search[:min(len(a.Search), searchLength)]
	return a
}

// Gather is the state at this moment. It asks the database at most once a second, whoever
// asks.
func (g *Gatherer) Gather(ctx context.Context, a Ask) *Snapshot {
	a = a.Limited()
	m, now := g.o.Metrics, time.Now()
	cache := m.ReadPlanCache()
	s := &Snapshot{
		Format: Format, Time: now.UTC().Truncate(time.Millisecond), Version: g.o.Version, Commit: g.o.Commit,
		Uptime:   now.Sub(g.started).Truncate(time.Millisecond).Seconds(),
		Warnings: g.o.Source.Warnings(),
		Sessions: Sessions{Open: m.Connections.Open.Value(), Limit: int64(g.o.Source.Limit()), States: m.ReadSessions(), Prepared: m.Prepared.Value()},
		Load:     g.recorder.load(), Kinds: g.kinds(), Work: workOf(m), Refusals: g.refusals(), Templates: g.templates(a.Templates),
		PlanCache: PlanCache{cache.Entries, cache.Bytes, cache.Hits, cache.Misses},
		RowCache:  RowCache{m.RowCache.Hits.Value(), m.RowCache.Misses.Value(), m.RowCache.Stale.Value()},
		History:   g.recorder.history(),
	}
	p, unready := g.asking(ctx)
	s.Health = g.health(unready)
	if p != nil {
		s.Warnings = append(s.Warnings, workWarnings(p)...)
		s.Protection = shortened(p, a)
	}
	order := map[string]int{Alarm: 0, Caution: 1, Notice: 2}
	slices.SortStableFunc(s.Warnings, func(x, y Warning) int { return order[x.Level] - order[y.Level] })
	if s.Warnings == nil {
		s.Warnings = []Warning{}
	}
	return s
}

func (g *Gatherer) health(unready error) Health {
	switch {
	case g.o.Draining():
		return Health{State: Draining}
	case errors.Is(unready, context.DeadlineExceeded):
		return Health{State: NotReady, Reason: "the database server does not answer"}
	case unready != nil:
		return Health{State: NotReady, Reason: unready.Error()}
	}
	return Health{State: Ready}
}

// fresh is how long an answer of the database holds.
const fresh = time.Second

// asking asks the database whether it answers, and what is known of protected tables, unless
// that was asked just now. Who asks meanwhile waits for that answer.
func (g *Gatherer) asking(ctx context.Context) (*Protection, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.asked.IsZero() || time.Since(g.asked) >= fresh {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		g.unready = g.o.Ready(ctx)
		g.protection = g.recorder.work(ctx)
		g.asked = time.Now()
	}
	return g.protection, g.unready
}

// shortened is what was asked for of it.
func shortened(all *Protection, a Ask) *Protection {
	p := *all
	search := strings.ToLower(a.Search)
	p.Tables = []Table{}
	p.TablesAll, p.TablesFound = len(all.Tables), 0
	for _, t := range all.Tables {
		if !strings.Contains(strings.ToLower(t.Schema+"."+t.Name), search) {
			continue
		}
		if p.TablesFound++; len(p.Tables) < a.Tables {
			p.Tables = append(p.Tables, t)
		}
	}
	return &p
}

// workWarnings are those that need the database.
func workWarnings(p *Protection) (all []Warning) {
	for i := range p.Jobs {
		if j := &p.Jobs[i]; j.State == "failed" {
			all = append(all, Warning{"job_failed", Caution, "a job on " + j.Table + " has failed: " + j.Kind + ", " + j.Cause, j.Fix})
		}
	}
	for i := range p.Encryptions {
		e := &p.Encryptions[i]
		text := e.Table + " has values in the clear: tunic " + e.Direction + " has begun with it and has not ended"
		all = append(all, Warning{"plaintext_left", Caution, text, "let it end, or run tunic " + e.Direction + " " + e.Table + " again"})
	}
	return all
}

// workOf sorts statements by who did their work.
func workOf(m *metrics.Metrics) (w Work) {
	for _, s := range m.ReadStatements() {
		w.Statements += s.Count
		switch s.Action {
		case "forward":
			w.Forwarded += s.Count
		case "execute":
			w.Carried += s.Count
		case "refuse":
			w.Refused += s.Count
		default:
			w.Answered += s.Count
		}
	}
	w.Local = min(m.Local.Value(), w.Carried)
	w.Carried -= w.Local
	late := m.RefusedLate.Value()
	w.Refused += late
	for _, of := range []*uint64{&w.Carried, &w.Answered, &w.Forwarded} { // most are of the first
		part := min(late, *of)
		*of, late = *of-part, late-part
	}
	return w
}

func (g *Gatherer) kinds() []Kind {
	counts := map[string]uint64{}
	for _, s := range g.o.Metrics.ReadStatements() {
		counts[s.Kind] += s.Count
	}
	before, after, seconds := g.recorder.span()
	all := make([]Kind, 0, len(counts))
	for kind, n := range counts {
		since := after.durations[kind].Since(before.durations[kind])
		k := Kind{Kind: kind, Statements: n, Latency: latencyOf(since)}
		if seconds > 0 {
			k.PerSecond = float64(since.Count()) / seconds
		}
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(b.Statements, a.Statements), strings.Compare(a.Kind, b.Kind))
	})
	return all
}

// withoutBraces makes plain words of placeholders.
var withoutBraces = strings.NewReplacer("{", "", "}", "")

func (g *Gatherer) refusals() []Refusal {
	all := []Refusal{}
	for _, r := range g.o.Metrics.ReadRefusals() {
		one := Refusal{Code: sqlerr.Code(r.Code).String(), Count: r.Count}
		if e, known := sqlerr.Lookup(sqlerr.Code(r.Code)); known {
			one.Text, one.Fix = withoutBraces.Replace(e.Message), withoutBraces.Replace(e.Fix)
		}
		if last := g.o.Refused.Last(r.Code); last != nil {
			one.Template = last.Text(g.o.Names)
		}
		all = append(all, one)
	}
	return all
}

func (g *Gatherer) templates(n int) []Template {
	all := []Template{}
	for _, u := range g.o.Usage.Most(n) {
		t := Template{
			Text: u.Template.Text(g.o.Names), Statements: u.Statements, Refused: u.Refused,
			Seconds: u.Took.Seconds(), Mean: u.Took.Seconds() / float64(u.Statements), Phases: map[string]float64{},
		}
		for p, share := range u.Phases {
			t.Phases[usage.Phase(p).String()] = share
		}
		all = append(all, t)
	}
	return all
}
