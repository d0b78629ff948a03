package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"time"

	"tunic/internal/backend"
)

// A server goes on with the statement of a process that was killed, and does one that comes late: the network stood still, or
// the process was stopped. The server may come to a table when it is protected, store plain values there if it has no
// CHECK, and read stored forms. So who takes out a member whose lease is over leaves a row in the table departed, with the
// member's id, and so does one that ends while the server has statements of its own. Commands have no clients, and leave none.
//
// The row goes when the member joins again, or when none of the connections that it has told (connection.go) is left at
// the server, which shows them all to who has the privilege PROCESS. A server that was started again has none of those that it
// had before. Until the row is gone no table gets a name that it did not have; where that cannot be seen, one with a CHECK does.
// Who waits for it ends connections that rest: those of a process that was killed end with their statements, and what rests still
// has a statement before it, or none. It takes the privilege CONNECTION_ADMIN.

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
		_, err = tx.ExecContext(ctx, leaves, id[:])
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, "DELETE FROM "+member+" WHERE id = ?", id[:])
	}
	if err != nil {
		return err
	}
	return tx.Commit()
}

// leaves leaves the row of a member that goes.
const leaves = "INSERT IGNORE INTO " + departed + " (id, server, started) SELECT id, server, started FROM " + member + " WHERE id = ?"

// departures are members that have gone, as they were seen.
type departures struct {
	rests map[uint64]time.Time // their connections, by number, with the time of the first look at which they have rested
	blind time.Time            // when it was seen last that the account may not see them
}

// restsMost is how long a connection may rest of a process that may have been killed: the server has yet to notice.
const restsMost = 250 * time.Millisecond

// gone is a member that has gone.
type gone struct {
	id      [16]byte
	server  []byte // nil where an older tunic has not told it
	started int64
}

// told is one of its connections.
type told struct {
	number  uint64
	port    int
	started sql.NullInt64 // when the server was at which it was told; 0 where that is not known, NULL of an older tunic
}

// isOf reports whether a server may have the connection since it was started. Of one that an older tunic has told, it is known when the
// server was started at which its member has joined last.
func (t told) isOf(here atServer, member int64) bool {
	if t.started.Valid {
		return here.runsSince(t.started.Int64)
	}
	return here.runsSince(member)
}

// sweep takes out those that have gone of which the server has nothing any more, as far as that can be seen. An account
// that may not see it is asked once a minute.
func (d *departures) sweep(ctx context.Context, conn *sql.Conn) error {
	if time.Since(d.blind) < time.Minute {
		return nil
	}
	_, err := d.settle(ctx, conn)
	switch {
	case errors.Is(err, backend.ErrUnseen):
		d.blind = time.Now()
		return nil // which who waits for it is told
	case errors.Is(err, errServerLate):
		return nil // there is time
	}
	return err
}

// settle takes out those of which the server has nothing any more, and returns what it has of the others. It is
// backend.ErrUnseen where that cannot be seen of one of them.
func (d *departures) settle(ctx context.Context, conn *sql.Conn) (left []remains, err error) {
	all, err := see(ctx, conn)
	if err != nil {
		return nil, err
	}
	d.note(all)
	var unseen error
	for _, r := range all {
		switch {
		case r.unseen:
			unseen = backend.ErrUnseen
		case len(r.left) > 0:
			left = append(left, r)
		default:
			if err := forgetDeparted(ctx, conn, r.id, r.told); err != nil {
				return nil, err
			}
		}
	}
	return left, unseen
}

// endRested ends connections that have rested, and reports whether the server has any. It is backend.ErrUnseen or
// backend.ErrUnended where the account may not.
func (d *departures) endRested(ctx context.Context, conn *sql.Conn) (left bool, err error) {
	all, err := d.settle(ctx, conn)
	if err != nil && !errors.Is(err, backend.ErrUnseen) {
		return true, err
	}
	for _, r := range all {
		for _, c := range r.left {
			if since, rests := d.rests[c.Number]; !rests || time.Since(since) < restsMost {
				continue
			}
			switch e := endIfGone(ctx, conn, r.id, c.Number); {
			case errors.Is(e, backend.ErrUnended):
				err = e
			case e != nil:
				return true, e
			}
		}
	}
	return len(all) > 0, err
}

// note notes which connections rest, and those that did before since when.
func (d *departures) note(all []remains) {
	before := d.rests
	d.rests = map[uint64]time.Time{}
	for _, r := range all {
		for _, c := range r.left {
			since, rested := before[c.Number]
			switch {
			case !c.Idle:
			case rested:
				d.rests[c.Number] = since
			default:
				d.rests[c.Number] = time.Now()
			}
		}
	}
}

