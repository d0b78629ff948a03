package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"tunic/internal/bench"
	"tunic/internal/sandbox"
)

// benchCmd measures, on private servers.
type benchCmd struct {
	Relay   benchRelayCmd   `cmd:"" help:"Compare ways from client to server under sysbench."`
	Queries benchQueriesCmd `cmd:"" help:"Compare single queries over protected tables with the same on a plain server."`
	Layers  benchLayersCmd  `cmd:"" help:"Measure transactions through two tunics while layers go up and down."`
	Encrypt benchEncryptCmd `cmd:"" help:"Measure clients of a table while it is protected and made plain again, beside other ways to change a table."`
	Compare benchCompareCmd `cmd:"" help:"Show what differs significantly between two results."`
}

// benchRelayCmd takes its settings from flags or, so that 'make bench SECONDS=3'
// works, from variables of the environment.
type benchRelayCmd struct {
	Workloads  []string `env:"WORKLOADS" default:"oltp_point_select,oltp_read_only,oltp_read_write,oltp_write_only,oltp_update_index,oltp_update_non_index,oltp_insert,oltp_delete,bulk_insert" help:"sysbench's scripts, or tpcc."`
	Targets    []string `env:"TARGETS" default:"direct,haproxy,tunic,protected" help:"What stands between client and server."`
	PSModes    []string `name:"psmodes" env:"PSMODES" default:"auto,disable" help:"auto: prepared statements; disable: text."`
	Threads    []int    `env:"THREADS" default:"8,24,200" help:"Clients at a time."`
	Rounds     int      `env:"ROUNDS" default:"3" help:"Measurements of each target in each case."`
	Seconds    int      `env:"SECONDS" default:"5" help:"Length of a measurement."`
	WarmUp     int      `name:"warmup" env:"WARMUP" default:"1" help:"Seconds of load on each target before the rounds of a case; 0 for none."`
	Tables     int      `env:"TABLES" default:"5" help:"Number of tables."`
	Rows       int      `env:"ROWS" default:"50000" help:"Rows of a table."`
	Warehouses int      `env:"WAREHOUSES" default:"1" help:"Warehouses of tpcc."`
	Share      float64  `env:"SHARE" default:"0.1" help:"Share of the specification's customers, orders and items in a warehouse of tpcc."`

	Out     string `default:"bench/out" placeholder:"DIR" help:"Folder of the JSON and SVG files."`
	Binary  string `placeholder:"FILE" help:"The tunic to measure; default: this one."`
	Verbose bool   `short:"v" help:"Show what the server and the hops print."`
}

// Help is shown by `tunic bench relay --help`.
func (c *benchRelayCmd) Help() string {
	var b strings.Builder
	b.WriteString("Starts a private MariaDB and each target in front of it, and lets the targets take turns. " +
		"Prints a table and writes a JSON document and a plot.\n\nWorkloads:\n")
	for _, w := range bench.Workloads {
		fmt.Fprintf(&b, "  %-18s %s\n", w.Name, w.About)
	}
	b.WriteString("\nTargets:\n")
	for _, t := range bench.Targets {
		fmt.Fprintf(&b, "  %-18s %s\n", t.Name, t.About)
	}
	return b.String()
}

// Run measures until it is done or a signal ends it; what was measured by then is
// shown.
func (c *benchRelayCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	binary, err := measuredBinary(c.Binary)
	if err != nil {
		return err
	}
	o := bench.Options{
		Settings:    c.settings(),
		TunicBinary: binary,
		OutDir:      outDir(c.Out),
		Stdout:      os.Stdout,
		Stderr:      os.Stderr,
		Terminal:    isTerminal(os.Stderr),
	}
	if c.Verbose {
		o.ProcessLog = os.Stderr
	}
	return bench.Relay(ctx, o)
}

func (c *benchRelayCmd) settings() bench.Settings {
	return bench.Settings{
		Workloads: c.Workloads, Targets: c.Targets, PSModes: c.PSModes, Threads: c.Threads,
		Rounds: c.Rounds, Seconds: c.Seconds, WarmUpSeconds: c.WarmUp, Tables: c.Tables, Rows: c.Rows, Warehouses: c.Warehouses, Share: c.Share,
	}
}

// measuredBinary is the tunic to measure: the one that was named, or this one.
func measuredBinary(named string) (string, error) {
	if named != "" {
		return filepath.Abs(named)
	}
	return os.Executable()
}

// outDir takes a relative folder from the root of the repository, wherever below it
// the command runs, or from the working directory outside of one.
func outDir(out string) string {
	if filepath.IsAbs(out) {
		return out
	}
	return filepath.Join(sandbox.Root(), out)
}

// isTerminal tells whether a line on it can be changed after it was written. The
// null device passes too, and does not mind.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

type benchCompareCmd struct {
	Old string `arg:"" help:"JSON document of the earlier measurement."`
	New string `arg:"" help:"JSON document of the later measurement."`
}

// Run prints the comparison.
func (c *benchCompareCmd) Run() error {
	older, err := bench.ReadDocument(c.Old)
	if err != nil {
		return err
	}
	newer, err := bench.ReadDocument(c.New)
	if err != nil {
		return err
	}
	_, err = bench.Compare(older, newer).WriteTo(os.Stdout)
	return err
}
