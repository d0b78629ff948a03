package exec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/sandbox"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// pair is two clients: one of the plain tables, directly, and one of the stored
// tables, through the gateway.
type pair struct {
	t              *testing.T
	direct, tunnel *wiretest.Peer
}

func (r *rig) pair(t *testing.T, caps wire.Capability) *pair {
	t.Helper()
	p := &pair{t: t}
	dial := func(addr, schema string) *wiretest.Peer {
		c := wiretest.Client{User: sandbox.AppUser, Password: sandbox.AppPassword, Database: schema, Caps: caps}
		peer, err := c.Dial(t.Context(), addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = peer.Close() })
		return peer
	}
	p.direct = dial(r.server.Addr, "plain")
	p.tunnel = dial(r.listen(), "shop")
	return p
}

// answers are what both clients get for a statement.
func (p *pair) text(statement string) (direct, tunnel answer) {
	p.t.Helper()
	return p.readText(p.direct, statement), p.readText(p.tunnel, statement)
}

// answer is everything that a client sees of an answer.
type answer struct {
	sets []wiretest.Set
	err  *wiretest.ServerError
}

func (p *pair) readText(peer *wiretest.Peer, statement string) answer {
	p.t.Helper()
	sets, err := peer.Query(statement)
	return p.answered(statement, sets, err)
}

func (p *pair) answered(statement string, sets []wiretest.Set, err error) answer {
	p.t.Helper()
	a := answer{sets: sets}
	if err != nil && !errors.As(err, &a.err) {
		p.t.Fatalf("%s: %v", statement, err)
	}
	return a
}

// same compares the answers to a statement.
func (p *pair) same(statement string) {
	p.t.Helper()
	direct, tunnel := p.text(statement)
	if diff := difference(direct, tunnel, p.direct.Caps); diff != "" {
		p.t.Errorf("%s\n%s", statement, diff)
	}
}

// each is same for several.
func (p *pair) each(statements ...string) {
	p.t.Helper()
	for _, s := range statements {
		p.same(s)
	}
}

// difference is what a client would see otherwise, "" if nothing.
func difference(direct, tunnel answer, caps wire.Capability) string {
	var b strings.Builder
	if d, t := errorText(direct.err), errorText(tunnel.err); d != t {
		fmt.Fprintf(&b, "error  %s\nthrough %s\n", d, t)
	}
	if len(direct.sets) != len(tunnel.sets) {
		fmt.Fprintf(&b, "%d results, through %d\n", len(direct.sets), len(tunnel.sets))
		return b.String()
	}
	for i := range direct.sets {
		compareSets(&b, &direct.sets[i], &tunnel.sets[i], caps)
	}
	return b.String()
}

// errorText is an error without the values that tunic leaves out.
func errorText(e *wiretest.ServerError) string {
	if e == nil {
		return "none"
	}
	return fmt.Sprintf("%d (%s) %s", e.Number, e.State, withoutValue(strings.ReplaceAll(e.Message, "`plain`", "`shop`")))
}

// withoutValue takes the value out of a server's message, where tunic raises it.
func withoutValue(message string) string {
	before, after := " value: '", "' for "
	from, to := strings.Index(message, before), strings.LastIndex(message, after)
	if from >= 0 && to >= from {
		return message[:from+len(before)-len(": '")] + message[to+1:]
	}
	return message
}

func compareSets(b *strings.Builder, direct, tunnel *wiretest.Set, caps wire.Capability) {
	if d, t := okText(&direct.OK), okText(&tunnel.OK); d != t {
		fmt.Fprintf(b, "ends  %s\nthrough %s\n", d, t)
	}
	if d, t := definitionsText(direct.Definitions, caps), definitionsText(tunnel.Definitions, caps); d != t {
		fmt.Fprintf(b, "columns\n%sthrough\n%s", d, t)
	}
	if len(direct.Rows) != len(tunnel.Rows) {
		fmt.Fprintf(b, "%d rows, through %d\n", len(direct.Rows), len(tunnel.Rows))
		return
	}
	for i := range direct.Rows {
		if !bytes.Equal(direct.Rows[i], tunnel.Rows[i]) {
			fmt.Fprintf(b, "row %d %q\nthrough %q\n", i+1, direct.Rows[i], tunnel.Rows[i])
			return
		}
	}
}

func okText(ok *wire.OK) string {
	const slow = wire.StatusNoGoodIndex | wire.StatusNoIndex | wire.StatusQueryWasSlow
	return fmt.Sprintf("affected %d, id %d, status %x, warnings %d, info %q", ok.AffectedRows, ok.LastInsertID, ok.Status&^slow, ok.Warnings, ok.Info)
}

