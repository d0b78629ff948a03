package server

import (
	"encoding/binary"
	"strings"
	"testing"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// TestExplainOnTheWire: a prepared EXPLAIN is executed again and again by clients of
// several kinds: those that keep definitions, that expect EOF packets, and that ask
// for a cursor, which is not opened.
func TestExplainOnTheWire(t *testing.T) {
	racetest.InOrder(t)
	const query = "EXPLAIN FORMAT=TRADITIONAL SELECT note FROM person WHERE name = ?"
	for flavor, clients := range map[sandbox.Flavor][]wire.Capability{
		sandbox.MariaDB: {
			wiretest.ClientCaps, wiretest.ClientCaps &^ wire.ClientDeprecateEOF,
			wiretest.ClientCaps&^wire.ClientMySQL | wire.MariaDBExtendedMetadata | wire.MariaDBCacheMetadata,
			wiretest.ClientCaps&^(wire.ClientMySQL|wire.ClientDeprecateEOF) | wire.MariaDBCacheMetadata,
		},
		sandbox.MySQL: {wiretest.ClientCaps, wiretest.ClientCaps &^ wire.ClientDeprecateEOF},
	} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			mustExec(t, through(t, proxy.Addr().String()),
				"CREATE TABLE person (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(40) UNIQUE, note TEXT)",
				"INSERT INTO person (name, note) VALUES ('Canary', 'x'), ('Other', 'y')")
			for _, caps := range clients {
				p, err := wiretest.Client{User: "app", Password: "app", Database: "test", Caps: caps}.Dial(t.Context(), proxy.Addr().String())
				if err != nil {
					t.Fatal(err)
				}
				executeExplained(t, p, query)
				if err := p.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// executeExplained prepares the query and executes it with a name, without types the
// second time, and with a cursor the third.
func executeExplained(t *testing.T, p *wiretest.Peer, query string) {
	t.Helper()
	if err := p.Command(append([]byte{byte(wire.ComStmtPrepare)}, query...)); err != nil {
		t.Fatal(err)
	}
	sets, err := p.ReadAnswer(wire.ComStmtPrepare, nil)
	if err != nil || len(sets) != 1 || sets[0].Params != 1 {
		t.Fatalf("%+v, %v", sets, err)
	}
	const name = "\x06Canary"
	for i, rest := range []string{"\x00\x01\x00\x00\x00\x00\x01\xfd\x00" + name, "\x00\x01\x00\x00\x00\x00\x00" + name, "\x01\x01\x00\x00\x00\x00\x00" + name} {
		command := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtExecute)}, sets[0].Statement)
		if err := p.Command(append(command, rest...)); err != nil {
			t.Fatal(err)
		}
		answer, err := p.ReadAnswer(wire.ComStmtExecute, nil)
		if err != nil || len(answer) != 1 {
			t.Fatalf("execution %d: %+v, %v", i, answer, err)
		}
		rows := answer[0].Rows
		if len(rows) != 5 || !strings.Contains(string(rows[1]), "remote: select `note` from `person` where `name$eq` = <equality of name>") {
			t.Errorf("execution %d: %d rows: %q", i, len(rows), rows)
		}
	}
	if sets, err := p.Query("SELECT 1"); err != nil || len(sets) != 1 {
		t.Errorf("afterwards: %v", err)
	}
}
