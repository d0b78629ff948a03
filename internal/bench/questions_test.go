package bench

import (
	"database/sql"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"tunic/internal/bench/document"
	"tunic/internal/bench/page"
	"tunic/internal/bench/queries"
	"tunic/internal/sandbox"
)

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
func asked(t *testing.T, o QueriesOptions) *document.Document {
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
		if r.TPS <= 0 || r.AverageMs <= 0 || r.P95Ms < r.AverageMs/2 || r.MaximumMs < r.P95Ms || (cell.Target == document.TargetProtected) != (len(r.HopRSS) > 0) {
			t.Errorf("%s, %s: %+v", cell.Case, cell.Target, r)
		}
	}
}

// TestTPCH: all questions are answered, and alike.
func TestTPCH(t *testing.T) {
	d := asked(t, QueriesOptions{Set: queries.TPCH, Sizes: []int{3000}, Rounds: 1, Threads: 1})
	if !d.Complete || len(d.Cells) != 2*22 {
		t.Errorf("complete: %v, %d cells", d.Complete, len(d.Cells))
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
	for _, cell := range []document.Cell{plain, protected} {
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
	if text := page.Table(d); !strings.Contains(text, "3 clients") || !strings.Contains(text, "profile of range, sorted, 200 rows, 3 threads, protected") {
		t.Error(text)
	}
}

// own is Ops with other questions over its tables.
func own(questions ...queries.Question) queries.Set {
	set := queries.Ops
	set.Questions = questions
	return set
}

// failing measures questions of which some fail. It returns their failures.
func failing(t *testing.T, o QueriesOptions) map[string]string {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIP: -short; this measures for seconds")
	}
	o.Name, o.OutDir, o.Stdout, o.Stderr, o.Sizes, o.Rounds, o.Threads = "ops", t.TempDir(), io.Discard, t.Output(), []int{queriesRowsLeast}, 1, 1
	err := Queries(t.Context(), o)
	if errors.Is(err, sandbox.ErrUnavailable) {
		t.Skipf("SKIP: %v", err)
	}
	if err == nil {
		t.Error("a question that fails passes")
	}
	failures := map[string]string{}
	for _, c := range onlyDocument(t, o.OutDir).Cells {
		failures[c.Workload] += c.Summary.Failure
	}
	return failures
}

// TestEveryAnswerIsCompared: with all that was answered before, not only with the other
// side's of the round.
func TestEveryAnswerIsCompared(t *testing.T) {
	failures := failing(t, QueriesOptions{Set: own(
		queries.Question{Name: "changes", Text: "SELECT @asked := LEAST(COALESCE(@asked, 0) + 1, 2)"},
		queries.Question{Name: "stays", Text: "SELECT id FROM sale WHERE id <= 3 ORDER BY id DESC", Order: []int{1}},
	)})
	if failures["changes"] != "the answers differ" || failures["stays"] != "" {
		t.Errorf("%q", failures)
	}
}

// TestQuestionsHaveALimit: a question that is not answered has failed, and what comes behind
// it is asked.
func TestQuestionsHaveALimit(t *testing.T) {
	failures := failing(t, QueriesOptions{AtMost: 5 * time.Second, Set: own(
		queries.Question{Name: "sleeps", Text: "SELECT SLEEP(3600)"},
		queries.Question{Name: "wakes", Text: "SELECT COUNT(*) FROM sale"},
	)})
	if failures["sleeps"] != "not answered within 5snot answered within 5s" || failures["wakes"] != "" {
		t.Errorf("%q", failures)
	}
}

// TestConnectionsOfASizeEnd: those that clients have, when the next size is measured, and the
// one whose question is not answered in time with all that the server does for it.
func TestConnectionsOfASizeEnd(t *testing.T) {
	bed, err := openBed(t.Context(), "", nil, serverFlags)
	if errors.Is(err, sandbox.ErrUnavailable) {
		t.Skipf("SKIP: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer bed.close()
	s := &side{addr: bed.server.Addr}
	if err := s.fill(t.Context(), queries.Ops, queriesRowsLeast, 3); err != nil {
		t.Fatal(err)
	}
	numbers := make([]string, 0, len(s.clients))
	for _, c := range s.clients {
		numbers = append(numbers, strconv.FormatInt(c.number, 10))
	}
	late := s.clients[0]
	late.ask(t.Context(), asking{of: &queries.Question{Text: "SELECT BENCHMARK(1000000000000, MD5('a'))"}, atMost: 100 * time.Millisecond})
	if late.err == nil {
		t.Error("what is not answered has not failed")
	}
	late.giveUp(t.Context(), s.db)
	if err := s.close(); err != nil {
		t.Error(err)
	}
	db, err := sql.Open("mysql", dsn(bed.server.Addr, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	left := -1
	for range 200 { // the server hears of it in its own time
		if err := db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID IN ("+strings.Join(numbers, ", ")+")").Scan(&left); err != nil {
			t.Fatal(err)
		}
		if left == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("%d of 3 connections are left", left)
}
