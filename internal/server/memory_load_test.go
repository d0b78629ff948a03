package server

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// memoryLoad is how many sessions send statements of how many bytes at a time, to a tunic that
// is to stay below so much memory.
type memoryLoad struct {
	sessions, bytes int
	memory          int64
}

// way is how a large statement is sent: what it writes to, and in which commands.
type way struct {
	name string
	// columns are those of the table, beside its id.
	columns string
	// prepares is the text of a prepared statement, "" for statements that are texts.
	prepares string
	// commands are the packets of one statement of about so many bytes, the
	// last of which is answered.
	commands func(bytes int) [][]byte
	rows     func(bytes int) int // that one statement writes
}

const (
	protectedColumns = "v LONGTEXT"
	plainColumns     = "v LONGTEXT COMMENT 'tunic: plain'"
	insertsOne       = "INSERT INTO large (v) VALUES (?)"
	// rowBytes is the length of a value where a statement has many of them.
	rowBytes = 1000
	// numberShare is how many bytes of another statement stand for one number: the stored forms of
	// so many numbers take as much memory, and the server has not a hundred million rows to insert.
	numberShare = 100
)

func one(int) int { return 1 }

// asText is an INSERT of one value.
func asText(n int) [][]byte {
	return [][]byte{wrapped("\x03INSERT INTO large (v) VALUES ('", n, "')")}
}

// asRows is an INSERT of many values.
func asRows(n int) [][]byte {
	row := wrapped("('", rowBytes, "'),")
	all := append([]byte("\x03INSERT INTO large (v) VALUES "), bytes.Repeat(row, n/rowBytes)...)
	return [][]byte{all[:len(all)-1]}
}

// asNumbers is an INSERT of values that take many times more in their stored form.
func asNumbers(n int) [][]byte {
	all := append([]byte("\x03INSERT INTO large (v) VALUES "), bytes.Repeat([]byte("(1),"), n/numberShare)...)
	return [][]byte{all[:len(all)-1]}
}

// asParameter executes with the value in the command.
func asParameter(n int) [][]byte {
	head := append(executeHead(wire.LastPrepared), 0xfe)
	head = binary.LittleEndian.AppendUint64(head, uint64(n))
	return [][]byte{wrapped(string(head), n, "")}
}

// asLongData sends the value ahead, in parts.
func asLongData(n int) [][]byte {
	var all [][]byte
	const part = 15 * mebibyte
	for ; n > 0; n -= part {
		head := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtLongData)}, wire.LastPrepared)
		all = append(all, wrapped(string(append(head, 0, 0)), min(n, part), ""))
	}
	return append(all, executeHead(wire.LastPrepared))
}

// executeHead executes a statement with one string, which is to follow.
func executeHead(statement uint32) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtExecute)}, statement)
	return append(b, 0, 1, 0, 0, 0, 0, 1, byte(wire.TypeVarString), 0)
}

// wrapped is n letters between two texts.
func wrapped(before string, n int, behind string) []byte {
	return append(append([]byte(before), bytes.Repeat([]byte("x"), n)...), behind...)
}

var ways = []way{
	{"plain text", plainColumns, "", asText, one},
	{"plain rows", plainColumns, "", asRows, func(n int) int { return n / rowBytes }},
	{"plain parameter", plainColumns, insertsOne, asParameter, one},
	{"plain long data", plainColumns, insertsOne, asLongData, one},
	{"protected text", protectedColumns, "", asText, one},
	{"protected rows", protectedColumns, "", asRows, func(n int) int { return n / rowBytes }},
	{"protected numbers", "v INT", "", asNumbers, func(n int) int { return n / numberShare }},
	{"protected parameter", protectedColumns, insertsOne, asParameter, one},
	{"protected long data", protectedColumns, insertsOne, asLongData, one},
}

// TestMemoryStaysBelow: many sessions send large statements at once, to protected and to plain
// tables, as texts and prepared. Tunic takes no more memory than it was given, each statement is
// done or refused with TUNIC-4008, and small statements about a protected table are served
// meanwhile, which they are not by a tunic that is late for its lease.
func TestMemoryStaysBelow(t *testing.T) {
	if racetest.On {
		t.Skip("skipped: the race detector's memory is not tunic's")
	}
	load := memoryLoad{sessions: 8, bytes: 20 * mebibyte, memory: 512 * mebibyte}
	all := []way{ways[0], ways[4], ways[8]}
	if os.Getenv("TUNIC_LONG") != "" {
		load, all = memoryLoad{sessions: 40, bytes: 60 * mebibyte, memory: 2048 * mebibyte}, ways
	}
	server := sandboxtest.Start(t, sandbox.MariaDB, sandboxtest.Volatile, sandboxtest.Args("--max-allowed-packet=1G", "--innodb-log-file-size=1G"))
	for _, w := range all {
		t.Run(w.name, func(t *testing.T) { load.staysBelow(t, server, w) })
	}
}

