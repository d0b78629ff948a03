package backend

import (
	"context"
	"database/sql"
	"errors"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// Thread is what a server shows of a connection.
type Thread struct {
	Host  string // HOST:PORT that it comes from, or a name alone
	State string // what it is doing, in the server's words
}

// ThreadOf asks for the connection of a number. It is sql.ErrNoRows where there is none, or
// none that who asks may see.
//
// MySQL cannot select any of them while the statement of one has bytes in it that are no text,
// as those of stored values are (3854). SHOW PROCESSLIST has all of them at any time.
func ThreadOf(ctx context.Context, conn *sql.Conn, number uint64) (Thread, error) {
	var host, state sql.NullString
	err := conn.QueryRowContext(ctx, "SELECT HOST, STATE FROM information_schema.PROCESSLIST WHERE ID = ?", number).Scan(&host, &state)
	if said, ok := errors.AsType[*mysql.MySQLError](err); ok && said.Number == cannotConvert {
		return shownThread(ctx, conn, number)
	}
	return Thread{host.String, state.String}, err
}

// cannotConvert is MySQL's ER_CANNOT_CONVERT_STRING.
const cannotConvert = 3854

func shownThread(ctx context.Context, conn *sql.Conn, number uint64) (Thread, error) {
	found, err := Thread{}, sql.ErrNoRows
	failed := eachThread(ctx, conn, func(s shown) {
		if s.id == number {
			found, err = Thread{s.host.String, s.state.String}, nil
		}
	})
	if failed != nil {
		return Thread{}, failed
	}
	return found, err
}

// shown is a row of SHOW PROCESSLIST.
type shown struct {
	id                         uint64
	user, host, command, state sql.NullString
}

func eachThread(ctx context.Context, conn *sql.Conn, do func(shown)) error {
	rows, err := conn.QueryContext(ctx, "SHOW PROCESSLIST")
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // of what has been read
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	var s shown
	into := make([]any, len(names)) // some servers have more of them
	for i, name := range names {
		switch name {
		case "Id":
			into[i] = &s.id
		case "User":
			into[i] = &s.user
		case "Host":
			into[i] = &s.host
		case "Command":
			into[i] = &s.command
		case "State":
			into[i] = &s.state
		default:
			into[i] = new(sql.RawBytes)
		}
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		do(s)
	}
	return rows.Err()
}

// ErrUnseen says that an account may not see the connections of others, as it lacks PROCESS.
var ErrUnseen = errors.New("the account may not see the connections of others")

// blind are the errors of who asks for transactions and lacks PROCESS, and those of a server that has no such table
// (ER_SPECIFIC_ACCESS_DENIED_ERROR, ER_UNKNOWN_TABLE, ER_NO_SUCH_TABLE).
var blind = []uint16{1227, 1109, 1146}

// Client is a connection of a client that a server shows.
type Client struct {
	Number uint64
	Host   string // as that of a Thread
	Idle   bool   // the server runs nothing of it
}

// ComesFrom reports whether the connection may be one from a port; from port 0 are those over a Unix socket, of which a server
// shows a name alone.
func (c Client) ComesFrom(port int) bool {
	if port == 0 {
		return !strings.Contains(c.Host, ":")
	}
	return isFrom(c.Host, port)
}

// Clients are the connections of all clients, but for the one that asks. It is ErrUnseen where they cannot be seen.
func Clients(ctx context.Context, conn *sql.Conn) (all []Client, err error) {
	own, err := seesAll(ctx, conn)
	if err != nil {
		return nil, err
	}
	err = eachThread(ctx, conn, func(s shown) {
		if s.id != own && !serversOwn[s.user.String] {
			all = append(all, Client{s.id, s.host.String, idle[s.command.String]})
		}
	})
	return all, err
}

// Events is how many events a server runs at the moment, as far as the account may see them: those of others take PROCESS.
//
// Servers show one as a connection of its definer that is about to log in, from no port; one that logs in over a Unix socket counts for
// that long.
func Events(ctx context.Context, conn *sql.Conn) (running int, err error) {
	err = eachThread(ctx, conn, func(s shown) {
		if s.command.String == connecting && !serversOwn[s.user.String] && s.user.String != loggingIn && isPortless(s.host.String) {
			running++
		}
	})
	return running, err
}

// isPortless reports whether a host that a server shows has no port behind it, as far as that can be told of an address of IPv6, or
// of a pattern of such.
func isPortless(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	_, err := strconv.ParseUint(host[strings.LastIndexByte(host, ':')+1:], 10, 16)
	return err != nil || !strings.Contains(host, ":")
}

// seesAll returns the number of the connection that asks. It is ErrUnseen where it is shown no others.
func seesAll(ctx context.Context, conn *sql.Conn) (own uint64, err error) {
	// Who lacks PROCESS is shown the own connections, and not told that there are others. This table takes the same
	// privilege, and says so. Whoever has it is told of bytes in a statement that are no text, on MySQL.
	var transactions uint64
	err = conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM information_schema.INNODB_TRX").Scan(&transactions)
	said, refused := errors.AsType[*mysql.MySQLError](err)
	switch {
	case refused && slices.Contains(blind, said.Number):
		return 0, ErrUnseen
	case err != nil && !(refused && said.Number == cannotConvert):
		return 0, err
	}
	err = conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&own)
	return own, err
}

// ErrUnended says that an account may not end the connections of others, as it lacks CONNECTION_ADMIN (MariaDB: CONNECTION ADMIN).
var ErrUnended = errors.New("the account may not end the connections of others")

// End ends a connection (KILL CONNECTION). It is ErrUnended where that is denied, and nil where there is none.
func End(ctx context.Context, conn *sql.Conn, number uint64) error {
	const none = 1094              // ER_NO_SUCH_THREAD
	denied := []uint16{1095, 1227} // ER_KILL_DENIED_ERROR, ER_SPECIFIC_ACCESS_DENIED_ERROR
	_, err := conn.ExecContext(ctx, "KILL CONNECTION "+strconv.FormatUint(number, 10))
	said, ok := errors.AsType[*mysql.MySQLError](err)
	switch {
	case ok && said.Number == none:
		return nil
	case ok && slices.Contains(denied, said.Number):
		return ErrUnended
	}
	return err
}

// connecting is the command of a connection that logs in, and loggingIn the user until that is known.
const (
	connecting = "Connect"
	loggingIn  = "unauthenticated user"
)

// serversOwn are the users that a server shows for threads of its own, idle the commands of those that run nothing of a
// client's.
var (
	serversOwn = map[string]bool{"system user": true, "event_scheduler": true}
	idle       = map[string]bool{"Sleep": true, "Daemon": true, "Binlog Dump": true, "Binlog Dump GTID": true, connecting: true}
)
