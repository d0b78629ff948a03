package backend

import (
	"context"
	"database/sql"
	"errors"

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
	rows, err := conn.QueryContext(ctx, "SHOW PROCESSLIST")
	if err != nil {
		return Thread{}, err
	}
	defer rows.Close() //nolint:errcheck // of what has been read
	names, err := rows.Columns()
	if err != nil {
		return Thread{}, err
	}
	var id uint64
	var host, state sql.NullString
	into := make([]any, len(names)) // some servers have more of them
	for i, name := range names {
		switch name {
		case "Id":
			into[i] = &id
		case "Host":
			into[i] = &host
		case "State":
			into[i] = &state
		default:
			into[i] = new(sql.RawBytes)
		}
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return Thread{}, err
		}
		if id == number {
			return Thread{host.String, state.String}, nil
		}
	}
	if err := rows.Err(); err != nil {
		return Thread{}, err
	}
	return Thread{}, sql.ErrNoRows
}