// staysBelow sends the statements of one way.
func (l memoryLoad) staysBelow(t *testing.T, server *sandbox.Server, w way) {
	if err := server.Exec(t.Context(), "DROP DATABASE IF EXISTS _tunic", "DROP DATABASE IF EXISTS test", "CREATE DATABASE test"); err != nil {
		t.Fatal(err)
	}
	proxy, err := sandbox.StartTunic(t.Context(), sandbox.TunicOptions{Backend: server.Addr, Protect: true, Args: []string{"--memory", fmt.Sprint(l.memory)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = proxy.Stop() })
	first := lasting(t, proxy.Addr)
	run(t, first, "CREATE TABLE small (id INT PRIMARY KEY COMMENT 'tunic: plain', v VARCHAR(20))")
	run(t, first, "INSERT INTO small VALUES (1, 'wren')")
	run(t, first, "CREATE TABLE large (id INT PRIMARY KEY AUTO_INCREMENT COMMENT 'tunic: plain', "+w.columns+")")
	served := besideLoad(t, first)
	begin := time.Now()
	done, refused := l.send(t, proxy.Addr, w)
	small := served()
	peak, err := sandbox.PeakRSS(proxy.PID)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d done, %d refused in %s, %d small ones beside them, at most %d MiB resident", done, refused, time.Since(begin).Round(time.Second), small, peak/mebibyte)
	if peak > l.memory {
		t.Errorf("%d MiB resident, more than the %d of --memory", peak/mebibyte, l.memory/mebibyte)
	}
	if done == 0 {
		t.Error("none was done")
	}
	if got, want := textAt(t, first, "SELECT COUNT(*) FROM large"), fmt.Sprint(done*w.rows(l.bytes)); got != want {
		t.Errorf("%s rows, want %s", got, want)
	}
}

// lasting is app without a deadline.
func lasting(t *testing.T, addr string) *wiretest.Peer {
	t.Helper()
	peer := app(t, addr)
	_ = peer.Net.SetDeadline(time.Time{})
	return peer
}

func textAt(t *testing.T, peer *wiretest.Peer, query string) string {
	t.Helper()
	rows, err := run(t, peer, query)[0].Text()
	if err != nil || len(rows) != 1 {
		t.Fatalf("%s: %v", query, err)
	}
	return rows[0][0]
}

// besideLoad reads a row of a protected table again and again until it is asked how often it
// has.
func besideLoad(t *testing.T, peer *wiretest.Peer) (served func() int) {
	end, count := make(chan struct{}), make(chan int)
	go func() {
		for n := 0; ; n++ {
			sets, err := peer.Query("SELECT v FROM small WHERE id = 1")
			if err == nil {
				if rows, _ := sets[0].Text(); len(rows) != 1 || rows[0][0] != "wren" {
					err = fmt.Errorf("rows %q", rows)
				}
			}
			if err != nil {
				t.Errorf("a small statement: %v", err)
			}
			select {
			case <-end:
				count <- n
				return
			default:
			}
		}
	}()
	return func() int { close(end); return <-count }
}

// send has each session send a statement until it is done, and counts how many were and how
// often one was refused.
func (l memoryLoad) send(t *testing.T, addr string, w way) (done, refused int) {
	commands := framesOf(w.commands(l.bytes))
	var mu sync.Mutex
	var group sync.WaitGroup
	others := map[string]int{}
	for range l.sessions {
		peer := lasting(t, addr)
		if w.prepares != "" {
			prepare(t, peer, w.prepares)
		}
		group.Go(func() {
			for again := true; again; {
				err := sendLarge(peer, commands)
				refusal, ok := errors.AsType[*wiretest.ServerError](err)
				mu.Lock()
				switch again = false; {
				case err == nil:
					done++
				case ok && strings.Contains(refusal.Message, "TUNIC-4008"):
					refused++
					again = true
				default:
					others[err.Error()]++
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	for text, n := range others {
		t.Errorf("%d large statements: %s", n, text)
	}
	return done, refused
}

// framesOf are commands as they are sent.
func framesOf(commands [][]byte) (all [][]byte) {
	for _, c := range commands {
		frames, _ := wire.AppendPacket(nil, c, 0)
		all = append(all, frames)
	}
	return all
}

// sendLarge sends commands as the frames that they are, and reads the answer to the last one.
func sendLarge(peer *wiretest.Peer, commands [][]byte) error {
	for _, frames := range commands {
		if _, err := peer.Net.Write(frames); err != nil {
			return err
		}
		peer.Wire.SetSequence(uint8(1 + len(frames)/(wire.HeaderBytes+wire.FrameBytesMax)))
	}
	_, err := peer.ReadAnswer(wire.ComQuery, nil)
	return err
}

// prepare prepares a statement and returns its number.
func prepare(t *testing.T, peer *wiretest.Peer, text string) uint32 {
	t.Helper()
	if err := peer.Command(append([]byte{byte(wire.ComStmtPrepare)}, text...)); err != nil {
		t.Fatal(err)
	}
	sets, err := peer.ReadAnswer(wire.ComStmtPrepare, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sets[0].Statement
}
