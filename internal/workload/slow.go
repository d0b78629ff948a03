package workload

import (
	"bytes"
	"slices"
	"strings"
)

// An entry of a slow query log is a head of lines that begin with "# ", and the statement behind it:
//
//	# Time: 2026-01-02T10:11:12.123456Z
//	# User@Host: app[app] @ localhost []  Id:     8
//	# Query_time: 0.001  Lock_time: 0.000 Rows_sent: 1  Rows_examined: 1
//	use shop;
//	SET timestamp=1767348672;
//	SELECT 1;
//
// MariaDB has more lines in the head, one of which names the schema, and says the time only where it
// is another one.

// slowHeads begin the lines of a head, behind "# ".
var slowHeads = []string{
	"Time: ", "User@Host: ", "Thread_id: ", "Query_time: ", "Rows_affected: ", "Bytes_sent: ", "Schema: ", "administrator command: ", "Stored_routine: ",
	"Tmp_tables: ", "Full_scan: ", "Filesort: ", "Pages_accessed: ", "Pages_read_time: ", "Engine_time: ", "explain: ", "InnoDB_", "Log_slow_rate", "QC_Hit: ", "No InnoDB statistics",
	"Pages_prefetched: ",
}

func isSlowHead(line []byte) bool {
	return slices.ContainsFunc(slowHeads, func(head string) bool { return bytes.HasPrefix(line, []byte(head)) })
}

// slowHead reads a line of a head.
func (p *parser) slowHead(line []byte) error {
	if p.open && len(p.text) > 0 || bytes.HasPrefix(line, []byte("Time: ")) || bytes.HasPrefix(line, []byte("User@Host: ")) {
		if err := p.end(); err != nil {
			return err
		}
	}
	p.known, p.open, p.slow = true, true, true
	if bytes.HasPrefix(line, []byte("administrator command: ")) {
		p.open = false
	}
	if host, ok := bytes.CutPrefix(line, []byte("User@Host: ")); ok {
		p.now.user = loggedIn(string(host))
	}
	fields := strings.Fields(string(line))
	for i, f := range fields {
		if f != "Schema:" {
			continue
		}
		p.now.schema = "" // of a session without one
		if i+1 < len(fields) && !strings.HasSuffix(fields[i+1], ":") {
			p.now.schema = fields[i+1]
		}
	}
	return nil
}

// loggedIn is the account's name that a session has logged in with: the second of "app[app] @ localhost []".
func loggedIn(host string) string {
	account, _, _ := strings.Cut(host, "] @ ")
	_, user, _ := strings.Cut(account, "[")
	return user
}

// slowBody is the statement of what stands behind a head, without what the server has put before it.
func (p *parser) slowBody(text []byte) []byte {
	for {
		line, rest, more := bytes.Cut(text, []byte("\n"))
		name, uses := used(bytes.TrimSpace(line))
		switch {
		case uses && more && bytes.HasSuffix(line, []byte(";")):
			p.now.schema = name
		case bytes.HasPrefix(line, []byte("SET timestamp=")), bytes.HasPrefix(line, []byte("SET last_insert_id=")), bytes.HasPrefix(line, []byte("SET insert_id=")):
			if !more {
				return nil
			}
		default:
			return bytes.TrimRight(text, "; \n\t")
		}
		text = rest
	}
}
