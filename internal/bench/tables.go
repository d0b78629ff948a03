package bench

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/bench/document"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/tpcc"
	"tunic/internal/sandbox"
)

// plainDatabase is where the tables are of all workloads that leave them as they
// found them.
const plainDatabase = "sbtest"

// keptSuffix ends the name of the database where the rows are kept that a load is to
// find again.
const keptSuffix = "_kept"

// databaseOf returns the name of the database the workload's tables are in: one for
// all that leave their tables as they found them, one of its own for a workload that
// does not.
func databaseOf(w matrix.Workload) string {
	switch {
	case w.YCSB != nil && w.Leaves == matrix.LeavesAsFound:
		return ycsbDatabase
	case w.YCSB != nil:
		return w.Name
	case w.Leaves == matrix.LeavesAsFound:
		return plainDatabase
	}
	return plainDatabase + "_" + w.Name
}

// tables are those that there are for so many threads; one that refers to another comes
// behind it.
func (b *bench) tables(w matrix.Workload, threads int) []string {
	switch {
	case w.YCSB != nil:
		return []string{ycsbTable}
	case w.TPCC:
		return tpcc.Tables()
	}
	count := b.settings.Tables
	if w.Bulk {
		count = threads
	}
	var all []string
	for i := range count {
		all = append(all, fmt.Sprintf("sbtest%d", i+1))
	}
	return all
}

// prepareTables makes the tables of every workload, on each server through the first
// target that leads to it. A target that cannot make them has failed, and the others
// go on.
func (b *bench) prepareTables(ctx context.Context) error {
	b.unprepared = map[string]error{}
	for _, target := range b.settings.Targets {
		if b.prepares(target) != target {
			continue
		}
		for _, w := range b.workloads {
			if _, done := b.unprepared[madeAs(target, databaseOf(w))]; done || withoutTarget((document.Case{Workload: w.Name}), target) != "" {
				continue
			}
			b.progress.note("making the tables of %s through %s", w.Name, target)
			b.unprepared[madeAs(target, databaseOf(w))] = b.prepare(ctx, w, b.hops[target])
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return b.beginAll(ctx)
}

// beginAll starts those targets that have to know the tables.
func (b *bench) beginAll(ctx context.Context) error {
	for _, target := range b.settings.Targets {
		h, databases := b.hops[target], []string(nil)
		for _, w := range b.workloads {
			made, known := b.unprepared[madeAs(b.prepares(target), databaseOf(w))]
			if known && made == nil && !slices.Contains(databases, databaseOf(w)) {
				databases = append(databases, databaseOf(w))
			}
		}
		if h.begin == nil || len(databases) == 0 {
			continue
		}
		b.progress.note("starting %s", target)
		if h.proc, h.failed = h.begin(ctx, databases); h.failed == nil {
			h.addr = h.proc.Addr
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// madeAs names the tables of a database that were made through a target.
func madeAs(target, database string) string { return target + " " + database }

// prepares returns the target through which the tables are made that this one uses.
func (b *bench) prepares(target string) string {
	i := slices.IndexFunc(b.settings.Targets, func(other string) bool {
		return b.hops[other].server == b.hops[target].server
	})
	return b.settings.Targets[i]
}

func (b *bench) prepare(ctx context.Context, w matrix.Workload, h *hop) error {
	if err := execute(ctx, h.addr, "", "CREATE DATABASE "+databaseOf(w)); err != nil {
		return fmt.Errorf("make the database: %w", err)
	}
	l := b.load(w, h.addr)
	l.Command = "prepare"
	l.PSMode = matrix.PSModes[0]
	l.Threads = b.preparing(w)
	l.Keyless = h == b.hops[document.TargetTunic]
	if w.Leaves == matrix.LeavesMore {
		l.Rows = 0
	}
	if err := b.makeTables(ctx, w, l); err != nil {
		return err
	}
	if h.seal != nil {
		if err := h.seal(ctx, databaseOf(w), b.tables(w, l.Threads)); err != nil {
			return err
		}
	}
	if w.Leaves == matrix.LeavesOthers {
		return b.keepRows(ctx, w, h)
	}
	return nil
}

// makeTables has whoever drives the workload make its tables.
func (b *bench) makeTables(ctx context.Context, w matrix.Workload, l load) error {
	switch {
	case w.TPCC:
		return b.prepareOrderEntry(ctx, l)
	case w.YCSB != nil:
		return b.prepareYCSB(ctx, w, l)
	}
	if _, err := b.sysbench.run(ctx, l, nil); err != nil {
		return fmt.Errorf("make the tables: %w", err)
	}
	return nil
}

// preparing is with how many threads tables are made: at most one a table is ever
// used. A bulk load makes a table for each.
func (b *bench) preparing(w matrix.Workload) int {
	most := b.settings.Tables
	if w.Bulk {
		most = 1
		for _, threads := range b.settings.Threads {
			if w.Has(threads) {
				most = max(most, threads)
			}
		}
	}
	return most
}

// keepRows copies the rows aside, at the server: what is copied are the stored rows.
func (b *bench) keepRows(ctx context.Context, w matrix.Workload, h *hop) error {
	statements := []string{"CREATE DATABASE " + databaseOf(w) + keptSuffix}
	for _, table := range b.tables(w, 0) {
		statements = append(statements, fmt.Sprintf("CREATE TABLE %[1]s%[2]s.%[3]s SELECT * FROM %[1]s.%[3]s",
			databaseOf(w), keptSuffix, table))
	}
	return executeAll(ctx, h.server.Addr, "", statements)
}

// restoreTables takes a workload's tables back to where they started. It does so at
// the server, whatever the target, as one would from a backup.
func (b *bench) restoreTables(ctx context.Context, w matrix.Workload, h *hop, threads int) error {
	if w.Leaves == matrix.LeavesAsFound {
		return nil
	}
	// A table that others refer to cannot be emptied otherwise, and what is put back was
	// looked at when it was made.
	statements := []string{"SET foreign_key_checks = 0"}
	for _, table := range b.tables(w, threads) {
		statements = append(statements, "TRUNCATE TABLE "+table)
		if w.Leaves == matrix.LeavesOthers {
			statements = append(statements, fmt.Sprintf("INSERT INTO %[1]s SELECT * FROM %[2]s%[3]s.%[1]s",
				table, databaseOf(w), keptSuffix), "ANALYZE TABLE "+table)
		}
	}
	if err := executeAll(ctx, h.server.Addr, databaseOf(w), statements); err != nil {
		return fmt.Errorf("restore the tables: %w", err)
	}
	return nil
}

// execute runs one statement on a connection of its own.
func execute(ctx context.Context, addr, database, statement string) error {
	return executeAll(ctx, addr, database, []string{statement})
}

// executeAll runs statements one after the other, on one connection.
func executeAll(ctx context.Context, addr, database string, statements []string) error {
	db, err := sql.Open("mysql", dsn(addr, database))
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // what matters was answered
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // as above
	for _, statement := range statements {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

func dsn(addr, database string) string {
	config := mysql.NewConfig()
	config.Net, config.Addr = "tcp", addr
	config.User, config.Passwd = sandbox.AppUser, sandbox.AppPassword
	config.DBName = database
	return config.FormatDSN()
}
