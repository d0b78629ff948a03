package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"tunic/internal/bench"
	"tunic/internal/bench/document"
	"tunic/internal/bench/matrix"
)

// matrixFlags are the flags of every benchmark that is a matrix of workloads and
// targets. What is not given is the benchmark's own default, which its help shows. Each
// is taken from a flag or, so that 'make bench SECONDS=3' works, from a variable of the
// environment.
type matrixFlags struct {
	Workloads    []string `env:"WORKLOADS" help:"What is done: see above."`
	Targets      []string `env:"TARGETS" help:"What stands between client and server: see above."`
	PSModes      []string `name:"psmodes" env:"PSMODES" help:"auto: prepared statements; disable: text."`
	Threads      []int    `env:"THREADS" help:"Clients at a time."`
	Rounds       int      `env:"ROUNDS" help:"Measurements of each target in each case."`
	Seconds      int      `env:"SECONDS" help:"Length of a measurement."`
	Transactions int      `env:"TRANSACTIONS" help:"End a measurement with so many transactions instead, however long that takes (sysbench's workloads only)."`
	WarmUp       *int     `name:"warmup" env:"WARMUP" help:"Seconds of load on each target before the rounds of a case; 0 for none."`
	Tables       int      `env:"TABLES" help:"Number of tables."`
	Rows         int      `env:"ROWS" help:"Rows of a table."`
	Scale        float64  `env:"SCALE" default:"1" help:"How many times as many rows."`
	Warehouses   int      `env:"WAREHOUSES" help:"Warehouses of tpcc."`
	Share        float64  `env:"SHARE" help:"Share of the specification's customers, orders and items in a warehouse of tpcc."`

	Profile bool `help:"Take a CPU profile of tunic in a turn more of each case, written as .pprof beside the document; the report names what costs most."`

	Out     string `default:"bench/out" placeholder:"DIR" help:"Folder of the JSON, SVG and HTML files."`
	Binary  string `placeholder:"FILE" help:"The tunic to measure; default: this one."`
	Verbose bool   `short:"v" help:"Show what the server and the hops print."`
}

// help tells what the benchmark is, and what its flags may say.
func (c *matrixFlags) help(kind matrix.Kind) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s Starts private MariaDB servers and each target before them, and lets the targets take turns. "+
		"Prints a table and writes a JSON document, a plot and a report.\n\nThe same as without flags:\n  %s\n\nWorkloads:\n",
		kind.About, matrix.CommandOf(kind.Defaults, kind.Name))
	for _, w := range matrix.Workloads {
		if !strings.HasPrefix(w.Name, kind.Prefix) {
			continue
		}
		fmt.Fprintf(&b, "  %-22s %s\n", w.Name, w.About)
	}
	b.WriteString("\nTargets:\n")
	for _, t := range bench.Targets {
		fmt.Fprintf(&b, "  %-22s %s\n", t.Name, t.About)
	}
	return b.String()
}

// run measures until it is done or a signal ends it; what was measured by then is
// shown.
func (c *matrixFlags) run(kind matrix.Kind) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	binary, err := measuredBinary(c.Binary)
	if err != nil {
		return err
	}
	screen := newScreen(os.Stderr, os.Stderr)
	o := bench.Options{
		Kind:        kind,
		Settings:    c.settings(kind),
		TunicBinary: binary,
		OutDir:      outDir(c.Out),
		Stdout:      os.Stdout,
		Stderr:      screen,
	}
	if screen.terminal {
		o.Status = screen.show
	}
	if c.Verbose {
		o.ProcessLog = screen
	}
	return bench.Measure(ctx, o)
}

// settings are the benchmark's defaults but for what was given.
func (c *matrixFlags) settings(kind matrix.Kind) document.Settings {
	s := kind.Defaults
	for _, list := range []struct {
		given []string
		into  *[]string
	}{{kind.Named(c.Workloads), &s.Workloads}, {c.Targets, &s.Targets}, {c.PSModes, &s.PSModes}} {
		if len(list.given) > 0 {
			*list.into = list.given
		}
	}
	if len(c.Threads) > 0 {
		s.Threads = c.Threads
	}
	for _, number := range []struct{ given, into *int }{
		{&c.Rounds, &s.Rounds}, {&c.Seconds, &s.Seconds}, {&c.Transactions, &s.Transactions}, {&c.Tables, &s.Tables}, {&c.Rows, &s.Rows}, {&c.Warehouses, &s.Warehouses},
	} {
		if *number.given != 0 {
			*number.into = *number.given
		}
	}
	if c.WarmUp != nil {
		s.WarmUpSeconds = *c.WarmUp
	}
	if c.Share != 0 {
		s.Share = c.Share
	}
	s.Profile = c.Profile
	s.Rows = max(scaled(s.Rows, c.Scale), min(s.Rows, 1)) // tpcc's are counted otherwise: it has one
	return s
}

// The benchmarks that take these flags; matrix.Kinds has what each is.
type (
	benchRelayCmd  struct{ matrixFlags }
	benchQuickCmd  struct{ matrixFlags }
	benchInsertCmd struct{ matrixFlags }
	benchMixedCmd  struct{ matrixFlags }
	benchTPCCCmd   struct{ matrixFlags }
	benchYCSBCmd   struct{ matrixFlags }
	benchTDECmd    struct{ matrixFlags }
)

// Help is shown by `tunic bench relay --help`, as the others' is.
func (c *benchRelayCmd) Help() string { return c.help(matrix.Relay) }

// Help tells of its kind.
func (c *benchQuickCmd) Help() string { return c.help(matrix.Quick) }

// Help tells of its kind.
func (c *benchInsertCmd) Help() string { return c.help(matrix.Insert) }

// Help tells of its kind.
func (c *benchMixedCmd) Help() string { return c.help(matrix.Mixed) }

// Help tells of its kind.
func (c *benchTPCCCmd) Help() string { return c.help(matrix.TPCC) }

// Help tells of its kind.
func (c *benchYCSBCmd) Help() string { return c.help(matrix.YCSB) }

// Help tells of its kind.
func (c *benchTDECmd) Help() string { return c.help(matrix.TDE) }

// Run measures.
func (c *benchRelayCmd) Run() error { return c.run(matrix.Relay) }

// Run measures.
func (c *benchQuickCmd) Run() error { return c.run(matrix.Quick) }

// Run measures.
func (c *benchInsertCmd) Run() error { return c.run(matrix.Insert) }

// Run measures.
func (c *benchMixedCmd) Run() error { return c.run(matrix.Mixed) }

// Run measures.
func (c *benchTPCCCmd) Run() error { return c.run(matrix.TPCC) }

// Run measures.
func (c *benchYCSBCmd) Run() error { return c.run(matrix.YCSB) }

// Run measures.
func (c *benchTDECmd) Run() error { return c.run(matrix.TDE) }
