package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-sql-driver/mysql"
	"github.com/google/go-cmp/cmp"

	"tunic/internal/config"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/status"
	"tunic/internal/waittest"
)

// watched is a tunic that serves, and its addresses.
type watched struct{ listen, admin string }

// startWatched makes a ledger in a database and serves it.
func startWatched(t *testing.T, db *sandbox.Server, flags map[string]string) watched {
	t.Helper()
	dir := t.TempDir()
	key := filepath.Join(dir, "tunic.key")
	if err := run([]string{"keygen", "--out", key}, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	w := watched{freeAddr(t), freeAddr(t)}
	given := map[string]string{
		"listen": w.listen, "admin": w.admin, "backend": db.Addr, "service-user": "root", "key": key, "policy-default": "plain",
		"tls": "disabled", "log-level": "error",
	}
	for name, value := range flags {
		given[name] = value
	}
	for _, v := range os.Environ() { // what the tests are told is no setting, and a developer's own is not this tunic's
		if name, value, _ := strings.Cut(v, "="); strings.HasPrefix(name, "TUNIC_") {
			t.Setenv(name, value) // so that it comes back
			_ = os.Unsetenv(name)
		}
	}
	t.Setenv("TUNIC_SERVICE_PASSWORD", "root")
	if err := run([]string{"init", "--backend", db.Addr, "--service-user", "root", "--key", key}, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(config.Sources{Flags: given, Environ: os.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		p := &process{cfg: cfg, log: slog.New(slog.DiscardHandler), drain: stop}
		served <- p.serve(ctx, context.Background(), nil)
	}()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Errorf("serve ended with %v", err)
		}
	})
	waittest.Until(t, "it serves its status", func() bool {
		code, _ := fetch(t, "http://"+w.admin+"/status.json")
		return code == http.StatusOK
	})
	return w
}

// fetch asks for a page; 0 is the code of no answer.
func fetch(t *testing.T, url string) (code int, body string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get(url)
	if err != nil {
		return 0, ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// connect opens a database through tunic, with one connection.
func (w watched) connect(t *testing.T) *sql.DB {
	t.Helper()
	c := mysql.NewConfig()
	c.Net, c.Addr, c.User, c.Passwd, c.DBName, c.MultiStatements, c.InterpolateParams = "tcp", w.listen, "root", "root", "test", true, true
	connector, err := mysql.NewConnector(c)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// state is the status.
func (w watched) state(t *testing.T, query string) *status.Snapshot {
	t.Helper()
	_, body := fetch(t, "http://"+w.admin+"/status.json"+query)
	s := new(status.Snapshot)
	if err := json.Unmarshal([]byte(body), s); err != nil {
		t.Fatal(err)
	}
	return s
}

// text is what `tunic status` prints.
func (w watched) text(t *testing.T, flags ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(append([]string{"status", "--admin", w.admin}, flags...), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestStatusWatched: a tunic that does not answer is waited for, and a signal is an orderly end.
func TestStatusWatched(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked == 1 {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(status.Snapshot{Format: status.Format, Version: "v1", Health: status.Health{State: status.NotReady, Reason: "it\x1b[2J is away"}})
	}))
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	read, write := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		c := statusCmd{Admin: server.Listener.Addr().String(), Watch: true}
		ended <- c.run(ctx, write)
		_ = write.Close()
	}()
	said, buffer := "", make([]byte, 4096)
	for !strings.Contains(said, "not ready") {
		n, err := read.Read(buffer)
		if err != nil {
			t.Fatalf("%v after %q", err, said)
		}
		said += string(buffer[:n])
	}
	cancel()
	_, _ = io.Copy(io.Discard, read)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if !strings.Contains(said, "TUNIC-1851") || !strings.Contains(said, "tunic v1, up 0s, not ready: it.[2J is away") {
		t.Errorf("%q", said)
	}
}

// TestStatusText: what is printed of a status, line by line.
func TestStatusText(t *testing.T) {
	file, err := os.ReadFile(filepath.Join("..", "..", "internal", "status", "testdata", "status.json"))
	if err != nil {
		t.Fatal(err)
	}
	s := new(status.Snapshot)
	if err := json.Unmarshal(file, s); err != nil {
		t.Fatal(err)
	}
	got, path := statusText(s, 120), filepath.Join("testdata", "status.txt")
	if *rewriteStatus {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("-rewrite makes it anew:\n%s", diff)
	}
	words := strings.Fields(got)
	slices.Sort(words)
	for _, width := range []int{80, 100} {
		narrow := statusText(s, width)
		for line := range strings.Lines(narrow) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("a line of %d characters in a terminal of %d: %s", n, width, line)
			}
		}
		has := strings.Fields(narrow)
		slices.Sort(has)
		if diff := cmp.Diff(without(words, "statement", "progress"), has); diff != "" {
			t.Errorf("in a terminal of %d:\n%s", width, diff)
		}
	}
}