// remains is what the server has of a member that has gone.
type remains struct {
	id     [16]byte
	told   int // how many connections it has told
	left   []backend.Client
	unseen bool // that it cannot be seen
}

// see looks what the server has of members that have gone. It is backend.ErrUnseen if the account may see no connections but its own.
func see(ctx context.Context, conn *sql.Conn) (all []remains, err error) {
	departed, err := readDeparted(ctx, conn)
	if err != nil || len(departed) == 0 {
		return nil, err
	}
	here, err := serverOf(ctx, conn)
	if err != nil {
		return nil, err
	}
	shown, err := backend.Clients(ctx, conn)
	if err != nil {
		return nil, err
	}
	for _, g := range departed {
		connections, err := readConnections(ctx, conn, g.id)
		if err != nil {
			return nil, err
		}
		all = append(all, g.remains(here, connections, shown))
	}
	return all, nil
}

// Departed is what can be seen of members that have gone without an end.
type Departed struct {
	// Denied says that the account may see no connections but its own, Unknown that some cannot be recognized.
	Denied, Unknown bool
	// Left are how many connections of theirs the server has.
	Left int
}

// LookForDeparted looks for members that have gone, and changes nothing.
func LookForDeparted(ctx context.Context, db *sql.DB) (d Departed, err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	all, err := see(ctx, conn)
	switch {
	case errors.Is(err, backend.ErrUnseen):
		return Departed{Denied: true}, nil
	case isMissing(err): // the ledger is of before there was such a table
		return d, nil
	case lacksColumn(err): // or of before its rows said so much
		err = conn.QueryRowContext(ctx, "SELECT COUNT(*) > 0 FROM "+departed).Scan(&d.Unknown)
		return d, err
	}
	for _, r := range all {
		d.Unknown, d.Left = d.Unknown || r.unseen, d.Left+len(r.left)
	}
	return d, err
}

// remains is what a server has of one, by the connections that it has told and those that the server shows.
func (g gone) remains(here atServer, connections []told, shown []backend.Client) remains {
	r := remains{id: g.id, told: len(connections)}
	if g.server == nil || !bytes.Equal(g.server, here.id) && len(connections) > 0 {
		r.unseen = true
		return r
	}
	ports := map[uint64][]int{} // by number, of those that it may have
	for _, t := range connections {
		if t.isOf(here, g.started) {
			ports[t.number] = append(ports[t.number], t.port)
		}
	}
	for _, c := range shown {
		from, has := ports[c.Number&math.MaxUint32]
		switch {
		case !has:
		case slices.ContainsFunc(from, c.ComesFrom):
			r.left = append(r.left, c)
		default: // it is somebody else's of another server, or addresses are translated
			r.unseen = true
		}
	}
	return r
}

// endIfGone ends a connection of a member that has gone, unless that has joined again.
func endIfGone(ctx context.Context, conn *sql.Conn, id [16]byte, number uint64) error {
	var still int
	if err := conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+departed+" WHERE id = ?", id[:]).Scan(&still); err != nil || still == 0 {
		return err
	}
	return backend.End(ctx, conn, number)
}

// forgetDeparted takes out one that has gone, with its connections, of which there were so many. It does not if it is a member
// again, or has been, and has told others.
func forgetDeparted(ctx context.Context, conn *sql.Conn, id [16]byte, connections int) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // of what was not committed
	done, err := tx.ExecContext(ctx, "DELETE FROM "+departed+" WHERE id = ?", id[:])
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return err
	}
	gone, err := tx.ExecContext(ctx, "DELETE FROM "+connection+" WHERE member = ?", id[:])
	if err != nil {
		return err
	}
	if n, err := gone.RowsAffected(); err != nil || n != int64(connections) {
		return err
	}
	return tx.Commit()
}

func readDeparted(ctx context.Context, conn *sql.Conn) (all []gone, err error) {
	found, err := conn.QueryContext(ctx, "SELECT id, server, COALESCE(started, 0) FROM "+departed)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for found.Next() {
		var id []byte
		var g gone
		if err := found.Scan(&id, &g.server, &g.started); err != nil {
			return nil, err
		}
		copy(g.id[:], id)
		all = append(all, g)
	}
	return all, found.Err()
}

func readConnections(ctx context.Context, conn *sql.Conn, of [16]byte) (all []told, err error) {
	found, err := conn.QueryContext(ctx, "SELECT number, port, started FROM "+connection+" WHERE member = ?", of[:])
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for found.Next() {
		var t told
		if err := found.Scan(&t.number, &t.port, &t.started); err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, found.Err()
}
