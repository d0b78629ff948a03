package layers

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/waittest"
)

// TestChangesBesideClients: through a tunic that runs, a table gets layers and columns
// while clients use it. None of them is told anything, and afterwards the server finds
// by the new layers what is there, and nothing else.
func TestChangesBesideClients(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds tunic")
	}
	sandboxtest.Each(t, func(t *testing.T, s *sandbox.Server) {
		a := newAccounts(t, s)
		a.make(1500, "owner INT, amount INT NOT NULL")
		a.beside(
			"CREATE INDEX owner ON shop.account (owner)",
			"ALTER TABLE shop.account ADD COLUMN state VARCHAR(8) NOT NULL DEFAULT 'open', ADD KEY state (state)",
			"ALTER TABLE shop.account ADD UNIQUE KEY both_ (owner, id), DROP KEY owner",
			"ALTER TABLE shop.account MODIFY amount INT NOT NULL COMMENT 'tunic: order'",
		)
	})
}

// TestJobsOverMembers: the same where a key and jobs bring layers over members of a family, and jobs drop them. Some owners
// are NULL.
func TestJobsOverMembers(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds tunic")
	}
	sandboxtest.Each(t, func(t *testing.T, s *sandbox.Server) {
		a := newAccounts(t, s)
		a.make(1500, "owner INT COMMENT 'tunic: family row', amount INT NOT NULL COMMENT 'tunic: family row', state VARCHAR(8) NOT NULL DEFAULT 'open' COMMENT 'tunic: family row'")
		a.exec("INSERT INTO shop.account (id, amount) VALUES (10001, 10001), (10002, 10002)")
		a.beside(
			"CREATE INDEX by_state ON shop.account (state)",
			"CALL tunic.add_layer('shop.account', 'owner', 'equality', 'a test')",
			"CALL tunic.add_layer('shop.account', 'amount', 'order', 'a test')",
			"CALL tunic.drop_layer('shop.account', 'owner', 'equality', 'a test')",
			"CALL tunic.add_layer('shop.account', 'owner', 'equality', 'a test')",
		)
		if found := a.ids("SELECT id FROM shop.account WHERE owner IS NULL ORDER BY id"); !slices.Equal(found, []int{10001, 10002}) {
			t.Errorf("without an owner are %v", found)
		}
	})
}

// newAccounts starts a tunic before a server.
func newAccounts(t *testing.T, s *sandbox.Server) *accounts {
	t.Helper()
	tunic := sandboxtest.Protecting(t, s, "shop")
	db, err := sql.Open("mysql", fmt.Sprintf("%s:%s@tcp(%s)/?interpolateParams=true", sandbox.AppUser, sandbox.AppPassword, tunic.Addr))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return &accounts{t: t, db: db}
}

// accounts are a table that clients use.
type accounts struct {
	t  *testing.T
	db *sql.DB

	mu    sync.Mutex
	owner map[int]int // of each row that is there
}

func (a *accounts) exec(statement string, args ...any) {
	a.t.Helper()
	if _, err := a.db.ExecContext(context.Background(), statement, args...); err != nil {
		a.t.Errorf("%.120s: %v", statement, err)
	}
}

func (a *accounts) make(rows int, columns string) {
	a.t.Helper()
	a.owner = map[int]int{}
	a.exec("CREATE DATABASE shop")
	a.exec("CREATE TABLE shop.account (id INT NOT NULL PRIMARY KEY COMMENT 'tunic: plain', " + columns + ")")
	var values []string
	for id := 1; id <= rows; id++ {
		values = append(values, fmt.Sprintf("(%d, %d, %d)", id, id%100, id))
		a.owner[id] = id % 100
	}
	a.exec("INSERT INTO shop.account (id, owner, amount) VALUES " + strings.Join(values, ", "))
}

// beside makes changes while clients are at work, and looks at the table after each.
func (a *accounts) beside(changes ...string) {
	a.t.Helper()
	stop := make(chan struct{})
	var wg sync.WaitGroup
	const clients = 3
	for i := range clients {
		wg.Go(func() { a.use(i, clients, stop) })
	}
	wg.Go(func() { a.ask(stop) })
	for _, change := range changes {
		a.exec(change)
		a.awaitJobs()
	}
	close(stop)
	wg.Wait()
	a.look()
}

// awaitJobs waits until each job that was asked for is done.
func (a *accounts) awaitJobs() {
	a.t.Helper()
	waittest.Until(a.t, "all jobs are done", func() bool {
		var left int
		err := a.db.QueryRowContext(context.Background(), "SELECT COUNT(*) FROM tunic.jobs WHERE state <> 'done'").Scan(&left)
		return err == nil && left == 0
	})
}

// prepared are the statements that a client has prepared, which outlive the changes.
type prepared struct {
	a   *accounts
	all map[string]*sql.Stmt
}

