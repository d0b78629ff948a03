package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/bench/document"
)

// layersLoad is the transactions of sysbench's oltp_read_write, with values that tell what
// they are to be: each row is written by one thread, which knows it, and any row tells by
// its own id what k and c may hold.
//
//	id   plain, as an AUTO_INCREMENT column is
//	k    1000 × id + how often it was counted up
//	c    the id in ten digits, and how often it was written
type layersLoad struct {
	options LayersOptions
	dbs     []*sql.DB // of each tunic
	tunics  []int     // process ids
	server  int

	owned []map[loadRow]rowState // by thread

	done, checked atomic.Int64
	statements    atomic.Int64
	last, stall   atomic.Int64 // when a statement ended last, and the longest time without; in nanoseconds

	mu     sync.Mutex
	met    *document.Beside
	took   []time.Duration // of each transaction
	broken error
}

// loadRow names a row.
type loadRow struct{ table, id int }

// rowState is what its k and c were written how often.
type rowState struct{ k, c int }

const (
	kPerRow    = 1000
	rangeRows  = 100 // of a range, as in sysbench
	points     = 10  // selects of one row
	rowsAtOnce = 500
)

func (r loadRow) k(s rowState) int    { return kPerRow*r.id + s.k }
func (r loadRow) c(s rowState) string { return fmt.Sprintf("%010d-%d", r.id, s.c) }
func (r loadRow) name() string        { return "sbtest" + strconv.Itoa(r.table) }

// fill makes the tables. Thread n owns the rows whose id leaves n by the number of threads.
func (l *layersLoad) fill(ctx context.Context) error {
	l.owned = make([]map[loadRow]rowState, l.options.Threads)
	for n := range l.owned {
		l.owned[n] = map[loadRow]rowState{}
	}
	for table := range l.options.Tables {
		r := loadRow{table: table}
		define := "CREATE TABLE " + r.name() + " (id INT PRIMARY KEY COMMENT 'tunic: plain', k INT NOT NULL, c CHAR(120) NOT NULL, pad CHAR(60) NOT NULL)"
		if _, err := l.dbs[0].ExecContext(ctx, define); err != nil {
			return err
		}
		for r.id = 0; r.id < l.options.Rows; {
			var values strings.Builder
			for n := 0; n < rowsAtOnce && r.id < l.options.Rows; n++ {
				l.owned[r.id%l.options.Threads][r] = rowState{}
				fmt.Fprintf(&values, ", (%d, %d, '%s', 'pad')", r.id, r.k(rowState{}), r.c(rowState{}))
				r.id++
			}
			if _, err := l.dbs[0].ExecContext(ctx, "INSERT INTO "+r.name()+" VALUES "+values.String()[2:]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *layersLoad) begin() {
	l.done.Store(0)
	l.checked.Store(0)
	l.stall.Store(0)
	l.last.Store(time.Now().UnixNano())
	l.statements.Store(0)
	l.took = nil
	l.met = &document.Beside{Errors: map[string]int{}, Layers: &document.LayerChanges{Refused: map[string]int{}}}
}

func (l *layersLoad) end(long time.Duration) (r report, met *document.Beside, err error) {
	r = report{Transactions: l.done.Load(), Queries: l.statements.Load(), TotalSeconds: long.Seconds()}
	r.TPS, r.QPS = float64(r.Transactions)/long.Seconds(), float64(r.Queries)/long.Seconds()
	if len(l.took) > 0 {
		total := time.Duration(0)
		for _, t := range l.took {
			total += t
		}
		r.latencies(l.took, total)
	}
	l.met.Seconds, l.met.Checked = long.Seconds(), l.checked.Load()
	l.met.StallMs = milliseconds(time.Duration(l.stall.Load()))
	return r, l.met, l.broken
}

// thread runs transactions. One that was broken off by the server is forgotten.
func (l *layersLoad) thread(ctx context.Context, n int) {
	t := &layersThread{layersLoad: l, number: n, rnd: rand.New(rand.NewPCG(uint64(n), uint64(time.Now().UnixNano()))), ended: time.Now()}
	t.rows = t.mine()
	err := within(ctx, answerLimit, func(ctx context.Context) (err error) {
		t.conn, err = l.dbs[n%len(l.dbs)].Conn(ctx)
		return err
	})
	if err != nil {
		l.fail(err)
		return
	}
	defer t.conn.Close() //nolint:errcheck // what matters was answered
	for ctx.Err() == nil {
		t.written = map[loadRow]rowState{}
		began := time.Now()
		err := within(ctx, answerLimit, t.transaction)
		if err == nil {
			for r, s := range t.written {
				l.owned[n][r] = s
			}
			l.done.Add(1)
			t.took = append(t.took, time.Since(began))
			continue
		}
		said, answered := errors.AsType[*mysql.MySQLError](err)
		if !answered {
			l.fail(err)
			return
		}
		err = within(ctx, answerLimit, func(ctx context.Context) error {
			_, err := t.conn.ExecContext(ctx, "ROLLBACK")
			return err
		})
		if err != nil {
			l.fail(err)
			return
		}
		l.told(said)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.met.OneStallMs = max(l.met.OneStallMs, milliseconds(t.stall))
	l.took = append(l.took, t.took...)
}

// told counts what a server has said to a client.
func (l *layersLoad) told(e *mysql.MySQLError) {
	const deadlock, definitionChanged = 1213, 1412
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e.Number {
	case deadlock:
		l.met.Deadlocks++
	case definitionChanged:
		l.met.Outdated++
	default:
		l.met.Errors[fmt.Sprintf("%d %.60s", e.Number, e.Message)]++
	}
}

func (l *layersLoad) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = errors.Join(l.broken, err)
}

// wrong counts a wrong answer.
func (l *layersLoad) wrong(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.met.Wrong++; l.met.First == "" {
		l.met.First = fmt.Sprintf(format, args...)
	}
}
