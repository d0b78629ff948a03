package bench

import (
	"strings"
	"testing"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
	"tunic/internal/bench/matrix"
)

func TestCheckAcceptsWhatCanBeMeasured(t *testing.T) {
	if err := checkSettings(documenttest.Settings()); err != nil {
		t.Error(err)
	}
	s := documenttest.Settings()
	s.WarmUpSeconds = 0
	if err := checkSettings(s); err != nil {
		t.Errorf("without a warm-up: %v", err)
	}
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	for want, spoil := range map[string]func(*document.Settings){
		`no workload is called "oltp_nothing"`: func(s *document.Settings) { s.Workloads = []string{"oltp_nothing"} },
		`"oltp_insert" is named twice`:         func(s *document.Settings) { s.Workloads = []string{"oltp_insert", "oltp_insert"} },
		"no workload given; known: oltp_point": func(s *document.Settings) { s.Workloads = nil },
		`no target is called "moon"`:           func(s *document.Settings) { s.Targets = []string{"moon"} },
		"no ps mode given":                     func(s *document.Settings) { s.PSModes = nil },
		"between 1 and 1000":                   func(s *document.Settings) { s.Threads = []int{8, 1001} },
		"8 threads are named twice":            func(s *document.Settings) { s.Threads = []int{8, 24, 8} },
		"threads are []":                       func(s *document.Settings) { s.Threads = nil },
		"rounds is 0":                          func(s *document.Settings) { s.Rounds = 0 },
		"seconds is 0":                         func(s *document.Settings) { s.Seconds = 0 },
		"transactions is -1":                   func(s *document.Settings) { s.Transactions = -1 },
		"tpcc ends with its seconds":           func(s *document.Settings) { s.Workloads, s.Transactions = []string{"oltp_insert", "tpcc"}, 10 },
		"warm-up seconds is -1":                func(s *document.Settings) { s.WarmUpSeconds = -1 },
		"tables is 0":                          func(s *document.Settings) { s.Tables = 0 },
		"rows is -5":                           func(s *document.Settings) { s.Rows = -5 },
		"warehouses is 0":                      func(s *document.Settings) { s.Warehouses = 0 },
		"share is 0":                           func(s *document.Settings) { s.Share = 0 },
		"share is 1.5":                         func(s *document.Settings) { s.Share = 1.5 },
	} {
		s := documenttest.Settings()
		spoil(&s)
		if err := checkSettings(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}

// Every entry of the tables can be asked for, and has a line for people.
func TestTablesAreComplete(t *testing.T) {
	for _, w := range matrix.Workloads {
		if _, err := matrix.WorkloadsNamed([]string{w.Name}); err != nil || w.About == "" {
			t.Errorf("workload %q: about %q, %v", w.Name, w.About, err)
		}
	}
	for _, target := range Targets {
		if _, err := targetsNamed([]string{target.Name}); err != nil || target.About == "" || target.open == nil {
			t.Errorf("target %q: about %q, %v", target.Name, target.About, err)
		}
	}
}
