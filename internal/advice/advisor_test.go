package advice

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/metrics"
	"tunic/internal/policy"
	"tunic/internal/recipe"
)

// office is an Advisor with nobody behind it.
type office struct {
	*Advisor
	table   *catalog.Table
	catalog *catalog.Catalog
	now     time.Time
	log     bytes.Buffer
	metrics *metrics.Metrics
	alone   bool
	asked   []string
	fails   error
}

func newOffice(t *testing.T, mode Mode) *office {
	t.Helper()
	o := &office{table: patient(), now: time.Now(), metrics: metrics.New(metrics.Options{})}
	o.catalog = catalog.New(false).Next(1, nil, []*catalog.Table{o.table})
	book, checker := NewBook(mode == Advise), NewChecker(nil, nil)
	book.now, checker.now = func() time.Time { return o.now }, func() time.Time { return o.now }
	o.Advisor = New(Options{
		Mode: mode, Book: book, Checker: checker, Catalog: func() *catalog.Catalog { return o.catalog }, Jobs: o, Metrics: o.metrics,
		Alone: func(context.Context) (bool, error) { return o.alone, nil }, Log: slog.New(slog.NewTextHandler(&o.log, nil)),
	})
	return o
}

func (o *office) AddLayer(_ context.Context, t *catalog.Table, column int, layer policy.Capabilities, reason string) error {
	o.asked = append(o.asked, "add "+t.Columns[column].Name+" "+layer.String()+" because "+reason)
	return o.fails
}

func (o *office) DropLayer(_ context.Context, t *catalog.Table, column int, layer policy.Capabilities, reason string) error {
	o.asked = append(o.asked, "drop "+t.Columns[column].Name+" "+layer.String()+" because "+reason)
	return o.fails
}

// misses has statements miss a layer, of a table of so many rows.
func (o *office) misses(column, statements int, rows int64, spent time.Duration) {
	p := o.o.Book.Open(&recipe.Run{Missing: []recipe.MissingLayer{missing(o.table, column, policy.Equality, recipe.ForWhere, 1)}})
	for range statements {
		p.Add(&Work{Read: rows, Dropped: []int64{rows}, Spent: spent})
	}
}

// judged says what the values of a column are like, in a table of so many rows.
func (o *office) judged(why Why, rows int64) {
	o.o.Checker.keep(layerOf{o.table.Columns[0].ID, policy.Equality}, Verdict{Refused: why > Unjudged, Why: why, Rows: rows})
}

// has gives the first column a layer.
func (o *office) has(state catalog.State, keys ...catalog.Key) {
	next := *o.table
	next.Columns = slices.Clone(next.Columns)
	next.Columns[0].Layers = []catalog.Layer{{Capability: policy.Equality, Scheme: catalog.PRP64, State: state, Stored: "ssn$eq"}}
	next.Keys, next.Revision = keys, next.Revision+1
	o.catalog = o.catalog.Next(o.catalog.Version+1, []*catalog.Table{o.table}, []*catalog.Table{&next})
	o.table = &next
}

// looks has it look so many times, a minute apart.
func (o *office) looks(n int) {
	for range n {
		o.Look(context.Background())
		o.now = o.now.Add(lookEvery)
	}
}

