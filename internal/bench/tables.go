package bench

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
)

// database returns the name of the database the workload's tables are in: one for
// all that leave their tables as large as they found them, one of its own for a
// workload that does not.
func (w Workload) database() string {
	if w.Grows {
		return "sbtest_" + w.Name
	}
	return "sbtest"
}

// prepareTables makes the tables of every workload, through the first target.
func (b *bench) prepareTables(ctx context.Context) error {
	prepared := map[string]bool{}
	for _, w := range b.workloads {
		if prepared[w.database()] {
			continue
		}
		prepared[w.database()] = true
		b.progress.note("making %d tables for %s", b.settings.Tables, w.Name)
		if err := b.prepare(ctx, w); err != nil {
			return fmt.Errorf("make the tables of %s: %w", w.Name, err)
		}
	}
	return nil
}

func (b *bench) prepare(ctx context.Context, w Workload) error {
	addr := b.hops[b.settings.Targets[0]].addr
	if err := execute(ctx, addr, "", "CREATE DATABASE "+w.database()); err != nil {
		return err
	}
	l := b.load(w, addr)
	l.Command = "prepare"
	l.PSMode = PSModes[0]
	l.Threads = b.settings.Tables // at most one thread a table is ever used
	if w.Grows {
		l.Rows = 0
	}
	_, err := b.sysbench.run(ctx, l, nil)
	return err
}

// emptyTables takes a growing workload's tables back to where they started.
func (b *bench) emptyTables(ctx context.Context, w Workload, addr string) error {
	for i := range b.settings.Tables {
		if err := execute(ctx, addr, w.database(), fmt.Sprintf("TRUNCATE TABLE sbtest%d", i+1)); err != nil {
			return fmt.Errorf("empty the tables: %w", err)
		}
	}
	return nil
}

// execute runs one statement on a connection of its own.
func execute(ctx context.Context, addr, database, statement string) error {
	db, err := sql.Open("mysql", dsn(addr, database))
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // what matters was answered
	_, err = db.ExecContext(ctx, statement)
	return err
}

func dsn(addr, database string) string {
	config := mysql.NewConfig()
	config.Net, config.Addr = "tcp", addr
	config.User, config.Passwd = sandbox.AppUser, sandbox.AppPassword
	config.DBName = database
	return config.FormatDSN()
}
