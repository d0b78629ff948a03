package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"tunic/internal/bench"
	"tunic/internal/bench/document"
	"tunic/internal/bench/matrix"
	"tunic/internal/sandbox"
)

func parseBenchRelay(t *testing.T, args ...string) *benchRelayCmd {
	t.Helper()
	for _, name := range []string{"WORKLOADS", "TARGETS", "PSMODES", "THREADS", "ROUNDS", "SECONDS", "TRANSACTIONS", "WARMUP", "TABLES", "ROWS", "WAREHOUSES", "SHARE", "SCALE"} {
		t.Setenv(name, "") // so that the test puts it back
		if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
	return parsedBenchRelay(t, args...)
}

// The defaults name every workload of sysbench's and every target that can be had
// everywhere, in the order of their tables, but for the one that is there to be compared with.
func TestBenchRelayDefaults(t *testing.T) {
	got := parseBenchRelay(t).settings(matrix.Relay)
	want := document.Settings{
		PSModes: matrix.PSModes, Threads: []int{8, 24, 200},
		Rounds: 3, Seconds: 5, WarmUpSeconds: 1, Tables: 5, Rows: 50000, Warehouses: 1, Share: 0.1,
	}
	for _, w := range matrix.Workloads {
		if !w.TPCC && w.YCSB == nil {
			want.Workloads = append(want.Workloads, w.Name)
		}
	}
	for _, target := range bench.Targets {
		if !target.Optional && target.Name != document.TargetApart {
			want.Targets = append(want.Targets, target.Name)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What make hands down as variables counts, and flags count more.
func TestBenchRelayEnvironment(t *testing.T) {
	t.Setenv("WORKLOADS", "oltp_insert")
	t.Setenv("THREADS", "1,2")
	t.Setenv("SECONDS", "60")
	t.Setenv("TARGETS", "direct,tunic")
	got := parsedBenchRelay(t, "--seconds=7").settings(matrix.Relay)
	if diff := cmp.Diff([]string{"oltp_insert"}, got.Workloads); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{1, 2}, got.Threads); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"direct", "tunic"}, got.Targets); diff != "" {
		t.Error(diff)
	}
	if got.Seconds != 7 {
		t.Errorf("%d seconds, want the flag's 7", got.Seconds)
	}
}

func TestBenchRelayOutDir(t *testing.T) {
	if got, want := outDir(parseBenchRelay(t).Out), filepath.Join(sandbox.Root(), "bench", "out"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := outDir(parseBenchRelay(t, "--out=/elsewhere").Out); got != "/elsewhere" {
		t.Errorf("got %s, want /elsewhere", got)
	}
}

func parsedBenchRelay(t *testing.T, args ...string) *benchRelayCmd {
	t.Helper()
	return &parsedBench(t, append([]string{"relay"}, args...)...).Relay
}

// Every benchmark of the table is a command whose help shows what it does without flags,
// and whose settings can be had.
func TestBenchKinds(t *testing.T) {
	for _, kind := range matrix.Kinds {
		var cli struct {
			Bench benchCmd `cmd:""`
		}
		var help strings.Builder
		parser, err := kong.New(&cli, kong.Writers(&help, &help), kong.Exit(func(int) {}))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = parser.Parse([]string{"bench", kind.Name, "--help"}) // which ends the program that is told so
		if want := "--workloads=" + kind.Defaults.Workloads[0]; !strings.Contains(help.String(), want) {
			t.Errorf("%s: no %q in its help:\n%s", kind.Name, want, help.String())
		}
	}
}

// The workloads of YCSB go by their letters.
func TestBenchYCSB(t *testing.T) {
	got := parseBenchRelay(t, "--workloads=a,f").settings(matrix.YCSB)
	if diff := cmp.Diff([]string{"ycsb_a", "ycsb_f"}, got.Workloads); diff != "" {
		t.Error(diff)
	}
	if got := parseBenchRelay(t).settings(matrix.YCSB); len(got.Workloads) != 6 {
		t.Errorf("without a flag: %v", got.Workloads)
	}
}

// SCALE multiplies the rows, also those that were given.
func TestBenchScale(t *testing.T) {
	if got := parseBenchRelay(t, "--scale=0.01").settings(matrix.Relay).Rows; got != 500 {
		t.Errorf("%d rows, want a hundredth of 50000", got)
	}
	for _, kind := range matrix.Kinds {
		if got := parseBenchRelay(t, "--scale=0.1").settings(kind).Rows; got < 1 {
			t.Errorf("%s: %d rows", kind.Name, got)
		}
	}
	if got := parseBenchRelay(t, "--rows=300", "--scale=2", "--warmup=0").settings(matrix.Relay); got.Rows != 600 || got.WarmUpSeconds != 0 {
		t.Errorf("%+v", got)
	}
}

// parsedBench is what the arguments say behind `tunic bench`.
func parsedBench(t *testing.T, args ...string) *benchCmd {
	t.Helper()
	var cli struct {
		Bench benchCmd `cmd:""`
	}
	parser, err := kong.New(&cli)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(append([]string{"bench"}, args...)); err != nil {
		t.Fatal(err)
	}
	return &cli.Bench
}

// What most benchmarks take, all of them take that have clients.
func TestBenchFlags(t *testing.T) {
	names := []string{"tpch", "ops", "queries", "layers", "encrypt"}
	for _, kind := range matrix.Kinds {
		names = append(names, kind.Name)
	}
	for _, name := range names {
		parsedBench(t, name, "--scale=0.1", "--seconds=1", "--threads=2", "--rounds=3")
	}
	if got := parsedBench(t, "ops", "--scale=0.1").Ops; !slices.Equal(got.sizes(got.Rows), []int{1000, 10000, 100000}) {
		t.Errorf("a tenth of the rows: %v", got.sizes(got.Rows))
	}
}

// TestBenchQuestionsCommand: the command in a document measures the same again.
func TestBenchQuestionsCommand(t *testing.T) {
	first := parsedBench(t, "tpch", "--rows=300,900", "--scale=2", "--seconds=0.5", "--threads=3", "--rounds=7", "--profile", "--only=^(a|b c)").TPCH
	command := first.command("tpch", first.sizes(first.Rows))
	args := strings.Fields(strings.TrimPrefix(strings.ReplaceAll(command, `"^(a|b c)"`, "^(a|b_c)"), "bin/tunic bench "))
	second := parsedBench(t, args...).TPCH
	if again := second.command("tpch", second.sizes(second.Rows)); strings.ReplaceAll(again, "b_c", "b c") != command {
		t.Errorf("got  %s\nwant %s", again, command)
	}
	for _, want := range []string{"--rows=600,1800", "--seconds=0.5", "--threads=3", "--rounds=7", "--profile"} {
		if !strings.Contains(command, want) {
			t.Errorf("no %s in %s", want, command)
		}
	}
}
