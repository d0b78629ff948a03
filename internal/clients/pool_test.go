package clients

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/waittest"
)

// A pool is what the clients of a pool of connections do, in a table of their own: each piece of work
// is a row with its number. Nothing is repeated but what the pool repeats by itself.
type pool struct {
	name, addr string
	stop       func() // ends the work, and waits for what was begun; may be called again

	mu     sync.Mutex
	stored map[piece]bool // what was acknowledged
	failed []error        // the first of them
	missed int            // how many have failed
}

// A piece of work is the number of its worker, and its own.
type piece struct{ worker, n int }

func (w piece) number() int { return w.worker*1_000_000 + w.n }

const (
	poolWorkers = 24
	failedMax   = 20
)

// pools are the names of all of them.
var pools = []string{"go", "sqlalchemy", "sequelize"}

func newPool(name, addr string) *pool {
	return &pool{name: name, addr: addr, stored: map[piece]bool{}}
}

func (p *pool) table() string { return "done_" + p.name }

// record is called with the end of each piece of work.
func (p *pool) record(w piece, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil {
		p.stored[w] = true
		return
	}
	p.fail(err)
}

func (p *pool) fail(err error) {
	if p.missed++; len(p.failed) < failedMax {
		p.failed = append(p.failed, err)
	}
}

// count is how much was acknowledged; ended whatever has come to an end.
func (p *pool) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.stored)
}

func (p *pool) ended() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.stored) + p.missed
}

// moves waits until the pool has done some more.
func (p *pool) moves(t *testing.T) {
	t.Helper()
	before := p.ended()
	waittest.Until(t, p.name+": transactions go on", func() bool { return p.ended() >= before+2*poolWorkers })
}

// check ends the work: nothing has failed, and what was acknowledged is what is stored, as the
// server has it and as tunic opens it.
func (p *pool) check(t *testing.T, direct *sql.DB) {
	t.Helper()
	p.stop()
	for _, err := range p.failed {
		t.Errorf("%s: failed: %v", p.name, err)
	}
	p.checkRows(t, direct)
	p.checkSum(t)
	t.Logf("%s: %d transactions, %d failed", p.name, len(p.stored), p.missed)
}

