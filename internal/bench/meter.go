package bench

import (
	"time"

	"tunic/internal/sandbox"
)

// memorySampling is how often resident memory is read while a load runs.
const memorySampling = time.Second

// meter reads what the hop and the server use while a load runs.
type meter struct {
	hop, server int // process ids; hop is 0 where there is none

	hopCPU, serverCPU time.Duration
	hopRSS, serverRSS []int64 // bytes, one sample a second and one at the end
	err               error   // the first sample that could not be read

	profile *profiling // taken in the same interval; nil for none

	quit, done chan struct{}
}

// start begins the interval.
func (m *meter) start() {
	m.hopCPU, m.serverCPU = -m.cpu(m.hop), -m.cpu(m.server)
	m.quit, m.done = make(chan struct{}), make(chan struct{})
	go m.watchMemory()
	if m.profile != nil {
		m.profile.begin()
	}
}

// stop ends the interval: hopCPU and serverCPU are what was used in it. It does
// nothing if the interval was never begun or has ended.
func (m *meter) stop() {
	if m.quit == nil {
		return
	}
	close(m.quit)
	<-m.done
	m.quit = nil
	m.hopCPU += m.cpu(m.hop)
	m.serverCPU += m.cpu(m.server)
	m.sampleMemory()
}

func (m *meter) watchMemory() {
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

func (m *meter) sampleMemory() {
	m.hopRSS = m.sample(m.hopRSS, m.hop)
	m.serverRSS = m.sample(m.serverRSS, m.server)
}

// sample adds the resident memory of a process, if there is one.
func (m *meter) sample(samples []int64, pid int) []int64 {
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

func (m *meter) cpu(pid int) time.Duration {
	if pid == 0 {
		return 0
	}
	used, err := sandbox.CPU(pid)
	m.fail(err)
	return used
}

func (m *meter) fail(err error) {
	if m.err == nil {
		m.err = err
	}
}

// join adds another hop before the same server, whose meter has run beside.
func (m *meter) join(other *meter) {
	m.hopCPU += other.hopCPU
	for i := range min(len(m.hopRSS), len(other.hopRSS)) {
		m.hopRSS[i] += other.hopRSS[i]
	}
	if other.err != nil {
		m.fail(other.err)
	}
}
