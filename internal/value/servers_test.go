package value

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value/charset"
)

// The oracle of this package: a private server of each flavor, asked directly.
// What it sends is recorded on the way to the driver, so that rows and column
// definitions are compared as the bytes they were.

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m)) }

// sandboxes are the flavors as the sandbox calls them.
var sandboxes = map[Flavor]sandbox.Flavor{MariaDB: sandbox.MariaDB, MySQL: sandbox.MySQL}

// oracle is one connection to a server.
type oracle struct {
	*sql.Conn
	flavor  Flavor
	version int
	tape    *tape
}

// forEachServer runs a test against each flavor on a connection of its own.
func forEachServer(t *testing.T, run func(t *testing.T, o *oracle)) {
	for _, f := range []Flavor{MariaDB, MySQL} {
		t.Run(f.String(), func(t *testing.T) {
			run(t, connect(t, sandboxtest.Start(t, sandboxes[f], sandboxtest.Volatile), f))
		})
	}
}

func connect(t *testing.T, s *sandbox.Server, f Flavor) *oracle {
	t.Helper()
	o := &oracle{flavor: f, version: versionNumber(s.Version), tape: &tape{}}
	config, err := mysql.ParseDSN(s.DSN("root", "root", "test"))
	if err != nil {
		t.Fatal(err)
	}
	config.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		return &tapedConn{c, o.tape}, err
	}
	connector, err := mysql.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	if o.Conn, err = db.Conn(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // a connection that stays keeps its transaction, and the next test waits for the table
		_ = o.Close()
		_ = db.Close()
	})
	// A connection that stays open keeps its locks on tables.
	t.Cleanup(func() { _ = o.Conn.Close() })
	o.exec(t, "SET NAMES utf8mb4, autocommit = 0, time_zone = '+00:00'")
	return o
}

func versionNumber(text string) int {
	n := 0
	for _, part := range regexp.MustCompile(`\d+`).FindAllString(text, 3) {
		i, _ := strconv.Atoi(part)
		n = n*100 + i
	}
	return n
}

func (o *oracle) exec(t *testing.T, statement string) {
	t.Helper()
	if _, err := o.ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%s: %.300s: %v", o.flavor, statement, err)
	}
}

// collation looks up a collation that the flavor has.
func (o *oracle) collation(t *testing.T, name string) *charset.Collation {
	t.Helper()
	c, ok := charset.Lookup(o.flavor, name)
	if !ok {
		t.Fatalf("%s has no %s", o.flavor, name)
	}
	return c
}

// result is what a statement came to, as the client sees it.
type result struct {
	err      *mysql.MySQLError
	warnings []string // level, code and message
}

// attempt executes a statement and collects its error and warnings.
func (o *oracle) attempt(t *testing.T, statement string, args ...any) (r result) {
	t.Helper()
	o.tape.clear()
	_, err := o.ExecContext(t.Context(), statement, args...)
	switch {
	case err == nil:
		if o.tape.warnings() == 0 {
			return r
		}
	case !errors.As(err, &r.err):
		t.Fatalf("%.300s: %v", statement, err)
	}
	rows, err := o.QueryContext(t.Context(), "SHOW WARNINGS")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var level, message string
		var code int
		if err := rows.Scan(&level, &code, &message); err != nil {
			t.Fatal(err)
		}
		r.warnings = append(r.warnings, fmt.Sprintf("%s %d %s", level, code, withoutValue(message)))
	}
	return r
}

var valuePattern = regexp.MustCompile(`(?s)(value|Delimiter): '.*'( for column| for function|$)`)

// What the servers say of JSON and vectors is put in terms of the value too.
var (
	jsonPattern   = regexp.MustCompile(`(?s)^Invalid JSON text: .* in`)
	vectorPattern = regexp.MustCompile(`^Value of type .* cannot be converted to 'vector' type\.$`)
)

// withoutValue takes the value out of a server's message.
func withoutValue(message string) string {
	switch {
	case strings.HasPrefix(message, "Delimiter "):
		if strings.Contains(message, "superfluous") {
			return "superfluous delimiter"
		}
		return "delimiter"
	}
	message = valuePattern.ReplaceAllString(message, "$1$2")
	message = jsonPattern.ReplaceAllString(message, "Invalid JSON text in")
	return vectorPattern.ReplaceAllString(message, "The value cannot be converted to 'vector' type.")
}

// tape records what a server sends.
type tape struct {
	sync.Mutex
	b []byte
}

func (p *tape) clear() {
	p.Lock()
	p.b = nil // packets still use the old one
	p.Unlock()
}

// packets takes the recording apart.
func (p *tape) packets() (packets [][]byte) {
	p.Lock()
	defer p.Unlock()
	for b := p.b; len(b) >= 4; {
		n := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
		packets = append(packets, b[4:4+n])
		b = b[4+n:]
	}
	return packets
}

// warnings reads the count from the last OK packet.
func (p *tape) warnings() int {
	packets := p.packets()
	b := packets[len(packets)-1]
	if b[0] != 0 {
		return 0
	}
	b = b[1:]
	for range 2 { // affected rows, last insert id
		_, b = lenenc(b)
	}
	return int(binary.LittleEndian.Uint16(b[2:]))
}

func lenenc(b []byte) (uint64, []byte) {
	switch b[0] {
	case 0xfc:
		return uint64(binary.LittleEndian.Uint16(b[1:])), b[3:]
	case 0xfd:
		return uint64(b[1]) | uint64(b[2])<<8 | uint64(b[3])<<16, b[4:]
	case 0xfe:
		return binary.LittleEndian.Uint64(b[1:]), b[9:]
	}
	return uint64(b[0]), b[1:]
}

type tapedConn struct {
	net.Conn
	tape *tape
}

func (c *tapedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.tape.Lock()
	c.tape.b = append(c.tape.b, b[:n]...)
	c.tape.Unlock()
	return n, err
}

// answer is a result set as it was sent: column definitions and rows, as
// payloads.
type answer struct{ columns, rows [][]byte }

// query runs a query, prepared if it has a parameter, and returns the last
// result set of the recording.
func (o *oracle) query(t *testing.T, query string, args ...any) answer {
	t.Helper()
	o.tape.clear()
	rows, err := o.QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatalf("%.300s: %v", query, err)
	}
	for rows.Next() {
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	_ = rows.Close()
	packets := o.tape.packets()
	var a answer
	if len(args) > 0 { // the answer to COM_STMT_PREPARE comes first
		head := packets[0]
		columns, params := int(head[5])|int(head[6])<<8, int(head[7])|int(head[8])<<8
		_, packets = cut(packets[1:], params)
		a.columns, packets = cut(packets, columns)
	}
	head := packets[0]
	packets = packets[1:]
	if len(head) == 1 || head[1] == 1 { // MariaDB leaves out columns that the client has
		a.columns, packets = cut(packets, int(head[0]))
	}
	for _, p := range packets {
		if !isEOF(p) {
			a.rows = append(a.rows, p)
		}
	}
	return a
}

// cut takes n definitions, and the EOF behind them if there is one.
func cut(packets [][]byte, n int) (head, rest [][]byte) {
	head, rest = packets[:n], packets[n:]
	if n > 0 && len(rest) > 0 && isEOF(rest[0]) {
		rest = rest[1:]
	}
	return head, rest
}

func isEOF(p []byte) bool { return p[0] == 0xfe && len(p) < 9 }
