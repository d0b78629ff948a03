package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"tunic/internal/bench/document"
	"tunic/internal/bench/page"
	"tunic/internal/sandbox"
)

// benchCmd measures, on private servers.
type benchCmd struct {
	Relay   benchRelayCmd   `cmd:"" help:"Compare ways from client to server under sysbench."`
	Quick   benchQuickCmd   `cmd:"" help:"The same with three workloads in a few minutes, to compare a change with what was before it."`
	Insert  benchInsertCmd  `cmd:"" help:"Inserts for minutes: throughput at the end, memory over time, bytes stored."`
	Mixed   benchMixedCmd   `cmd:"" help:"Reads and writes for minutes: throughput at the end, memory over time."`
	TDE     benchTDECmd     `cmd:"" name:"tde" help:"Compare protected tables with a server that encrypts its files."`
	TPCC    benchTPCCCmd    `cmd:"" name:"tpcc" help:"The transactions of TPC-C, with its conditions checked after each measurement."`
	YCSB    benchYCSBCmd    `cmd:"" name:"ycsb" help:"YCSB's core workloads A to F, by go-ycsb."`
	TPCH    benchTPCHCmd    `cmd:"" name:"tpch" help:"The questions of TPC-H, every answer compared."`
	Ops     benchOpsCmd     `cmd:"" help:"One question of each kind over tables of several sizes, every answer compared, and single values."`
	Values  benchValuesCmd  `cmd:"" help:"What it takes to seal and open a value of each type, and to make its tokens. Starts no server."`
	Queries benchQueriesCmd `cmd:"" help:"Compare single queries over protected tables with the same on a plain server."`
	Layers  benchLayersCmd  `cmd:"" help:"Measure transactions through two tunics while layers go up and down."`
	Encrypt benchEncryptCmd `cmd:"" help:"Measure clients of a table while it is protected and made plain again, beside other ways to change a table."`
	Compare benchCompareCmd `cmd:"" help:"Show what differs significantly between two results."`
	Report  benchReportCmd  `cmd:"" help:"Write the HTML report of a result."`
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

// scaled is a number of rows times a scale.
func scaled(rows int, scale float64) int { return int(math.Round(float64(rows) * scale)) }

type benchCompareCmd struct {
	Old string `arg:"" help:"JSON document of the earlier measurement."`
	New string `arg:"" help:"JSON document of the later measurement."`
}

// benchReportCmd makes the report anew: of an earlier document, or in another place.
type benchReportCmd struct {
	Document string `arg:"" help:"JSON document of a measurement."`
	Out      string `placeholder:"FILE" help:"The HTML file; default: beside the document."`
}

// Run writes the report.
func (c *benchReportCmd) Run() error {
	d, err := document.Read(c.Document)
	if err != nil {
		return err
	}
	out := c.Out
	if out == "" {
		out = strings.TrimSuffix(c.Document, ".json") + ".html"
	}
	if err := page.Write(d, out); err != nil {
		return err
	}
	_, err = fmt.Println("written:", out)
	return err
}

// Run prints the comparison.
func (c *benchCompareCmd) Run() error {
	older, err := document.Read(c.Old)
	if err != nil {
		return err
	}
	newer, err := document.Read(c.New)
	if err != nil {
		return err
	}
	_, err = page.Compare(older, newer).WriteTo(os.Stdout)
	return err
}
