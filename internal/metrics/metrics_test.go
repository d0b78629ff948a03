package metrics

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

func testOptions() Options {
	return Options{
		Version: "v1.2.3", Commit: "abc", Go: "go1.26",
		StatementKinds: []string{"select", "insert"}, StatementActions: []string{"forward", "refuse"},
		RefusalCodes: []uint16{3001, 4001},
	}
}

// series scrapes m and gives its own series, without Go's and the process's.
func series(t *testing.T, m *Metrics) map[string]float64 {
	t.Helper()
	families, err := m.Gatherer().Gather()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]float64{}
	for _, f := range families {
		for _, one := range f.GetMetric() {
			var labels []string
			for _, l := range one.GetLabel() {
				labels = append(labels, l.GetName()+"="+l.GetValue())
			}
			if strings.HasPrefix(f.GetName(), "tunic_") && one.GetHistogram() == nil {
				all[f.GetName()+"{"+strings.Join(labels, ",")+"}"] = one.GetCounter().GetValue() + one.GetGauge().GetValue()
			}
		}
	}
	return all
}

// moved are the series that differ between two scrapes, and by how much.
func moved(before, after map[string]float64) map[string]float64 {
	diff := map[string]float64{}
	for name, value := range after {
		if value != before[name] {
			diff[name] = value - before[name]
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			diff[name] = -before[name]
		}
	}
	return diff
}

// TestEachHandle moves every handle once and sees exactly its series move.
func TestEachHandle(t *testing.T) {
	m := New(testOptions())
	for _, c := range []struct {
		move func()
		want map[string]float64
	}{
		{m.Connections.Accepted.Inc, map[string]float64{"tunic_connections_accepted_total{}": 1}},
		{m.Connections.Open.Inc, map[string]float64{"tunic_connections_open{}": 1}},
		{m.Connections.Open.Dec, map[string]float64{"tunic_connections_open{}": -1}},
		{m.Connections.Refused(RefusedLimit).Inc, map[string]float64{"tunic_connections_refused_total{reason=limit}": 1}},
		{m.Connections.Refused(RefusedBackend).Inc, map[string]float64{"tunic_connections_refused_total{reason=backend}": 1}},
		{m.Login(LoginDenied).Inc, map[string]float64{"tunic_logins_total{result=denied}": 1}},
		{func() { m.Prepared.Add(3) }, map[string]float64{"tunic_prepared_statements_open{}": 3}},
		{func() { m.Prepared.Add(-2) }, map[string]float64{"tunic_prepared_statements_open{}": -2}},
		{func() { m.Bytes.ClientIn.Add(10) }, map[string]float64{"tunic_client_bytes_total{direction=in}": 10}},
		{func() { m.Bytes.ClientOut.Add(11) }, map[string]float64{"tunic_client_bytes_total{direction=out}": 11}},
		{func() { m.Bytes.ClientOut.Add(-1) }, map[string]float64{}},
		{m.Command(0x03).Inc, map[string]float64{"tunic_commands_total{command=query}": 1}},
		{m.Command(0x17).Inc, map[string]float64{"tunic_commands_total{command=stmt_execute}": 1}},
		{m.Command(0xfa).Inc, map[string]float64{"tunic_commands_total{command=stmt_bulk_execute}": 1}},
		{m.Command(0x80).Inc, map[string]float64{"tunic_commands_total{command=unknown}": 1}},
		{m.Command(0xff).Inc, map[string]float64{"tunic_commands_total{command=unknown}": 1}},
		{m.Statement(1, 0).Inc, map[string]float64{"tunic_statements_total{action=forward,kind=insert}": 1}},
		{m.Statement(0, 1).Inc, map[string]float64{"tunic_statements_total{action=refuse,kind=select}": 1}},
		{m.Statement(99, 0).Inc, map[string]float64{"tunic_statements_total{action=forward,kind=unknown}": 1}},
		{m.Statement(-1, -1).Inc, map[string]float64{"tunic_statements_total{action=unknown,kind=unknown}": 1}},
		{m.Refusal(3001).Inc, map[string]float64{"tunic_refusals_total{code=TUNIC-3001}": 1}},
		{m.Refusal(9999).Inc, map[string]float64{"tunic_refusals_total{code=unknown}": 1}},
		{m.Backend.Connects.Inc, map[string]float64{"tunic_backend_connects_total{}": 1}},
		{m.Backend.Error(BackendMalformed).Inc, map[string]float64{"tunic_backend_errors_total{reason=malformed}": 1}},
	} {
		before := series(t, m)
		c.move()
		if diff := cmp.Diff(c.want, moved(before, series(t, m))); diff != "" {
			t.Error(diff)
		}
	}
}

