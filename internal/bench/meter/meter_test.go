package meter

import (
	"os"
	"testing"
	"time"
)

// TestMeter: what is used between start and stop is counted, by whom there is.
func TestMeter(t *testing.T) {
	m := Meter{Server: os.Getpid()}
	m.Stop() // was never begun
	m.Start()
	for end := time.Now().Add(50 * time.Millisecond); time.Now().Before(end); {
	}
	m.Stop()
	m.Stop()
	if m.Err != nil || m.HopCPU != 0 || m.HopRSS != nil || len(m.ServerRSS) == 0 || m.ServerRSS[0] <= 0 {
		t.Errorf("%+v", &m)
	}
	if m.ServerCPU < 0 || m.ServerCPU > time.Minute {
		t.Errorf("%s of CPU", m.ServerCPU)
	}
	other := Meter{HopCPU: time.Second, HopRSS: []int64{1}}
	m.HopRSS = []int64{2}
	if m.Join(&other); m.HopCPU != time.Second || m.HopRSS[0] != 3 {
		t.Errorf("joined: %+v", &m)
	}
}

// TestMeterOfNoProcess: what cannot be read is told.
func TestMeterOfNoProcess(t *testing.T) {
	m := Meter{Hop: 1 << 30}
	m.Start()
	m.Stop()
	if m.Err == nil {
		t.Error("no error")
	}
}
