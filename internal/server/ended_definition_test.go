package server

import (
	"fmt"
	"testing"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// endingShapes are statements that end a transaction by themselves, and take tunic several commands;
// back are those that make it possible to run them again.
var endingShapes = []struct {
	text string
	back []string
}{
	{"LOCK TABLES l WRITE", nil},
	{"LOCK TABLES l READ, k WRITE", nil},
	{"ALTER TABLE l ADD COLUMN x INT", []string{"ALTER TABLE l DROP COLUMN IF EXISTS x"}},
	{"ALTER TABLE l ADD KEY kn (n)", []string{"ALTER TABLE l DROP KEY IF EXISTS kn"}},
	{"CREATE TABLE m (id INT PRIMARY KEY, n INT, KEY (n))", []string{"DROP TABLE IF EXISTS m"}},
	{"CREATE TABLE IF NOT EXISTS m SELECT id, n FROM l", []string{"DROP TABLE IF EXISTS m"}},
	{"DROP TABLE l", []string{"CREATE TABLE IF NOT EXISTS l (id INT PRIMARY KEY, n INT)"}},
	{"TRUNCATE TABLE l", nil},
	{"RENAME TABLE l TO l2", []string{"DROP TABLE IF EXISTS l2", "CREATE TABLE IF NOT EXISTS l (id INT PRIMARY KEY, n INT)"}},
	{"CREATE OR REPLACE VIEW v AS SELECT id, n FROM l", []string{"DROP VIEW IF EXISTS v"}},
	{"BEGIN", nil},
	{"SET autocommit = 1", nil},
}

// TestTransactionEndedBeforeDefinition: a statement that commits by itself is not acknowledged where the
// server has ended the transaction before it, in the answer to a command of tunic's.
func TestTransactionEndedBeforeDefinition(t *testing.T) {
	racetest.InOrder(t)
	e := newEnded(t, sandbox.MariaDB, false, false)
	for _, shape := range endingShapes {
		for at := 0; ; at++ {
			if !e.beforeDefinition(fmt.Sprintf("%s, command %d", shape.text, at), shape.text, at) {
				break
			}
			mustExec(t, e.sure, shape.back...)
		}
		mustExec(t, e.sure, shape.back...)
	}
	for at := 0; e.beforeDefinition(fmt.Sprintf("other locks, command %d", at), "LOCK TABLES l WRITE", at, "LOCK TABLES k WRITE"); at++ {
	}
}

// beforeDefinition has a transaction, behind other statements, that is ended within a statement that
// commits; false says that it has not so many commands.
func (e *ended) beforeDefinition(what, shape string, at int, before ...string) bool {
	e.t.Helper()
	e.begin(shape)
	defer e.conn.Close()
	for _, text := range append(append([]string{"SET autocommit = 0"}, before...), first) {
		if err := e.run(text, false); err != nil {
			e.t.Fatalf("%s: %v", text, err)
		}
	}
	e.ender.arm(at, endedErrors[0], true)
	err := e.run(shape, false)
	command, hit := e.ender.disarm()
	for _, text := range []string{"ROLLBACK", "UNLOCK TABLES", "SET autocommit = 1"} {
		_ = e.run(text, false)
	}
	stored := textOf(e.t, e.sure, "SELECT s FROM k WHERE id = 1")[0] == "first"
	if (err == nil) != stored && (err == nil || !hit) {
		e.t.Errorf("%s, %s: the client was told %v; stored: %t", what, command, err, stored)
	}
	return hit
}
