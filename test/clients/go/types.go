package main

import (
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

var typeChecks = []check{
	{"types.text", typesText},
	{"types.binary", typesBinary},
	{"charset.latin1", with(charset("latin1", "caf\xe9", "636166C3A9"))},
	{"charset.gbk", with(charset("gbk", "\xbf\x5c", "E7B897"))},
}

// A sample is one line of types.tsv.
type sample struct{ column, kind, literal, want string }

// samples reads types.tsv, grouped by column type in the order of the file.
func samples(path string) (groups [][]sample, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(fields) != 4 {
			continue
		}
		s := sample{fields[0], fields[1], fields[2], strings.Replace(fields[3], "(empty)", "", 1)}
		if n := len(groups); n > 0 && groups[n-1][0].column == s.column {
			groups[n-1] = append(groups[n-1], s)
		} else {
			groups = append(groups, []sample{s})
		}
	}
	return groups, nil
}

// argument returns the value as a Go program would pass it.
func (s sample) argument() any {
	switch s.kind {
	case "int", "year":
		n, _ := strconv.ParseInt(s.want, 10, 64)
		return n
	case "uint":
		n, _ := strconv.ParseUint(s.want, 10, 64)
		return n
	case "float":
		f, _ := strconv.ParseFloat(s.want, 64)
		return f
	case "bytes":
		b, _ := hex.DecodeString(s.want)
		return b
	case "date":
		if d, err := time.Parse(time.DateOnly, s.want); err == nil {
			return d
		}
	case "datetime":
		if d, err := time.Parse(time.DateTime, s.want); err == nil {
			return d
		}
	}
	return s.want // decimal, time, text, json, and dates that are no dates to Go
}

// check compares a value that the driver returned.
func (s sample) check(got any) error {
	text := fmt.Sprint(got)
	if b, ok := got.([]byte); ok {
		text = string(b)
	}
	switch s.kind {
	case "bytes":
		text = strings.ToUpper(hex.EncodeToString([]byte(text)))
	case "year":
		text = fmt.Sprintf("%04s", text)
	case "float":
		f, _ := strconv.ParseFloat(text, 64)
		want, _ := strconv.ParseFloat(s.want, 64)
		return equal(s.column, f, want)
	}
	if got == nil {
		text = "NULL"
	}
	return equal(s.column, text, s.want)
}

func typesText(ctx context.Context, t target) error {
	return eachType(ctx, t, "text", func(ctx context.Context, s *session, table string, group []sample) error {
		for i, v := range group {
			if err := s.exec(ctx, fmt.Sprintf("INSERT INTO %s VALUES (%d, %s)", table, i, v.literal)); err != nil {
				return err
			}
		}
		if err := s.exec(ctx, fmt.Sprintf("INSERT INTO %s VALUES (%d, NULL)", table, len(group))); err != nil {
			return err
		}
		rows, err := s.QueryContext(ctx, "SELECT v FROM "+table+" ORDER BY id")
		if err != nil {
			return err
		}
		return checkRows(rows, group)
	})
}

func typesBinary(ctx context.Context, t target) error {
	return eachType(ctx, t, "bin", func(ctx context.Context, s *session, table string, group []sample) error {
		insert, err := s.PrepareContext(ctx, "INSERT INTO "+table+" VALUES (?, ?)")
		if err != nil {
			return err
		}
		defer insert.Close()
		for i, v := range group {
			if _, err := insert.ExecContext(ctx, i, v.argument()); err != nil {
				return fmt.Errorf("%s %s: %w", v.column, v.want, err)
			}
		}
		if _, err := insert.ExecContext(ctx, len(group), nil); err != nil {
			return err
		}
		rows, err := s.QueryContext(ctx, "SELECT v FROM "+table+" WHERE id >= ? ORDER BY id", 0)
		if err != nil {
			return err
		}
		return checkRows(rows, group)
	})
}

// eachType runs do with a fresh table for every column type.
func eachType(ctx context.Context, t target, prefix string,
	do func(context.Context, *session, string, []sample) error,
) error {
	groups, err := samples(t.types)
	if err != nil {
		return err
	}
	return with(func(ctx context.Context, s *session) error {
		if err := s.exec(ctx, "SET NAMES utf8mb4", "SET sql_mode = '', time_zone = '+00:00'"); err != nil {
			return err
		}
		for i, group := range groups {
			table := fmt.Sprintf("types_%s_%d", prefix, i)
			if err := s.exec(ctx, "CREATE TABLE "+table+" (id INT PRIMARY KEY, v "+group[0].column+")"); err != nil {
				return err
			}
			if err := do(ctx, s, table, group); err != nil {
				return err
			}
		}
		return nil
	})(ctx, t)
}

// checkRows compares one column with the samples and the NULL that follows them.
func checkRows(rows *sql.Rows, group []sample) error {
	defer rows.Close()
	group = append(group[:len(group):len(group)], sample{group[0].column, "text", "NULL", "NULL"})
	n := 0
	for ; rows.Next(); n++ {
		var got any
		if err := rows.Scan(&got); err != nil {
			return err
		}
		if err := group[n].check(got); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return equal("rows of "+group[0].column, n, len(group))
}

// charset checks that a value is understood and answered in the character set of
// the connection: sent is its bytes, stored the hexadecimal UTF-8 of the column.
func charset(name, sent, stored string) func(context.Context, *session) error {
	return func(ctx context.Context, s *session) error {
		table := "charset_" + name
		err := s.exec(ctx, "CREATE TABLE "+table+" (v VARCHAR(10) CHARACTER SET utf8mb4)",
			"SET NAMES "+name, "INSERT INTO "+table+" VALUES ('"+sent+"')")
		if err != nil {
			return err
		}
		if err := s.expect(ctx, stored, "SELECT HEX(v) FROM "+table); err != nil {
			return err
		}
		if err := s.expect(ctx, sent, "SELECT v FROM "+table); err != nil {
			return err
		}
		return s.expect(ctx, sent, "SELECT v FROM "+table+" WHERE v = ?", sent)
	}
}
