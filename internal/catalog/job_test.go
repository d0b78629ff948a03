package catalog

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/policy"
)

// TestJobReadsWhatItWrote: of every state, and whatever it is about.
func TestJobReadsWhatItWrote(t *testing.T) {
	for state := range JobState(len(jobStates)) {
		want := &Job{
			ID: 7, Kind: "add_layer", Table: ID{1}, Schema: "shop", Name: "patient", Column: ID{2}, ColumnName: "name",
			Layer: policy.Order, Details: []byte(`{"a":1}`), Reason: "a report", State: state, Stage: "fill", Cause: "disk_full",
			Asked: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC),
		}
		text, err := want.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeJob(text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestDecodeJobRefuses(t *testing.T) {
	text, err := (&Job{ID: 7, Kind: "add_layer"}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	for was, c := range map[string]struct {
		is   string
		want error
	}{
		`"format":1`:         {`"format":2`, ErrFormat},
		`"state":"running"`:  {`"state":"walking"`, ErrContent},
		`"id":7`:             {`"id":0`, ErrContent},
		`"kind":"add_layer"`: {`"sort":"add_layer"`, ErrContent},
	} {
		changed := bytes.Replace(text, []byte(was), []byte(c.is), 1)
		if bytes.Equal(changed, text) {
			t.Fatalf("%s is not in %s", was, text)
		}
		if _, err := DecodeJob(changed); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.is, err, c.want)
		}
	}
}

// TestJobsOf: the jobs of a table are the live ones, and stay from version to version.
func TestJobsOf(t *testing.T) {
	c := New(false).WithJobs(9, []*Job{
		{ID: 5, Table: ID{1}, State: JobPaused},
		{ID: 2, Table: ID{1}, State: JobDone},
		{ID: 3, Table: ID{2}},
		{ID: 4, Table: ID{1}, State: JobFailed},
		{ID: 1, Table: ID{1}, State: JobCancelled},
		{ID: 6, Table: ID{1}, State: JobCancelling},
	}).Next(10, nil, nil)
	var ids []uint64
	for _, j := range c.JobsOf(ID{1}) {
		ids = append(ids, j.ID)
	}
	if diff := cmp.Diff([]uint64{4, 5, 6}, ids); diff != "" {
		t.Error(diff)
	}
	if c.Job(2) == nil || c.Job(7) != nil || len(c.Jobs()) != 6 || c.Version != 10 {
		t.Errorf("%d jobs, version %d", len(c.Jobs()), c.Version)
	}
}
