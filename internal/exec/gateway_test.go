package exec

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"

	"tunic/internal/backend"
	"tunic/internal/plan/build"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// gateway is a session as small as a test can have it: it logs a client in, and
// carries out every statement that names a table of the catalog.
type gateway struct {
	*rig
	spy      *spy // the rig's when it began to listen
	client   *wire.Conn
	server   *backend.Conn
	caps     wire.Capability
	response wire.Response
	session  *Session
	modes    sql.Modes
	fp       sql.Fingerprinter
	prepared map[uint32]*Prepared

	mu    sync.Mutex
	plans map[string]*recipe.Run
}

// listen serves clients until the test ends, and returns where.
func (r *rig) listen() string {
	r.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		r.t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Add(1)
	seen := r.spy
	go func() {
		defer serving.Done()
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serving.Add(1)
			go func() {
				defer serving.Done()
				g := &gateway{rig: r, spy: seen, client: wire.NewConn(conn, wire.PacketBytesMax), prepared: map[uint32]*Prepared{}, plans: map[string]*recipe.Run{}}
				g.serve()
				_ = conn.Close()
			}()
		}
	}()
	r.t.Cleanup(func() { _ = l.Close(); serving.Wait() })
	return l.Addr().String()
}

func (g *gateway) serve() {
	var err error
	if g.server, err = g.target.Dial(g.t.Context()); err != nil {
		return
	}
	defer g.server.Close()
	if g.login() != nil {
		return
	}
	if after := g.cutAfter.Load(); after > 0 {
		if err := g.server.SetTransport(&cutter{g.server.Transport(), int(after)}); err != nil {
			return
		}
	}
	g.modes = sql.Modes(0).WithServer(string(g.server.Handshake.Version)).WithCharset("utf8mb4")
	g.fp.Record(true)
	link := Link{
		Client: g.client, Caps: g.caps, Server: g.server, Response: &g.response, Waiter: waits{client: g.client}, Modes: g.modes, Owner: owner{},
	}
	if g.spy != nil {
		link.Waiter, link.Owner = waits{g.client, g.spy.killed}, owner{spy: g.spy}
		if err := g.server.SetTransport(spied{g.server.Transport(), g.spy}); err != nil {
			return
		}
	}
	g.session = NewSession(g.engine, link)
	for {
		g.client.SetSequence(0)
		payload, err := g.client.ReadPacket()
		if err != nil || len(payload) == 0 || wire.Command(payload[0]) == wire.ComQuit {
			return
		}
		err = g.command(payload)
		if refusal, ok := errors.AsType[*sqlerr.Error](err); ok {
			g.client.WriteMessage(wire.Err{Number: refusal.Number, State: refusal.State, Message: []byte(refusal.Message)})
			err = g.client.Flush()
		}
		if err != nil {
			fmt.Fprintln(&g.log, err)
			return
		}
	}
}

// login passes the login on.
func (g *gateway) login() error {
	greeting := g.server.Handshake
	greeting.Capabilities &^= wire.ClientSSL | wire.ClientCompress | wire.ClientZstdCompression | wire.MariaDBBulkOperations
	if err := g.client.Send(greeting); err != nil {
		return err
	}
	payload, err := g.client.ReadPacket()
	if err != nil {
		return err
	}
	login, err := wire.DecodeLogin(bytes.Clone(payload))
	if err != nil {
		return err
	}
	g.caps = login.Capabilities & greeting.Capabilities
	if err := g.server.Greet(g.t.Context(), login); err != nil {
		return err
	}
	for {
		payload, err := g.server.ReadPacket()
		if err != nil {
			return err
		}
		kind, data := wire.ClassifyAuth(payload)
		g.client.WritePacket(payload)
		if err := g.client.Flush(); err != nil || kind == wire.AuthErr {
			return errors.Join(err, errors.New("denied"))
		}
		if kind == wire.AuthOK {
			g.server.Admitted()
			return nil
		}
		if bytes.Equal(data, []byte{3}) {
			continue
		}
		answer, err := g.client.ReadPacket()
		if err != nil {
			return err
		}
		g.server.WritePacket(answer)
		if err := g.server.Flush(); err != nil {
			return err
		}
	}
}