// without is a sorted list without one of each of some words: headings of columns.
func without(list []string, words ...string) []string {
	list = slices.Clone(list)
	for _, word := range words {
		if at, found := slices.BinarySearch(list, word); found {
			list = slices.Delete(list, at, at+1)
		}
	}
	return list
}

// mark is in every literal, comment and name of the statements below that the status may not
// show.
const (
	mark   = "kanarie"
	number = "7392018"
)

// marked are statements, %s is the mark and %d its number. Some are refused, by tunic or by
// the server, and some cannot be read.
var marked = []string{
	"SELECT id FROM person WHERE name = '%s'", "SELECT id /* %s */ FROM person WHERE name LIKE '%%%s%%'", "SELECT id FROM person -- %s\n WHERE id = %d",
	"SELECT name AS '%s' FROM person WHERE id = %d", "SELECT name `%s` FROM person ORDER BY name", "SELECT %s.name FROM person AS %s",
	"SELECT x.%s FROM (SELECT name AS %s FROM person) AS x", "WITH %s AS (SELECT id FROM person) SELECT * FROM %s",
	"SELECT \"%s\" FROM person", "SELECT _utf8mb4'%s', N'%s', x'6b616e61726965', %d, 7392018e0 FROM person",
	"INSERT INTO person (id, name) VALUES (%d, '%s'), (2, '%s') ON DUPLICATE KEY UPDATE name = '%s'", "UPDATE person SET name = '%s' WHERE id = %d",
	"INSERT INTO free VALUES (%d, '%s')", "SELECT /*+ %s */ a FROM free", "SELECT a /*! , '%s' */ FROM free", "SELECT a FROM free WHERE b = %s",
	"SELECT a FROM free WHERE b = \"%s\" ORDER BY 1", "SELECT %s FROM free", "SELECT a AS %s, b FROM free HAVING %s > 0", "SELECT COUNT(*) %s FROM free GROUP BY b",
	"SET @%s = '%s'", "SELECT @%s", "SET @@session.time_zone = '%s'", "SET SESSION sql_mode = %s", "SET NAMES %s", "SET PASSWORD = PASSWORD('%s')",
	"PREPARE %s FROM 'SELECT 1'", "EXECUTE %s", "SAVEPOINT %s", "ROLLBACK TO %s", "CREATE USER %s IDENTIFIED BY '%s'", "GRANT SELECT ON test.* TO '%s'@'%s'",
	"CREATE TABLE %s.x (a INT)", "CREATE TABLE kept (a INT COMMENT '%s')", "CALL %s(%d)", "SELECT %s(1)", "DO RELEASE_LOCK('%s')", "KILL QUERY %d",
	"SELECT JSON_EXTRACT(b, '$.%s') FROM free", "SELECT j.%s FROM free, JSON_TABLE(free.b, '$' COLUMNS (%s INT PATH '$.a')) j", "SHOW TABLES LIKE '%s'",
	"SHOW VARIABLES WHERE Variable_name = '%s'", "USE %s", "LOAD DATA LOCAL INFILE '%s' INTO TABLE person", "SELECT name FROM person INTO OUTFILE '/%s'",
	"SELECT '%s", "SELECT %s FROM person WHERE (", "%s", "EXPLAIN SELECT id FROM person WHERE name = '%s'", "SELECT a FROM free PARTITION (%s)",
	"SELECT a FROM free USE INDEX (%s)", "SELECT SUM(a) OVER %s FROM free WINDOW %s AS (ORDER BY a)", "SELECT a FROM free WHERE b COLLATE %s = 'x'",
	"BEGIN NOT ATOMIC SET @%s = 1; END", "SELECT a FROM free LIMIT %d", "SELECT DATE '%s', INTERVAL %d DAY + NOW()", "SELECT SUBSTRING(name, %d, 2) FROM person GROUP BY name HAVING MAX(name) > '%s'",
}