// checkRows looks at the numbers of pieces, which are plain.
func (p *pool) checkRows(t *testing.T, direct *sql.DB) {
	t.Helper()
	rows, err := direct.Query("SELECT worker, n FROM " + p.table())
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	stored := 0
	for rows.Next() {
		var w piece
		if err := rows.Scan(&w.worker, &w.n); err != nil {
			t.Fatal(err)
		}
		if stored++; !p.stored[w] {
			t.Errorf("%s: stored and not acknowledged: %v", p.name, w)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if stored != len(p.stored) {
		t.Errorf("%s: %d are stored, %d were acknowledged", p.name, stored, len(p.stored))
	}
}

// checkSum has tunic count, and add up the protected numbers.
func (p *pool) checkSum(t *testing.T) {
	t.Helper()
	db, err := sql.Open("mysql", "app:app@tcp("+p.addr+")/test")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var count, sum, want int
	for w := range p.stored {
		want += w.number()
	}
	if err := db.QueryRow("SELECT COUNT(*), COALESCE(SUM(number), 0) FROM "+p.table()).Scan(&count, &sum); err != nil {
		t.Fatal(err)
	}
	if count != len(p.stored) || sum != want {
		t.Errorf("%s: through tunic there are %d with the sum %d, acknowledged were %d with %d", p.name, count, sum, len(p.stored), want)
	}
}

// goPool works by database/sql: idle connections are kept, and looked at before they are used.
type goPool struct {
	*pool
	db *sql.DB
}

func startPool(t *testing.T, addr string) *pool {
	t.Helper()
	cfg := mysql.NewConfig()
	cfg.Net, cfg.Addr, cfg.User, cfg.Passwd, cfg.DBName = "tcp", addr, "app", "app", "test"
	cfg.Logger = log.New(io.Discard, "", 0) // it says of each connection that it finds ended
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	p := goPool{newPool("go", addr), sql.OpenDB(connector)}
	p.db.SetMaxIdleConns(poolWorkers)
	p.db.SetMaxOpenConns(poolWorkers)
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	for worker := range poolWorkers {
		done.Go(func() { p.work(ctx, worker) })
	}
	p.stop = func() { cancel(); done.Wait() }
	t.Cleanup(func() { p.stop(); _ = p.db.Close() })
	return p.pool
}

// work does one piece of work after the other, by turns in a transaction and in autocommit.
func (p goPool) work(ctx context.Context, worker int) {
	for n := 0; ctx.Err() == nil; n++ {
		do := p.transaction
		if n%3 == 2 {
			do = p.single
		}
		w := piece{worker, n}
		p.record(w, do(w))
	}
}

func (p goPool) transaction(w piece) error {
	tx, err := p.db.Begin()
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.Exec("INSERT INTO done_go (worker, n, number, note) VALUES (?, ?, ?, ?)", w.worker, w.n, w.number(), "a note"); err != nil {
		return fmt.Errorf("insert: %w", err)
	}
	var count int
	if err := tx.QueryRow("SELECT COUNT(*) FROM done_go WHERE worker = ? AND n = ?", w.worker, w.n).Scan(&count); err != nil || count != 1 {
		return fmt.Errorf("select: %d, %w", count, err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

func (p goPool) single(w piece) error {
	const insert = "INSERT INTO done_go (worker, n, number, note) VALUES (%d, %d, %d, 'by itself')"
	if _, err := p.db.Exec(fmt.Sprintf(insert, w.worker, w.n, w.number())); err != nil {
		return fmt.Errorf("autocommit: %w", err)
	}
	return nil
}

// sqlAlchemy is the command that works on its pool; see test/pools.
func sqlAlchemy(t *testing.T) []string {
	t.Helper()
	python := appInstalled("sqlalchemy", "bin", "python")
	why := lacking(python)
	mustHave(t, why == "", why)
	return []string{python, "-B", poolPath("pool_sqlalchemy.py")}
}

// sequelize is the same, with what the page has that pool do.
func sequelize(t *testing.T) []string {
	t.Helper()
	why := lacking("node", appInstalled("node", "node_modules", "sequelize"))
	mustHave(t, why == "", why)
	setting := filepath.Join(t.TempDir(), "setting.js")
	text := "module.exports = (sequelize) => {\n" + documented(t, "js") + "};\n"
	if err := os.WriteFile(setting, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"env", "NODE_PATH=" + appInstalled("node", "node_modules"), "POOL_SETTING=" + setting, "node", poolPath("pool-sequelize.js")}
}

func poolPath(name string) string { return filepath.Join(sandbox.Root(), "test", "pools", name) }

// poolProgram is a program of test/pools.
type poolProgram struct {
	*pool
	command    *exec.Cmd
	input      io.Closer // whose end is the program's
	complaints bytes.Buffer
	read       chan struct{} // closed behind the last line
}

// endLimit only ends a program that hangs.
const endLimit = 2 * time.Minute

func startProgram(t *testing.T, name, addr string, command []string) *pool {
	t.Helper()
	p := &poolProgram{pool: newPool(name, addr), command: exec.Command(command[0], command[1:]...), read: make(chan struct{})}
	host, port, _ := net.SplitHostPort(addr)
	p.command.Env = append(os.Environ(), "POOL_HOST="+host, "POOL_PORT="+port, "POOL_USER="+sandbox.AppUser,
		"POOL_PASSWORD="+sandbox.AppPassword, "POOL_DATABASE=test", "POOL_TABLE="+p.table(), "POOL_WORKERS="+strconv.Itoa(poolWorkers))
	p.command.Stderr = &p.complaints
	input, inputErr := p.command.StdinPipe()
	output, outputErr := p.command.StdoutPipe()
	if err := errors.Join(inputErr, outputErr, p.command.Start()); err != nil {
		t.Fatal(err)
	}
	p.input = input
	go p.follow(output)
	p.stop = sync.OnceFunc(func() { p.end(t) })
	t.Cleanup(p.stop)
	return p.pool
}

// follow reads what the program says.
func (p *poolProgram) follow(output io.Reader) {
	defer close(p.read)
	for lines := bufio.NewScanner(output); lines.Scan(); {
		p.record(parsePiece(lines.Text()))
	}
}

// parsePiece reads `ok WORKER N` and `failed WORKER N ERROR`.
func parsePiece(line string) (w piece, err error) {
	var how string
	switch n, _ := fmt.Sscan(line, &how, &w.worker, &w.n); {
	case n == 3 && how == "ok":
		return w, nil
	default:
		return w, errors.New(line)
	}
}

// end has the program end, and waits for it.
func (p *poolProgram) end(t *testing.T) {
	_ = p.input.Close()
	hangs := time.AfterFunc(endLimit, func() { _ = p.command.Process.Kill() })
	defer hangs.Stop()
	<-p.read
	if err := p.command.Wait(); err != nil {
		t.Errorf("%s: ended with %v", p.name, err)
	}
	if said := strings.TrimSpace(p.complaints.String()); said != "" {
		t.Logf("%s: %d bytes on standard error, which begin:\n%.1500s", p.name, len(said), said)
	}
}

func TestParsePiece(t *testing.T) {
	if w, err := parsePiece("ok 3 17"); w != (piece{3, 17}) || err != nil {
		t.Errorf("got %v, %v", w, err)
	}
	for _, line := range []string{"failed 3 17 OperationalError: gone", "ok 3", "Traceback", ""} {
		if _, err := parsePiece(line); err == nil || err.Error() != line {
			t.Errorf("%q: got %v", line, err)
		}
	}
}
