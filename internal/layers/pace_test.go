package layers

import (
	"testing"
	"time"
)

// TestPace: chunks become as long as they are to take, and pauses longer where the server
// works for others.
func TestPace(t *testing.T) {
	p := newPace(false, &worker{width: 100})
	const quiet = 30 * time.Microsecond // a row
	var pause time.Duration
	for range 50 {
		pause = p.after(p.rows, time.Duration(p.rows)*quiet, 0)
	}
	if took := time.Duration(p.rows) * quiet; took < chunkTime*9/10 || took > chunkTime*11/10 {
		t.Errorf("a chunk takes %v", took)
	}
	if pause > chunkTime/2 {
		t.Errorf("on a quiet server it pauses for %v", pause)
	}
	rows := p.rows
	if busy := p.after(rows, 2*chunkTime, 15); busy != 2*chunkTime*restMost {
		t.Errorf("beside fifteen clients it pauses for %v", busy)
	}
	if p.rows >= rows {
		t.Errorf("on a busy server chunks go from %d rows to %d", rows, p.rows)
	}
	for range 100 {
		if pause := p.after(p.rows, time.Hour, 1000); pause != pauseMax {
			t.Errorf("it pauses for %v", pause)
		}
	}
	if p.rows != chunkLeast {
		t.Errorf("the least is %d rows", p.rows)
	}
	for range 100 {
		p.after(p.rows, time.Microsecond, 0)
	}
	if p.rows != chunkMost {
		t.Errorf("the most is %d rows", p.rows)
	}
}

// TestPaceOfWideRows: rows that may be large are locked by fewer at a time, however slow they are.
func TestPaceOfWideRows(t *testing.T) {
	for width, want := range map[int]int{100: chunkLeast, 4000: textMax / 4000, 16000: chunkFirst} {
		p := newPace(false, &worker{width: width})
		for range 10 {
			p.after(p.rows, time.Hour, 0)
		}
		if p.rows != want {
			t.Errorf("of rows of %d bytes the least is %d, not %d", width, p.rows, want)
		}
	}
}

// TestSteadyPace: who waits for the end is not kept waiting.
func TestSteadyPace(t *testing.T) {
	p := newPace(true, &worker{width: 100})
	for _, took := range []time.Duration{time.Microsecond, time.Second, time.Microsecond} {
		if pause := p.after(p.rows, took, 9); pause != 0 || p.rows != rowsBackfilled {
			t.Errorf("a pause of %v, %d rows", pause, p.rows)
		}
	}
}
