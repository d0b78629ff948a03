package metrics

// Jobs counts the work in the background that this process does.
type Jobs struct {
	// Running is how many jobs it works at now, Rows how many rows it has gone through, and
	// Milliseconds how long it has worked at jobs, those that wait included.
	Running      Gauge
	Rows         Counter
	Milliseconds Counter

	ended [len(jobEnds)]Counter
}

// jobEnds are how a job ends, the last one a name that is none.
var jobEnds = [...]string{"done", "failed", "paused", "cancelled", unknown}

// Ended is the counter of jobs that have come to a state in this process's hands.
func (j *Jobs) Ended(state string) *Counter {
	for i, name := range jobEnds {
		if name == state {
			return &j.ended[i]
		}
	}
	return &j.ended[len(jobEnds)-1]
}

func (m *Metrics) jobFamilies() []*family {
	j := &m.Jobs
	return []*family{
		newFamily(family{
			name: "tunic_jobs_running", kind: gauge,
			help: "Jobs that this process works at now.",
			read: one(func() float64 { return float64(j.Running.Value()) }),
		}),
		newFamily(family{
			name: "tunic_jobs_ended_total", kind: counter,
			help:   "Jobs that have come to rest in the hands of this process, by the state they came to.",
			labels: []label{{"state", jobEnds[:]}},
			read:   listed(jobEnds[:], j.ended[:]),
		}),
		newFamily(family{
			name: "tunic_jobs_rows_total", kind: counter,
			help: "Rows that jobs of this process have gone through, to fill them or to look at them.",
			read: counted(&j.Rows),
		}),
		newFamily(family{
			name: "tunic_jobs_seconds_total", kind: counter,
			help: "Time that this process has worked at jobs, those that wait for something included.",
			read: one(func() float64 { return float64(j.Milliseconds.Value()) / 1000 }),
		}),
	}
}
