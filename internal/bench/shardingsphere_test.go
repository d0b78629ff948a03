package bench

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/page"
	"tunic/internal/sandbox"
)

// What a target cannot do is not measured, and is said with the reason.
func TestStepsWithout(t *testing.T) {
	s := documenttest.Settings()
	s.Workloads = []string{"oltp_point_select", "oltp_read_only", "oltp_read_write", "ycsb_c"}
	s.Targets = []string{document.TargetDirect, document.TargetShardingSphere, document.TargetShardingSphereEncrypt}
	for _, step := range stepsOf(s) {
		if step.Target == document.TargetShardingSphereEncrypt && step.Workload != "oltp_point_select" {
			t.Errorf("%s, %s is taken", step.Case, step.Target)
		}
	}
	got := leftOut(s)
	if len(got) != 2 || !strings.HasPrefix(got[0], "target shardingsphere-encrypt is left out of oltp_read_only, oltp_read_write: of an encrypted column") ||
		got[1] != "target shardingsphere-encrypt is left out of ycsb_c: no rule is written for its tables" {
		t.Errorf("left out: %q", got)
	}
	s.Workloads, s.Threads = []string{"bulk_insert"}, []int{shardingBulkThreads, matrix.BulkThreadsMax}
	s.Targets = []string{document.TargetDirect, document.TargetShardingSphere}
	if got := leftOut(s); len(got) != 1 || !strings.Contains(got[0], "shardingsphere is left out of bulk_insert: with more than 8 threads") {
		t.Errorf("left out: %q", got)
	}
	for _, step := range stepsOf(s) {
		if step.Target == document.TargetShardingSphere && step.Threads == matrix.BulkThreadsMax {
			t.Errorf("%s, %s is taken", step.Case, step.Target)
		}
	}
	if left := leftOut(documenttest.Settings()); left != nil {
		t.Errorf("left out of the usual ones: %q", left)
	}
}

// A JVM is warmed up for longer, unless nothing is to be.
func TestStepsWarmUp(t *testing.T) {
	s := documenttest.Settings()
	s.Targets = []string{document.TargetDirect, document.TargetShardingSphere}
	for _, step := range stepsOf(s) {
		want := time.Duration(s.Seconds) * time.Second
		switch {
		case step.Round == matrix.WarmUp && step.Target == document.TargetShardingSphere:
			want = matrix.JVMSeconds * time.Second
		case step.Round == matrix.WarmUp:
			want = time.Duration(s.WarmUpSeconds) * time.Second
		}
		if step.Length != want {
			t.Errorf("%s, round %d: %v, want %v", step.Target, step.Round, step.Length, want)
		}
	}
	if got, want := page.WarmedUp(s), "1 s (shardingsphere 10 s)"; got != want {
		t.Errorf("said to be %q, want %q", got, want)
	}
	s.WarmUpSeconds = 0
	if slices.ContainsFunc(stepsOf(s), func(s step) bool { return s.Round == matrix.WarmUp }) {
		t.Error("warmed up all the same")
	}
}

// pretendLate has a target that begins when the tables of its server have been made.
func pretendLate(t *testing.T, begin func(context.Context, []string) (*sandbox.Proc, error)) *bench {
	t.Helper()
	b := pretendBench(t, "exit 3")
	b.hops[document.TargetHAProxy].begin = begin
	b.unprepared = map[string]error{
		madeAs(document.TargetDirect, databaseOf(b.workloads[0])): nil,
		madeAs(document.TargetDirect, "another"):                  errors.New("no room"),
	}
	return b
}

func TestBeginAll(t *testing.T) {
	var got []string
	b := pretendLate(t, func(_ context.Context, databases []string) (*sandbox.Proc, error) {
		got = databases
		return &sandbox.Proc{Addr: "127.0.0.1:9"}, nil
	})
	if err := b.beginAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, []string{plainDatabase}) || b.hops[document.TargetHAProxy].addr != "127.0.0.1:9" {
		t.Errorf("begun with %v, at %s", got, b.hops[document.TargetHAProxy].addr)
	}
}

// One that does not begin has failed, and the others go on.
func TestBeginAllFails(t *testing.T) {
	b := pretendLate(t, func(context.Context, []string) (*sandbox.Proc, error) { return nil, errors.New("no port") })
	if err := b.beginAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := b.take(t.Context(), step{Case: documenttest.PointSelect, Round: 1, Target: document.TargetHAProxy}); r.Failed != "no port" {
		t.Errorf("%+v", r)
	}
	if r := b.take(t.Context(), step{Case: documenttest.PointSelect, Round: 1, Target: document.TargetDirect}); strings.Contains(r.Failed, "no port") {
		t.Errorf("%+v", r)
	}
}

// Encrypted rows are read as they were made, and others are added and taken away.
// TUNIC_LONG=1 has it done, where ShardingSphere-Proxy is installed.
func TestShardingSphere(t *testing.T) {
	if os.Getenv("TUNIC_LONG") == "" {
		t.Skip("SKIP: two JVMs take half a minute to start; TUNIC_LONG=1 has them started")
	}
	if _, _, err := sandbox.FindShardingSphere(); err != nil {
		t.Skipf("SKIP: %v", err)
	}
	o := Options{Kind: matrix.Relay, Settings: documenttest.Settings(), OutDir: t.TempDir(), Stdout: io.Discard, Stderr: io.Discard}
	o.Workloads = []string{"oltp_point_select", "oltp_update_non_index", "oltp_insert", "oltp_delete", "oltp_read_write", "bulk_insert"}
	o.Settings.Targets = []string{document.TargetDirect, document.TargetShardingSphere, document.TargetShardingSphereEncrypt}
	o.PSModes, o.Threads, o.Rounds, o.Seconds, o.WarmUpSeconds, o.Tables = []string{"auto"}, []int{2}, 1, 1, 0, 2
	d := measured(t, o.OutDir, Measure(t.Context(), o))
	if want := 6 + 6 + 4; len(d.Cells) != want || len(d.Skipped) != 2 {
		t.Errorf("%d cells, want %d; skipped: %q", len(d.Cells), want, d.Skipped)
	}
	for _, cell := range d.Cells {
		if cell.Failed() || cell.Runs[0].TPS <= 0 || cell.Target != document.TargetDirect && cell.Runs[0].HopCPU <= 0 {
			t.Errorf("%s, %s: %+v", cell.Case, cell.Target, cell.Summary)
		}
	}
}
