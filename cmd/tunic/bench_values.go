package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"syscall"

	"tunic/internal/bench"
	"tunic/internal/bench/document"
	"tunic/internal/cost"
)

// benchValuesCmd measures single values in this process; `bench ops` has it run by the tunic
// that it measures.
type benchValuesCmd struct {
	Rounds int    `env:"ROUNDS" default:"5" help:"How often each operation is measured."`
	Only   string `placeholder:"PATTERN" help:"Measure only operations whose names (type: operation) match this regular expression."`
	Out    string `default:"bench/out" placeholder:"DIR" help:"Folder of the JSON and HTML files."`
	JSON   bool   `help:"Print the cells of the document instead, and write no files."`
}

// Run measures until it is done or a signal ends it.
func (c *benchValuesCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if c.JSON {
		cells, err := c.measure(ctx)
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(cells)
	}
	binary, err := os.Executable()
	if err != nil {
		return err
	}
	command := fmt.Sprintf("bin/tunic bench values --rounds=%d", c.Rounds)
	if c.Only != "" {
		command += fmt.Sprintf(" --only=%q", c.Only)
	}
	return bench.MeasureValues(ctx, bench.ValuesOptions{
		Measure: c.measure, Command: command, Rounds: c.Rounds, TunicBinary: binary, OutDir: outDir(c.Out), Stdout: os.Stdout,
	})
}

func (c *benchValuesCmd) measure(ctx context.Context) ([]document.Cell, error) {
	if c.Rounds < 1 {
		return nil, fmt.Errorf("rounds is %d; it must be at least 1", c.Rounds)
	}
	var only *regexp.Regexp
	if c.Only != "" {
		var err error
		if only, err = regexp.Compile(c.Only); err != nil {
			return nil, fmt.Errorf("which operations: %w", err)
		}
	}
	figures, err := cost.Measure(ctx, c.Rounds, only)
	if err != nil {
		return nil, err
	}
	var cells []document.Cell
	for _, f := range figures {
		var rounds []document.ValueRun
		for _, r := range f.Rounds {
			rounds = append(rounds, document.ValueRun{
				Operations: r.Operations, Ns: r.Nanoseconds, Bytes: r.Bytes, Allocations: r.Allocations, AllocatedBytes: r.AllocatedBytes,
			})
		}
		cells = append(cells, bench.ValueCell(f.Value, f.Operation, rounds))
	}
	return cells, nil
}
