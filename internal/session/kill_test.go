package session

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"strconv"
	"testing"

	"tunic/internal/backend"
	"tunic/internal/kill"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
	"tunic/internal/waittest"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// killed is a client that sends KILL QUERYs for a connection that the server has, and what a session
// of that connection would be told by.
type killed struct {
	*asked
	victim kill.Target
	of     backend.Process
	id     string
}

func newKilled(t *testing.T, flavor value.Flavor) *killed {
	t.Helper()
	k := &killed{asked: newAsked(t, flavor, sandboxtest.Start(t, sandboxes[flavor]))}
	client, s, wait := startSession(t, k.shared)
	p := wiretest.NewPeer(client)
	if err := (wiretest.Client{User: "root", Password: "root"}).Login(p); err != nil {
		t.Fatal(err)
	}
	k.id = connectionOf(t, p)
	wait()
	k.of = s.server.Process()
	if got := strconv.FormatUint(k.of.Connection, 10); got != k.id || k.of.Server == "" {
		t.Fatalf("the server is %q, and the connection %s, want %s", k.of.Server, got, k.id)
	}
	k.id = connectionOf(t, k.direct)
	number, err := strconv.ParseUint(k.id, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	k.of.Connection = number
	k.shared.Kills.Enter(uint32(number), &k.victim)
	return k
}

// execute executes a prepared statement, with a value if it has a type.
func (k *killed) execute(t *testing.T, text string, typ wire.Type, bytes []byte) {
	t.Helper()
	number, err := prepareStatement(k.tunnel, text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	b := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtExecute)}, number)
	if b = append(b, 0, 1, 0, 0, 0); bytes != nil {
		b = append(append(b, 0, 1, byte(typ), 0), bytes...)
	}
	if err := k.tunnel.Command(b); err != nil {
		t.Fatal(err)
	}
	if _, err := k.tunnel.ReadAnswer(wire.ComStmtExecute, nil); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// TestToldOfKill: a session is told of each form of a KILL QUERY that says for which connection it is,
// once the server has carried it out, and of nothing else.
func TestToldOfKill(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(flavor.String(), func(t *testing.T) {
			k := newKilled(t, flavor)
			texts := func(all ...string) func(*testing.T) {
				return func(t *testing.T) {
					for _, text := range all {
						told(t, k.tunnel, text)
					}
				}
			}
			id, number := k.id, binary.LittleEndian.AppendUint64(nil, k.of.Connection)
			type form struct {
				what string
				do   func(*testing.T)
				told bool
			}
			cases := []form{
				{"text", texts("KILL QUERY " + id), true},
				{"one of several", texts("DO 1; KILL QUERY " + id + "; DO 2"), true},
				{"before one that fails", texts("KILL QUERY " + id + "; KILL QUERY 99999999"), true},
				{"behind one that fails", texts("KILL QUERY 99999999; KILL QUERY " + id), false},
				{"beside a statement that is carried out", texts("KILL QUERY " + id + "; SELECT COUNT(*) FROM visit"), true},
				{"behind rows", texts("SELECT 1; SELECT 2; KILL QUERY " + id), true},
				{"prepared", func(t *testing.T) { k.execute(t, "KILL QUERY "+id, 0, nil) }, true},
				{"EXECUTE", texts("PREPARE k FROM 'KILL QUERY "+id+"'", "EXECUTE k"), true},
				{"PREPARE alone", texts("PREPARE k FROM 'KILL QUERY " + id + "'"), false},
				{"another one of the name", texts("PREPARE k FROM 'KILL QUERY "+id+"'", "PREPARE k FROM 'DO 1'", "EXECUTE k"), false},
				{"of a connection", texts("KILL CONNECTION 99999999"), false},
				{"of another one", texts("KILL QUERY " + connectionOf(t, k.tunnel)), false},
			}
			if flavor == value.MariaDB { // MySQL has neither
				cases = append(cases, []form{
					{"a parameter", func(t *testing.T) { k.execute(t, "KILL QUERY ?", wire.TypeLongLong, number) }, true},
					{"a text as the parameter", func(t *testing.T) {
						k.execute(t, "KILL QUERY ?", wire.TypeVarString, wire.AppendLenencBytes(nil, []byte(id)))
					}, true},
					{"an expression", func(t *testing.T) { k.execute(t, "KILL QUERY ? + 0", wire.TypeLongLong, number) }, false},
					{"EXECUTE IMMEDIATE", texts("EXECUTE IMMEDIATE 'KILL QUERY " + id + "'"), true},
				}...)
			}
			for _, c := range cases {
				k.victim.Next()
				if k.victim.IsTold(k.of) {
					t.Fatalf("%s: the next command is told as well", c.what)
				}
				if c.do(t); k.victim.IsTold(k.of) != c.told {
					t.Errorf("%s: told: %t, want %t", c.what, !c.told, c.told)
				}
			}
		})
	}
}