func (g *gateway) command(payload []byte) error {
	command := wire.Command(payload[0])
	m, _ := wire.DecodeExecute(payload)
	switch command {
	case wire.ComStmtPrepare, wire.ComStmtClose:
	default:
		g.session.Recall().Next()
	}
	defer g.session.Recall().Settle()
	switch command {
	case wire.ComQuery:
		q, err := wire.DecodeQuery(payload, g.caps)
		if err != nil {
			return err
		}
		run, err := g.plan(q.Text)
		if err != nil {
			return err
		}
		if run == nil {
			g.session.Doubt()
			return g.relay(payload)
		}
		st, err := g.engine.Statement(run)
		if err != nil {
			return err
		}
		return g.session.Text(st, q, g.fp.Literals())
	case wire.ComStmtPrepare:
		run, err := g.plan(payload[1:])
		if err != nil || run == nil {
			return errors.Join(err, g.relay(payload))
		}
		st, err := g.engine.Statement(run)
		if err != nil {
			return err
		}
		p, err := g.session.Prepare(st, payload[1:], g.fp.Literals())
		if p != nil {
			g.prepared[g.response.Prepared.ID] = p
		}
		return err
	}
	p := g.prepared[m.Statement]
	switch {
	case p == nil:
		return g.relay(payload)
	case command == wire.ComStmtExecute:
		return g.session.Execute(p, m)
	case command == wire.ComStmtFetch:
		return g.session.Fetch(p, payload)
	case command == wire.ComStmtLongData:
		p.LongData(m, 1<<20)
		return nil
	case command == wire.ComStmtReset:
		p.Reset()
	case command == wire.ComStmtClose:
		delete(g.prepared, m.Statement)
	}
	return g.relay(payload)
}

// relay passes a command and its answer on.
func (g *gateway) relay(payload []byte) error {
	g.server.SetSequence(0)
	g.server.WritePacket(payload)
	if err := g.server.Flush(); err != nil {
		return err
	}
	g.response.Begin(wire.Command(payload[0]), g.server.Capabilities, g.client.Sequence())
	if m, err := wire.DecodeExecute(payload); err == nil && m.AsksCursor() {
		g.response.MayOpenCursor()
	}
	for !g.response.Done() {
		n, err := g.response.Scan(g.server.Buffered())
		if err != nil {
			return err
		}
		if n > 0 {
			if err := g.client.WriteRaw(g.server.Buffered()[:n]); err != nil {
				return err
			}
			g.server.Advance(n)
		} else if err := g.server.Fill(); err != nil {
			return err
		}
	}
	return nil
}

// plan is the Run of a text, nil if it names no table of the catalog.
func (g *gateway) plan(text []byte) (*recipe.Run, error) {
	modes := g.modes
	if g.session.known {
		modes = g.session.env.Modes
	}
	f := g.fp.Fingerprint(text, modes)
	if !f.Clean {
		return nil, errors.New("unclean")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	key := string(f.Template)
	if run, ok := g.plans[key]; ok {
		return run, nil
	}
	all, err := sql.Parse(text, modes)
	if err != nil || len(all) != 1 || !all[0].Mentions(func(name []byte) bool { return g.catalog.Table("shop", string(name)) != nil }) {
		return nil, err
	}
	if !all[0].Kind.Reusable() || all[0].Kind == sql.ShowWarnings || all[0].Kind == sql.CreateTable || all[0].Kind == sql.LockTables {
		return nil, nil
	}
	tree, err := all[0].TreeWithPlaces(g.fp.Literals())
	if err != nil {
		return nil, err
	}
	run, err := build.Build(tree, g.catalog, "shop", modes)
	if err != nil {
		return nil, sqlerr.StatementRefused(err.Error())
	}
	g.plans[key] = run
	return run, nil
}

func collation(t testing.TB, f charset.Flavor, name string) *charset.Collation {
	t.Helper()
	c, ok := charset.Lookup(f, name)
	if !ok {
		t.Fatalf("no collation %s", name)
	}
	return c
}
