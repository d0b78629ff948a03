package metrics

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Options are the lists of label values that other rooms own.
type Options struct {
	// Version, Commit and Go identify the build.
	Version, Commit, Go string
	// StatementKinds and StatementActions name the kinds and actions of the
	// statement table; the index is what Statement takes.
	StatementKinds, StatementActions []string
	// RefusalCodes are the codes of errors that clients can get: 3001 for
	// TUNIC-3001.
	RefusalCodes []uint16
}

// Metrics holds every number of one tunic process. Its fields are safe for use
// by many goroutines.
type Metrics struct {
	Connections Connections
	Bytes       Bytes
	Backend     Backend
	// CertificateNotAfter is when the certificate that clients see ends, in Unix
	// seconds; 0 without one.
	CertificateNotAfter Gauge
	// ReloadedAt is when the configuration was last read in whole, in Unix seconds; Reloaded is
	// 1 if that was the last time that it was to be read, and 0 if that failed.
	ReloadedAt, Reloaded Gauge
	// OpenFailures counts stored values that are not what tunic stored there.
	OpenFailures Counter
	// MovedTokens counts rows that were found by a token, or have one in their key, that is not of their value.
	MovedTokens Counter
	RowCache    RowCache
	// KeyEpoch is the version of the newest master key.
	KeyEpoch Gauge
	// KeySeals is how many values the key has sealed that has sealed most.
	KeySeals Gauge
	// Replanned counts statements that were planned again because another tunic had changed
	// a table.
	Replanned Counter
	// Advice counts layers that were advised, in a warning or the log, and LayersAsked jobs
	// that were asked for because of it.
	Advice, LayersAsked Counter
	Memory              Memory
	// LoginsSlowed counts denied logins whose answer waited.
	LoginsSlowed Counter
	// Prepared is how many prepared statements all sessions hold open.
	Prepared Gauge
	Jobs     Jobs
	// Local counts statements of which tunic has done a part on opened rows.
	Local Counter
	// RefusedLate counts statements that tunic has refused when it carried them out, and not
	// when it planned them.
	RefusedLate Counter

	durations  []Histogram // by kind of statement, with one for commands that are none
	logins     [loginResults]Counter
	commands   [256]*Counter
	statements grid
	refusals   map[uint16]*Counter

	planCache atomic.Pointer[func() PlanCache]
	sessions  atomic.Pointer[func() Sessions]
	ready     atomic.Pointer[func() bool]

	registry *prometheus.Registry
	families []*family
}

// Connections counts clients' connections.
type Connections struct {
	// Accepted counts all that were accepted, Open those open now.
	Accepted Counter
	Open     Gauge
	refused  [connectionRefusals]Counter
}

// Refused is the counter of connections closed before their session began.
func (c *Connections) Refused(why ConnectionRefusal) *Counter { return &c.refused[why] }

// Memory counts large statements that have waited for memory, and refused ones.
type Memory struct{ Waited, Refused Counter }

// Bytes counts what passes between clients and tunic once they are logged in:
// commands and files in, answers out.
type Bytes struct{ ClientIn, ClientOut Counter }

// Backend counts connections to the server.
type Backend struct {
	// Connects counts those that were made.
	Connects Counter
	errors   [backendErrors]Counter
}

// Error is the counter of failures of one kind.
func (b *Backend) Error(why BackendError) *Counter { return &b.errors[why] }

// New makes the numbers and a registry of their own with them, the Go runtime
// and the process.
func New(o Options) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), refusals: map[uint16]*Counter{}}
	m.resolveCommands()
	m.statements = newGrid(o.StatementKinds, o.StatementActions)
	m.durations = make([]Histogram, len(m.statements.rows.list))
	for _, code := range o.RefusalCodes {
		m.refusals[code] = new(Counter)
	}
	m.refusals[0] = new(Counter)
	m.families = m.describe(o)
	for _, f := range m.families {
		m.registry.MustRegister(f)
	}
	m.registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// resolveCommands gives every known command byte a counter of its own and all
// others one in common.
func (m *Metrics) resolveCommands() {
	other := new(Counter)
	for i, name := range commandNames {
		if name == "" {
			m.commands[i] = other
		} else {
			m.commands[i] = new(Counter)
		}
	}
}

// Gatherer is the registry, for the page /metrics.
func (m *Metrics) Gatherer() prometheus.Gatherer { return m.registry }

// Command is the counter of commands with that first byte.
func (m *Metrics) Command(b byte) *Counter { return m.commands[b] }

// Statement is the counter of statements of a kind that met an action, both
// indexes into the lists of Options; what is off the lists counts as unknown.
func (m *Metrics) Statement(kind, action int) *Counter { return m.statements.at(kind, action) }

// Duration is how long statements of a kind take, from a command's last byte read to its
// answer's last byte written; the kind is an index into the list of Options. What is off
// the list, such as a command that is no statement, counts as unknown.
func (m *Metrics) Duration(kind int) *Histogram { return &m.durations[m.statements.rows.index(kind)] }

// Refusal is the counter of errors of tunic's own that clients got, by code;
// codes that Options did not list count as unknown.
func (m *Metrics) Refusal(code uint16) *Counter {
	if c, ok := m.refusals[code]; ok {
		return c
	}
	return m.refusals[0]
}

// Login is the counter of logins that ended so.
func (m *Metrics) Login(r LoginResult) *Counter { return &m.logins[r] }

// grid is a counter for each pair of two lists.
type grid struct {
	rows, columns names
	cells         []Counter
}

func newGrid(rows, columns []string) grid {
	g := grid{rows: newNames(rows), columns: newNames(columns)}
	g.cells = make([]Counter, len(g.rows.list)*len(g.columns.list))
	return g
}

func (g *grid) at(row, column int) *Counter {
	return &g.cells[g.rows.index(row)*len(g.columns.list)+g.columns.index(column)]
}

// names are the values of a label, with a place for what is not on the list:
// that of the name "unknown", which is added unless it is there.
type names struct {
	list    []string
	unknown int
}

func newNames(list []string) names {
	n := names{list: slices.Clone(list), unknown: slices.Index(list, unknown)}
	if n.unknown < 0 {
		n.unknown = len(list)
		n.list = append(n.list, unknown)
	}
	return n
}

func (n *names) index(i int) int {
	if i < 0 || i >= len(n.list) {
		return n.unknown
	}
	return i
}

// refusalName is the label of a code.
func refusalName(code uint16) string {
	if code == 0 {
		return unknown
	}
	return fmt.Sprintf("TUNIC-%04d", code)
}
