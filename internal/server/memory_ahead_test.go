package server

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	"tunic/internal/sandbox"
	"tunic/internal/waittest"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// aheadBench is a tunic that has some memory, and a client with a prepared statement that inserts
// a protected value.
type aheadBench struct {
	*testing.T
	proxy  *Server
	peer   *wiretest.Peer
	number uint32 // of the statement
}

// onAhead runs a test on both servers.
func onAhead(t *testing.T, sending time.Duration, test func(*aheadBench)) {
	t.Helper()
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			cfg.Limits.Memory = 1 << 30
			initLedger(t, cfg, kek)
			proxy, _ := serveChanged(t, cfg, kek, func(s *Server) { s.memory.Patience, s.memory.Sending = 50*time.Millisecond, sending })
			b := &aheadBench{T: t, proxy: proxy, peer: app(t, proxy.Addr().String())}
			run(t, b.peer, "CREATE TABLE large (id INT PRIMARY KEY AUTO_INCREMENT COMMENT 'tunic: plain', v LONGTEXT)")
			b.number = prepare(t, b.peer, insertsOne)
			test(b)
		})
	}
}

// ahead sends so many bytes ahead, in parts.
func (b *aheadBench) ahead(n, part int) {
	b.Helper()
	for ; n > 0; n -= part {
		head := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtLongData)}, b.number)
		if err := b.peer.Command(wrapped(string(append(head, 0, 0)), min(n, part), "")); err != nil {
			b.Fatal(err)
		}
	}
}

// execute executes the statement, with a value of its own where none was sent ahead.
func (b *aheadBench) execute(value string) error {
	b.Helper()
	if err := b.peer.Command(append(executeHead(b.number), value...)); err != nil {
		b.Fatal(err)
	}
	_, err := b.peer.ReadAnswer(wire.ComStmtExecute, nil)
	return err
}

// reset is COM_STMT_RESET.
func (b *aheadBench) reset() {
	b.Helper()
	if err := b.peer.Command(binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtReset)}, b.number)); err != nil {
		b.Fatal(err)
	}
	if _, err := b.peer.ReadAnswer(wire.ComStmtReset, nil); err != nil {
		b.Fatal(err)
	}
}

func (b *aheadBench) refused(what string, err error) {
	b.Helper()
	if refusal, ok := errors.AsType[*wiretest.ServerError](err); !ok || refusal.Number != 1041 || !strings.Contains(refusal.Message, "TUNIC-4008") {
		b.Errorf("%s: %v, want TUNIC-4008", what, err)
	}
}

// stored are the lengths of the values there, which are all of the letter x.
func (b *aheadBench) stored(want ...string) {
	b.Helper()
	rows, err := run(b.T, b.peer, "SELECT LENGTH(v), REPLACE(v, 'x', '') FROM large ORDER BY id")[0].Text()
	if err != nil {
		b.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, r[0]+r[1])
	}
	is(b.T, "lengths", got, want...)
}

// TestSentAheadSharesMemory: where no memory is left for parameters that are sent ahead, the
// execution is refused, whatever the size of the parts; the session goes on, and nothing of what was
// dropped comes into a value.
func TestSentAheadSharesMemory(t *testing.T) {
	onAhead(t, time.Minute, func(b *aheadBench) {
		rest := b.proxy.memory.Bytes()
		b.proxy.memory.TryTake(rest)
		for _, part := range []int{100_000, 3 * mebibyte} {
			b.ahead(4*mebibyte, part)
			b.refused("an execution", b.execute(""))
			if err := b.execute("\x03xxx"); err != nil {
				b.Error(err)
			}
			b.ahead(4*mebibyte, part)
			b.reset()
			b.ahead(500_000, 100_000) // too little to count
			if err := b.execute(""); err != nil {
				b.Error(err)
			}
		}
		b.proxy.memory.Give(rest)
		b.stored("3", "500000", "3", "500000")
		for _, part := range []int{100_000, 3 * mebibyte} {
			b.ahead(4*mebibyte, part)
			waittest.Until(b.T, "memory to be taken", func() bool { return b.proxy.memory.Taken() > 0 })
			if err := b.execute(""); err != nil {
				b.Error(err)
			}
			waittest.Until(b.T, "memory to be given back", func() bool { return b.proxy.memory.Taken() == 0 })
		}
		b.stored("3", "500000", "3", "500000", "4194304", "4194304")
	})
}

// TestSentAheadIsDropped: a client that sends parameters ahead and nothing behind them does not
// keep memory from others. Its execution is refused when it comes, and its session goes on.
func TestSentAheadIsDropped(t *testing.T) {
	onAhead(t, 200*time.Millisecond, func(b *aheadBench) {
		b.ahead(2*mebibyte, mebibyte)
		waittest.Until(b.T, "memory to be taken", func() bool { return b.proxy.memory.Taken() > 0 })
		waittest.Until(b.T, "memory to be given back", func() bool { return b.proxy.memory.Taken() == 0 })
		b.ahead(100, 100)
		b.refused("an execution", b.execute(""))
		if err := b.execute("\x03xxx"); err != nil {
			b.Error(err)
		}
		b.stored("3")
	})
}

// TestSentAheadIsForgotten: what was sent ahead of a statement that is closed, or of a session that
// ends, takes no memory any more.
func TestSentAheadIsForgotten(t *testing.T) {
	onAhead(t, time.Minute, func(b *aheadBench) {
		closes := func() {
			_ = b.peer.Command(binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtClose)}, b.number))
		}
		resets := func() {
			_ = b.peer.Command([]byte{byte(wire.ComResetConnection)})
			if _, err := b.peer.ReadAnswer(wire.ComResetConnection, nil); err != nil {
				b.Error(err)
			}
		}
		ends := func() { _ = b.peer.Close() }
		for _, end := range []func(){closes, resets, ends} {
			b.number = prepare(b.T, b.peer, insertsOne)
			b.ahead(2*mebibyte, mebibyte)
			waittest.Until(b.T, "memory to be taken", func() bool { return b.proxy.memory.Taken() > 0 })
			end()
			waittest.Until(b.T, "memory to be given back", func() bool { return b.proxy.memory.Taken() == 0 })
		}
	})
}

// TestLargePartEndsSession: a part of a parameter for the server, of which it proves only when it is read
// that it is too large, ends the session as one does that is not read: the client reads why as the
// answer to its next command, and no other answer in the place of another.
func TestLargePartEndsSession(t *testing.T) {
	cfg := proxySettings(t, database(t, sandbox.MariaDB).Addr)
	cfg.Limits.Memory = 256 * mebibyte
	_, addr := startProxy(t, cfg)
	b := &aheadBench{T: t, peer: app(t, addr)}
	b.number = prepare(t, b.peer, "SELECT LENGTH(?)")
	b.ahead(17*mebibyte, 17*mebibyte)
	_, err := b.peer.Query("SELECT 1")
	b.refused("the next command", err)
	if _, err := b.peer.Query("SELECT 1"); err == nil {
		t.Error("the session goes on without the part")
	}
}
