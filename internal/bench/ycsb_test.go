package bench

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
	"tunic/internal/bench/matrix"
)

// recordedYCSB returns what the client of YCSB once printed.
func recordedYCSB(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "ycsb", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Half of the operations are two statements.
func TestParseYCSB(t *testing.T) {
	got, err := parseYCSB(recordedYCSB(t, "read_modify_write"))
	if err != nil {
		t.Fatal(err)
	}
	want := report{
		Transactions: 5287, TPS: 5287 / 1.000982501, Queries: 8011, QPS: 8011 / 1.000982501,
		AverageMs: 0.7561910707395498, P95Ms: 1.851127, MaximumMs: 21.721221, TotalSeconds: 1.000982501,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestParseYCSBCutShort(t *testing.T) {
	whole := strings.TrimSuffix(recordedYCSB(t, "read_modify_write"), "\n")
	for length := range whole {
		if r, err := parseYCSB(whole[:length]); err == nil {
			t.Fatalf("the first %d bytes parse as %+v", length, r)
		}
	}
	idle := strings.Replace(whole, `"operations":5287`, `"operations":0`, 1)
	if _, err := parseYCSB(idle); err == nil || !strings.Contains(err.Error(), "no operation") {
		t.Errorf("a run without an operation: %v", err)
	}
}

// What the server has said is the reason of a run that failed.
func TestFailureOfYCSB(t *testing.T) {
	for name, want := range map[string]string{
		"access_denied":     "Error 1045: Access denied for user 'app'@'127.0.0.1' (using password: YES)",
		"no_column":         "Error 1054: Unknown column 'field3' in 'SELECT'",
		"read_modify_write": "",
	} {
		if got := failure(recordedYCSB(t, name)); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestYCSBArgs(t *testing.T) {
	l := load{Command: "prepare", Addr: "127.0.0.1:3307", Database: "ycsb", Threads: 24, Seconds: 5, Rows: 250}
	for command, want := range map[string]string{
		"prepare": "load … threadcount=1 seconds=5 batch.size=50",
		"run":     "run … threadcount=24 seconds=5 readproportion=1",
	} {
		l.Command = command
		args, err := l.ycsbArgs([]string{"readproportion=1"})
		if err != nil {
			t.Fatal(err)
		}
		common := " mysql.host=127.0.0.1 mysql.port=3307 mysql.user=app mysql.password=app mysql.db=ycsb" +
			" recordcount=250 operationcount=250 fieldcount=10 fieldlength=100"
		if got := strings.Join(args, " "); got != strings.Replace(want, " …", common, 1) {
			t.Errorf("%s: got %s", command, got)
		}
	}
}

// A load that would not come out even adds rows that nobody has asked for.
func TestBatchOf(t *testing.T) {
	for rows, want := range map[int]int{1: 1, 7: 7, 100: 100, 101: 1, 150: 75, 20000: 100} {
		if got := batchOf(rows); got != want {
			t.Errorf("%d rows: got %d, want %d", rows, got, want)
		}
	}
}

// The operations of each workload are the whole, whatever go-ycsb takes for granted.
func TestYCSBMixes(t *testing.T) {
	for _, w := range matrix.Workloads {
		if w.YCSB == nil {
			continue
		}
		shares := map[string]float64{}
		for _, property := range w.YCSB {
			if name, value, _ := strings.Cut(property, "="); strings.HasSuffix(name, "proportion") {
				share, err := strconv.ParseFloat(value, 64)
				if err != nil {
					t.Fatal(err)
				}
				shares[name] = share
			}
		}
		sum := 0.0
		for _, share := range shares {
			sum += share
		}
		if len(shares) != 5 || math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: %v", w.Name, shares)
		}
		if shares["insertproportion"] > 0 && w.Leaves != matrix.LeavesOthers {
			t.Errorf("%s inserts, and does not find its rows again", w.Name)
		}
	}
}

// go-ycsb prepares all statements: there is no case that sends text, and none is said to
// be left.
func TestYCSBIsPrepared(t *testing.T) {
	s := documenttest.Settings()
	s.Workloads, s.Threads = []string{"ycsb_c", "oltp_insert"}, []int{8}
	var got []string
	for _, c := range matrix.Cases(s) {
		got = append(got, c.Workload+" "+c.PSMode)
	}
	if want := "ycsb_c auto, oltp_insert auto, oltp_insert disable"; strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
	s.Workloads, s.PSModes = []string{"ycsb_c"}, []string{"disable"}
	if err := checkSettings(s); err == nil || !strings.Contains(err.Error(), "no case is left") {
		t.Errorf("got %v", err)
	}
}

func TestKindNamed(t *testing.T) {
	if got := strings.Join(matrix.YCSB.Named([]string{"a", "ycsb_e"}), " "); got != "ycsb_a ycsb_e" {
		t.Errorf("got %s", got)
	}
	if got := strings.Join(matrix.Relay.Named([]string{"tpcc"}), " "); got != "tpcc" {
		t.Errorf("got %s", got)
	}
}

// Records are read, scanned, changed and added, plain and protected.
func TestYCSB(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIP: -short; this measures for seconds")
	}
	o := Options{Kind: matrix.YCSB, Settings: matrix.YCSB.Defaults, OutDir: t.TempDir(), Stdout: io.Discard, Stderr: io.Discard}
	o.Workloads, o.Targets = []string{"ycsb_f", "ycsb_e"}, []string{document.TargetTunic, document.TargetProtected}
	o.Threads, o.Rounds, o.Seconds, o.WarmUpSeconds, o.Rows = []int{2}, 1, 1, 0, 300
	d := measured(t, o.OutDir, Measure(t.Context(), o))
	for _, cell := range d.Cells {
		r := cell.Runs[0]
		if cell.Failed() || r.TPS <= 0 || r.P95Ms <= 0 || r.ServerCPU <= 0 {
			t.Errorf("%s, %s: %+v", cell.Case, cell.Target, r)
		}
		if ratio := r.QPS / r.TPS; cell.Workload == "ycsb_f" && (ratio < 1.2 || ratio > 1.8) {
			t.Errorf("%s: %.2f statements an operation, want about 1.5", cell.Target, ratio)
		}
	}
	if len(d.Cells) != 4 || len(d.Storage) != 2 || d.Storage[0].Rows != 300 || d.Versions["go-ycsb"] == "" {
		t.Errorf("%d cells, storage %+v, versions %v", len(d.Cells), d.Storage, d.Versions)
	}
}