func (p *prepared) exec(statement string, args ...any) {
	p.a.t.Helper()
	if p.all[statement] == nil {
		made, err := p.a.db.PrepareContext(context.Background(), statement)
		if err != nil {
			p.a.t.Errorf("%s: %v", statement, err)
			return
		}
		p.all[statement] = made
	}
	if _, err := p.all[statement].ExecContext(context.Background(), args...); err != nil {
		p.a.t.Errorf("%s, prepared: %v", statement, err)
	}
}

func (p *prepared) close() {
	for _, s := range p.all {
		_ = s.Close()
	}
}

// use changes, adds, deletes and reads rows whose number is i modulo n. Each other
// client has its statements prepared.
func (a *accounts) use(i, n int, stop chan struct{}) {
	random := rand.New(rand.NewPCG(2, uint64(i)))
	prepared := &prepared{a: a, all: map[string]*sql.Stmt{}}
	defer prepared.close()
	for {
		select {
		case <-stop:
			return
		default:
		}
		id, owner := random.IntN(700)*n+i+1, random.IntN(100)
		exec := a.exec
		if i%2 == 0 {
			exec = prepared.exec
		}
		a.mu.Lock()
		was, there := a.owner[id]
		a.mu.Unlock()
		switch {
		case !there:
			exec("INSERT INTO shop.account (id, owner, amount) VALUES (?, ?, ?)", id, owner, id)
		case random.IntN(6) == 0:
			exec("DELETE FROM shop.account WHERE id = ?", id)
			owner = -1
		case random.IntN(3) == 0:
			if owner = was; !a.has(id, was) {
				a.t.Errorf("row %d is not owned by %d", id, was)
			}
		default:
			exec("UPDATE shop.account SET owner = ? WHERE id = ?", owner, id)
		}
		a.mu.Lock()
		if a.owner[id] = owner; owner < 0 {
			delete(a.owner, id)
		}
		a.mu.Unlock()
	}
}

// ask asks for the columns of the table, in every way there is: no answer has one that
// is not there yet, or none that was asked for.
func (a *accounts) ask(stop chan struct{}) {
	known := map[string]bool{"id": true, "owner": true, "amount": true, "state": true}
	for {
		for _, query := range []string{
			"SHOW COLUMNS FROM shop.account",
			"SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'shop' AND TABLE_NAME = 'account'",
		} {
			for _, name := range a.first(query) {
				if !known[name] {
					a.t.Errorf("%s: %s", query, name)
				}
			}
		}
		rows, err := a.db.QueryContext(context.Background(), "SELECT * FROM shop.account WHERE id = 1")
		if err != nil {
			a.t.Error(err)
			return
		}
		if names, err := rows.Columns(); err != nil || len(names) < 3 || len(names) > 4 || !known[names[len(names)-1]] {
			a.t.Errorf("SELECT * has columns %v: %v", names, err)
		}
		if err := rows.Close(); err != nil {
			a.t.Error(err)
		}
		select {
		case <-stop:
			return
		default:
		}
	}
}

// first are the cells of the first column.
func (a *accounts) first(query string) (all []string) {
	rows, err := a.db.QueryContext(context.Background(), query)
	if err != nil {
		a.t.Errorf("%s: %v", query, err)
		return nil
	}
	defer func() { _ = rows.Close() }()
	columns, _ := rows.Columns()
	for rows.Next() {
		cells := make([]sql.RawBytes, len(columns))
		into := make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			a.t.Error(err)
		}
		all = append(all, string(cells[0]))
	}
	if err := rows.Err(); err != nil || len(all) == 0 {
		a.t.Errorf("%s: %d rows, %v", query, len(all), err)
	}
	return all
}

// has reads a row's owner.
func (a *accounts) has(id, owner int) bool {
	var found int
	err := a.db.QueryRowContext(context.Background(), "SELECT owner FROM shop.account WHERE id = ?", id).Scan(&found)
	return err == nil && found == owner
}

// look has the server find the rows of each owner by the tokens.
func (a *accounts) look() {
	a.t.Helper()
	for owner := range 100 {
		want := map[int]bool{}
		for id, of := range a.owner {
			if of == owner {
				want[id] = true
			}
		}
		for _, id := range a.ids("SELECT id FROM shop.account WHERE owner = ? AND state = 'open'", owner) {
			if !want[id] {
				a.t.Errorf("row %d is found for owner %d, which has another", id, owner)
			}
			delete(want, id)
		}
		if len(want) > 0 {
			a.t.Errorf("%d rows of owner %d are not found", len(want), owner)
		}
	}
	if found := a.ids("SELECT id FROM shop.account WHERE amount > ? AND owner IS NOT NULL ORDER BY amount", 0); len(found) != len(a.owner) {
		a.t.Errorf("%d rows of %d are found by their order", len(found), len(a.owner))
	}
}

func (a *accounts) ids(query string, args ...any) (all []int) {
	a.t.Helper()
	rows, err := a.db.QueryContext(context.Background(), query, args...)
	if err != nil {
		a.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			a.t.Fatal(err)
		}
		all = append(all, id)
	}
	if err := rows.Err(); err != nil {
		a.t.Fatal(err)
	}
	return all
}
