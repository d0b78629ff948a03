package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"tunic/internal/bench"
)

// benchLayersCmd takes its settings from flags or variables of the environment, as
// benchRelayCmd does.
type benchLayersCmd struct {
	Tables  int     `env:"TABLES" default:"5" help:"Number of tables, two at least."`
	Rows    int     `env:"ROWS" default:"100000" help:"Rows of a table."`
	Scale   float64 `env:"SCALE" default:"1" help:"How many times as many rows."`
	Threads int     `env:"THREADS" default:"24" help:"Clients at a time, half of them at each tunic."`
	Rounds  int     `env:"ROUNDS" default:"3" help:"How often it is measured, quiet and with changes."`
	Seconds int     `env:"SECONDS" default:"30" help:"Length of each half of a round."`

	Out     string `default:"bench/out" placeholder:"DIR" help:"Folder of the JSON, SVG and HTML files."`
	Binary  string `placeholder:"FILE" help:"The tunic to measure; default: this one."`
	Verbose bool   `short:"v" help:"Show what the server and the tunics print."`
}

// Run measures until it is done or a signal ends it.
func (c *benchLayersCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	binary, err := measuredBinary(c.Binary)
	if err != nil {
		return err
	}
	o := bench.LayersOptions{
		Tables: c.Tables, Rows: max(scaled(c.Rows, c.Scale), c.Threads, 1), Threads: max(c.Threads, 1), Rounds: max(c.Rounds, 1), Seconds: max(c.Seconds, 1),
		TunicBinary: binary, OutDir: outDir(c.Out), Stdout: os.Stdout, Stderr: os.Stderr,
	}
	if c.Verbose {
		o.ProcessLog = os.Stderr
	}
	return bench.Layers(ctx, o)
}
