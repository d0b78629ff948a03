package layers

import (
	"testing"
	"time"
)

// TestPace: chunks become as long as they are to take, and pauses longer where the server
// is slower than it was.
func TestPace(t *testing.T) {
	p := newPace(false, false)
	const quiet = 20 * time.Microsecond // a row
	var pause time.Duration
	for range 50 {
		reading := time.Duration(p.rows) * quiet
		pause = p.after(p.rows, 2*reading, reading, 0)
	}
	if took := 2 * time.Duration(p.rows) * quiet; took < chunkTime*9/10 || took > chunkTime*11/10 {
		t.Errorf("a chunk takes %v", took)
	}
	if pause > chunkTime/2 {
		t.Errorf("on a quiet server it pauses for %v", pause)
	}
	rows := p.rows
	reading := 4 * time.Duration(rows) * quiet
	if busy := p.after(rows, 2*reading, reading, 0); busy < 2*2*reading || busy > pauseMax {
		t.Errorf("on a busy one it pauses for %v behind %v", busy, 2*reading)
	}
	if clients := p.after(rows, chunkTime, time.Duration(rows)*quiet, 6); clients < 3*chunkTime {
		t.Errorf("beside six clients it pauses for %v", clients)
	}
	if p.rows >= rows {
		t.Errorf("on a busy server chunks go from %d rows to %d", rows, p.rows)
	}
	for range 100 {
		p.after(p.rows, time.Hour, time.Hour, 0)
	}
	if p.rows != chunkLeast {
		t.Errorf("the least is %d rows", p.rows)
	}
	for range 100 {
		p.after(p.rows, time.Microsecond, time.Microsecond, 0)
	}
	if p.rows != chunkMost {
		t.Errorf("the most is %d rows", p.rows)
	}
}

// TestSteadyPace: who waits for the end is not kept waiting.
func TestSteadyPace(t *testing.T) {
	p := newPace(true, false)
	for _, took := range []time.Duration{time.Microsecond, time.Second, time.Microsecond} {
		if pause := p.after(p.rows, took, took, 9); pause != 0 || p.rows != rowsFilled {
			t.Errorf("a pause of %v, %d rows", pause, p.rows)
		}
	}
}