// TestEachFieldHasAFamily: whatever a field of Metrics counts is among the series that are read, and so is what a
// method gives a counter of, as those with a label do.
func TestEachFieldHasAFamily(t *testing.T) {
	m := New(testOptions())
	fields, methods := 0, 0
	var look func(path string, v reflect.Value)
	look = func(path string, v reflect.Value) {
		before := series(t, m)
		for name, counter := range v.Addr().Methods() {
			typ := counter.Type()
			if typ.NumOut() != 1 || typ.Out(0) != reflect.TypeFor[*Counter]() {
				continue
			}
			var zeros []reflect.Value
			for of := range typ.Ins() {
				zeros = append(zeros, reflect.Zero(of))
			}
			counter.Call(zeros)[0].Interface().(*Counter).Inc()
			after := series(t, m)
			if methods++; len(moved(before, after)) == 0 {
				t.Errorf("what %s.%s counts is in no family", path, name.Name)
			}
			before = after
		}
		switch of := v.Addr().Interface().(type) {
		case *Counter:
			of.Inc()
		case *Gauge:
			of.Add(1)
		case *Histogram:
			t.Errorf("%s: this test reads no histograms", path)
		default:
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.IsExported() {
					look(path+"."+f.Name, v.Field(i))
				}
			}
			return
		}
		fields++
		if len(moved(before, series(t, m))) == 0 {
			t.Errorf("%s is in no family", path)
		}
	}
	look("Metrics", reflect.ValueOf(m).Elem())
	if fields < 20 || methods < 6 {
		t.Errorf("%d fields and %d methods are found", fields, methods)
	}
}

// TestUnknownOnTheList: a list that has a name for what it does not know keeps
// its index, and what is off the list counts there too; a second series of that
// name would spoil the whole scrape.
func TestUnknownOnTheList(t *testing.T) {
	m := New(Options{StatementKinds: []string{unknown, "select"}, StatementActions: []string{"forward"}})
	m.Statement(0, 0).Inc()
	m.Statement(2, 0).Inc()
	m.Statement(1, 0).Inc()
	got := series(t, m)
	if got["tunic_statements_total{action=forward,kind=unknown}"] != 2 || got["tunic_statements_total{action=forward,kind=select}"] != 1 {
		t.Errorf("counted elsewhere: %v", got)
	}
}

func TestBuildInfo(t *testing.T) {
	if got := series(t, New(testOptions()))["tunic_build_info{commit=abc,go=go1.26,version=v1.2.3}"]; got != 1 {
		t.Errorf("tunic_build_info is %v", got)
	}
}

// TestWatches asks the callbacks at each scrape, and says zero before they are
// set.
func TestWatches(t *testing.T) {
	m := New(Options{})
	before := series(t, m)
	if before["tunic_sessions{state=busy}"] != 0 || before["tunic_plan_cache_bytes{}"] != 0 {
		t.Error("not zero before anybody answers")
	}
	var asked atomic.Int64 // a scrape asks from several goroutines
	m.WatchPlanCache(func() PlanCache {
		asked.Add(1)
		return PlanCache{Hits: 1, Misses: 2, Evictions: 3, Entries: 4, Bytes: 5}
	})
	m.WatchSessions(func() Sessions {
		return Sessions{SessionLogin: 1, SessionIdle: 2, SessionTransaction: 3, SessionBusy: 4}
	})
	want := map[string]float64{
		"tunic_plan_cache_hits_total{}":      1,
		"tunic_plan_cache_misses_total{}":    2,
		"tunic_plan_cache_evictions_total{}": 3,
		"tunic_plan_cache_entries{}":         4,
		"tunic_plan_cache_bytes{}":           5,
		"tunic_sessions{state=login}":        1,
		"tunic_sessions{state=idle}":         2,
		"tunic_sessions{state=transaction}":  3,
		"tunic_sessions{state=busy}":         4,
	}
	if diff := cmp.Diff(want, moved(before, series(t, m))); diff != "" {
		t.Error(diff)
	}
	if asked.Load() == 0 {
		t.Error("the plan cache was not asked")
	}
}

