package session

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/ledger"
	"tunic/internal/value"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// cursor: a client that asks for a cursor gets the rows at once.
func (a *asked) cursor(t *testing.T) {
	const statement = "SELECT column_name, column_comment FROM information_schema.columns WHERE table_schema = 'THESCHEMA' ORDER BY table_name, column_name"
	want := toldPrepared(t, a.direct, strings.ReplaceAll(statement, "THESCHEMA", "plain"), 0)
	got := toldPrepared(t, a.tunnel, strings.ReplaceAll(statement, "THESCHEMA", "shop"), 1)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// columnsOf is a question with the schema and the name of a table as its parameters.
const columnsOf = "SELECT table_name, column_name, column_type, column_default FROM information_schema.columns WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position"

// toldColumns is told of the columns of a table, by an execution of columnsOf that
// says the types of its parameters or not. A name "" was sent ahead.
func toldColumns(t *testing.T, p *wiretest.Peer, number uint32, typed bool, schema, table string) []string {
	t.Helper()
	b := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtExecute)}, number)
	b = append(b, 0, 1, 0, 0, 0, 0)
	if typed {
		b = append(b, 1, byte(wire.TypeVarString), 0, byte(wire.TypeVarString), 0)
	} else {
		b = append(b, 0)
	}
	b = wire.AppendLenencBytes(b, []byte(schema))
	if table != "" {
		b = wire.AppendLenencBytes(b, []byte(table))
	}
	return toldBinary(t, p, columnsOf, b)
}

// parameters: a prepared question has those that the client wrote, also executed
// again without their types, when a definition has changed or not, and with a value
// that was sent ahead.
func (a *asked) parameters(t *testing.T) {
	ask := func(p *wiretest.Peer, schema string) (all []string) {
		n, err := prepareStatement(p, columnsOf)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, toldColumns(t, p, n, true, schema, "patient")...)
		all = append(all, toldColumns(t, p, n, false, schema, "visit")...)
		told(t, p, "CREATE TABLE later (a INT)")
		all = append(all, toldColumns(t, p, n, false, schema, "later")...)
		told(t, p, "DROP TABLE later")
		all = append(all, toldColumns(t, p, n, true, schema, "patient")...)
		if err := p.Command(aheadOf(n, "vi")); err != nil {
			t.Fatal(err)
		}
		if err := p.Command(aheadOf(n, "sit")); err != nil {
			t.Fatal(err)
		}
		return append(all, toldColumns(t, p, n, false, schema, "")...)
	}
	if diff := cmp.Diff(ask(a.direct, "plain"), ask(a.tunnel, "shop")); diff != "" {
		t.Error(diff)
	}
}

// kept: a client that keeps the definitions of a result, or expects EOF packets, gets
// the rows of a prepared question each time.
func (a *asked) kept(t *testing.T) {
	if a.flavor != value.MariaDB {
		t.Skip("no server of MySQL leaves definitions out")
	}
	keeping := wiretest.ClientCaps&^wire.ClientMySQL | wire.MariaDBCacheMetadata
	for _, caps := range []wire.Capability{keeping, keeping &^ wire.ClientDeprecateEOF} {
		client, _, _ := startSession(t, a.shared)
		p := wiretest.NewPeer(client)
		if err := (wiretest.Client{User: "root", Password: "root", Database: "shop", Caps: caps}).Login(p); err != nil {
			t.Fatal(err)
		}
		n, err := prepareStatement(p, "SHOW COLUMNS FROM visit")
		if err != nil {
			t.Fatal(err)
		}
		var first [][]byte
		for i := range 3 {
			if err := p.Command(append(binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtExecute)}, n), 0, 1, 0, 0, 0)); err != nil {
				t.Fatal(err)
			}
			sets, err := p.ReadAnswer(wire.ComStmtExecute, nil)
			if err != nil {
				t.Fatalf("execution %d: %v", i, err)
			}
			if first == nil {
				first = sets[0].Rows
			}
			if len(first) < 3 {
				t.Fatalf("%q", first)
			}
			if diff := cmp.Diff(first, sets[0].Rows); diff != "" {
				t.Errorf("execution %d: %s", i, diff)
			}
		}
	}
}

// aheadOf sends a part of the second parameter ahead.
func aheadOf(number uint32, part string) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtLongData)}, number)
	return append(append(b, 1, 0), part...)
}

