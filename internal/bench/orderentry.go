package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/bench/document"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/meter"
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
	config.InterpolateParams = l.PSMode != matrix.PSModes[0]
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
	scale := b.orderEntryScale()
	scale.Ordered = !l.Keyless
	return tpcc.Load(ctx, db, scale, orderEntrySeed)
}

// measureOrderEntry is measure for what package tpcc drives. Conditions that do not hold
// afterwards, through the same target, make it fail.
func (b *bench) measureOrderEntry(ctx context.Context, l load, m *meter.Meter) (report, error) {
	db, err := openOrderEntry(l)
	if err != nil {
		return report{}, err
	}
	defer db.Close() //nolint:errcheck // as above
	mode := tpcc.Prepared
	if l.PSMode != matrix.PSModes[0] {
		mode = tpcc.Text
	}
	limited, cancel := context.WithTimeoutCause(ctx, l.limit(), fmt.Errorf("tpcc hung: not finished after %v", l.limit()))
	defer cancel()
	r, err := tpcc.Drive(limited, db, tpcc.Options{
		Scale: b.orderEntryScale(), Seed: uint64(l.Seed), Terminals: l.Threads, Mode: mode,
		For: time.Duration(l.Seconds) * time.Second, Ready: m.Start, Done: m.Stop,
	})
	if err == nil {
		err = m.Err
	}
	if err == nil {
		err = tpcc.Check(ctx, db, b.orderEntryScale())
	}
	if err != nil {
		return report{}, err
	}
	return orderEntryReport(r)
}

func orderEntryReport(r *tpcc.Result) (report, error) {
	n := r.Total()
	if n == 0 {
		return report{}, errors.New("tpcc: no transaction was finished")
	}
	done := &document.OrderEntry{RolledBack: r.RolledBack, Conditions: tpcc.Conditions}
	var latencies []time.Duration
	total, seconds := time.Duration(0), r.Took.Seconds()
	for kind, took := range r.Latencies {
		for _, latency := range took {
			total += latency
		}
		latencies = append(latencies, took...)
		addTransactions(done, tpcc.Kind(kind).String(), took)
	}
	all := report{
		Transactions: int64(n), TPS: float64(n) / seconds,
		Queries: int64(r.Statements), QPS: float64(r.Statements) / seconds,
		IgnoredErrors: int64(r.Retries),
		TotalSeconds:  seconds,
		OrderEntry:    done,
	}
	all.latencies(latencies, total)
	return all, nil
}

func addTransactions(o *document.OrderEntry, kind string, took []time.Duration) {
	k := document.OrderEntryKind{Name: kind, Count: len(took)}
	if len(took) > 0 {
		var r report
		r.latencies(took, 0)
		k.P95Ms = r.P95Ms
	}
	o.Transactions = append(o.Transactions, k)
}