func definitionsText(definitions [][]byte, caps wire.Capability) string {
	var b strings.Builder
	for _, d := range definitions {
		c, err := wire.DecodeColumn(d, caps)
		if err != nil {
			return err.Error()
		}
		schema := string(c.Schema)
		if schema == "plain" {
			schema = "shop"
		}
		fmt.Fprintf(&b, "  %s.%s(%s).%s(%s) ext %q charset %d length %d type %x flags %x decimals %d\n",
			schema, c.Table, c.OrgTable, c.Name, c.OrgName, c.Extended, c.Charset, c.Length, c.Type, c.Flags, c.Decimals)
	}
	return b.String()
}

// primary is a primary key over a column.
func primary(column string) catalog.Key {
	return catalog.Key{Name: "PRIMARY", Kind: catalog.Primary, Parts: []catalog.Part{{Column: column}}}
}

func unique(name string, columns ...string) catalog.Key {
	k := catalog.Key{Name: name, Kind: catalog.Unique}
	for _, c := range columns {
		k.Parts = append(k.Parts, catalog.Part{Column: c})
	}
	return k
}

// person is a table with a column of each protection.
func (r *rig) person() {
	r.table(
		"person", []col{
			{name: "id", typ: "INT", protect: "plain", extra: "AUTO_INCREMENT"},
			{name: "name", typ: "VARCHAR(40)", protect: "equality"},
			{name: "age", typ: "INT", protect: "order", null: true},
			{name: "note", typ: "TEXT", protect: "sealed", null: true},
			{name: "town", typ: "VARCHAR(20)", protect: "plain", def: "'here'"},
			{name: "made", typ: "DATETIME", protect: "sealed", def: "'2020-02-03 04:05:06'"},
		}, primary("id"), unique("who", "name"),
	)
}

func TestTextStatements(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.person()
		p := r.pair(t, 0)
		p.each(
			"SELECT * FROM person",
			"INSERT INTO person (name, age, note) VALUES ('Alice', 30, 'first')",
			"INSERT INTO person (name, age, note, town) VALUES ('Bob', 41, NULL, 'there'), ('Carol', -5, '', 'x')",
			"INSERT INTO person VALUES (NULL, 'Dora', NULL, 'é€😀', DEFAULT, '2021-12-31 23:59:59')",
			"SELECT * FROM person ORDER BY id",
			"SELECT id, name AS n, age, note FROM person p WHERE name = 'alice'",
			"SELECT age FROM person WHERE age > 10 ORDER BY age",
			"SELECT id FROM person WHERE age BETWEEN -5 AND 30.5 ORDER BY age",
			"SELECT id FROM person WHERE age < 30.5 ORDER BY id",
			"SELECT id FROM person WHERE age >= 29.5 AND age <= 99999999999 ORDER BY id",
			"SELECT id FROM person WHERE age > -99999999999 ORDER BY id",
			"SELECT id FROM person WHERE age = 99999999999",
			"SELECT id FROM person WHERE NOT (age = 99999999999) ORDER BY id",
			"SELECT id FROM person WHERE age = NULL",
			"SELECT id FROM person WHERE age <=> NULL",
			"SELECT id FROM person WHERE age IS NULL",
			"SELECT id FROM person WHERE name IN ('alice', 'BOB', 'zoe') ORDER BY id",
			"SELECT COUNT(*) AS n, COUNT(age) AS m FROM person",
			"SELECT  count( * ),COUNT(age)   FROM person",
			"SELECT *, id+1 , town FROM person WHERE id = 1",
			"SELECT id  +  2 AS x, concat( town,town ) FROM person WHERE id = 1",
			"SELECT id+1, concat( town,'é' ), concat('abc', town) FROM person WHERE id = 1",
			"SELECT id+1, concat( town,'ab' ), concat('abcdef', town) FROM person WHERE id = 1",
			"SELECT id+123.25 a FROM person WHERE id = 1", "SELECT 12345 b FROM person WHERE id = 1",
			"SELECT 1e10 d FROM person WHERE id = 1", "SELECT -7 FROM person WHERE id = 1", "SELECT NULL f FROM person WHERE id = 1",
			// A statement that fails may use up numbers of AUTO_INCREMENT at a plain
			// server: they are said here.
			"INSERT INTO person (id, name, age) VALUES (50, 'Alice', 1)",
			"INSERT INTO person (id, name, age) VALUES (50, 'Eve', 99999999999)",
			"INSERT INTO person (id, name, age) VALUES (50, 'Eve', 1), (51, 'Fay', 'x')",
			"INSERT INTO person (id, name, age) VALUES (50, NULL, 1)",
			"INSERT INTO person (id, age) VALUES (50, 1)",
			"INSERT IGNORE INTO person (id, name, age) VALUES (50, 'Gus', 99999999999), (51, 'Hal', 'x1'), (52, 'alice', 3)",
			"SELECT id, name, age FROM person ORDER BY id",
			"REPLACE INTO person (id, name, age) VALUES (1, 'Alice', 31)",
			"DELETE FROM person WHERE name = 'bob'",
			"SELECT id, name, age FROM person WHERE id < 3",
			"SELECT nosuch FROM person",
		)
	})
}