// TestStatusHoldsNoLiterals runs statements with marks in all that a status may not show, and
// looks for the marks in all of its forms.
func TestStatusHoldsNoLiterals(t *testing.T) {
	w := startWatched(t, sandboxtest.Own(t, sandbox.MariaDB), nil)
	db := w.connect(t)
	for _, s := range []string{
		"CREATE TABLE person (id INT PRIMARY KEY, name VARCHAR(40) COMMENT 'tunic: equality')", "CREATE TABLE free (a INT, b VARCHAR(40))",
	} {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	refused := 0
	for _, text := range marked {
		text = strings.NewReplacer("%%", "%", "%s", mark, "%d", number).Replace(text)
		for _, again := range []string{text, strings.ToUpper(text), strings.NewReplacer("'", "\"").Replace(text)} {
			if err := runMarked(t, db, again); err != nil && strings.Contains(err.Error(), "TUNIC-") {
				refused++
			}
		}
	}
	s := w.state(t, "?templates=1000&tables=1000")
	if refused == 0 || len(s.Refusals) == 0 || len(s.Templates) < 20 {
		t.Fatalf("%d statements were refused, of %d codes; %d templates", refused, len(s.Refusals), len(s.Templates))
	}
	_, body := fetch(t, "http://"+w.admin+"/status.json?templates=1000&tables=1000")
	_, page := fetch(t, "http://"+w.admin+"/status")
	forms := map[string]string{"JSON": body, "page": page, "text": w.text(t, "--templates", "1000", "--tables", "1000")}
	for name, form := range forms {
		for _, secret := range []string{mark, number, "6b616e61726965"} {
			if at := strings.Index(strings.ToLower(form), secret); at >= 0 {
				t.Errorf("%s has %s: …%s…", name, secret, form[max(at-120, 0):min(at+80, len(form))])
			}
		}
	}
	for _, shown := range []string{"SELECT id FROM person WHERE name = ?", "INSERT INTO free VALUES (?", "ORDER BY ?"} {
		if !strings.Contains(forms["text"], shown) {
			t.Errorf("the text does not have %q:\n%s", shown, forms["text"])
		}
	}
}

// runMarked runs a statement as text, and prepared. What it comes to is the server's affair.
func runMarked(t *testing.T, db *sql.DB, text string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, err := db.ExecContext(ctx, text)
	if prepared, err := db.PrepareContext(ctx, text); err == nil {
		if rows, err := prepared.QueryContext(ctx); err == nil {
			_ = rows.Close()
		}
		_ = prepared.Close()
	}
	if ctx.Err() != nil {
		t.Errorf("not answered: %s", text)
	}
	return err
}

var rewriteStatus = flag.Bool("rewrite", false, "rewrite testdata/status.txt")

// load makes tables and has statements run until stop is called.
func (w watched) load(t *testing.T) (stop func()) {
	t.Helper()
	db := w.connect(t)
	for _, s := range []string{
		"CREATE TABLE person (id INT PRIMARY KEY, name VARCHAR(40) COMMENT 'tunic: equality', born DATE COMMENT 'tunic: order', note TEXT COMMENT 'tunic: sealed')",
		"CREATE TABLE visit (id INT PRIMARY KEY AUTO_INCREMENT, person INT, at DATETIME, why VARCHAR(100) COMMENT 'tunic: sealed')",
		"CREATE TABLE free (a INT PRIMARY KEY, b VARCHAR(40))",
	} {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ctx.Err() == nil; i++ {
			for _, s := range []string{
				fmt.Sprintf("REPLACE INTO person VALUES (%d, 'name %d', '1980-02-03', 'a longer text of what there is to say')", i%500, i%50),
				fmt.Sprintf("SELECT name FROM person WHERE id = %d", i%500), fmt.Sprintf("SELECT id, note FROM person WHERE name = 'name %d'", i%50),
				"SELECT COUNT(*) FROM person WHERE note LIKE '%longer%'", fmt.Sprintf("INSERT INTO visit (person, at, why) VALUES (%d, NOW(), 'x')", i%500),
				fmt.Sprintf("SELECT a, b FROM free WHERE a = %d", i), "SELECT name FROM person ORDER BY note LIMIT 3", "SELECT MATCH (note) AGAINST ('x') FROM person",
			} {
				if rows, err := db.QueryContext(ctx, s); err == nil {
					for rows.Next() {
					}
					_ = rows.Close() // it is for the figures only
				}
			}
		}
	}()
	return func() { cancel(); <-done }
}

// manyTables makes protected tables.
func (w watched) manyTables(t *testing.T, n int) {
	t.Helper()
	db := w.connect(t)
	for i := range n {
		if _, err := db.ExecContext(t.Context(), fmt.Sprintf("CREATE TABLE many_%04d (id INT PRIMARY KEY, name VARCHAR(40) COMMENT 'tunic: equality')", i)); err != nil {
			t.Fatal(err)
		}
	}
}