// TestNotToldOfKill: the session of another server's connection of the same number is not told, nor one
// whose number has another upper half, nor is anybody of a KILL QUERY that the server refuses.
func TestNotToldOfKill(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(flavor.String(), func(t *testing.T) {
			k := newKilled(t, flavor)
			var elsewhere, upper, gone kill.Target
			const nobody = 99999999
			k.shared.Kills.Enter(uint32(k.of.Connection), &elsewhere)
			k.shared.Kills.Enter(uint32(k.of.Connection), &upper)
			k.shared.Kills.Enter(nobody, &gone)
			if err := k.server.Exec(t.Context(), "DROP USER IF EXISTS guest@'%'", "CREATE USER guest@'%' IDENTIFIED BY 'guest'", "GRANT SELECT ON shop.* TO guest@'%'", "GRANT SELECT ON plain.* TO guest@'%'"); err != nil {
				t.Fatal(err)
			}
			_, guest := k.connect(t, "guest", "guest")
			told(t, guest, "KILL QUERY "+k.id)
			if k.victim.IsTold(k.of) {
				t.Error("told of a KILL QUERY without the privilege")
			}
			told(t, k.tunnel, fmt.Sprintf("KILL QUERY %d", nobody))
			told(t, k.tunnel, "KILL QUERY "+k.id)
			if !k.victim.IsTold(k.of) {
				t.Error("not told")
			}
			if gone.IsTold(backend.Process{Server: k.of.Server, Connection: nobody}) {
				t.Error("told of a KILL QUERY that has failed")
			}
			if elsewhere.IsTold(backend.Process{Server: "another", Connection: k.of.Connection}) {
				t.Error("the connection of another server is told")
			}
			if upper.IsTold(backend.Process{Server: k.of.Server, Connection: k.of.Connection + 1<<32}) {
				t.Error("a connection with another upper half is told")
			}
			k.shared.Kills.Leave(uint32(k.of.Connection), &elsewhere)
			k.shared.Kills.Leave(uint32(k.of.Connection), &upper)
			k.victim.Next()
			if told(t, k.tunnel, "KILL QUERY "+k.id); !k.victim.IsTold(k.of) {
				t.Error("not told when others have left")
			}
		})
	}
}

// TestToldBeforeTheClient: a session has been told of a KILL QUERY before who has sent that gets the OK: on
// a connection that takes nothing until somebody reads, nobody does.
func TestToldBeforeTheClient(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(flavor.String(), func(t *testing.T) {
			k := newKilled(t, flavor)
			ours, theirs := net.Pipe()
			s := New(k.shared, theirs)
			done := make(chan struct{})
			go func() { s.Run(context.Background()); close(done) }()
			t.Cleanup(func() { _ = ours.Close(); <-done })
			k.tunnel = wiretest.NewPeer(ours)
			if err := (wiretest.Client{User: "root", Password: "root"}).Login(k.tunnel); err != nil {
				t.Fatal(err)
			}
			prepare := []string{"PREPARE k FROM 'KILL QUERY " + k.id + "'"}
			for _, text := range []string{"KILL QUERY " + k.id, "EXECUTE k"} {
				for _, p := range prepare {
					told(t, k.tunnel, p)
				}
				k.victim.Next()
				if err := k.tunnel.Command(wire.Query{Text: []byte(text)}.AppendQuery(nil, k.tunnel.Caps)); err != nil {
					t.Fatal(err)
				}
				waittest.Until(t, text+" is told of", func() bool { return k.victim.IsTold(k.of) })
				if _, err := k.tunnel.ReadAnswer(wire.ComQuery, nil); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestToldOfTheCommand: who has sent a command only when the KILL QUERY was at the server is not told of
// it: that was for the command before. And who is told is so at once, not when what follows has been done.
func TestToldOfTheCommand(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(flavor.String(), func(t *testing.T) {
			k := newKilled(t, flavor)
			_, holder := k.connect(t, "root", "root")
			waits := func() bool {
				return len(told(t, holder, "SELECT id FROM information_schema.processlist WHERE state LIKE 'User lock%'")) > 0
			}
			during := func(text string, do func()) {
				t.Helper()
				told(t, holder, "SELECT GET_LOCK('kill', 100)")
				done := make(chan error, 1)
				go func() {
					_, err := k.tunnel.Query(text)
					done <- err
				}()
				waittest.Until(t, text+" waits", waits)
				do()
				told(t, holder, "SELECT RELEASE_LOCK('kill')")
				if err := <-done; err != nil {
					t.Fatalf("%s: %v", text, err)
				}
			}
			const lock = "DO GET_LOCK('kill', 100), RELEASE_LOCK('kill')"
			during(lock+"; KILL QUERY "+k.id, func() { k.victim.Next() })
			if k.victim.IsTold(k.of) {
				t.Error("the next command is told")
			}
			during("KILL QUERY "+k.id+"; "+lock, func() {
				waittest.Until(t, "told", func() bool { return k.victim.IsTold(k.of) })
			})
		})
	}
}
