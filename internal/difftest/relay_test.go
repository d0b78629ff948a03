package difftest

import (
	"encoding/binary"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// fault changes an answer on its way to the client. Those without a match let
// the packet pass.
type fault struct {
	name   string
	field  string // what the harness must name
	match  func(payload []byte) bool
	change func(payload []byte) // in place; nil with drop or rest
	drop   bool                 // leave the packet out
	rest   bool                 // leave out what follows it, too
	sent   func(payload []byte) // changes a command on its way to the server
}

// relay stands between clients and a server, and lies as its fault says.
type relay struct {
	listener net.Listener
	backend  string
	fault    fault
	hits     atomic.Int64
	links    sync.WaitGroup
}

func startRelay(t *testing.T, backend string, f fault) *relay {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{listener: listener, backend: backend, fault: f}
	r.links.Go(r.accept)
	t.Cleanup(func() {
		listener.Close()
		r.links.Wait()
	})
	return r
}

func (r *relay) accept() {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", r.backend)
		if err != nil {
			client.Close()
			continue
		}
		l := &link{relay: r}
		r.links.Go(func() { l.copy(server, client, l.command) })
		r.links.Go(func() { l.copy(client, server, l.answer) })
	}
}

// link is one connection through the relay.
type link struct {
	relay   *relay
	dropped uint8 // packets left out of the present answer
	silent  bool  // the rest of the answer is left out
}

const frameHeaderBytes = 4

// copy passes on packets, each through do, until one end closes.
func (l *link) copy(to, from net.Conn, do func(frame []byte) (pass bool)) {
	defer to.Close()
	defer from.Close()
	for {
		frame := make([]byte, frameHeaderBytes)
		if _, err := io.ReadFull(from, frame); err != nil {
			return
		}
		frame = append(frame, make([]byte, length24(frame))...)
		if _, err := io.ReadFull(from, frame[frameHeaderBytes:]); err != nil {
			return
		}
		if !do(frame) {
			continue
		}
		if _, err := to.Write(frame); err != nil {
			return
		}
	}
}

func (l *link) command(frame []byte) bool {
	f := l.relay.fault
	if payload := frame[frameHeaderBytes:]; f.sent != nil && f.match(payload) {
		l.relay.hits.Add(1)
		f.sent(payload)
	}
	return true
}

// answer applies the fault, and numbers what is left without a gap.
func (l *link) answer(frame []byte) bool {
	const first = 1 // the number of an answer's first packet
	f, payload := l.relay.fault, frame[frameHeaderBytes:]
	if frame[3] == first {
		l.dropped, l.silent = 0, false
	}
	hit := f.sent == nil && f.match != nil && f.match(payload)
	if hit {
		l.relay.hits.Add(1)
		if f.change != nil {
			f.change(payload)
		}
	}
	if hit && f.drop || l.silent {
		l.dropped++
		return false
	}
	l.silent = hit && f.rest
	frame[3] -= l.dropped
	return true
}

// counters are the status and warnings of an OK whose counts take one byte each.
func counters(ok []byte) (status, warnings []byte) { return ok[3:5], ok[5:7] }

// flip changes a little-endian number of two bytes.
func flip(b []byte, mask uint16) {
	binary.LittleEndian.PutUint16(b, binary.LittleEndian.Uint16(b)^mask)
}
