package upkeep

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/service"
	"tunic/internal/sqlerr"
)

// UnsoundError is what the server has said of a table that it was to look through, without what it
// quotes. It is Damaged, or the server has not looked to the end.
type UnsoundError struct {
	Said    string
	Damaged bool
}

func (e *UnsoundError) Error() string {
	if e.Damaged {
		return "the table is damaged at the server; CHECK TABLE says: " + e.Said
	}
	return "the server has not looked through the table; CHECK TABLE says: " + e.Said
}

// Fix is what somebody can do about it; "" if what the server says tells it.
func (e *UnsoundError) Fix() string {
	if !e.Damaged {
		return ""
	}
	return "compare the table with a backup, since rows may be missing or wrong, and write what is missing through tunic; then have the server make it anew (ALTER TABLE … FORCE, at the server itself)"
}

// Sound has the server look through a table, all of its indexes: it is an *UnsoundError if they do
// not agree, and the server's error. Clients go on meanwhile. SELECT is all that the service
// account needs for it.
//
// It is for work that goes on after it was cut off. A server whose disk is full may lose a row from
// one index and keep it in another (MariaDB's InnoDB has done so), and whoever makes the table or its keys
// anew makes them agree, so that nobody sees any more what was lost. Nothing is written down for
// it when the work is cut off: with a full disk, or a kill, that could not be relied on. And it
// is all the same who has met the server's error, tunic or a client. To look costs less than the
// rows that were gone through twice, and is done once in a command.
func (s *Tables) Sound(ctx context.Context, t *catalog.Table) error {
	s.Log.Info("the server looks through a table before it is changed, as the work was cut off before", "table", t.FullName())
	conn, err := s.DB.Conn(ctx)
	if err != nil {
		return service.Error(err)
	}
	defer func() { _ = conn.Close() }()
	var number int64
	if err := conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&number); err != nil {
		return service.Error(err)
	}
	said, err := checked(ctx, conn, t)
	if ctx.Err() != nil {
		s.stopLooking(number)
		return ctx.Err()
	}
	if err != nil {
		return service.Error(err)
	}
	return soundBy(said)
}

// checkLine is a line of what CHECK TABLE answers.
type checkLine struct{ kind, text string }

func checked(ctx context.Context, conn *sql.Conn, t *catalog.Table) (said []checkLine, err error) {
	rows, err := conn.QueryContext(ctx, "CHECK TABLE "+t.QuotedName())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var table, op string
		var one checkLine
		if err := rows.Scan(&table, &op, &one.kind, &one.text); err != nil {
			return nil, err
		}
		said = append(said, one)
	}
	return said, rows.Err()
}

// soundBy reads an answer to CHECK TABLE: its last line is the verdict, and those before say why. A
// check that has failed for another reason than damage ends with "Operation failed".
func soundBy(said []checkLine) error {
	if n := len(said); n > 0 {
		last := said[n-1]
		if strings.EqualFold(last.kind, "status") && last.text == "OK" || strings.EqualFold(last.kind, "note") {
			return nil // a note is of an engine that cannot be looked through
		}
		if n > saidMost {
			said = said[n-saidMost:]
		}
	}
	unsound := &UnsoundError{}
	var texts []string
	for _, line := range said {
		unsound.Damaged = unsound.Damaged || line.text == "Corrupt"
		texts = append(texts, sqlerr.Redacted(strings.TrimSuffix(line.text, ".")))
	}
	unsound.Said = strings.Join(texts, "; ")
	return unsound
}

// saidMost is how many lines are told of an answer: each index may have several.
const saidMost = 4

// stopLooking ends the look of a connection that nobody waits for any more: the server would look on,
// and keep definitions of the table waiting.
func (s *Tables) stopLooking(connection int64) {
	ctx, cancel := context.WithTimeout(context.Background(), stopMost)
	defer cancel()
	_, _ = s.DB.ExecContext(ctx, "KILL QUERY "+strconv.FormatInt(connection, 10)) // it may have ended
}

const stopMost = 2 * time.Second
