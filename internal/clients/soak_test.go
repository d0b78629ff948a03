package clients

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"tunic/internal/sandbox"
)

const (
	soakThreads = 200
	soakTime    = time.Minute
	// soakWarm is how long tunic's memory may grow: buffers, plans, the heap's goal.
	soakWarm = 10 * time.Second
	// soakFlat is how far from its middle the memory may be after that.
	soakFlat = 0.10
)

// TestSoak runs every script of sysbench for a minute at 200 threads and watches
// the memory of tunic. It takes ten minutes and is left out without TUNIC_LONG=1.
//
// The link to the server is without TLS: Go's allocates with every record it reads,
// and the memory then moves with the collector.
func TestSoak(t *testing.T) {
	if !long() {
		t.Skip("takes ten minutes; set TUNIC_LONG=1 or run `make soak`")
	}
	needSysbench(t)
	f := newFixture(t, sandbox.MariaDB)
	f.proxy, f.tunic = f.startTunic(t.Context(), t, "soaked", f.server.Addr, "--backend-tls", "disabled")
	f.prepareSysbench(t.Context(), t, workload{script: sysbenchScripts[0], threads: 4, database: "oltp"})
	for _, script := range sysbenchScripts {
		w := workload{script: script, prepared: true, threads: soakThreads, time: soakTime, database: "oltp"}
		t.Run(w.script, func(t *testing.T) { f.soak(t, w) })
	}
}

// soak runs a workload and returns tunic's memory meanwhile, which has to be flat.
func (f *fixture) soak(t *testing.T, w workload) (memory []int64) {
	t.Helper()
	ctx, stopWatching := context.WithCancel(t.Context())
	watched := make(chan []int64)
	go func() { watched <- watchMemory(ctx, f.proxy.PID) }()
	queries, err := w.run(t.Context(), f.tunic.addr)
	stopWatching()
	memory = <-watched
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d statements; RSS every second, in MiB: %v", queries, inMiB(memory))
	if err := flat(memory, int(soakWarm/time.Second), soakFlat); err != nil {
		t.Error(err)
	}
	return memory
}

const (
	soakRows = 1_000_000
	// soakMost is what tunic's memory may be, in bytes, while it protects so many rows.
	soakMost = 300 << 20
)

// TestSoakProtected inserts a million rows into five protected tables with 24 threads
// and watches the memory of tunic. It takes minutes and is left out without
// TUNIC_LONG=1.
func TestSoakProtected(t *testing.T) {
	if !long() {
		t.Skip("takes minutes; set TUNIC_LONG=1 or run `make soak`")
	}
	needSysbench(t)
	f := newProtectedFixture(t, sandbox.MariaDB, "--backend-tls", "disabled")
	w := workload{script: insertScript, prepared: true, threads: 24, tables: 5, rows: -1, events: soakRows, database: "oltp"}
	f.makeDatabase(t, f.tunic, w.database)
	w.must(t, f.tunic, "prepare")
	w.rows = soakRows / w.tables // of which sysbench takes the values of k
	memory := f.soak(t, w)
	if most := slices.Max(memory); most > soakMost {
		t.Errorf("memory of %d MiB, more than %d", most>>20, soakMost>>20)
	}
	if rows := f.rowsAt(t, w); rows != soakRows {
		t.Errorf("%d rows, want %d", rows, soakRows)
	}
}

// watchMemory samples the resident memory of a process every second.
func watchMemory(ctx context.Context, pid int) (samples []int64) {
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for {
		select {
		case <-ctx.Done():
			return samples
		case <-second.C:
			rss, err := sandbox.RSS(pid)
			if err != nil {
				return samples
			}
			samples = append(samples, rss)
		}
	}
}

// flat checks that the samples after the first warm ones stay within the fraction
// of the value in their middle.
func flat(samples []int64, warm int, fraction float64) error {
	if len(samples) < 2*warm {
		return fmt.Errorf("only %d samples", len(samples))
	}
	samples = slices.Sorted(slices.Values(samples[warm:]))
	least, middle, most := samples[0], samples[len(samples)/2], samples[len(samples)-1]
	slack := int64(float64(middle) * fraction)
	if most > middle+slack || least < middle-slack {
		return fmt.Errorf("memory between %d and %d MiB, more than %.0f %% from its middle %d MiB",
			least>>20, most>>20, fraction*100, middle>>20)
	}
	return nil
}

func inMiB(samples []int64) (all []int64) {
	for _, s := range samples {
		all = append(all, s>>20)
	}
	return all
}

func TestFlat(t *testing.T) {
	growing := []int64{10, 10, 100, 100, 105, 110, 115, 120, 125, 130}
	if flat(growing, 2, 0.10) == nil {
		t.Error("a memory that grows passes as flat")
	}
	if err := flat([]int64{1, 50, 100, 105, 95, 100}, 2, 0.10); err != nil {
		t.Error(err)
	}
	if flat(growing[:3], 2, 0.10) == nil {
		t.Error("three samples are enough")
	}
}
