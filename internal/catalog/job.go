package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"tunic/internal/policy"
)

// Job is work on a protected table that goes on while clients run, and that any tunic goes
// on with which finds nobody at it. It is written down before its first step, so that what
// it leaves half done is known to be its own. Nobody changes a Job that is in a Catalog.
type Job struct {
	// ID is the version of the ledger that wrote the job first.
	ID uint64 `json:"id"`
	// Kind is the name of what is done: package jobs has a table of them.
	Kind string `json:"kind"`
	// Table is the table that it is done to; Schema and Name are what it was called when
	// the job was asked for, for who reads of it when the table is gone.
	Table  ID     `json:"table"`
	Schema string `json:"schema"`
	Name   string `json:"name"`
	// Column and Layer are what the job is about, if that is one layer of one column.
	Column     ID                  `json:"column"`
	ColumnName string              `json:"column_name,omitempty"`
	Layer      policy.Capabilities `json:"layer,omitempty"`
	// Details are what only the kind reads.
	Details json.RawMessage `json:"details,omitempty"`
	// Reason is why it was asked for, in the words of who did.
	Reason string `json:"reason,omitempty"`

	State JobState `json:"state"`
	// Stage is the name of the stage of the kind that is next or under way.
	Stage string `json:"stage"`
	// Cause is why the job has failed, a name of package jobs; "" of all others.
	Cause string `json:"cause,omitempty"`
	// Asked is when it was asked for, by the clock of who wrote it down.
	Asked time.Time `json:"asked"`
}

// JobState is where a job is.
type JobState uint8

// The states of a job, and who moves it on.
const (
	JobRunning    JobState = iota // some tunic works at it, or will as soon as it looks
	JobPaused                     // nobody works at it until it is resumed
	JobFailed                     // the same, for the reason that Cause names
	JobCancelling                 // some tunic takes away what it has done so far
	JobDone                       // nothing is left to do
	JobCancelled                  // all that it did is undone
)

var jobStates = [...]string{
	JobRunning: "running", JobPaused: "paused", JobFailed: "failed", JobCancelling: "cancelling", JobDone: "done", JobCancelled: "cancelled",
}

// String is the word for it that clients read.
func (s JobState) String() string { return jobStates[s] }

// MarshalText implements encoding.TextMarshaler.
func (s JobState) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *JobState) UnmarshalText(text []byte) error {
	at := slices.Index(jobStates[:], string(text))
	if at < 0 {
		return fmt.Errorf("%w: the state of a job", ErrContent)
	}
	*s = JobState(at)
	return nil
}

// Live reports whether the job may still do something to its table, be it when somebody
// resumes it: what it has half done is not taken away meanwhile.
func (j *Job) Live() bool { return j.State != JobDone && j.State != JobCancelled }

// Works reports whether some tunic is to work at the job.
func (j *Job) Works() bool { return j.State == JobRunning || j.State == JobCancelling }

// jobFormat is the version of the form that Job.Encode writes.
const jobFormat = 1

type writtenJob struct {
	Format int `json:"format"`
	*Job
}

// Encode is the written form of a job.
func (j *Job) Encode() ([]byte, error) { return json.Marshal(writtenJob{jobFormat, j}) }

// DecodeJob reads it. Errors are those of Decode.
func DecodeJob(data []byte) (*Job, error) {
	w := writtenJob{Job: &Job{}}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&w); err != nil {
		if f := (struct{ Format int }{}); json.Unmarshal(data, &f) == nil && f.Format > jobFormat {
			return nil, ErrFormat
		}
		return nil, fmt.Errorf("%w: a job", ErrContent)
	}
	if w.Format != jobFormat {
		return nil, ErrFormat
	}
	if w.Job.Kind == "" || w.ID == 0 {
		return nil, fmt.Errorf("%w: a job", ErrContent)
	}
	return w.Job, nil
}

// Jobs are all jobs that are written down, in the order in which they were asked for, those
// that have ended among them. Nobody changes what is returned.
func (c *Catalog) Jobs() []*Job { return c.jobs }

// Job is the job of an ID; nil if there is none.
func (c *Catalog) Job(id uint64) *Job {
	at, found := slices.BinarySearchFunc(c.jobs, id, compareJob)
	if !found {
		return nil
	}
	return c.jobs[at]
}

func compareJob(j *Job, id uint64) int {
	switch {
	case j.ID < id:
		return -1
	case j.ID > id:
		return 1
	}
	return 0
}

// JobsOf are the live jobs of a table.
func (c *Catalog) JobsOf(table ID) (live []*Job) {
	for _, j := range c.jobs {
		if j.Table == table && j.Live() {
			live = append(live, j)
		}
	}
	return live
}

// WithJobs is the version after c that has these jobs, and no others.
func (c *Catalog) WithJobs(version uint64, jobs []*Job) *Catalog {
	next := *c
	next.Version = version
	next.jobs = slices.SortedFunc(slices.Values(jobs), func(a, b *Job) int { return compareJob(a, b.ID) })
	return &next
}
