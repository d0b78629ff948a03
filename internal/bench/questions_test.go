package bench

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"tunic/internal/bench/queries"
)

// askedDocument has two questions over two sizes, of which one was answered in another
// way through tunic.
func askedDocument() *Document {
	d := someDocument()
	d.Name, d.Cells, d.Storage = "ops", nil, nil
	d.Settings = Settings{
		Workloads: []string{"point", "sum"}, Targets: []string{targetDirect, targetProtected}, PSModes: []string{questionMode},
		Threads: []int{1}, Rounds: 3, Sizes: []int{1000, 20000},
	}
	for i, c := range d.Settings.cases() {
		for round := 1; round <= 3; round++ {
			plain := Run{Round: round, TPS: 100, AverageMs: 10 * float64(i+1), P95Ms: 12, ServerCPU: 9000}
			protected := Run{Round: round, TPS: 50, AverageMs: plain.AverageMs * (1 + float64(round)), P95Ms: 30, HopCPU: 4000, ServerCPU: 11000, HopRSS: []float64{31.2}}
			if i == 3 && round == 2 {
				protected = failedRun(round, errors.New("the answers differ"))
			}
			d.add(step{Case: c, Target: targetDirect}, plain)
			d.add(step{Case: c, Target: targetProtected}, protected)
		}
	}
	d.summarise()
	return d
}

// A question has one line, of both sides; one whose answers differ has no figures and is
// a failure.
func TestQuestionTable(t *testing.T) {
	d := askedDocument()
	text := d.table()
	for _, want := range []string{
		"for 0 ms and once at least; 1,000, 20,000 rows; one client",
		"point", "10.00", "30.00", "3.00 ±33%",
		"1,000 rows: the median of 2 questions takes × 3.00 of the plain server's time",
		"20,000 rows: the median of 1 of 2 questions",
		"FAILED: sum, 20,000 rows, protected: the answers differ",
		"RSS of tunic: 31 MiB at most",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if n := len(d.sections()[0].cells); n != 4 {
		t.Errorf("%d lines for 4 questions", n)
	}
	if err := d.failures(); err == nil || !strings.Contains(err.Error(), "1 of 8") {
		t.Errorf("got %v", err)
	}
	if page := pageOf(t, d); !strings.Contains(page, "What an operation costs") || !strings.Contains(page, "20,000 rows") {
		t.Error("the page lacks what it is about")
	}
	if err := wellFormed(d.plot()); err != nil {
		t.Error(err)
	}
}

func TestQueriesRefusesSettings(t *testing.T) {
	for want, o := range map[string]QueriesOptions{
		"rounds is 0":                   {Sizes: []int{1000}},
		"threads is 0":                  {Rounds: 1, Sizes: []int{1000}},
		"cannot be asked for -1s":       {Rounds: 1, Threads: 1, Sizes: []int{1000}, AskedFor: -time.Second},
		"each must be at least 200":     {Rounds: 1, Threads: 1, Sizes: []int{1000, 5}},
		"rows are []":                   {Rounds: 1, Threads: 1},
		"1000 rows are named twice":     {Rounds: 1, Threads: 1, Sizes: []int{1000, 1000}},
		"rounds is -1; it must be at l": {Rounds: -1},
	} {
		if err := Queries(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// asked is the document of questions that were asked.
func asked(t *testing.T, o QueriesOptions) *Document {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIP: -short; this measures for seconds")
	}
	o.Name, o.OutDir, o.Stdout, o.Stderr = "ops", t.TempDir(), io.Discard, t.Output()
	return measured(t, o.OutDir, Queries(t.Context(), o))
}

// All operations are asked of both sides, over each size, and answered alike.
func TestOps(t *testing.T) {
	d := asked(t, QueriesOptions{Set: queries.Ops, Sizes: []int{queriesRowsLeast, 2 * queriesRowsLeast}, Rounds: 1, Threads: 1, AskedFor: time.Millisecond})
	if want := 4 * len(queries.Ops.Questions); !d.Complete || len(d.Cells) != want {
		t.Errorf("complete: %v, %d cells, want %d", d.Complete, len(d.Cells), want)
	}
	for _, cell := range d.Cells {
		r := cell.Runs[0]
		if r.TPS <= 0 || r.AverageMs <= 0 || r.P95Ms < r.AverageMs/2 || r.MaximumMs < r.P95Ms || (cell.Target == targetProtected) != (len(r.HopRSS) > 0) {
			t.Errorf("%s, %s: %+v", cell.Case, cell.Target, r)
		}
	}
}

// TestClientsAsk: all of them are answered in each round, and a profile is taken behind the
// rounds, of tunic.
func TestClientsAsk(t *testing.T) {
	set := queries.Ops
	if err := set.Choose("^range, sorted$"); err != nil {
		t.Fatal(err)
	}
	d := asked(t, QueriesOptions{Set: set, Sizes: []int{queriesRowsLeast}, Rounds: 2, Threads: 3, Profile: true})
	plain, protected := d.Cells[0], d.Cells[1]
	if s := d.Storage; len(s) != 2 || s[0].Rows < queriesRowsLeast || s[1].Rows != s[0].Rows || s[1].BytesPerRow <= s[0].BytesPerRow {
		t.Errorf("stored: %+v", s)
	}
	for _, cell := range []Cell{plain, protected} {
		if len(cell.Runs) != 2 || cell.Runs[0].Queries != 3 || cell.Threads != 3 {
			t.Errorf("%s, %s: %+v", cell.Case, cell.Target, cell.Runs)
		}
	}
	if plain.Profile != nil || protected.Profile == nil || len(protected.Profile.Flat) == 0 {
		t.Fatalf("profiles: %v and %v; %v", plain.Profile, protected.Profile, d.Skipped)
	}
	if !strings.HasSuffix(protected.Profile.File, "-range-sorted-200-protected.pprof") {
		t.Error(protected.Profile.File)
	}
	if text := d.table(); !strings.Contains(text, "3 clients") || !strings.Contains(text, "profile of range, sorted, 200 rows, 3 threads, protected") {
		t.Error(text)
	}
}
