package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-sql-driver/mysql"
)

var infileChecks = []check{
	{"infile.load", with(infileLoad)},
	{"infile.missing", infileMissing},
	{"infile.refused", with(infileRefused)},
}

const loadInto = " FIELDS TERMINATED BY ',' LINES TERMINATED BY '\\n'"

func infileLoad(ctx context.Context, s *session) error {
	if err := s.exec(ctx, "CREATE TABLE infile_load (id INT PRIMARY KEY, v VARCHAR(40))"); err != nil {
		return err
	}
	var lines bytes.Buffer
	for i := range 10_000 {
		fmt.Fprintf(&lines, "%d,line é %d\n", i, i)
	}
	mysql.RegisterReaderHandler("lines", func() io.Reader { return &lines })
	defer mysql.DeregisterReaderHandler("lines")
	res, err := s.ExecContext(ctx, "LOAD DATA LOCAL INFILE 'Reader::lines' INTO TABLE infile_load CHARACTER SET utf8mb4"+loadInto)
	if err != nil {
		return err
	}
	n, _ := res.RowsAffected()
	return errors.Join(equal("affected rows", n, 10_000),
		s.expect(ctx, "line é 9999", "SELECT v FROM infile_load WHERE id = 9999"))
}

func infileMissing(ctx context.Context, t target) error {
	path := filepath.Join(t.scratch, "no-such-file")
	mysql.RegisterLocalFile(path)
	defer mysql.DeregisterLocalFile(path)
	return with(func(ctx context.Context, s *session) error {
		if err := s.exec(ctx, "CREATE TABLE infile_missing (id INT)"); err != nil {
			return err
		}
		err := s.exec(ctx, "LOAD DATA LOCAL INFILE '"+path+"' INTO TABLE infile_missing")
		if !errors.Is(err, os.ErrNotExist) {
			return errors.Join(errors.New("want that the file does not exist"), err)
		}
		return selectOne(ctx, s)
	})(ctx, t)
}

func infileRefused(ctx context.Context, s *session) error {
	if err := s.exec(ctx, "CREATE TABLE infile_refused (id INT)"); err != nil {
		return err
	}
	if err := s.exec(ctx, "LOAD DATA LOCAL INFILE '/etc/hosts' INTO TABLE infile_refused"); err == nil {
		return errors.New("a file that was not allowed was loaded")
	}
	return errors.Join(selectOne(ctx, s), s.expect(ctx, "0", "SELECT COUNT(*) FROM infile_refused"))
}
