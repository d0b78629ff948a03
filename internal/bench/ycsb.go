package bench

import (
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"tunic/internal/bench/matrix"
	"tunic/internal/bench/meter"
	"tunic/internal/sandbox"
)

// YCSB's table.
const (
	ycsbDatabase = "ycsb"
	ycsbTable    = "usertable"
)

// ycsbBatch is how many rows a statement has at most that fills the table.
const ycsbBatch = 100

// Lines of the client tools/ycsb that mark the measured interval.
const (
	ycsbStarted = lineStarted
	ycsbStopped = "Threads stopped!"
)

// ycsb is the program that tools/ycsb is; without a path no workload is its own.
type ycsb struct{ path string }

// findYCSB returns an error that wraps sandbox.ErrUnavailable where it has not been built.
func findYCSB() (ycsb, error) {
	path := filepath.Join(sandbox.StateDir(), "bin", "ycsb")
	if _, err := os.Stat(path); err != nil {
		return ycsb{}, fmt.Errorf("the client of YCSB is %w; build it with `scripts/install-deps.sh ycsb`, which takes go-ycsb from the Go module proxy", sandbox.ErrUnavailable)
	}
	return ycsb{path}, nil
}

// version is that of go-ycsb, "" if the program does not say.
func (y ycsb) version() string {
	info, err := buildinfo.ReadFile(y.path)
	if err != nil {
		return ""
	}
	for _, module := range info.Deps {
		if module.Path == "github.com/pingcap/go-ycsb" {
			return module.Version
		}
	}
	return ""
}

// run is sysbench.run, with the workload's properties.
func (y ycsb) run(ctx context.Context, l load, properties []string, onLine func(line string)) (string, error) {
	args, err := l.ycsbArgs(properties)
	if err != nil {
		return "", err
	}
	return client{"ycsb", y.path}.run(ctx, args, l.limit(), onLine)
}

// ycsbArgs returns the command line. With inserts, keys are picked as if a tenth as many
// records as there are were to come while it runs.
func (l load) ycsbArgs(properties []string) ([]string, error) {
	host, port, err := net.SplitHostPort(l.Addr)
	if err != nil {
		return nil, fmt.Errorf("address of the target: %w", err)
	}
	command, threads := "run", l.Threads
	if l.Command == "prepare" {
		command, threads = "load", 1
		properties = []string{"batch.size=" + strconv.Itoa(batchOf(l.Rows))}
	}
	return append([]string{
		command,
		"mysql.host=" + host,
		"mysql.port=" + port,
		"mysql.user=" + sandbox.AppUser,
		"mysql.password=" + sandbox.AppPassword,
		"mysql.db=" + l.Database,
		"recordcount=" + strconv.Itoa(l.Rows),
		"operationcount=" + strconv.Itoa(l.Rows),
		"fieldcount=" + strconv.Itoa(matrix.YCSBFields),
		"fieldlength=" + strconv.Itoa(matrix.YCSBFieldLength),
		"threadcount=" + strconv.Itoa(threads),
		"seconds=" + strconv.Itoa(l.Seconds),
	}, properties...), nil
}

// batchOf is the most rows a statement may have if all are to have as many: go-ycsb fills
// the last one up.
func batchOf(rows int) int {
	size := min(rows, ycsbBatch)
	for rows%size != 0 {
		size--
	}
	return size
}

// prepareYCSB makes the table, and the client its rows.
func (b *bench) prepareYCSB(ctx context.Context, w matrix.Workload, l load) error {
	if err := execute(ctx, l.Addr, l.Database, ycsbDefinition(w, l.Keyless)); err != nil {
		return fmt.Errorf("make the table: %w", err)
	}
	if _, err := b.ycsb.run(ctx, l, nil, nil); err != nil {
		return fmt.Errorf("make the rows: %w", err)
	}
	return nil
}

// ycsbDefinition is the table as go-ycsb makes it. Where keys are scanned in their order,
// a protected one keeps it: without, every scan would fetch all records. The comment says
// nothing to a server.
func ycsbDefinition(w matrix.Workload, keyless bool) string {
	var b strings.Builder
	b.WriteString("CREATE TABLE " + ycsbTable + " (YCSB_KEY VARCHAR(64) PRIMARY KEY")
	if w.Scans && !keyless {
		b.WriteString(" COMMENT 'tunic: order'")
	}
	for i := range matrix.YCSBFields {
		fmt.Fprintf(&b, ", FIELD%d VARCHAR(%d)", i, matrix.YCSBFieldLength)
	}
	return b.String() + ")"
}

// measureYCSB is measure for what go-ycsb drives.
func (b *bench) measureYCSB(ctx context.Context, w matrix.Workload, l load, m *meter.Meter) (report, error) {
	output, err := b.ycsb.run(ctx, l, w.YCSB, func(line string) {
		switch line {
		case ycsbStarted:
			m.Start()
		case ycsbStopped:
			m.Stop()
		}
	})
	m.Stop()
	if err == nil {
		err = m.Err
	}
	if err != nil {
		return report{}, err
	}
	return parseYCSB(output)
}

// ycsbReport is what the client says in its last line. An operation is one of the
// workload: a read-modify-write is one, and two statements.
type ycsbReport struct {
	Operations    int64   `json:"operations"`
	Statements    int64   `json:"statements"`
	IgnoredErrors int64   `json:"ignored_errors"`
	Seconds       float64 `json:"seconds"`
	AverageMs     float64 `json:"average_ms"`
	P95Ms         float64 `json:"p95_ms"`
	MaximumMs     float64 `json:"maximum_ms"`
}

// parseYCSB reads the client's standard output.
func parseYCSB(output string) (report, error) {
	_, body, found := strings.Cut(output, ycsbStopped+"\n")
	if !found {
		return report{}, errors.New("ycsb printed no report")
	}
	var y ycsbReport
	if err := json.Unmarshal([]byte(body), &y); err != nil {
		return report{}, fmt.Errorf("ycsb's report: %w", err)
	}
	if y.Operations == 0 || y.Seconds <= 0 {
		return report{}, errors.New("ycsb finished no operation")
	}
	return report{
		Transactions: y.Operations, TPS: float64(y.Operations) / y.Seconds,
		Queries: y.Statements, QPS: float64(y.Statements) / y.Seconds,
		IgnoredErrors: y.IgnoredErrors,
		AverageMs:     y.AverageMs, P95Ms: y.P95Ms, MaximumMs: y.MaximumMs,
		TotalSeconds: y.Seconds,
	}, nil
}
