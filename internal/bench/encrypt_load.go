package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/bench/document"
)

// encryptLoad is clients that write a table through tunic as sysbench's oltp_update_index and
// oltp_update_non_index do, half of each, with prepared statements, and read every eighth time
// what they have written. Each row is written by one of them.
type encryptLoad struct {
	*encryption
	rate int

	clients []*encryptClient
	quit    chan struct{}
	group   sync.WaitGroup

	measuring   atomic.Bool
	ended       atomic.Int64 // when what was measured was done; 0 before
	last, stall atomic.Int64 // when a statement ended last, and the longest time without; in nanoseconds, as is ended
}

// encryptClient is one of the clients.
type encryptClient struct {
	*encryptLoad
	number            int
	conn              *sql.Conn
	updateK, updateC  *sql.Stmt
	read              *sql.Stmt
	rnd               *rand.Rand
	took              []float32 // ms, of each statement in the time that counts
	errors            map[string]int
	wrong, statements int
	checked           int
	broken            error
}

// readEach is how often a client reads instead of writing.
const readEach = 8

// start has clients begin.
func (l *encryptLoad) start(ctx context.Context) error {
	l.quit = make(chan struct{})
	if l.rate == 0 {
		return nil
	}
	for n := range l.options.Threads {
		c := &encryptClient{encryptLoad: l, number: n, rnd: rand.New(rand.NewPCG(uint64(n), uint64(time.Now().UnixNano()))), errors: map[string]int{}}
		if err := within(ctx, answerLimit, c.open); err != nil {
			return errors.Join(err, l.stop())
		}
		l.clients = append(l.clients, c)
	}
	for _, c := range l.clients {
		l.group.Go(func() { c.broken = c.run(ctx) })
	}
	return nil
}

func (c *encryptClient) open(ctx context.Context) (err error) {
	if c.conn, err = c.encryption.clients.Conn(ctx); err != nil {
		return err
	}
	for _, s := range []struct {
		to   **sql.Stmt
		text string
	}{
		{&c.updateK, "UPDATE sbtest1 SET k = k + 1 WHERE id = ?"},
		{&c.updateC, "UPDATE sbtest1 SET c = ? WHERE id = ?"},
		{&c.read, "SELECT k, c FROM sbtest1 WHERE id = ?"},
	} {
		if *s.to, err = c.conn.PrepareContext(ctx, s.text); err != nil { //nolint:sqlclosecheck // closed with the connection
			return err
		}
	}
	return nil
}

// begin is when what clients see begins to count.
func (l *encryptLoad) begin() {
	l.last.Store(time.Now().UnixNano())
	l.stall.Store(0)
	l.measuring.Store(true)
}

// end is when it does not any more; what was seen is known after stop. Statements that have
// begun before count to their end: what holds clients up last, as the exchange of tables does,
// lets go of them when it is done.
func (l *encryptLoad) end(long time.Duration) (r report, met *document.Beside) {
	now := time.Now().UnixNano()
	l.ended.Store(now)
	if len(l.clients) > 0 {
		l.stalled(now - l.last.Load())
	}
	close(l.quit)
	l.group.Wait()
	met = &document.Beside{Errors: map[string]int{}, StallMs: milliseconds(time.Duration(l.stall.Load()))}
	var all []time.Duration
	total := time.Duration(0)
	for _, c := range l.clients {
		for _, ms := range c.took {
			all = append(all, time.Duration(ms*float32(time.Millisecond)))
			total += all[len(all)-1]
		}
		met.Wrong += c.wrong
		met.Checked += int64(c.checked)
		for number, n := range c.errors {
			met.Errors[number] += n
		}
	}
	r = report{Transactions: int64(len(all)), Queries: int64(len(all)), TPS: float64(len(all)) / long.Seconds(), TotalSeconds: long.Seconds()}
	r.QPS = r.TPS
	if len(all) > 0 {
		r.latencies(all, total)
	}
	return r, met
}

// stop ends the connections of clients that have ended.
func (l *encryptLoad) stop() (err error) {
	for _, c := range l.clients {
		err = errors.Join(err, c.broken)
		for _, s := range []*sql.Stmt{c.updateK, c.updateC, c.read} {
			if s != nil {
				_ = s.Close()
			}
		}
		_ = c.conn.Close()
	}
	return err
}

// run writes at the client's part of the rate. Who falls behind it catches up.
func (c *encryptClient) run(ctx context.Context) error {
	began := time.Now()
	for writes := 0; ; {
		if c.rate > 0 {
			due := time.Duration(float64(writes) * float64(c.options.Threads) / float64(c.rate) * float64(time.Second))
			select {
			case <-c.quit:
				return nil
			case <-time.After(due - time.Since(began)):
			}
		}
		select {
		case <-c.quit:
			return nil
		default:
		}
		c.statements++
		var err error
		if c.statements%readEach == 0 {
			err = within(ctx, answerLimit, c.look)
		} else {
			writes++
			err = within(ctx, answerLimit, c.write)
		}
		if said, answered := errors.AsType[*mysql.MySQLError](err); answered {
			c.errors[fmt.Sprintf("%d %.60s", said.Number, said.Message)]++
		} else if err != nil {
			return err
		}
	}
}

// row is one of the client's own.
func (c *encryptClient) row() int {
	each := (c.options.Rows - c.number - 1) / c.options.Threads
	return 1 + c.number + c.options.Threads*c.rnd.IntN(each+1)
}

// write counts one of the columns of a row further.
func (c *encryptClient) write(ctx context.Context) error {
	defer c.finished(time.Now())
	id := c.row()
	at := &c.model[id-1]
	if c.statements%2 == 0 {
		if _, err := c.updateK.ExecContext(ctx, id); err != nil {
			return err
		}
		at.k++
		return nil
	}
	next := *at
	next.c++
	if _, err := c.updateC.ExecContext(ctx, next.textC(id), id); err != nil {
		return err
	}
	*at = next
	return nil
}

// look compares a row with what was written.
func (c *encryptClient) look(ctx context.Context) error {
	defer c.finished(time.Now())
	id := c.row()
	var k int
	var text string
	if err := c.read.QueryRowContext(ctx, id).Scan(&k, &text); err != nil {
		return err
	}
	c.checked++
	if at := c.model[id-1]; k != at.numberK(id) || text != at.textC(id) {
		c.wrong++
	}
	return nil
}

// finished is after each statement.
func (c *encryptClient) finished(began time.Time) {
	now := time.Now()
	gap := now.UnixNano() - c.last.Swap(now.UnixNano())
	if ended := c.ended.Load(); !c.measuring.Load() || ended != 0 && began.UnixNano() > ended {
		return
	}
	c.took = append(c.took, float32(milliseconds(now.Sub(began))))
	c.stalled(gap)
}

// stalled is after a time in which no statement has ended.
func (l *encryptLoad) stalled(gap int64) {
	for {
		longest := l.stall.Load()
		if gap <= longest || l.stall.CompareAndSwap(longest, gap) {
			return
		}
	}
}
