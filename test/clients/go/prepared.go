package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/go-sql-driver/mysql"
)

var preparedChecks = []check{
	{"prepared.repeat", with(preparedRepeat)},
	{"prepared.retype", with(preparedRetype)},
	{"prepared.null", with(preparedNull)},
	{"prepared.many", with(preparedMany)},
	// The driver sends what does not fit its largest packet in pieces.
	{"prepared.long_data", with(preparedLongData, func(c *mysql.Config) { c.MaxAllowedPacket = 64 << 10 })},
	{"prepared.bulk", skip("the driver has no bulk execution")},
}

func preparedRepeat(ctx context.Context, s *session) error {
	if err := s.exec(ctx, "CREATE TABLE prepared_repeat (id INT PRIMARY KEY, v VARCHAR(20))"); err != nil {
		return err
	}
	insert, err := s.PrepareContext(ctx, "INSERT INTO prepared_repeat VALUES (?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	for i := range 300 {
		if _, err := insert.ExecContext(ctx, i, fmt.Sprint("v", i)); err != nil {
			return err
		}
	}
	return s.expect(ctx, "300 44850 v299", "SELECT CONCAT(COUNT(*), ' ', SUM(id), ' ', MAX(IF(id = 299, v, ''))) FROM prepared_repeat")
}

func preparedRetype(ctx context.Context, s *session) error {
	echo, err := s.PrepareContext(ctx, "SELECT CONCAT(?, '')")
	if err != nil {
		return err
	}
	defer echo.Close()
	for _, v := range []struct {
		arg  any
		want string
	}{{int64(-7), "-7"}, {"text", "text"}, {nil, "NULL"}, {1.5, "1.5"}, {[]byte("bytes"), "bytes"}, {uint64(1) << 63, "9223372036854775808"}, {true, "1"}} {
		var got sql.NullString
		if err := echo.QueryRowContext(ctx, v.arg).Scan(&got); err != nil {
			return err
		}
		if !got.Valid {
			got.String = "NULL"
		}
		if err := equal(fmt.Sprintf("%T", v.arg), got.String, v.want); err != nil {
			return err
		}
	}
	return nil
}

func preparedNull(ctx context.Context, s *session) error {
	if err := s.exec(ctx, "CREATE TABLE prepared_null (id INT PRIMARY KEY, v VARCHAR(9), n INT)"); err != nil {
		return err
	}
	for id, v := range []any{nil, "", "x"} {
		if _, err := s.ExecContext(ctx, "INSERT INTO prepared_null VALUES (?, ?, ?)", id, v, nil); err != nil {
			return err
		}
	}
	for id, want := range []sql.NullString{{}, {Valid: true}, {String: "x", Valid: true}} {
		var got sql.NullString
		var n sql.NullInt64
		err := s.QueryRowContext(ctx, "SELECT v, n FROM prepared_null WHERE id = ?", id).Scan(&got, &n)
		if err := errors.Join(err, equal("v", got, want), equal("n is NULL", n.Valid, false)); err != nil {
			return err
		}
	}
	return nil
}

func preparedMany(ctx context.Context, s *session) error {
	const statements = 200
	open := make([]*sql.Stmt, statements)
	for i := range open {
		var err error
		if open[i], err = s.PrepareContext(ctx, fmt.Sprintf("SELECT %d + ?", i)); err != nil {
			return err
		}
		defer open[i].Close()
	}
	for i := statements - 1; i >= 0; i-- {
		var sum int
		if err := errors.Join(open[i].QueryRowContext(ctx, 1000).Scan(&sum), equal("sum", sum, 1000+i)); err != nil {
			return err
		}
	}
	return nil
}

func preparedLongData(ctx context.Context, s *session) error {
	if err := s.exec(ctx, "CREATE TABLE long_data (id INT, a LONGBLOB, b LONGTEXT, c INT)"); err != nil {
		return err
	}
	insert, err := s.PrepareContext(ctx, "INSERT INTO long_data VALUES (?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	blob, text := bytes.Repeat([]byte{0, '\'', 0xFF, '\\'}, 75_000), bytes.Repeat([]byte("é"), 100_000)
	// The second execution sends its parameters in the packet itself: what the first
	// sent in pieces must not stay.
	for id, args := range [][]any{{blob, text}, {[]byte("short"), "short"}} {
		if _, err := insert.ExecContext(ctx, id, args[0], args[1], 5); err != nil {
			return err
		}
	}
	for id, want := range []string{"300000 100000 " + sha256Hex(blob), "5 5 " + sha256Hex([]byte("short"))} {
		if err := s.expect(ctx, want, "SELECT CONCAT(LENGTH(a), ' ', CHAR_LENGTH(b), ' ', SHA2(a, 256)) FROM long_data WHERE id = ?", id); err != nil {
			return err
		}
	}
	return nil
}
