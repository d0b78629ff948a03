package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"tunic/internal/bench"
	"tunic/internal/bench/matrix"
)

// benchEncryptCmd takes its settings from flags or variables of the environment, as
// benchRelayCmd does.
type benchEncryptCmd struct {
	Rows    int      `env:"ROWS" default:"1000000" help:"Rows of the table."`
	Scale   float64  `env:"SCALE" default:"1" help:"How many times as many rows."`
	Rates   []string `env:"RATES" default:"0,1000,3000,unlimited" help:"Writes a second, or unlimited."`
	Threads int      `env:"THREADS" default:"8" help:"Clients at a time."`
	Rounds  int      `env:"ROUNDS" default:"1" help:"How often all of it is measured."`
	Seconds int      `env:"SECONDS" default:"10" help:"Length of the measurements beside nothing."`

	Out     string `default:"bench/out" placeholder:"DIR" help:"Folder of the JSON, SVG and HTML files."`
	Binary  string `placeholder:"FILE" help:"The tunic to measure; default: this one."`
	Verbose bool   `short:"v" help:"Show what the server and tunic print."`
}

// Run measures until it is done or a signal ends it.
func (c *benchEncryptCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	rates, err := matrix.ParseRates(c.Rates)
	if err != nil {
		return err
	}
	binary, err := measuredBinary(c.Binary)
	if err != nil {
		return err
	}
	threads := max(c.Threads, 1)
	o := bench.EncryptOptions{
		Rows: max(scaled(c.Rows, c.Scale), threads), Rates: rates, Threads: threads, Rounds: max(c.Rounds, 1), Seconds: max(c.Seconds, 1),
		TunicBinary: binary, OutDir: outDir(c.Out), Stdout: os.Stdout, Stderr: os.Stderr,
	}
	if c.Verbose {
		o.ProcessLog = os.Stderr
	}
	return bench.Encrypt(ctx, o)
}