// TestAdvice: what is advised, and why.
func TestAdvice(t *testing.T) {
	key := catalog.Key{Name: "ssn", Parts: []catalog.Part{{Column: "ssn", Layer: policy.Equality}}}
	for _, c := range []struct {
		name                  string
		do                    func(*office)
		state, advice, reason string
	}{
		{"nobody misses it", func(*office) {}, "", "", ""},
		{"missed now and then", func(o *office) { o.misses(0, 9, 1e6, time.Hour) }, "absent", Nothing, reasonWanted},
		{"missed often, and cheap", func(o *office) { o.misses(0, 100, 1e6, time.Millisecond) }, "absent", Nothing, reasonWanted},
		{"missed often", func(o *office) { o.misses(0, 100, 1e6, time.Minute) }, "absent", Add, reasonUnseen},
		{"missed often, and looked at", func(o *office) { o.misses(0, 100, 1e6, time.Minute); o.judged(Fine, 1e6) }, "absent", Add, reasonPays},
		{"of a table that is larger than what is read", func(o *office) { o.misses(0, 100, 1e4, time.Minute); o.judged(Fine, 1e6) }, "absent", Nothing, reasonWanted},
		{"of a few values", func(o *office) { o.misses(0, 100, 1e6, time.Minute); o.judged(Few, 1e6) }, "absent", Nothing, Few.String()},
		{"of one value", func(o *office) { o.misses(0, 100, 1e6, time.Minute); o.judged(Dominated, 1e6) }, "absent", Nothing, Dominated.String()},
		{"of too few rows", func(o *office) { o.misses(0, 100, 1e6, time.Minute); o.judged(Unjudged, 3) }, "absent", Nothing, reasonWanted},
		{"above the ceiling", func(o *office) { o.misses(1, 100, 1e6, time.Minute) }, "absent", Nothing, reasonAbove},
		{"on its way", func(o *office) { o.has(catalog.Backfilling) }, "filling", Nothing, reasonBackfilling},
		{"in use", func(o *office) { o.has(catalog.Ready) }, "ready", Nothing, ""},
		{"not used for long", func(o *office) { o.has(catalog.Ready); o.looks(1); o.Advice(); o.now = o.now.Add(unusedFor) }, "ready", Drop, reasonUnused},
		{"under a key", func(o *office) { o.has(catalog.Ready, key); o.Advice(); o.now = o.now.Add(unusedFor) }, "ready", Nothing, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := newOffice(t, Off)
			c.do(o)
			all := o.Advice()
			if c.state == "" {
				if len(all) > 0 {
					t.Errorf("%+v", all)
				}
				return
			}
			if len(all) != 1 {
				t.Fatalf("%+v", all)
			}
			if got := all[0]; got.State != c.state || got.Advice != c.advice || got.Reason != c.reason || got.Schema != "shop" || got.Table != "patient" || got.Ceiling == "" {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestAuto: when a layer is asked for.
func TestAuto(t *testing.T) {
	const add = "add ssn equality because auto: "
	for _, c := range []struct {
		name string
		mode Mode
		do   func(*office)
		want []string
	}{
		{"it pays", Auto, func(o *office) { o.looks(3) }, []string{add + reasonPays}},
		{"it has to pay twice", Auto, func(o *office) { o.looks(1) }, nil},
		{"it is asked for once a day", Auto, func(o *office) { o.looks(10); o.now = o.now.Add(againAfter); o.judged(Fine, 1e3); o.looks(1) }, []string{add + reasonPays, add + reasonPays}},
		{"a failure is no reason to ask sooner", Auto, func(o *office) { o.fails = errors.New("no"); o.looks(10) }, []string{add + reasonPays}},
		{"values speak against it", Auto, func(o *office) { o.judged(Dense, 1e3); o.looks(10) }, nil},
		{"a job is at the table", Auto, func(o *office) {
			o.catalog = o.catalog.WithJobs(o.catalog.Version+1, []*catalog.Job{{ID: 1, Kind: "rest", Table: o.table.ID}})
			o.looks(10)
		}, nil},
		{"only advised", Advise, func(o *office) { o.looks(10) }, nil},
		{"off", Off, func(o *office) { o.looks(10) }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := newOffice(t, c.mode)
			o.misses(0, 100, 1e6, time.Hour)
			o.judged(Fine, 1e3)
			c.do(o)
			if !slices.Equal(o.asked, c.want) {
				t.Errorf("asked for %q, want %q", o.asked, c.want)
			}
			if strings.Contains(o.log.String(), "WARN") != (o.fails != nil) {
				t.Errorf("log: %s", &o.log)
			}
		})
	}
}

// TestAutoDropsItsOwn: a layer that somebody else has added stays, and so does one that
// another tunic may use.
func TestAutoDropsItsOwn(t *testing.T) {
	for _, c := range []struct {
		name   string
		reason string
		alone  bool
		want   int
	}{
		{"its own", AutoReason + reasonPays, true, 1},
		{"its own, and others may use it", AutoReason + reasonPays, false, 0},
		{"somebody else's", "for the report of the quarter", true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := newOffice(t, Auto)
			o.alone = c.alone
			o.has(catalog.Ready)
			o.catalog = o.catalog.WithJobs(o.catalog.Version+1, []*catalog.Job{{
				ID: 1, Kind: "add_layer", Table: o.table.ID, Column: o.table.Columns[0].ID, Layer: policy.Equality, Reason: c.reason, State: catalog.JobDone,
			}})
			o.looks(2)
			o.now = o.now.Add(unusedFor)
			o.looks(3)
			if len(o.asked) != c.want {
				t.Errorf("asked for %q", o.asked)
			}
		})
	}
}

// TestAdviseTellsOnce: the log has a line an hour, and names no value; the number of them is
// counted.
func TestAdviseTellsOnce(t *testing.T) {
	o := newOffice(t, Advise)
	o.misses(0, 100, 1e6, time.Hour)
	o.judged(Fine, 1e3)
	o.looks(50)
	if n := strings.Count(o.log.String(), "a layer would pay"); n != 1 || o.metrics.Advice.Value() != 1 {
		t.Errorf("%d lines, %d counted: %s", n, o.metrics.Advice.Value(), &o.log)
	}
	o.looks(11)
	if n := strings.Count(o.log.String(), "a layer would pay"); n != 2 {
		t.Errorf("%d lines after an hour", n)
	}
}
