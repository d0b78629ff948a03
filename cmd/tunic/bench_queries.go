package main

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"tunic/internal/bench"
	"tunic/internal/bench/queries"
	"tunic/internal/sandbox"
)

// benchQueriesCmd takes its settings from flags or variables of the environment, as
// benchRelayCmd does.
type benchQueriesCmd struct {
	Set    string `env:"SET" default:"scan" enum:"scan,tpch" help:"Which tables and questions: scan or tpch."`
	Rows   int    `env:"ROWS" default:"1000000" help:"Rows of the largest table."`
	Rounds int    `env:"ROUNDS" default:"5" help:"How often each question is asked of either side."`
	Only   string `env:"ONLY" placeholder:"PATTERN" help:"Ask only questions whose names match this regular expression."`

	Out     string `default:"bench/out" placeholder:"DIR" help:"Folder of the JSON file."`
	Binary  string `placeholder:"FILE" help:"The tunic to measure; default: this one."`
	Verbose bool   `short:"v" help:"Show what the servers and tunic print."`
}

// Run measures until it is done or a signal ends it.
func (c *benchQueriesCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	set, err := queries.Scan, error(nil)
	if c.Set == "tpch" {
		set, err = queries.TPCH(filepath.Join(sandbox.Root(), "internal", "difftest", "testdata", "protected", "tpch.test"))
	}
	if err == nil {
		err = set.Choose(c.Only)
	}
	if err != nil {
		return err
	}
	binary, err := measuredBinary(c.Binary)
	if err != nil {
		return err
	}
	o := bench.QueriesOptions{
		Set: set, Rows: c.Rows, Rounds: c.Rounds, TunicBinary: binary, OutDir: outDir(c.Out), Stdout: os.Stdout, Stderr: os.Stderr,
	}
	if c.Verbose {
		o.ProcessLog = os.Stderr
	}
	return bench.Queries(ctx, o)
}
