package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"tunic/internal/bench/document"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/meter"
)

// targetInside is tunic's own code, which nothing is sent to.
const targetInside = "inside tunic"

// ValueCell is the cell of an operation on values of a type.
func ValueCell(value, operation string, rounds []document.ValueRun) document.Cell {
	c := document.Cell{Case: document.Case{Workload: operation, Threads: 1, Value: value}, Target: targetInside}
	for i, v := range rounds {
		perSecond := float64(time.Second) / max(v.Ns, 1e-3)
		c.Runs = append(c.Runs, document.Run{Round: i + 1, TPS: perSecond, QPS: perSecond, Queries: int64(v.Operations), AverageMs: v.Ns / 1e6, Value: &v})
	}
	return c
}

// ValuesOptions say how single values are measured.
type ValuesOptions struct {
	// Measure measures in this program: the room of the benchmarks knows no value.
	Measure     func(context.Context) ([]document.Cell, error)
	Command     string // that measures the same again
	Rounds      int
	TunicBinary string // this program
	OutDir      string
	Stdout      io.Writer // the table
}

// MeasureValues measures and shows what came of it.
func MeasureValues(ctx context.Context, o ValuesOptions) error {
	machine, began := meter.AtStart(), time.Now()
	cells, err := o.Measure(ctx)
	if err != nil {
		return err
	}
	d := &document.Document{
		Format: document.Format, Name: matrix.Values.Name, Command: o.Command, Started: began.Truncate(time.Second), Complete: true,
		Seconds: time.Since(began).Round(time.Second).Seconds(), Machine: machine,
		Versions: map[string]string{"tunic": meter.VersionOf(ctx, o.TunicBinary, "version"), "go": meter.GoVersionOf(o.TunicBinary)},
		Commit:   meter.CommitOf(o.TunicBinary), Settings: document.Settings{Targets: []string{targetInside}, Rounds: o.Rounds}, Cells: cells,
	}
	d.Summarise()
	return publishDocument(d, o.OutDir, o.Stdout)
}

// valueCells has the tunic to measure do it, in a process that does nothing else. Another
// than this one may not know the command yet: that is told, and is no failure.
func (o *QueriesOptions) valueCells(ctx context.Context) (cells []document.Cell, skipped string, err error) {
	cmd := exec.CommandContext(ctx, o.TunicBinary, "bench", "values", "--json", fmt.Sprintf("--rounds=%d", o.Rounds))
	out, err := cmd.Output()
	if err != nil {
		failed, ended := errors.AsType[*exec.ExitError](err)
		switch {
		case !ended || ctx.Err() != nil:
			return nil, "", err
		case !o.Another:
			return nil, "", fmt.Errorf("single values: %w: %s", err, strings.TrimSpace(string(failed.Stderr)))
		}
		return nil, "single values are left out: " + strings.TrimSpace(string(failed.Stderr)), nil
	}
	if err := json.Unmarshal(out, &cells); err != nil {
		return nil, "", fmt.Errorf("single values: %w", err)
	}
	return cells, "", nil
}
