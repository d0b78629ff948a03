package migrate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"tunic/internal/ddl"
	tsql "tunic/internal/sql"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// client is a connection of the service account's in the place of a client's.
type client struct{ conn *sql.Conn }

func (c *client) Exec(ctx context.Context, statement string) error {
	_, err := c.conn.ExecContext(ctx, statement)
	return err
}

func (c *client) Query(ctx context.Context, statement string) (all [][]*string, err error) {
	rows, err := c.conn.QueryContext(ctx, statement)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		row, to := make([]*string, len(names)), make([]any, len(names))
		for i := range row {
			to[i] = &row[i]
		}
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, rows.Err()
}

// encryption is the work as package ddl does it, until end.
func (w *Work) encryption(ctx context.Context) (e *ddl.Encryption, end func(), err error) {
	conn, err := w.DB.Conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	e = &ddl.Encryption{Schema: w.Schema, Table: w.Table, Columns: w.Columns, Client: &client{conn}}
	if e.Session, err = w.session(ctx, conn); err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	return e, func() { _ = conn.Close() }, nil
}

// session is what definitions mean in a connection's session.
func (w *Work) session(ctx context.Context, conn *sql.Conn) (s ddl.Session, err error) {
	var version, mode, collation string
	if err := conn.QueryRowContext(ctx, "SELECT @@version, @@sql_mode, @@collation_connection").Scan(&version, &mode, &collation); err != nil {
		return s, err
	}
	s = ddl.Session{Schema: w.Schema, Modes: tsql.Modes(0).WithServer(version).WithSQLMode(mode).WithCharset("utf8mb4"), Charset: "utf8mb4"}
	s.Env = value.Env{Flavor: w.Flavor, Version: versionNumber(version)}
	for m := range strings.SplitSeq(mode, ",") {
		s.Env.Mode |= value.ModeNamed(m)
	}
	var known bool
	if s.Collation, known = charset.Lookup(w.Flavor, collation); !known {
		return s, fmt.Errorf("collation %s of the service account's session is not known", collation)
	}
	s.Connection = s.Collation
	return s, nil
}

// versionNumber is 101104 of 10.11.4-MariaDB.
func versionNumber(version string) int {
	var major, minor, patch int
	_, _ = fmt.Sscanf(version, "%d.%d.%d", &major, &minor, &patch)
	return major*10000 + minor*100 + patch
}
