package server

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// withoutDeprecateEOF listens before a server and takes DEPRECATE_EOF out of
// its greeting, so that it behaves as servers did before MySQL 5.7.
func withoutDeprecateEOF(t *testing.T, server string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go relayOldGreeting(conn, server)
		}
	}()
	return listener.Addr().String()
}

func relayOldGreeting(client net.Conn, address string) {
	defer client.Close()
	server, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer server.Close()
	greeter := wire.NewConn(server, wire.PacketBytesMax)
	payload, err := greeter.ReadPacket()
	if err != nil {
		return
	}
	greeting, err := wire.DecodeHandshake(payload)
	if err != nil {
		return
	}
	greeting.Capabilities &^= wire.ClientDeprecateEOF
	if wire.NewConn(client, wire.PacketBytesMax).Send(greeting) != nil {
		return
	}
	go func() { _, _ = io.Copy(server, client); _ = server.Close() }()
	_, _ = io.Copy(client, server)
}

// TestDeprecateEOFTranslated: a client that expects no EOFs gets the answers of
// a server that sends them as if the server had sent none.
func TestDeprecateEOFTranslated(t *testing.T) {
	server := mariaDB(t)
	cfg := proxySettings(t, withoutDeprecateEOF(t, server.Addr))
	_, through := startProxy(t, cfg)
	want := scenario(t, server.Addr)
	got := scenario(t, through)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("directly (-) and translated (+):\n%s", diff)
	}
}

// heard is what a client hears in answer to one command.
type heard struct {
	What    string
	Sets    []set
	Failure string
}

// statementNumber is what the server counts over all its connections.
var statementNumber = regexp.MustCompile(`statement \(\d+\)`)

// set is a result without what differs from run to run.
type set struct {
	Definitions, Rows [][]byte
	Columns, Params   int
	Status            wire.Status
	AffectedRows      uint64
}

// scenario runs every form of answer that has an EOF in it.
func scenario(t *testing.T, addr string) []heard {
	t.Helper()
	peer, err := wiretest.Client{User: "app", Password: "app", Database: "test"}.Dial(context.Background(), addr)
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	if !peer.Caps.Has(wire.ClientDeprecateEOF) {
		t.Fatal("DEPRECATE_EOF is not offered")
	}
	s := &script{t: t, peer: peer}
	s.query("DROP TABLE IF EXISTS translated")
	s.query("CREATE TABLE translated (a INT, b MEDIUMTEXT)")
	s.query("INSERT INTO translated VALUES (1, 'one'), (2, NULL), (3, REPEAT('x', 100000))")
	s.query("SELECT * FROM translated ORDER BY a")
	s.query("SELECT * FROM translated WHERE a > 10")
	s.query("SELECT a FROM translated; SELECT b FROM translated WHERE a = 1; DO 1; SELECT nothing FROM nowhere")
	s.query("SELECT a, IF(a = 2, (SELECT 1 UNION SELECT 2), 0) FROM translated ORDER BY a")
	s.command("field list", wire.ComFieldList, []byte("translated\x00"))
	s.command("set option", wire.ComSetOption, []byte{0, 0})
	s.command("ping", wire.ComPing, nil)
	s.command("statistics of a failed prepare", wire.ComStmtPrepare, []byte("SELECT FROM"))
	s.prepared("SELECT * FROM translated WHERE a < ? ORDER BY a")
	s.file("LOAD DATA LOCAL INFILE 'x' INTO TABLE translated (a, b)", []byte("7\tseven\n8\teight\n"))
	s.query("SELECT COUNT(*) FROM translated")
	return s.all
}

// script collects what one client hears.
type script struct {
	t    *testing.T
	peer *wiretest.Peer
	all  []heard
}

func (s *script) hear(what string, sets []wiretest.Set, err error) []wiretest.Set {
	h := heard{What: what}
	for _, r := range sets {
		h.Sets = append(h.Sets, set{r.Definitions, r.Rows, r.Columns, r.Params, r.Status, r.OK.AffectedRows})
	}
	if err != nil {
		h.Failure = statementNumber.ReplaceAllString(err.Error(), "statement (n)")
	}
	s.all = append(s.all, h)
	return sets
}

func (s *script) query(text string) {
	sets, err := s.peer.Query(text)
	s.hear(text, sets, err)
}

func (s *script) file(text string, content []byte) {
	sets, err := s.peer.QueryFile(text, content)
	s.hear(text, sets, err)
}

func (s *script) command(what string, command wire.Command, body []byte) []wiretest.Set {
	if err := s.peer.Command(append([]byte{byte(command)}, body...)); err != nil {
		s.t.Fatal(what, err)
	}
	sets, err := s.peer.ReadAnswer(command, nil)
	return s.hear(what, sets, err)
}

// prepared runs a statement of one integer parameter directly and by a cursor.
func (s *script) prepared(text string) {
	sets := s.command("prepare", wire.ComStmtPrepare, []byte(text))
	if len(sets) == 0 {
		s.t.Fatal("the statement was not prepared")
	}
	id := binary.LittleEndian.AppendUint32(nil, sets[0].Statement)
	for _, cursor := range []byte{0, 1} {
		body := append(append([]byte{}, id...), cursor, 1, 0, 0, 0, 0, 1, byte(wire.TypeTiny), 0, 3)
		s.command("execute", wire.ComStmtExecute, body)
	}
	for range 3 {
		s.command("fetch", wire.ComStmtFetch, append(append([]byte{}, id...), 1, 0, 0, 0))
	}
	s.command("reset", wire.ComStmtReset, id)
}
