package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/page"
	"tunic/internal/sandbox"
)

// pretendBench measures with a program that stands in for sysbench; no server is
// there.
func pretendBench(t *testing.T, script string) *bench {
	t.Helper()
	s := documenttest.Settings()
	s.Workloads, s.PSModes, s.Threads = []string{"oltp_point_select"}, []string{"auto"}, []int{8}
	s.Targets = []string{document.TargetDirect, document.TargetHAProxy}
	workloads, err := matrix.WorkloadsNamed(s.Workloads)
	if err != nil {
		t.Fatal(err)
	}
	server := new(sandbox.Server)
	server.PID = os.Getpid()
	return &bench{
		settings: s, workloads: workloads, sysbench: pretend(t, script),
		hops: map[string]*hop{
			document.TargetDirect:  {addr: "127.0.0.1:1", server: server},
			document.TargetHAProxy: {addr: "127.0.0.1:2", server: server},
		},
		progress: newProgress(io.Discard, nil),
		document: &document.Document{Settings: s},
	}
}

// A target that fails is an outcome, and the others are still measured.
func TestTakeAllKeepsFailures(t *testing.T) {
	b := pretendBench(t, `case "$*" in
*mysql-port=2*) echo "FATAL: error 2013: gone"; exit 1;;
*) cat <<'END'
`+recorded(t, "read_write")+`
END
esac`)
	if !b.takeAll(t.Context()) {
		t.Error("a failure ends the benchmark")
	}
	c := document.Case{Workload: "oltp_point_select", PSMode: "auto", Threads: 8}
	direct, haproxy := b.document.Cell(c, document.TargetDirect), b.document.Cell(c, document.TargetHAProxy)
	if len(direct.Runs) != 3 || direct.Summary.TPS.Median != 944.13 {
		t.Errorf("direct: %+v", direct)
	}
	if haproxy.Summary.FailedRuns != 3 || haproxy.Summary.Failure != "error 2013: gone" {
		t.Errorf("haproxy: %+v", haproxy.Summary)
	}
}

// TestTakeAllCounts transactions in every round, and not before: for warmth a target has its
// seconds.
func TestTakeAllCounts(t *testing.T) {
	b := pretendBench(t, `case "$*" in
*--time=0*--events=700*) ;;
*--events*) echo "FATAL: counted in its warm-up"; exit 1;;
*--time=1" "*) ;;
*) echo "FATAL: $*"; exit 1;;
esac
cat <<'END'
`+recorded(t, "read_write")+`
END`)
	b.settings.Transactions = 700
	for _, s := range stepsOf(b.settings) {
		if r := b.take(t.Context(), s); r.Failed != "" {
			t.Errorf("%s: %s", s, r.Failed)
		}
	}
	b.document.Settings = b.settings
	if text := page.Table(b.document); !strings.Contains(text, "3 × 700 transactions") {
		t.Error(text)
	}
	if command := matrix.CommandOf(b.settings, "insert"); !strings.HasSuffix(command, " --transactions=700") {
		t.Error(command)
	}
}

// What tunic refuses is shown as refused, and is no failure of the benchmark.
func TestTakeAllKeepsRefusals(t *testing.T) {
	b := pretendBench(t, `echo "FATAL: mysql_drv_query() returned error 1235 (TUNIC-2104: no) for query 'SELECT c'"; exit 1`)
	b.takeAll(t.Context())
	cell := b.document.Cell(documenttest.PointSelect, document.TargetDirect)
	if !cell.Refused() || cell.Runs[0].Refused != "TUNIC-2104" || strings.Contains(cell.Summary.Failure, "SELECT") {
		t.Errorf("got %+v", cell)
	}
	if n := page.FailedCells(b.document); n != 0 {
		t.Errorf("%d cells have failed", n)
	}
}

// Questions and order entry are what tunic is to carry out: there a refusal is a failure.
func TestRefusalsThatAreFailures(t *testing.T) {
	refused := document.FailedRun(1, errors.New("Error 1235 (42000): TUNIC-2104: no"))
	for name, c := range map[string]struct {
		of   document.Case
		want int
	}{
		matrix.Relay.Name:           {documenttest.PointSelect, 0},
		matrix.TPCC.Name:            {document.Case{Workload: "tpcc", PSMode: "auto", Threads: 8}, 1},
		"ops":                       {document.Case{Workload: "sum", PSMode: matrix.QuestionMode, Threads: 1, Rows: 1000}, 1},
		matrix.Relay.Name + " tpcc": {document.Case{Workload: "tpcc", PSMode: "auto", Threads: 8}, 1},
	} {
		d := &document.Document{Name: name, Complete: true}
		if c.of.Rows > 0 {
			d.Settings.Sizes = []int{c.of.Rows}
		}
		d.Add(c.of, document.TargetProtected, refused)
		d.Summarise()
		if n := page.FailedCells(d); n != c.want || (page.Failures(d) != nil) != (c.want > 0) {
			t.Errorf("%s: %d cells have failed, want %d; %v", name, n, c.want, page.Failures(d))
		}
	}
}