// execute sends an execution of a prepared statement.
func execute(peer *wiretest.Peer, id uint32, flags byte, params ...binding.Param) ([]wiretest.Set, error) {
	rest := []byte{flags, 1, 0, 0, 0}
	if len(params) > 0 {
		nulls := make([]byte, (len(params)+7)/8)
		var types, values []byte
		for i, p := range params {
			types = p.ParamType.Append(types)
			if p.Null {
				nulls[i/8] |= 1 << (i % 8)
				continue
			}
			values = wire.AppendBinaryValue(values, p.Kind, p.Bytes)
		}
		rest = append(append(append(append(rest, nulls...), 1), types...), values...)
	}
	if err := peer.Command(wire.Execute{Command: wire.ComStmtExecute, Statement: id, Rest: rest}.AppendTo(nil)); err != nil {
		return nil, err
	}
	return peer.ReadAnswer(wire.ComStmtExecute, nil)
}

func str(s string) binding.Param {
	return binding.Param{ParamType: binding.ParamType{Kind: wire.TypeVarString}, Bytes: []byte(s)}
}

func long(n int64) binding.Param {
	return binding.Param{ParamType: binding.ParamType{Kind: wire.TypeLongLong}, Bytes: binary.LittleEndian.AppendUint64(nil, uint64(n))}
}

func null() binding.Param {
	return binding.Param{ParamType: binding.ParamType{Kind: wire.TypeNull}, Null: true}
}

// prepare prepares a statement on both sides.
func (p *pair) prepare(statement string) (direct, tunnel uint32) {
	p.t.Helper()
	command := append([]byte{byte(wire.ComStmtPrepare)}, statement...)
	var ids [2]uint32
	var answers [2]answer
	for i, peer := range []*wiretest.Peer{p.direct, p.tunnel} {
		if err := peer.Command(command); err != nil {
			p.t.Fatal(err)
		}
		sets, err := peer.ReadAnswer(wire.ComStmtPrepare, nil)
		answers[i] = p.answered(statement, sets, err)
		if len(sets) > 0 {
			ids[i] = sets[0].Statement
			answers[i].sets[0].Definitions = sets[0].Definitions[sets[0].Params:]
		}
	}
	if diff := difference(answers[0], answers[1], p.direct.Caps); diff != "" {
		p.t.Errorf("PREPARE %s\n%s", statement, diff)
	}
	return ids[0], ids[1]
}

// prepared prepares a statement and executes it with each of the lists.
func (p *pair) prepared(statement string, flags byte, lists ...[]binding.Param) {
	p.t.Helper()
	direct, tunnel := p.prepare(statement)
	for i, params := range lists {
		sets, err := execute(p.direct, direct, flags, params...)
		a := p.answered(statement, sets, err)
		sets, err = execute(p.tunnel, tunnel, flags, params...)
		b := p.answered(statement, sets, err)
		if diff := difference(a, b, p.direct.Caps); diff != "" {
			p.t.Errorf("EXECUTE %d of %s\n%s", i+1, statement, diff)
		}
	}
}

func TestPreparedStatements(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.person()
		p := r.pair(t, 0)
		p.prepared("INSERT INTO person (name, age, note, town) VALUES (?, ?, ?, ?)", 0,
			[]binding.Param{str("Alice"), long(30), str("first"), str("x")},
			[]binding.Param{str("Bob"), null(), null(), str("there")},
			[]binding.Param{str("Carol"), str("17"), str("é€"), long(5)},
			[]binding.Param{str("Alice"), long(30), str("first"), str("x")},
			[]binding.Param{str(strings.Repeat("x", 41)), long(30), str("first"), str("x")},
			[]binding.Param{null(), long(30), str("first"), str("x")},
			[]binding.Param{str("Dora"), long(1 << 40), str("first"), str("x")},
		)
		p.prepared("SELECT * FROM person ORDER BY id", 0, nil, nil)
		p.prepared("SELECT count( * ), COUNT(age ) FROM person", 0, nil, nil)
		p.prepared("SELECT id, name, age, made FROM person WHERE name = ? OR age = 30 ORDER BY id", 0, []binding.Param{str("bob")}, []binding.Param{str("nobody")}, []binding.Param{null()})
		p.prepared("SELECT name FROM person WHERE age >= ? AND town = ?", 0, []binding.Param{long(18), str("x")}, []binding.Param{long(-1 << 40), str("5")})
		p.prepared("INSERT INTO person (name, age, note) VALUES ('Eve', ?, 'const')", 0, []binding.Param{long(3)}, []binding.Param{long(4)})
		p.prepared("SELECT id, name FROM person WHERE id = ?", 0, []binding.Param{long(1)})
		p.prepared("DELETE FROM person WHERE name = ?", 0, []binding.Param{str("EVE")}, []binding.Param{str("EVE")})
		p.same("SELECT * FROM person ORDER BY id")
	})
}