// TestHistogramExposed compares with what Prometheus' own histogram would
// expose for the same durations.
func TestHistogramExposed(t *testing.T) {
	m := New(Options{})
	for _, d := range []time.Duration{
		-time.Second, 0, 20 * time.Microsecond, 20*time.Microsecond + 1, 3 * time.Millisecond, time.Second, time.Hour,
	} {
		m.Duration(0).Observe(d)
	}
	const want = `
# HELP tunic_query_duration_seconds Time from a command read to its answer written, the server's work included.
# TYPE tunic_query_duration_seconds histogram
tunic_query_duration_seconds_bucket{le="2e-05"} 3
tunic_query_duration_seconds_bucket{le="5e-05"} 4
tunic_query_duration_seconds_bucket{le="0.0001"} 4
tunic_query_duration_seconds_bucket{le="0.0002"} 4
tunic_query_duration_seconds_bucket{le="0.0005"} 4
tunic_query_duration_seconds_bucket{le="0.001"} 4
tunic_query_duration_seconds_bucket{le="0.002"} 4
tunic_query_duration_seconds_bucket{le="0.005"} 5
tunic_query_duration_seconds_bucket{le="0.01"} 5
tunic_query_duration_seconds_bucket{le="0.02"} 5
tunic_query_duration_seconds_bucket{le="0.05"} 5
tunic_query_duration_seconds_bucket{le="0.1"} 5
tunic_query_duration_seconds_bucket{le="0.2"} 5
tunic_query_duration_seconds_bucket{le="0.5"} 5
tunic_query_duration_seconds_bucket{le="1"} 6
tunic_query_duration_seconds_bucket{le="2"} 6
tunic_query_duration_seconds_bucket{le="5"} 6
tunic_query_duration_seconds_bucket{le="10"} 6
tunic_query_duration_seconds_bucket{le="30"} 6
tunic_query_duration_seconds_bucket{le="+Inf"} 7
tunic_query_duration_seconds_sum 3601.003040001
tunic_query_duration_seconds_count 7
`
	if err := testutil.GatherAndCompare(m.Gatherer(), strings.NewReader(want), "tunic_query_duration_seconds"); err != nil {
		t.Error(err)
	}
}

// TestBucketOf finds, for each bound and its neighbours, the first bucket that
// is not below.
func TestBucketOf(t *testing.T) {
	if !slices.IsSorted(bucketBounds[:]) {
		t.Fatal("the bounds are not in order")
	}
	for i, bound := range bucketBounds {
		for d, want := range map[time.Duration]int{bound - 1: i, bound: i, bound + 1: i + 1} {
			if got := bucketOf(d); got != want {
				t.Errorf("%v is in bucket %d, want %d", d, got, want)
			}
		}
	}
}

// TestConcurrently counts from many goroutines under scrapes and loses nothing.
func TestConcurrently(t *testing.T) {
	const workers, rounds = 8, 500
	m := New(testOptions())
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range rounds {
				m.Command(0x03).Inc()
				m.Statement(0, 0).Inc()
				m.Connections.Open.Inc()
				m.Connections.Open.Dec()
				m.Duration(0).Observe(time.Millisecond)
				m.WatchSessions(func() Sessions { return Sessions{} })
			}
		})
	}
	for range 10 {
		series(t, m)
	}
	wg.Wait()
	got := series(t, m)
	for name, want := range map[string]float64{
		"tunic_commands_total{command=query}":                workers * rounds,
		"tunic_statements_total{action=forward,kind=select}": workers * rounds,
		"tunic_connections_open{}":                           0,
	} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	if _, count, _ := snapshot(m.durations); count != workers*rounds {
		t.Errorf("%d observations, want %d", count, workers*rounds)
	}
}

// hotPath is all that one query may touch.
func hotPath(m *Metrics) {
	m.Command(0x03).Inc()
	m.Statement(0, 0).Inc()
	m.Bytes.ClientIn.Add(40)
	m.Bytes.ClientOut.Add(400)
	m.Duration(0).Observe(173 * time.Microsecond)
}

func TestHotPathDoesNotAllocate(t *testing.T) {
	m := New(testOptions())
	if n := testing.AllocsPerRun(100, func() { hotPath(m); m.Refusal(3001).Inc() }); n != 0 {
		t.Errorf("%v allocations a query", n)
	}
}

// TestNamesAreUnique: two bytes of one name would make two series of one name,
// which a scrape refuses as a whole.
func TestNamesAreUnique(t *testing.T) {
	for _, list := range [][]string{
		commandLabels(), connectionRefusalNames[:], loginResultNames[:], backendErrorNames[:], sessionStateNames[:],
	} {
		unique := slices.Compact(slices.Sorted(slices.Values(list)))
		if len(unique) != len(list) || unique[0] == "" {
			t.Errorf("a name is missing or there twice: %v", list)
		}
	}
}

func BenchmarkObserve(b *testing.B) {
	var h Histogram
	b.ReportAllocs()
	for i := range b.N {
		h.Observe(time.Duration(i&0xffffff) * time.Nanosecond)
	}
}

func BenchmarkHotPath(b *testing.B) {
	m := New(testOptions())
	b.ReportAllocs()
	for range b.N {
		hotPath(m)
	}
}
