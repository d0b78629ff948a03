package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/bench/tpcc"
)

func (b *bench) orderEntryScale() tpcc.Scale {
	return tpcc.Reduced(b.settings.Warehouses, b.settings.Share)
}

// orderEntrySeed is of what the tables hold at first.
const orderEntrySeed = 1

// openOrderEntry connects as many terminals as it will have; those that send text put
// the parameters into it themselves.
func openOrderEntry(l load) (*sql.DB, error) {
	config, err := mysql.ParseDSN(dsn(l.Addr, l.Database))
	if err != nil {
		return nil, err
	}
	config.InterpolateParams = l.PSMode != PSModes[0]
	db, err := sql.Open("mysql", config.FormatDSN())
	if err == nil {
		db.SetMaxIdleConns(l.Threads)
	}
	return db, err
}

func (b *bench) prepareOrderEntry(ctx context.Context, l load) error {
	db, err := openOrderEntry(l)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // what matters was answered
	return tpcc.Load(ctx, db, b.orderEntryScale(), orderEntrySeed)
}

// measureOrderEntry is measure for what package tpcc drives.
func (b *bench) measureOrderEntry(ctx context.Context, l load, m *meter) (report, error) {
	db, err := openOrderEntry(l)
	if err != nil {
		return report{}, err
	}
	defer db.Close() //nolint:errcheck // as above
	mode := tpcc.Prepared
	if l.PSMode != PSModes[0] {
		mode = tpcc.Text
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(l.Seconds)*time.Second)
	defer cancel()
	var started time.Time
	r, err := tpcc.Drive(ctx, db, tpcc.Options{
		Scale: b.orderEntryScale(), Seed: uint64(l.Seed), Terminals: l.Threads, Mode: mode,
		Ready: func() {
			started = time.Now()
			m.start()
		},
	})
	m.stop()
	if err != nil {
		return report{}, err
	}
	return orderEntryReport(r, time.Since(started))
}

func orderEntryReport(r *tpcc.Result, took time.Duration) (report, error) {
	if len(r.Latencies) == 0 {
		return report{}, errors.New("tpcc: no transaction was finished")
	}
	total, seconds := time.Duration(0), took.Seconds()
	for _, latency := range r.Latencies {
		total += latency
	}
	n := len(r.Latencies)
	all := report{
		Transactions: int64(n), TPS: float64(n) / seconds,
		Queries: int64(r.Statements), QPS: float64(r.Statements) / seconds,
		IgnoredErrors: int64(r.Retries),
		TotalSeconds:  seconds,
	}
	all.latencies(r.Latencies, total)
	return all, nil
}

// checkOrderEntry holds the tables against the conditions of the specification, once
// all loads have ended, on each server through the target that made them.
func (b *bench) checkOrderEntry(ctx context.Context) error {
	var all error
	for _, w := range b.workloads {
		for _, target := range b.settings.Targets {
			if made, known := b.unprepared[madeAs(target, w.database())]; !w.TPCC || !known || made != nil {
				continue
			}
			b.progress.note("checking the conditions of %s through %s", w.Name, target)
			all = errors.Join(all, b.checkConditions(ctx, b.load(w, b.hops[target].addr), target))
		}
	}
	return all
}

func (b *bench) checkConditions(ctx context.Context, l load, target string) error {
	db, err := openOrderEntry(l)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // what matters was answered
	if err := tpcc.Check(ctx, db, b.orderEntryScale()); err != nil {
		return fmt.Errorf("through %s: %w", target, err)
	}
	return nil
}
