package crashtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sqlerr"
)

// parts are the rows that a transaction adds by one INSERT.
const parts = 3

// client makes transactions until the end, as text or prepared.
func (h *hotCrowd) client(node, number int) {
	config, err := mysql.ParseDSN(h.dsn[node])
	if err != nil {
		h.t.Error(err)
		return
	}
	prepared := number%2 == 1
	config.InterpolateParams, config.MultiStatements = !prepared, number/2%2 == 1
	connector, err := mysql.NewConnector(config)
	if err != nil {
		h.t.Error(err)
		return
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	db.SetMaxOpenConns(1)
	rnd := rand.New(rand.NewPCG(uint64(node), uint64(number)))
	for !h.over.Load() {
		id := h.next.Add(1)
		ctx, cancel := context.WithTimeout(context.Background(), stuck)
		var fate outcome
		if number == galeraEach-1 {
			fate, err = h.alone(ctx, db, id, rnd.IntN(hotRows))
		} else {
			fate, err = h.transaction(ctx, db, id, rnd.IntN(hotRows))
		}
		cancel()
		h.mu.Lock()
		h.fates[id] = fate
		h.who[id] = fmt.Sprintf("%d (node %d, client %d, fate %d, %v, until %v)", id, node, number, fate, err, time.Now().Format("05.000000"))
		h.mu.Unlock()
		if err != nil {
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// transaction makes one. A COMMIT that was answered with an error of the server's was not done;
// one whose connection broke was done or not, and so was one of a node that leaves.
func (h *hotCrowd) transaction(ctx context.Context, db *sql.DB, id int64, row int) (outcome, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return h.told("connect", undone, err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return h.told("BEGIN", undone, err)
	}
	if step, err := h.body(ctx, conn, id, row); err != nil {
		fate, err := h.told(step, undone, err)
		if _, broken := errors.AsType[*mysql.MySQLError](err); broken {
			if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil {
				return h.told("ROLLBACK", undone, err)
			}
		}
		return fate, err
	}
	if _, err := conn.ExecContext(ctx, "COMMIT"); err != nil {
		said, answered := errors.AsType[*mysql.MySQLError](err)
		if answered && said.Number == deadlock {
			return h.told("COMMIT", undone, err)
		}
		return h.told("COMMIT", unknown, err)
	}
	return done, nil
}

// body is what is between BEGIN and COMMIT.
func (h *hotCrowd) body(ctx context.Context, conn *sql.Conn, id int64, row int) (step string, err error) {
	var n int64
	var note string
	if err := conn.QueryRowContext(ctx, "SELECT n, note FROM hot WHERE id = ? FOR UPDATE", row).Scan(&n, &note); err != nil {
		return "SELECT", err
	}
	var changed sql.Result
	if id%2 == 0 {
		changed, err = conn.ExecContext(ctx, "UPDATE hot SET n = n + 1, note = ? WHERE id = ?", fmt.Sprintf("by %d", id), row)
	} else {
		changed, err = conn.ExecContext(ctx, "UPDATE hot SET n = ?, note = ? WHERE id = ?", n+1, fmt.Sprintf("by %d", id), row)
	}
	if err != nil {
		return "UPDATE", err
	}
	if rows, err := changed.RowsAffected(); err != nil || rows != 1 {
		h.t.Errorf("%s: an UPDATE of a row that was there has changed %d, %v", h.name, rows, err)
	}
	return "INSERT", h.insert(ctx, conn, id, row, n)
}

func (h *hotCrowd) insert(ctx context.Context, conn *sql.Conn, id int64, row int, was int64) error {
	var args []any
	for part := range parts {
		args = append(args, id, part, row, was, fmt.Sprintf("part %d of %d", part, id))
	}
	_, err := conn.ExecContext(ctx, "INSERT INTO made (id, part, hot, was, note) VALUES (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?)", args...)
	return err
}

// noRow stands in made for a row of hot, where a client adds rows and changes none of hot.
const noRow = -1

// alone adds rows without a transaction around it.
func (h *hotCrowd) alone(ctx context.Context, db *sql.DB, id int64, _ int) (outcome, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return h.told("connect", undone, err)
	}
	defer conn.Close()
	err = h.insert(ctx, conn, id, noRow, 0)
	if err == nil {
		return done, nil
	}
	if said, answered := errors.AsType[*mysql.MySQLError](err); answered && said.Number == deadlock {
		return h.told("INSERT alone", undone, err)
	}
	return h.told("INSERT alone", unknown, err)
}

// told notes an error.
func (h *hotCrowd) told(step string, fate outcome, err error) (outcome, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	said, answered := errors.AsType[*mysql.MySQLError](err)
	if !answered {
		h.conns++
		return fate, err
	}
	what := fmt.Sprintf("%d at %s", said.Number, step)
	h.errors[what]++
	if h.messages[what] == "" {
		h.messages[what] = said.Message
	}
	if !h.excused(said) && h.errors[what] == 1 {
		h.t.Errorf("%s: %s: %v", h.name, step, err)
	}
	return fate, err
}

// excused reports whether an error is one that a direct client is told as well: that its
// transaction has lost, or that its node is not one of the cluster. Where a direct client cannot
// connect, one of a tunic's is told so.
func (h *hotCrowd) excused(e *mysql.MySQLError) bool {
	switch e.Number {
	case deadlock, lockWait, 1047:
		return true
	}
	for i := range h.down {
		if h.down[i].Load() {
			return slices.Contains([]uint16{1053, 1927, 1180, 1317}, e.Number) ||
				says(e, sqlerr.ServerUnreachable("tcp"), sqlerr.NoLedger(), sqlerr.LedgerLost(), sqlerr.TableUnlisted(""), sqlerr.NotDescribed())
		}
	}
	return false
}

// check compares what is stored, as each node says, with what clients were told.
func (h *hotCrowd) check() {
	h.t.Helper()
	for node := range galeraNodes {
		counts, rows := h.stored(node)
		changes := make([]int64, hotRows)
		var lost, come, torn int
		for id, fate := range h.fates {
			is := rows[id]
			switch {
			case is.parts == 0 && fate == done:
				lost++
			case is.parts > 0 && fate == undone:
				come++
			case is.parts != 0 && is.parts != parts:
				torn++
			}
		}
		for id, is := range rows {
			if _, sent := h.fates[id]; !sent {
				come++
			}
			if is.row != noRow {
				changes[is.row]++
			}
		}
		if lost+come+torn > 0 || !slices.Equal(counts, changes) {
			h.t.Errorf("%s, node %d: %d acknowledged transactions are not stored, %d stored were not done, %d are stored in part; rows were changed %v times by transactions that are stored, and say %v",
				h.name, node, lost, come, torn, changes, counts)
		}
		if node == 0 {
			by := map[[2]int64]int64{}
			for _, id := range slices.Sorted(maps.Keys(rows)) {
				is := rows[id]
				at := [2]int64{int64(is.row), is.was}
				if other, twice := by[at]; twice && is.row != noRow {
					h.t.Errorf("%s: transactions %s and %s have found row %d with %d", h.name, h.who[other], h.who[id], is.row, is.was)
				}
				by[at] = id
			}
			h.report(len(rows))
		}
	}
}

// made is a stored transaction.
type made struct {
	row   int
	was   int64 // what the row of hot said before
	parts int
}

// stored reads what a node has.
func (h *hotCrowd) stored(node int) (counts []int64, rows map[int64]made) {
	h.t.Helper()
	db, err := sql.Open("mysql", h.dsn[node])
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("SET SESSION wsrep_sync_wait = 1"); err != nil {
		h.t.Logf("%s: %v", h.name, err)
	}
	counts, rows = make([]int64, hotRows), map[int64]made{}
	for i := range counts {
		if err := db.QueryRow("SELECT n FROM hot WHERE id = ?", i).Scan(&counts[i]); err != nil {
			h.t.Fatal(err)
		}
	}
	found, err := db.Query("SELECT id, hot, was FROM made")
	if err != nil {
		h.t.Fatal(err)
	}
	defer found.Close()
	for found.Next() {
		var id, was int64
		var row int
		if err := found.Scan(&id, &row, &was); err != nil {
			h.t.Fatal(err)
		}
		rows[id] = made{row: row, was: was, parts: rows[id].parts + 1}
	}
	if err := found.Err(); err != nil {
		h.t.Fatal(err)
	}
	return counts, rows
}

// report prints what has come of transactions.
func (h *hotCrowd) report(stored int) {
	count := map[outcome]int{}
	for _, fate := range h.fates {
		count[fate]++
	}
	h.t.Logf("%s: %d transactions acknowledged, %d refused, %d of unknown outcome; %d stored; %d connections broke",
		h.name, count[done], count[undone], count[unknown], stored, h.conns)
	for _, what := range slices.Sorted(maps.Keys(h.errors)) {
		h.t.Logf("%s: %7d answers %s: %s", h.name, h.errors[what], what, h.messages[what])
	}
}
