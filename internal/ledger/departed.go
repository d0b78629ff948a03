package ledger

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"tunic/internal/backend"
)

// A server goes on with the statement of a process that was killed. Nobody waits for its answer any more, but the
// server may come to a table later, and would store plain values there if the table were protected by then and had no
// CHECK. So who takes out a member whose lease is over leaves a row in the table departed, with the member's id, and so
// does one that ends while the server has statements of its own. Commands have no clients, and leave none.
//
// The row goes when each connection that had a statement at the first look after it was seen without one, or is no more:
// that of a process that was killed ends with its statement, and that of one that lives rests between two. To see
// connections takes the privilege PROCESS. Until the row is gone no table without a CHECK gets a name that it did not have.

// depart takes a member out, if it still has this beat, and notes that it has gone.
func depart(ctx context.Context, conn *sql.Conn, id [16]byte, beat uint64) error {
	if _, err := conn.ExecContext(ctx, "INSERT IGNORE INTO "+departed+" (id) SELECT id FROM "+member+" WHERE id = ? AND beat = ? AND COALESCE(serves, TRUE)", id[:], beat); err != nil {
		return err
	}
	_, err := conn.ExecContext(ctx, "DELETE FROM "+member+" WHERE id = ? AND beat = ?", id[:], beat)
	return err
}

// departures are the connections that had a statement, each time that they were looked at since a member has gone.
type departures map[[16]byte][]uint64

// see looks what the server does for members that have gone, takes out those of which it does nothing any
// more, and reports whether there are others. It is backend.ErrUnseen where the account may not see that.
func (d *departures) see(ctx context.Context, conn *sql.Conn) (left bool, err error) {
	gone, err := readDeparted(ctx, conn)
	if err != nil || len(gone) == 0 {
		*d = nil
		return false, err
	}
	busy, err := backend.Busy(ctx, conn)
	if err != nil {
		return true, err
	}
	now := departures{}
	for _, id := range gone {
		waits, known := (*d)[id]
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
	*d = now
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
