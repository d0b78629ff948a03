package exec

import (
	"fmt"
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// TestForeignCells: a stored value that tunic has not stored there ends the result
// with an error, in both protocols. Rows before it are there; no byte of the cell is.
func TestForeignCells(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.person()
		p := r.pair(t, 0)
		fill := []string{
			"DELETE FROM person",
			"INSERT INTO person (id, name, age, note) VALUES (1, 'Alice', 1, 'one'), (2, 'Bob', 2, 'two'), (3, 'Carol', 3, 'three')",
		}
		form := r.stored("note")
		tampers := map[string]string{
			"a bit":             "CONCAT(SUBSTR(%[1]s, 1, 20), CHAR(ASCII(SUBSTR(%[1]s, 21, 1)) ^ 1 USING binary), SUBSTR(%[1]s, 22))",
			"plain text":        "'CANARY'",
			"nothing":           "''",
			"another epoch":     "CONCAT(SUBSTR(%[1]s, 1, 1), x'0009', SUBSTR(%[1]s, 4))",
			"cut off":           "SUBSTR(%[1]s, 1, 40)",
			"a byte at the end": "CONCAT(%[1]s, 'x')",
			"another column's":  "name",
		}
		if r.families {
			delete(tampers, "another column's")
			tampers["another layout"] = "CONCAT(SUBSTR(%[1]s, 1, 3), x'0009', SUBSTR(%[1]s, 6))"
			tampers["a header of no form"] = "CONCAT(SUBSTR(%[1]s, 1, 5), x'01', SUBSTR(%[1]s, 7))"
		}
		for name, tamper := range tampers {
			if strings.Contains(tamper, "%") {
				tamper = fmt.Sprintf(tamper, form)
			}
			tamper = "UPDATE shop.person SET " + form + " = " + tamper + " WHERE id = 2"
			for _, s := range fill {
				if a := p.readText(p.tunnel, s); a.err != nil {
					t.Fatal(a.err)
				}
			}
			r.exec(tamper)
			before := r.alarms.Value()
			_, id := p.prepare("SELECT note FROM person WHERE id > ? ORDER BY id")
			for protocol, ask := range map[string]func() ([]wiretest.Set, error){
				"text":   func() ([]wiretest.Set, error) { return p.tunnel.Query("SELECT note FROM person ORDER BY id") },
				"binary": func() ([]wiretest.Set, error) { return execute(p.tunnel, id, 0, long(0)) },
			} {
				sets, err := ask()
				a := p.answered(name, sets, err)
				if a.err == nil || a.err.Number != 1815 || !strings.Contains(a.err.Message, "TUNIC-7001: a stored value of column shop.person.note") {
					t.Errorf("%s, %s: %v", name, protocol, a.err)
				}
			}
			if n := r.alarms.Value() - before; n != 2 {
				t.Errorf("%s: %d alarms", name, n)
			}
			if a := p.readText(p.tunnel, "SELECT note FROM person WHERE id = 3"); a.err != nil || len(a.sets[0].Rows) != 1 {
				t.Errorf("%s: the session does not go on: %v", name, a.err)
			}
		}
		if log := r.log.String(); !strings.Contains(log, "column=shop.person.note") || strings.Contains(log, "CANARY") {
			t.Errorf("logged: %s", log)
		}
	})
}

// TestForeignReplaced: an UPDATE that is told of as done is done, and one that is not is not, where
// the value that it replaces does not open.
func TestForeignReplaced(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.person()
		p := r.pair(t, 0)
		note := func() string {
			t.Helper()
			a := p.readText(p.tunnel, "SELECT note FROM person WHERE id = 2")
			if a.err != nil {
				return a.err.Message
			}
			return string(a.sets[0].Rows[0])
		}
		for i, c := range []struct {
			update string
			done   bool
		}{
			{"UPDATE person SET note = 'new' WHERE id = 2", true},
			{"UPDATE person SET note = NULL, age = 7 WHERE id = 2", true},
			{"UPDATE person SET note = 'new' WHERE id IN (1, 2)", false},
			{"UPDATE person SET note = CONCAT(note, 'new') WHERE id = 2", false},
		} {
			for _, s := range []string{"DELETE FROM person", "INSERT INTO person (id, name, age, note) VALUES (1, 'Alice', 1, 'one'), (2, 'Bob', 2, 'two')"} {
				if a := p.readText(p.tunnel, s); a.err != nil {
					t.Fatal(a.err)
				}
			}
			r.exec("UPDATE shop.person SET note = name WHERE id = 2")
			before := r.alarms.Value()
			a := p.readText(p.tunnel, c.update)
			if r.alarms.Value() == before {
				t.Errorf("%d: %s: no alarm", i, c.update)
			}
			switch now := note(); {
			case !c.done && (a.err == nil || !strings.Contains(now, "TUNIC-7001")):
				t.Errorf("%d: %s: %v, and then %q", i, c.update, a.err, now)
			case c.done && (a.err != nil || strings.Contains(now, "TUNIC-7001")):
				t.Errorf("%d: %s: %v, and then %q", i, c.update, a.err, now)
			case c.done && (a.sets[0].OK.AffectedRows != 1 || a.sets[0].OK.Warnings != 1):
				t.Errorf("%d: %s: %+v", i, c.update, a.sets[0].OK)
			}
		}
	})
}