// What is optional is left out where it cannot be had, and said to be; what is not ends
// the benchmark.
func TestTargetThatCannotBeHad(t *testing.T) {
	missing := func(context.Context, *bed) (*hop, error) { return nil, fmt.Errorf("it is %w", sandbox.ErrUnavailable) }
	there := func(context.Context, *bed) (*hop, error) { return new(hop), nil }
	hops, skipped, err := new(bed).openTargets(t.Context(), []Target{
		{Name: "one", open: there}, {Name: "other", Optional: true, open: missing},
	})
	if err != nil || len(hops) != 1 || hops["one"] == nil || len(skipped) != 1 || !strings.Contains(skipped[0], "other is left out: it is not installed") {
		t.Errorf("%v, %v, %v", hops, skipped, err)
	}
	if _, _, err := new(bed).openTargets(t.Context(), []Target{{Name: "one", open: missing}}); err == nil {
		t.Error("goes on without what is not optional")
	}
}

// A target whose tables could not be made has failed; sysbench does not run there.
func TestTakeWithoutTables(t *testing.T) {
	b := pretendBench(t, "exit 3")
	b.unprepared = map[string]error{madeAs(document.TargetDirect, databaseOf(b.workloads[0])): errors.New("no room")}
	for _, target := range []string{document.TargetDirect, document.TargetHAProxy} { // whose server is the same
		if r := b.take(t.Context(), step{Case: documenttest.PointSelect, Round: 1, Target: target}); r.Failed != "no room" {
			t.Errorf("%s: %+v", target, r)
		}
	}
}

func TestTakeAllEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b := pretendBench(t, "exec sleep 600")
	time.AfterFunc(10*time.Millisecond, cancel)
	if b.takeAll(ctx) {
		t.Error("complete, though interrupted")
	}
	if len(b.document.Cells) != 0 {
		t.Errorf("a step that was cut short left %+v", b.document.Cells)
	}
}

func TestMeasureRefusesSettings(t *testing.T) {
	if err := Measure(t.Context(), Options{}); err == nil || !strings.Contains(err.Error(), "no workload") {
		t.Errorf("got %v", err)
	}
}

// The whole of it, as short as it can be: two targets, the largest query mix and
// the workload whose tables are emptied.
func TestRelay(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIP: -short; this measures for seconds")
	}
	o := Options{
		Kind: matrix.Relay,
		Settings: document.Settings{
			Workloads: []string{"oltp_read_write", "oltp_insert"},
			Targets:   []string{document.TargetDirect, document.TargetHAProxy},
			PSModes:   []string{"auto"}, Threads: []int{2},
			Rounds: 1, Seconds: 1, WarmUpSeconds: 1, Tables: 2, Rows: 500, Warehouses: 1, Share: 0.01,
		},
		OutDir: t.TempDir(),
	}
	var stdout, stderr strings.Builder
	o.Stdout, o.Stderr = &stdout, &stderr
	err := Measure(t.Context(), o)
	if errors.Is(err, sandbox.ErrUnavailable) {
		t.Skipf("SKIP: %v", err)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	d := onlyDocument(t, o.OutDir)
	if !d.Complete || len(d.Cells) != 4 {
		t.Fatalf("complete: %v, %d cells", d.Complete, len(d.Cells))
	}
	for _, cell := range d.Cells {
		checkCell(t, cell)
	}
	for _, program := range []string{"server", "sysbench", "haproxy"} {
		if d.Versions[program] == "" {
			t.Errorf("no version of %s in %v", program, d.Versions)
		}
	}
	for _, want := range []string{"read_write", "insert", "haproxy", ".json"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("no %q in what was printed:\n%s", want, stdout.String())
		}
	}
}

