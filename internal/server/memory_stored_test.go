package server

import (
	"bytes"
	"testing"
	"time"

	"tunic/internal/racetest"
)

// TestLongStoredStatementsCount: a statement whose stored form is many times as long takes memory
// for that as well, and is refused where there is none.
func TestLongStoredStatementsCount(t *testing.T) {
	racetest.InOrder(t)
	onAhead(t, time.Minute, func(b *aheadBench) {
		run(b.T, b.peer, "CREATE TABLE numbers (id INT PRIMARY KEY AUTO_INCREMENT COMMENT 'tunic: plain', v INT)")
		rest := b.proxy.memory.Bytes() - 80*mebibyte
		b.proxy.memory.TryTake(rest)
		text := append([]byte("INSERT INTO numbers (v) VALUES "), bytes.Repeat([]byte("(1),"), 800_000)...)
		_, err := b.peer.Query(string(text[:len(text)-1]))
		b.refused("a statement", err)
		run(b.T, b.peer, "INSERT INTO numbers (v) VALUES (1)")
		b.proxy.memory.Give(rest)
		is(b.T, "rows", []string{textAt(b.T, b.peer, "SELECT COUNT(*) FROM numbers")}, "1")
	})
}