// TestCursors: rows that are fetched in parts are opened as well.
func TestCursors(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.person()
		for _, caps := range []wire.Capability{wiretest.ClientCaps, wiretest.ClientCaps &^ wire.ClientDeprecateEOF} {
			p := r.pair(t, caps)
			p.same("DELETE FROM person")
			p.same("INSERT INTO person (id, name, age) VALUES (1, 'Alice', 1), (2, 'Bob', NULL), (3, 'Carol', 3)")
			direct, tunnel := p.prepare("SELECT * FROM person WHERE id >= ? ORDER BY id")
			const cursor = 1
			for _, first := range []int64{1, 3, 9} {
				var answers [2][]wiretest.Set
				for i, peer := range []*wiretest.Peer{p.direct, p.tunnel} {
					id := [...]uint32{direct, tunnel}[i]
					sets, err := execute(peer, id, cursor, long(first))
					if err != nil {
						t.Fatal(err)
					}
					answers[i] = append(answers[i], sets...)
					for range 3 {
						sets, err := fetch(peer, id, 2)
						if err != nil {
							break
						}
						answers[i] = append(answers[i], sets...)
						if sets[0].Status&wire.StatusLastRowSent != 0 {
							break
						}
					}
				}
				if diff := difference(answer{sets: answers[0]}, answer{sets: answers[1]}, p.direct.Caps); diff != "" {
					t.Errorf("from %d\n%s", first, diff)
				}
			}
		}
	})
}

func fetch(peer *wiretest.Peer, id uint32, rows byte) ([]wiretest.Set, error) {
	if err := peer.Command(wire.Execute{Command: wire.ComStmtFetch, Statement: id, Rest: []byte{rows, 0, 0, 0}}.AppendTo(nil)); err != nil {
		return nil, err
	}
	return peer.ReadAnswer(wire.ComStmtFetch, nil)
}

// TestLongData: what is sent ahead of an execution is stored as one value, and
// forgotten after it.
func TestLongData(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.person()
		p := r.pair(t, 0)
		direct, tunnel := p.prepare("INSERT INTO person (id, name, note) VALUES (?, ?, ?)")
		for i, peer := range []*wiretest.Peer{p.direct, p.tunnel} {
			id := [...]uint32{direct, tunnel}[i]
			for n := range 3 {
				for _, part := range []string{"long ", "", "data €"} {
					rest := append([]byte{2, 0}, part...)
					if n == 2 {
						break
					}
					if err := peer.Command(wire.Execute{Command: wire.ComStmtLongData, Statement: id, Rest: rest}.AppendTo(nil)); err != nil {
						t.Fatal(err)
					}
				}
				if n == 1 {
					if err := peer.Command(wire.Execute{Command: wire.ComStmtReset, Statement: id}.AppendTo(nil)); err != nil {
						t.Fatal(err)
					}
					if _, err := peer.ReadAnswer(wire.ComStmtReset, nil); err != nil {
						t.Fatal(err)
					}
				}
				last := str("in line")
				if n == 0 {
					last.Bytes = nil
				}
				if n == 0 {
					if err := executeAhead(peer, id, long(int64(n+1)), str(fmt.Sprint("name", n))); err != nil {
						t.Fatal(err)
					}
					continue
				}
				if _, err := execute(peer, id, 0, long(int64(n+1)), str(fmt.Sprint("name", n)), last); err != nil {
					t.Fatal(err)
				}
			}
		}
		p.same("SELECT id, name, note FROM person ORDER BY id")
	})
}

