package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tunic/internal/bench/document"
)

// serverLogs are what the documentation names: files that have what was written before. The
// system tablespace has MariaDB's undo log and the pages that are written twice.
var serverLogs = []string{"ib_logfile*", "undo*", "ibdata*", "#ib_*", "*.dblwr", "binlog.*", "*-bin.*"}

// searchAll looks through the files of the server when the table is protected; at the last time
// also behind a slow shutdown, as the documentation advises it.
func (e *encryption) searchAll(ctx context.Context, met *document.Beside, last bool) error {
	conn, err := e.root.Conn(ctx)
	if err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "FLUSH TABLES "+encryptDatabase+".sbtest1 FOR EXPORT")
	if err == nil {
		_, err = conn.ExecContext(ctx, "UNLOCK TABLES")
	}
	if err = errors.Join(err, conn.Close()); err != nil {
		return err
	}
	if err := e.search(met, "when it was done"); err != nil || !last {
		return err
	}
	if _, err := e.root.ExecContext(ctx, "SET GLOBAL innodb_fast_shutdown = 0"); err != nil {
		return err
	}
	e.root.SetMaxIdleConns(0)
	if err := e.server.Restart(ctx); err != nil {
		return err
	}
	return e.search(met, "after a slow shutdown and a restart")
}

func (e *encryption) search(met *document.Beside, when string) error {
	found, err := searchFiles(filepath.Join(e.server.Dir, "data"))
	if err != nil {
		return err
	}
	found.When = when
	met.Files = append(met.Files, found)
	fmt.Fprintf(e.options.Stderr, "%d files, %s: values in the clear in logs %v, in others %v\n", found.Files, when, found.Logs, found.Other)
	return nil
}

// searchFiles looks for the sample in all files of a folder.
func searchFiles(dir string) (s document.FileSearch, err error) {
	s = document.FileSearch{Logs: map[string]int{}, Other: map[string]int{}}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a temporary one
		}
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		n, err := occurrences(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		s.Files++
		if n == 0 || err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if isLog(name) {
			s.Logs[name] = n
		} else {
			s.Other[name] = n
		}
		return err
	})
	return s, err
}

func isLog(name string) bool {
	for _, pattern := range serverLogs {
		if match, _ := filepath.Match(pattern, name); match && !strings.Contains(name, string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// occurrences counts the sample in a file.
func occurrences(path string) (n int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close() //nolint:errcheck // it is read only
	const piece = 1 << 20
	buffer, kept := make([]byte, piece), 0
	for {
		read, err := f.Read(buffer[kept:])
		n += bytes.Count(buffer[:kept+read], []byte(plainSample))
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		tail := min(kept+read, len(plainSample)-1) // shorter than the sample: counted once
		copy(buffer, buffer[kept+read-tail:kept+read])
		kept = tail
	}
}
