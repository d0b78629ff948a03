package server

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tunic/internal/sandbox"
)

// TestTransactionEndedQuietly: a node of Galera that ends a transaction while it prepares a
// statement with a result says nothing of it. The client is told, as if it had.
func TestTransactionEndedQuietly(t *testing.T) {
	e := newEnded(t, sandbox.MariaDB, true, false)
	struck := 0
	for _, shape := range append(slices.Clone(endedShapes), "SELECT id, n FROM k WHERE id = 2 FOR UPDATE") {
		all := e.without(shape, true, true)
		for _, begin := range []string{"BEGIN", "SET autocommit = 0", "SET autocommit = 0; an error"} {
			for at := 0; e.quietly(begin, shape, all, at); at++ {
				struck++
			}
		}
	}
	if struck == 0 {
		t.Error("nothing is prepared that has a result")
	}
}

// quietly has the transaction ended behind a preparation within a statement; false says that it
// has not so many.
func (e *ended) quietly(begin, shape string, all []string, at int) bool {
	e.t.Helper()
	what := fmt.Sprintf("%s; %s, preparation %d", begin, shape, at)
	e.begin(shape)
	before := e.rows()
	start, fails := begin, false
	if begin == "SET autocommit = 0; an error" {
		start, fails = "SET autocommit = 0", true
	}
	for _, text := range []string{start, first} {
		if err := e.run(text, false); err != nil {
			e.t.Fatalf("%s: %v", text, err)
		}
	}
	if fails && e.run("INSERT INTO k (id, n, s) VALUES (1, 1, 'there')", false) == nil {
		e.t.Fatal("a row is there twice")
	}
	e.ender.armQuietly(at)
	err := e.run(shape, true)
	if err == nil {
		err = e.run("COMMIT", false)
	}
	_, hit := e.ender.disarm()
	want := all
	if hit {
		e.told(what, err, 1213)
		want = before
		_ = e.run("ROLLBACK", false)
	} else if err != nil {
		e.t.Errorf("%s: %v", what, err)
	}
	_, _ = e.conn.ExecContext(context.Background(), "SET autocommit = 1")
	_ = e.conn.Close()
	if got := e.rows(); !slices.Equal(got, want) {
		e.t.Errorf("%s: the client was told %v; stored is %v, want %v", what, err, got, want)
	}
	return hit
}
