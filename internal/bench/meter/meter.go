package meter

import (
	"time"

	"tunic/internal/sandbox"
)

// memorySampling is how often resident memory is read while a load runs.
const memorySampling = time.Second

// Meter reads what the hop and the server use while a load runs.
type Meter struct {
	Hop, Server int // process ids; hop is 0 where there is none

	HopCPU, ServerCPU time.Duration
	HopRSS, ServerRSS []int64 // bytes, one sample a second and one at the end
	Err               error   // the first sample that could not be read

	Profile *Profiling // taken in the same interval; nil for none

	quit, done chan struct{}
}

// Start begins the interval.
func (m *Meter) Start() {
	m.HopCPU, m.ServerCPU = -m.cpu(m.Hop), -m.cpu(m.Server)
	m.quit, m.done = make(chan struct{}), make(chan struct{})
	go m.watchMemory()
	if m.Profile != nil {
		m.Profile.begin()
	}
}

// Stop ends the interval: hopCPU and serverCPU are what was used in it. It does
// nothing if the interval was never begun or has ended.
func (m *Meter) Stop() {
	if m.quit == nil {
		return
	}
	close(m.quit)
	<-m.done
	m.quit = nil
	m.HopCPU += m.cpu(m.Hop)
	m.ServerCPU += m.cpu(m.Server)
	m.sampleMemory()
}

func (m *Meter) watchMemory() {
	defer close(m.done)
	tick := time.NewTicker(memorySampling)
	defer tick.Stop()
	for {
		select {
		case <-m.quit:
			return
		case <-tick.C:
			m.sampleMemory()
		}
	}
}

func (m *Meter) sampleMemory() {
	m.HopRSS = m.sample(m.HopRSS, m.Hop)
	m.ServerRSS = m.sample(m.ServerRSS, m.Server)
}

// sample adds the resident memory of a process, if there is one.
func (m *Meter) sample(samples []int64, pid int) []int64 {
	if pid == 0 {
		return samples
	}
	rss, err := sandbox.RSS(pid)
	if err != nil {
		m.fail(err)
		return samples
	}
	return append(samples, rss)
}

func (m *Meter) cpu(pid int) time.Duration {
	if pid == 0 {
		return 0
	}
	used, err := sandbox.CPU(pid)
	m.fail(err)
	return used
}

func (m *Meter) fail(err error) {
	if m.Err == nil {
		m.Err = err
	}
}

// Join adds another hop before the same server, whose meter has run beside.
func (m *Meter) Join(other *Meter) {
	m.HopCPU += other.HopCPU
	for i := range min(len(m.HopRSS), len(other.HopRSS)) {
		m.HopRSS[i] += other.HopRSS[i]
	}
	if other.Err != nil {
		m.fail(other.Err)
	}
}