// reread: after the ledger was read anew nothing has changed for what was prepared
// before, for a table that is asked about by name, or by COM_FIELD_LIST.
func (a *asked) reread(t *testing.T) {
	numbers := map[string]uint32{columnsOf: 0, "SHOW COLUMNS FROM visit": 0}
	for q := range numbers {
		n, err := prepareStatement(a.tunnel, q)
		if err != nil {
			t.Fatal(err)
		}
		numbers[q] = n
	}
	tell := func(typed bool) (all []string) {
		all = append(all, toldColumns(t, a.tunnel, numbers[columnsOf], typed, "shop", "visit")...)
		all = append(all, toldExecuted(t, a.tunnel, "SHOW", numbers["SHOW COLUMNS FROM visit"], 0)...)
		all = append(all, told(t, a.tunnel, "SHOW INDEX FROM visit")...)
		return append(all, toldFields(t, a.tunnel, "visit")...)
	}
	before := tell(true)
	l, ok := a.shared.Ledger.(*ledger.Ledger)
	if !ok {
		t.Fatal("no ledger")
	}
	known := l.Catalog()
	id, err := l.Link(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.direct.Query(fmt.Sprintf("KILL %d", id)); err != nil {
		t.Fatal(err)
	}
	for l.Catalog() == known {
		time.Sleep(10 * time.Millisecond)
	}
	if diff := cmp.Diff(before, tell(false)); diff != "" {
		t.Error(diff)
	}
}

// renewed: a prepared question agrees with definitions that are made after it.
func (a *asked) renewed(t *testing.T) {
	const question = "SELECT column_name, column_type, column_comment FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND table_name = 'later' ORDER BY ordinal_position"
	sides := []struct {
		p      *wiretest.Peer
		schema string
		about  []uint32 // the numbers of statements
		told   []string
	}{{p: a.direct, schema: "plain"}, {p: a.tunnel, schema: "shop"}}
	for i := range sides {
		side := &sides[i]
		ask := func() {
			for _, n := range side.about {
				side.told = append(side.told, toldExecuted(t, side.p, "ORDER BY", n, 0)...)
			}
		}
		run := func(statement string) {
			if _, err := side.p.Query(statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
		run("CREATE TABLE later (a INT, b ENUM('x','y') COMMENT 'first')")
		for _, q := range []string{question, "SHOW FULL COLUMNS FROM later"} {
			n, err := prepareStatement(side.p, strings.ReplaceAll(q, "THESCHEMA", side.schema))
			if err != nil {
				t.Fatal(err)
			}
			side.about = append(side.about, n)
		}
		ask()
		run("ALTER TABLE later ADD c VARCHAR(9) COMMENT 'then', MODIFY b ENUM('x','y','z') COMMENT 'second'")
		ask()
		ask()
		run("ALTER TABLE later DROP a")
		ask()
		for _, n := range side.about {
			if err := side.p.Command(binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtClose)}, n)); err != nil {
				t.Fatal(err)
			}
		}
		run("DROP TABLE later")
	}
	if diff := cmp.Diff(sides[0].told, sides[1].told); diff != "" {
		t.Error(diff)
	}
}

// toldPrepared is told of a prepared statement.
func toldPrepared(t *testing.T, p *wiretest.Peer, statement string, flags byte) []string {
	t.Helper()
	number, err := prepareStatement(p, statement)
	if refusal, ok := errors.AsType[*wiretest.ServerError](err); ok {
		return []string{leveled(refusal.Error())}
	}
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	rows := toldExecuted(t, p, statement, number, flags)
	if err := p.Command(binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtClose)}, number)); err != nil {
		t.Fatal(err)
	}
	return rows
}

// prepareStatement prepares a statement and returns its number.
func prepareStatement(p *wiretest.Peer, statement string) (uint32, error) {
	if err := p.Command(append([]byte{byte(wire.ComStmtPrepare)}, statement...)); err != nil {
		return 0, err
	}
	sets, err := p.ReadAnswer(wire.ComStmtPrepare, nil)
	if err != nil {
		return 0, err
	}
	return sets[0].Statement, nil
}

// toldExecuted is told of one execution.
func toldExecuted(t *testing.T, p *wiretest.Peer, statement string, number uint32, flags byte) []string {
	t.Helper()
	execute := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtExecute)}, number)
	return toldBinary(t, p, statement, append(execute, flags, 1, 0, 0, 0))
}

// toldBinary is told of an execution that is sent.
func toldBinary(t *testing.T, p *wiretest.Peer, statement string, execution []byte) []string {
	t.Helper()
	if err := p.Command(execution); err != nil {
		t.Fatal(err)
	}
	answer, err := p.ReadAnswer(wire.ComStmtExecute, nil)
	if refusal, ok := errors.AsType[*wiretest.ServerError](err); ok {
		return []string{leveled(refusal.Error())}
	}
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return rowsOf(t, p, statement, answer[0], func(row []byte, types []wire.Type) ([]wire.Cell, error) {
		return wire.DecodeBinaryRow(nil, row, types)
	})
}