// Protected tables are on a server of their own; what a load takes away is there
// again for the next, and a bulk load finds its tables empty.
func TestRelayProtected(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIP: -short; this measures for seconds")
	}
	o := Options{
		Kind: matrix.Relay,
		Settings: document.Settings{
			Workloads: []string{"oltp_read_write", "oltp_delete", "bulk_insert", "tpcc"},
			Targets:   []string{document.TargetDirect, document.TargetHAProxy, document.TargetProtected},
			PSModes:   []string{"auto"}, Threads: []int{2},
			Rounds: 1, Seconds: 1, Tables: 2, Rows: 500, Warehouses: 1, Share: 0.01,
		},
		OutDir: t.TempDir(), Stdout: io.Discard,
	}
	var stderr strings.Builder
	o.Stderr = &stderr
	err := Measure(t.Context(), o)
	if errors.Is(err, sandbox.ErrUnavailable) {
		t.Skipf("SKIP: %v", err)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	d := onlyDocument(t, o.OutDir)
	for _, cell := range d.Cells {
		if cell.Failed() || (cell.Workload == "tpcc") != (cell.Runs[0].OrderEntry != nil) {
			t.Errorf("%s, %s: %+v", cell.Case, cell.Target, cell.Summary)
		}
	}
	if len(d.Storage) != 2 || d.Storage[0].Rows != 1000 || d.Storage[1].Rows != 1000 ||
		d.Storage[0].BytesPerRow <= 0 || d.Storage[1].BytesPerRow <= d.Storage[0].BytesPerRow {
		t.Errorf("storage: %+v", d.Storage)
	}
}

// measured is the document of a measurement, without which the test is skipped where something is
// not installed, and fails otherwise.
func measured(t *testing.T, dir string, err error) *document.Document {
	t.Helper()
	if errors.Is(err, sandbox.ErrUnavailable) {
		t.Skipf("SKIP: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return onlyDocument(t, dir)
}

// Every second of a run over time is kept, with the memory of both sides, and the room of
// the rows is that of those that were inserted; encrypted files are beside it.
func TestInsert(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIP: -short; this measures for seconds")
	}
	o := Options{Kind: matrix.Insert, Settings: matrix.Insert.Defaults, OutDir: t.TempDir(), Stdout: io.Discard, Stderr: io.Discard}
	o.Targets = []string{document.TargetDirect, document.TargetTDE}
	o.Threads, o.Rounds, o.Seconds, o.WarmUpSeconds, o.Tables = []int{2}, 1, 2, 0, 1
	d := measured(t, o.OutDir, Measure(t.Context(), o))
	for _, cell := range d.Cells {
		r := cell.Runs[0]
		if cell.Failed() || len(r.Timeline) == 0 || r.Timeline[0].TPS <= 0 || r.Timeline[0].P95Ms <= 0 || len(r.ServerRSS) == 0 {
			t.Errorf("%s: %+v", cell.Target, r)
		}
	}
	if len(d.Cells)+len(d.Skipped) != 2 || len(d.Storage) != len(d.Cells) || d.Storage[0].Rows == 0 || len(d.References) == 0 {
		t.Errorf("%d cells, skipped %v, storage %+v, %d references", len(d.Cells), d.Skipped, d.Storage, len(d.References))
	}
}

// onlyDocument reads the one document in the folder, and sees its plot beside it.
func onlyDocument(t *testing.T, dir string) *document.Document {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(paths) != 1 {
		t.Fatalf("documents: %v, %v", paths, err)
	}
	d, err := document.Read(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	plot, err := os.ReadFile(strings.TrimSuffix(paths[0], ".json") + ".svg")
	if err != nil || documenttest.WellFormed(string(plot)) != nil {
		t.Errorf("plot: %v", err)
	}
	report, err := os.ReadFile(strings.TrimSuffix(paths[0], ".json") + ".html")
	if err != nil || documenttest.WellFormed(string(report)) != nil {
		t.Errorf("report: %v", err)
	}
	return d
}

func checkCell(t *testing.T, cell document.Cell) {
	t.Helper()
	text, err := json.Marshal(cell)
	if err != nil {
		t.Fatal(err)
	}
	r := cell.Runs[0]
	if r.TPS <= 0 || r.QPS < r.TPS || r.P95Ms <= 0 || r.ServerCPU <= 0 {
		t.Errorf("numbers are missing: %s", text)
	}
	hop := cell.Target != document.TargetDirect
	if hop != (r.HopCPU > 0) || hop != (len(r.HopRSS) > 0) || hop != (cell.Summary.HopCPU != nil) {
		t.Errorf("a hop's cost where there is none, or none where there is one: %s", text)
	}
	if cell.Summary.Ratio[document.TargetDirect] == nil || cell.Summary.Ratio[document.TargetHAProxy] == nil {
		t.Errorf("ratios are missing: %s", text)
	}
}
