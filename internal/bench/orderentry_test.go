package bench

import (
	"errors"
	"strings"
	"testing"
	"time"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/meter"
	"tunic/internal/bench/page"
	"tunic/internal/bench/tpcc"
	"tunic/internal/sandbox"
)

// orderEntryBench has the tables of a hundredth of a warehouse on a server of its own.
func orderEntryBench(t *testing.T) *bench {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIP: -short; this starts a server of its own")
	}
	b := pretendBench(t, "exit 3")
	b.settings.Workloads, b.settings.Targets, b.settings.Share = []string{"tpcc"}, []string{document.TargetDirect}, 0.01
	b.document.Settings = b.settings
	var err error
	if b.workloads, err = matrix.WorkloadsNamed(b.settings.Workloads); err != nil {
		t.Fatal(err)
	}
	bed, err := openBed(t.Context(), "none", nil, serverFlags)
	if errors.Is(err, sandbox.ErrUnavailable) {
		t.Skipf("SKIP: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := bed.close(); err != nil {
			t.Error(err)
		}
	})
	b.hops = map[string]*hop{document.TargetDirect: {addr: bed.server.Addr, server: bed.server}}
	if err := b.prepareTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b
}

var orderEntry = document.Case{Workload: "tpcc", PSMode: "auto", Threads: 2}

// A measurement finds the tables as they were made, says what was done and that the
// conditions hold; where one does not, or what was used cannot be told, it has failed.
func TestMeasureOrderEntry(t *testing.T) {
	b := orderEntryBench(t)
	h, w := b.hops[document.TargetDirect], b.workloads[0]
	made, err := storageOf(t.Context(), h.server.Addr, databaseOf(w))
	if err != nil {
		t.Fatal(err)
	}
	r := b.take(t.Context(), step{orderEntry, 1, document.TargetDirect, time.Second})
	if r.Failed != "" || r.OrderEntry == nil || r.OrderEntry.Conditions != 9 || len(r.OrderEntry.Transactions) != int(tpcc.Kinds) || r.TPS <= 0 {
		t.Errorf("%+v, %+v", r, r.OrderEntry)
	}
	const broken = "UPDATE warehouse SET w_ytd = w_ytd + 1"
	if err := execute(t.Context(), h.server.Addr, databaseOf(w), broken); err != nil {
		t.Fatal(err)
	}
	l := b.load(w, h.addr)
	l.PSMode, l.Threads, l.Seconds = "auto", 2, 1
	if _, err := b.measureOrderEntry(t.Context(), l, &meter.Meter{Server: h.server.PID}); !errors.Is(err, tpcc.ErrBroken) {
		t.Errorf("with a condition that is broken: %v", err)
	}
	if err := b.restoreTables(t.Context(), w, h, 2); err != nil {
		t.Fatal(err)
	}
	if now, err := storageOf(t.Context(), h.server.Addr, databaseOf(w)); err != nil || now.Rows != made.Rows {
		t.Errorf("%d rows are put back of %d: %v", now.Rows, made.Rows, err)
	}
	const nobody = 1 << 30 // no process has this number
	if _, err := b.measureOrderEntry(t.Context(), l, &meter.Meter{Server: nobody}); err == nil || errors.Is(err, tpcc.ErrBroken) {
		t.Errorf("with a server whose processor time cannot be read: %v", err)
	}
}

func TestOrderEntryNotes(t *testing.T) {
	run := func(round, rolledBack int, newOrderMs float64) document.Run {
		r := documenttest.Run(round, 100, 0, 0)
		r.OrderEntry = &document.OrderEntry{RolledBack: rolledBack, Conditions: 9, Transactions: []document.OrderEntryKind{
			{Name: "New-Order", Count: 1500, P95Ms: newOrderMs}, {Name: "Payment", Count: 499, P95Ms: 5}, {Name: "Delivery", Count: 1, P95Ms: 7}, {Name: "Stock-Level", Count: 0, P95Ms: 0},
		}}
		return r
	}
	d := &document.Document{Name: matrix.TPCC.Name, Complete: true}
	for round := 1; round <= 3; round++ {
		d.Add(orderEntry, document.TargetDirect, run(round, 4+round, 10*float64(round)))
		d.Add(orderEntry, document.TargetHAProxy, documenttest.Run(round, 100, 0, 0)) // of an older document
		d.Add(orderEntry, document.TargetProtected, document.FailedRun(round, tpcc.ErrBroken))
	}
	d.Summarise()
	want := "tpcc, ps-mode auto, 2 threads, direct: all 9 conditions held after each of 3 runs; New-Order 4,500 (75.0%), p95 20.0 ms, " +
		"Payment 1,497 (24.9%), p95 5.0 ms, Delivery 3 (0.1%), p95 7.0 ms, Stock-Level 0 (0.0%), p95 – ms; 18 rolled back by their clients"
	if notes := strings.Join(page.OrderEntryNotes(d), "\n"); notes != want {
		t.Errorf("got %s", notes)
	}
	if text := page.Table(d); !strings.Contains(text, want) {
		t.Errorf("no word of it in\n%s", text)
	}
	if page.FailedCells(d) != 1 {
		t.Errorf("%d cells have failed", page.FailedCells(d))
	}
}
