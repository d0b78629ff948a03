// Command ycsb drives YCSB's core workload against a server that speaks MySQL: go-ycsb's
// workload, its client and its MySQL driver, in a module of their own. go-ycsb's own
// command has the drivers of twenty other databases, and some 700 packages with them.
//
//	ycsb load NAME=VALUE...    fill the table
//	ycsb run NAME=VALUE...     run the workload
//
// The properties are go-ycsb's, and seconds: how long a run takes. Three things are not
// go-ycsb's: a run begins when every thread is connected, and says so; at its end each
// thread finishes the operation that it is in; and what is counted are the workload's
// operations, so that a read-modify-write is one of them, and two statements.
//
// The report is one line of JSON, the last. An error of the server that is no deadlock
// and no lock that was waited for too long ends the run and is told as "FATAL: ...", and
// so is a record that is there and was not found.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/magiconair/properties"
	_ "github.com/pingcap/go-ycsb/db/mysql" // registers the driver "mysql"
	"github.com/pingcap/go-ycsb/pkg/client"
	"github.com/pingcap/go-ycsb/pkg/measurement"
	"github.com/pingcap/go-ycsb/pkg/prop"
	_ "github.com/pingcap/go-ycsb/pkg/workload" // registers the workload "core"
	"github.com/pingcap/go-ycsb/pkg/ycsb"
)

// seconds is the one property that go-ycsb does not have.
const seconds = "seconds"

// What a run says when it is measured.
const (
	lineStarted = "Threads started!"
	lineStopped = "Threads stopped!"
)

// quietInterval is how often go-ycsb would print figures in between: never.
const quietInterval = "1000000"

func main() {
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "FATAL:", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	if len(args) == 0 || args[0] != "load" && args[0] != "run" {
		return errors.New("usage: ycsb load|run NAME=VALUE")
	}
	p, err := propertiesOf(args[1:])
	if err != nil {
		return err
	}
	loads := args[0] == "load"
	set(p, prop.DoTransactions, fmt.Sprint(!loads))
	set(p, prop.LogInterval, quietInterval)
	if !loads {
		// go-ycsb's zipfian keys end one behind as many as were inserted: without this, one
		// that is not there would be asked for.
		set(p, prop.InsertCount, fmt.Sprint(p.GetInt64(prop.RecordCount, 0)-1))
	}
	measurement.InitMeasure(p)
	workload, err := ycsb.GetWorkloadCreator("core").Create(p)
	if err != nil {
		return err
	}
	db, err := ycsb.GetDBCreator("mysql").Create(p)
	if err != nil {
		return err
	}
	defer db.Close()
	if loads {
		return load(p, workload, db)
	}
	return run(p, workload, db)
}

func propertiesOf(args []string) (*properties.Properties, error) {
	p := properties.NewProperties()
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, fmt.Errorf("%s is no NAME=VALUE", arg)
		}
		set(p, name, value)
	}
	return p, nil
}

// set overwrites; it fails only where values refer to each other, which ours do not.
func set(p *properties.Properties, name, value string) { _, _, _ = p.Set(name, value) }

func load(p *properties.Properties, workload ycsb.Workload, db ycsb.DB) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	m := &meter{cancel: cancel}
	client.NewClient(p, counted{workload, m}, db).Run(ctx)
	return m.failure
}

// run ends after a time. The workload reckons with as many operations as it is told, for
// the keys that they will have inserted; the client is told to go on.
func run(p *properties.Properties, workload ycsb.Workload, db ycsb.DB) error {
	endless := properties.LoadMap(p.Map())
	set(endless, prop.OperationCount, fmt.Sprint(math.MaxInt64))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	m := &meter{cancel: cancel, length: time.Duration(p.GetInt(seconds, 1)) * time.Second}
	m.missing.Add(p.GetInt(prop.ThreadCount, 1))
	go m.begin()
	client.NewClient(endless, counted{workload, m}, statements{db, m, newFound(p)}).Run(ctx)
	if m.failure != nil {
		return m.failure
	}
	fmt.Println(lineStopped)
	return json.NewEncoder(os.Stdout).Encode(m.report())
}
