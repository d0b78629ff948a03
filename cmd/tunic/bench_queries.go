package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"tunic/internal/bench"
	"tunic/internal/bench/queries"
)

// questionFlags are the flags of benchmarks that ask one question after the other, from
// flags or variables of the environment as those of matrixFlags.
type questionFlags struct {
	Rounds  int     `env:"ROUNDS" default:"5" help:"How often each question is asked of either side."`
	Seconds float64 `env:"SECONDS" default:"0.2" help:"How long a question is asked again in a round; 0 for once. Processor time is counted in steps of 10 ms."`
	Threads int     `env:"THREADS" default:"1" help:"Clients that ask at a time."`
	Scale   float64 `env:"SCALE" default:"1" help:"How many times as many rows."`
	Only    string  `env:"ONLY" placeholder:"PATTERN" help:"Ask only questions whose names match this regular expression."`

	Profile bool `help:"Take a CPU profile of tunic while each question is asked for 3 s more, written as .pprof beside the document; the report names what costs most."`

	Out     string `default:"bench/out" placeholder:"DIR" help:"Folder of the JSON, SVG and HTML files."`
	Binary  string `placeholder:"FILE" help:"The tunic to measure; default: this one."`
	Verbose bool   `short:"v" help:"Show what the servers and tunic print."`

	values bool // single values are measured as well
}

// benchQueriesCmd asks a set of its choice.
type benchQueriesCmd struct {
	Set  string `env:"SET" default:"scan" enum:"scan,tpch" help:"Which tables and questions: scan or tpch."`
	Rows []int  `env:"ROWS" default:"1000000" help:"Rows of the largest table; one after the other."`
	questionFlags
}

// Run measures until it is done or a signal ends it.
func (c *benchQueriesCmd) Run() error {
	if c.Set == "tpch" {
		return c.run("queries --set=tpch", "tpch", queries.TPCH, c.Rows)
	}
	return c.run("queries --set=scan", "queries-scan", queries.Scan, c.Rows)
}

// benchTPCHCmd asks TPC-H's.
type benchTPCHCmd struct {
	Rows []int `env:"ROWS" default:"60000" help:"Lineitems; one number after the other."`
	questionFlags
}

// Run measures until it is done or a signal ends it.
func (c *benchTPCHCmd) Run() error { return c.run("tpch", "tpch", queries.TPCH, c.Rows) }

// benchOpsCmd asks one question of each kind.
type benchOpsCmd struct {
	Rows []int `env:"ROWS" default:"10000,100000,1000000" help:"Rows of the largest table; one after the other."`
	questionFlags
}

// Run measures until it is done or a signal ends it.
func (c *benchOpsCmd) Run() error {
	c.values = c.Only == "" // who chooses questions wants those
	return c.run("ops", "ops", queries.Ops, c.Rows)
}

func (c *questionFlags) run(command, name string, set queries.Set, rows []int) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := set.Choose(c.Only); err != nil {
		return err
	}
	binary, err := measuredBinary(c.Binary)
	if err != nil {
		return err
	}
	sizes := c.sizes(rows)
	o := bench.QueriesOptions{
		Name: name, Command: c.command(command, sizes), Set: set, Sizes: sizes, Rounds: c.Rounds, Threads: c.Threads, Profile: c.Profile, Values: c.values,
		AskedFor:    time.Duration(c.Seconds * float64(time.Second)),
		TunicBinary: binary, Another: c.Binary != "", OutDir: outDir(c.Out), Stdout: os.Stdout, Stderr: os.Stderr,
	}
	if c.Verbose {
		o.ProcessLog = os.Stderr
	}
	return bench.Queries(ctx, o)
}

func (c *questionFlags) sizes(rows []int) []int {
	sizes := make([]int, len(rows))
	for i, n := range rows {
		sizes[i] = scaled(n, c.Scale)
	}
	return sizes
}

// command is the command line that measures the same again.
func (c *questionFlags) command(name string, sizes []int) string {
	line := fmt.Sprintf("bin/tunic bench %s --rows=%s --rounds=%d --seconds=%g --threads=%d", name,
		strings.Trim(strings.ReplaceAll(fmt.Sprint(sizes), " ", ","), "[]"), c.Rounds, c.Seconds, c.Threads)
	if c.Profile {
		line += " --profile"
	}
	if c.Only != "" {
		line += fmt.Sprintf(" --only=%q", c.Only)
	}
	return line
}