// executeAhead executes a statement whose last parameter was sent ahead.
func executeAhead(peer *wiretest.Peer, id uint32, params ...binding.Param) error {
	rest := []byte{0, 1, 0, 0, 0, 0, 1}
	var values []byte
	for _, v := range params {
		rest = v.ParamType.Append(rest)
		values = wire.AppendBinaryValue(values, v.Kind, v.Bytes)
	}
	rest = append(binding.ParamType{Kind: wire.TypeVarString}.Append(rest), values...)
	if err := peer.Command(wire.Execute{Command: wire.ComStmtExecute, Statement: id, Rest: rest}.AppendTo(nil)); err != nil {
		return err
	}
	_, err := peer.ReadAnswer(wire.ComStmtExecute, nil)
	return err
}

// TestLargeValues: a value of more than one frame, in and out.
func TestLargeValues(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.exec("SET GLOBAL max_allowed_packet = 67108864")
		r.table("big", []col{
			{name: "id", typ: "INT", protect: "plain"}, {name: "v", typ: "LONGTEXT", protect: "sealed", null: true},
		}, primary("id"))
		p := r.pair(t, 0)
		huge := str(strings.Repeat("0123456789abcdef", 1<<20))
		p.prepared("INSERT INTO big VALUES (?, ?)", 0, []binding.Param{long(1), huge}, []binding.Param{long(2), str("small")})
		p.same("SELECT id, v FROM big ORDER BY id")
		p.prepared("SELECT v FROM big WHERE id > ?", 0, []binding.Param{long(0)})
		huge.Bytes = append(huge.Bytes, huge.Bytes...)
		huge.Bytes = append(huge.Bytes, huge.Bytes...)[:67108864-40]
		_, id := p.prepare("INSERT INTO big VALUES (?, ?)")
		sets, err := execute(p.tunnel, id, 0, long(3), huge)
		if a := p.answered("too large", sets, err); a.err == nil || a.err.Number != 1153 {
			t.Errorf("too large: %v", a.err)
		}
		p.same("SELECT COUNT(*) AS n FROM big")
	})
}

// TestPreparedReading: servers read the literals of a prepared statement when it is prepared. Where
// the session would read them otherwise by now, it has to be prepared again; it is not done otherwise.
func TestPreparedReading(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.person()
		p := r.pair(t, 0)
		p.same("INSERT INTO person (id, name, age, note) VALUES (1, 'é', 30, 'x'), (2, 'Bob', 20, 'y')")
		for _, c := range []struct {
			statement, then string
			params          []binding.Param
			again           bool
		}{
			{"INSERT INTO person (id, name) VALUES (?, 'é')", "SET NAMES latin1", []binding.Param{long(10)}, true},
			{"DELETE FROM person WHERE name = 'é' AND id = ?", "SET NAMES latin1", []binding.Param{long(1)}, true},
			{"SELECT id FROM person WHERE name LIKE 'é%' AND id > ?", "SET NAMES latin1", []binding.Param{long(0)}, true},
			{"SELECT id FROM person WHERE note = IF('a' = 'A', 'x', 'y') AND id > ?", "SET collation_connection = utf8mb4_bin", []binding.Param{long(0)}, true},
			{"SELECT id, name FROM person WHERE id > ? ORDER BY id", "SET NAMES latin1", []binding.Param{long(0)}, false},
			{"SELECT id FROM person WHERE name = ?", "SET NAMES latin1", []binding.Param{str("Bob")}, false},
			{"SELECT age / 7 * 100 FROM person WHERE id = ?", "SET div_precision_increment = 0", []binding.Param{long(1)}, true},
			{"SELECT id FROM person WHERE name = 'Bob' AND id > ?", "SET sql_mode = 'ANSI'", []binding.Param{long(0)}, false},
		} {
			p.same("SET NAMES utf8mb4")
			direct, tunnel := p.prepare(c.statement)
			p.same(c.then)
			sets, err := execute(p.tunnel, tunnel, 0, c.params...)
			through := p.answered(c.statement, sets, err)
			if c.again {
				if through.err == nil || through.err.Number != 1615 {
					t.Errorf("%s after %s: %v, want error 1615", c.statement, c.then, through.err)
				}
				continue
			}
			sets, err = execute(p.direct, direct, 0, c.params...)
			if diff := difference(p.answered(c.statement, sets, err), through, p.direct.Caps); diff != "" {
				t.Errorf("%s after %s\n%s", c.statement, c.then, diff)
			}
		}
		p.same("SET NAMES utf8mb4")
		p.same("SELECT id, name FROM person ORDER BY id")
	})
}
