package metrics

// PlanCache is what the plan cache says of itself when asked.
type PlanCache struct {
	// Hits, Misses and Evictions count since start.
	Hits, Misses, Evictions uint64
	// Entries and Bytes are its size now: plans, and the memory they take.
	Entries uint64
	Bytes   int64
}

// WatchPlanCache sets what is asked at each scrape; safe for concurrent use
// with scrapes, and read must be so with queries.
func (m *Metrics) WatchPlanCache(read func() PlanCache) { m.planCache.Store(&read) }

// Sessions is how many sessions are in each state, by SessionState.
type Sessions [sessionStates]int64

// WatchSessions sets what is asked at each scrape, as WatchPlanCache does.
func (m *Metrics) WatchSessions(read func() Sessions) { m.sessions.Store(&read) }

// WatchReady sets what is asked at each scrape whether a client would be served now, as
// WatchPlanCache does. It may take a few seconds.
func (m *Metrics) WatchReady(read func() bool) { m.ready.Store(&read) }

// readPlanCache asks, or says zero while nobody answers.
func (m *Metrics) readPlanCache() PlanCache {
	if read := m.planCache.Load(); read != nil {
		return (*read)()
	}
	return PlanCache{}
}

func (m *Metrics) readSessions() Sessions {
	if read := m.sessions.Load(); read != nil {
		return (*read)()
	}
	return Sessions{}
}

func (m *Metrics) readReady() float64 {
	if read := m.ready.Load(); read != nil && (*read)() {
		return 1
	}
	return 0
}
