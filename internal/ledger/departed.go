package ledger

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"tunic/internal/backend"
)

// A server goes on with the statement of a process that was killed, and one that was stopped relays the answer when it
// goes on. The server may come to a table when it is protected, store plain values there if it has no CHECK, and read
// stored forms. So who takes out a member whose lease is over leaves a row in the table departed, with the member's id,
// and so does one that ends while the server has statements of its own. Commands have no clients, and leave none.
//
// The row goes when the member joins again, or when each connection that had a statement at the first look after it was
// seen without one, or is no more: that of a process that was killed ends with its statement, and that of one that lives
// rests between two. To see connections takes the privilege PROCESS. Until the row is gone no table gets a name that
// it did not have; where that cannot be seen, one with a CHECK does.

// depart takes a member out, if it still has this beat, and notes that it has gone.
func depart(ctx context.Context, conn *sql.Conn, id [16]byte, beat uint64) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // of what was not committed
	var serves bool
	err = tx.QueryRowContext(ctx, "SELECT COALESCE(serves, TRUE) FROM "+member+" WHERE id = ? AND beat = ? FOR UPDATE", id[:], beat).Scan(&serves)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // it goes on, or somebody was faster
	}
	if err == nil && serves {
		_, err = tx.ExecContext(ctx, "INSERT IGNORE INTO "+departed+" (id) VALUES (?)", id[:])
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, "DELETE FROM "+member+" WHERE id = ?", id[:])
	}
	if err != nil {
		return err
	}
	return tx.Commit()
}

// departures are members that have gone, as they were seen.
type departures struct {
	// waits are the connections that had a statement, each time that they were looked at since the member has gone.
	waits map[[16]byte][]uint64
	blind time.Time // when it was seen last that the account may not see them
}

// sweep takes out those that have gone of which the server does nothing any more, as far as that can be seen. An account
// that may not see it is asked once a minute.
func (d *departures) sweep(ctx context.Context, conn *sql.Conn) error {
	if time.Since(d.blind) < time.Minute {
		return nil
	}
	_, err := d.see(ctx, conn)
	if errors.Is(err, backend.ErrUnseen) {
		d.blind = time.Now()
		return nil // which who waits for it is told
	}
	return err
}

// see looks what the server does for members that have gone, takes out those of which it does nothing any
// more, and reports whether there are others. It is backend.ErrUnseen where the account may not see that.
func (d *departures) see(ctx context.Context, conn *sql.Conn) (left bool, err error) {
	gone, err := readDeparted(ctx, conn)
	if err != nil || len(gone) == 0 {
		d.waits = nil
		return false, err
	}
	busy, err := backend.Busy(ctx, conn)
	if err != nil {
		return true, err
	}
	now := map[[16]byte][]uint64{}
	for _, id := range gone {
		waits, known := d.waits[id]
		if !known {
			waits = busy
		}
		waits = slices.DeleteFunc(slices.Clone(waits), func(number uint64) bool { return !slices.Contains(busy, number) })
		if len(waits) > 0 {
			now[id] = waits
			continue
		}
		if _, err := conn.ExecContext(ctx, "DELETE FROM "+departed+" WHERE id = ?", id[:]); err != nil {
			return true, err
		}
	}
	d.waits = now
	return len(now) > 0, nil
}

func readDeparted(ctx context.Context, conn *sql.Conn) (gone [][16]byte, err error) {
	found, err := conn.QueryContext(ctx, "SELECT id FROM "+departed)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for found.Next() {
		var id []byte
		if err := found.Scan(&id); err != nil {
			return nil, err
		}
		var key [16]byte
		copy(key[:], id)
		gone = append(gone, key)
	}
	return gone, found.Err()
}
