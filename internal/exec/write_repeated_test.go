package exec

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/dialogue"
	"tunic/internal/exec/repeat"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// sentFor is what the server is sent for one statement: how many texts of writes, and how many statements it prepares and whether it executes one.
type sentFor struct {
	texts, prepares int
	executes        bool
}

// sent are the commands of a statement; they are the frames of what was written.
func (s *spy) sent() (n sentFor) {
	all := strings.Join(s.seen(), "")
	for len(all) > wire.HeaderBytes {
		length := int(all[0]) | int(all[1])<<8 | int(all[2])<<16
		payload := all[wire.HeaderBytes:][:length]
		switch wire.Command(payload[0]) {
		case wire.ComQuery:
			if strings.Contains(payload, "update `") || strings.Contains(payload, "delete from") || strings.Contains(payload, " into `") {
				n.texts++
			}
		case wire.ComStmtPrepare:
			n.prepares++
		case wire.ComStmtExecute:
			n.executes = true
		default:
		}
		all = all[wire.HeaderBytes+length:]
	}
	return n
}

// TestRepeated: what writes one row back is sent as text once. Then it is prepared, and executed, in a transaction and
// without, for clients that prepare and for those that do not.
func TestRepeated(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		seen := &spy{at: math.MaxInt}
		r.spy = seen
		for _, begin := range []string{"COMMIT", "BEGIN"} {
			p := r.pair(t, wiretest.ClientCaps&^wire.ClientMultiStatements)
			p.each("DELETE FROM stock")
			p.each(filled...)
			for _, s := range []struct {
				text string
				of   []binding.Param
			}{
				{"UPDATE stock SET k = k + ? WHERE id = ?", []binding.Param{long(2), long(4)}},
				{"UPDATE stock SET name = ?, big = big + 0, day = NULL, k = k + 1 WHERE id = ?", []binding.Param{str("n"), long(2)}},
				{"INSERT INTO stock (id, code, k) VALUES (?, 'b', 4) ON DUPLICATE KEY UPDATE k = k + VALUES(k), name = NULL", []binding.Param{long(2)}},
			} {
				p.each(begin)
				direct, tunnel := p.prepare(s.text)
				for n, want := range []sentFor{{1, 0, true}, {0, 1, true}, {0, 0, true}, {0, 0, true}} {
					sets, err := execute(p.direct, direct, 0, s.of...)
					a := p.answered(s.text, sets, err)
					seen.begin(math.MaxInt)
					sets, err = execute(p.tunnel, tunnel, 0, s.of...)
					if diff := difference(a, p.answered(s.text, sets, err), p.direct.Caps); diff != "" {
						t.Errorf("%s %s, execution %d\n%s", begin, s.text, n+1, diff)
					}
					if got := seen.sent(); got != want {
						t.Errorf("%s %s, execution %d: %+v, want %+v", begin, s.text, n+1, got, want)
					}
				}
				p.each("COMMIT", allStock)
			}
			p.each(begin)
			for n, want := range []sentFor{{1, 0, false}, {0, 1, true}, {0, 0, true}} {
				seen.begin(math.MaxInt)
				p.same(fmt.Sprintf("UPDATE stock SET k = k - %d, rate = rate * 2 WHERE id = %d", n+1, n%2+1))
				if got := seen.sent(); got != want {
					t.Errorf("%s text %d: %+v, want %+v", begin, n+1, got, want)
				}
			}
			p.each("COMMIT", allStock)
		}
	})
}

// TestRepeatedKeys: rows are found again by keys of each type, whether those are parameters or text.
func TestRepeatedKeys(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		for i, c := range []struct {
			typ    string
			values []string
		}{
			{"TINYINT", []string{"-128", "0", "127"}},
			{"SMALLINT UNSIGNED ZEROFILL", []string{"0", "65535"}},
			{"BIGINT", []string{"-9223372036854775808", "9223372036854775807"}},
			{"BIGINT UNSIGNED", []string{"0", "9223372036854775808", "18446744073709551615"}},
			{"DECIMAL(10,2)", []string{"-1.50", "1.50"}},
			{"VARCHAR(10)", []string{"'a'", "'é'", "''"}},
			{"VARBINARY(10)", []string{"'a'", "x'00ff'", "''"}},
			{"DATE", []string{"'2020-02-29'"}},
			{"YEAR", []string{"1999", "0"}},
		} {
			name := fmt.Sprintf("keyed%d", i)
			r.table(name, []col{
				{name: "id", typ: c.typ, protect: "plain"}, {name: "part", typ: "INT", protect: "equality"}, {name: "a", typ: "INT", protect: "sealed", null: true},
			}, catalog.Key{Name: "PRIMARY", Kind: catalog.Primary, Parts: []catalog.Part{{Column: "id"}, {Column: "part"}}})
			p := r.pair(t, wiretest.ClientCaps&^wire.ClientMultiStatements)
			for _, v := range c.values {
				p.each(fmt.Sprintf("INSERT INTO %s VALUES (%s, 1, 0), (%s, 2, 0)", name, v, v))
				for _, begin := range []string{"COMMIT", "BEGIN"} {
					p.each(begin)
					for range 3 {
						p.each(fmt.Sprintf("UPDATE %s SET a = a + 1 WHERE id = %s AND part = 1", name, v))
					}
					p.each(fmt.Sprintf("UPDATE %s SET a = a * 1000 WHERE id = %s AND part = 1", name, v), fmt.Sprintf("UPDATE %s SET a = a * 1000000 WHERE id = %s AND part = 1", name, v),
						"COMMIT", fmt.Sprintf("UPDATE %s SET a = 1, part = part + 5 WHERE id = %s AND part = 2", name, v), "SELECT * FROM "+name+" ORDER BY id, part")
				}
			}
		}
	})
}

// TestRepeatedSettings: settings of the session that change how texts are read change nothing.
func TestRepeatedSettings(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		p := r.pair(t, wiretest.ClientCaps&^wire.ClientMultiStatements)
		p.each(filled...)
		for _, set := range []string{
			"SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'", "SET sql_mode = ''", "SET sql_mode = DEFAULT", "SET NAMES latin1", "SET NAMES gbk", "SET NAMES utf8mb4",
			"SET time_zone = '+05:00'", "SET character_set_results = NULL", "SET NAMES utf8mb4", "SET sql_select_limit = 1", "SET sql_select_limit = DEFAULT",
		} {
			p.each(set)
			for range 2 {
				p.each("UPDATE stock SET name = CONCAT(name, '\\\\'), k = k + 1 WHERE id = 1", "UPDATE stock SET name = 'n', k = k + 1 WHERE id = 1")
			}
			p.each(allStock)
		}
	})
}

// TestRepeatedLost: a statement that the server does not know any more is done as text.
func TestRepeatedLost(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		lost := 0
		r.spy = &spy{at: math.MaxInt, instead: func(b []byte) {
			if wire.Command(b[wire.HeaderBytes]) == wire.ComStmtExecute {
				lost++
				binary.LittleEndian.PutUint32(b[wire.HeaderBytes+1:], 1<<31)
			}
		}}
		p := r.pair(t, wiretest.ClientCaps&^wire.ClientMultiStatements)
		p.each(filled...)
		r.sealed()
		for _, s := range []string{
			"UPDATE stock SET k = k + 1, name = 'lost' WHERE id = 1", "INSERT INTO stock (id, code) VALUES (1, 'z') ON DUPLICATE KEY UPDATE k = k + 7",
			"REPLACE INTO sealed (id, code, a) VALUES (1, 'a', 1)", "INSERT INTO sealed (id, code, a) VALUES (1, 'a', 1)", "DELETE FROM sealed WHERE id = 1",
		} {
			for _, begin := range []string{"COMMIT", "BEGIN", "SET autocommit = 0", "LOCK TABLES stock WRITE, sealed WRITE"} {
				lost = 0
				r.spy.locked = strings.HasPrefix(begin, "LOCK")
				p.each(begin)
				for range 3 {
					p.each(s)
				}
				p.each("COMMIT", "SET autocommit = 1", "UNLOCK TABLES", allStock, "SELECT * FROM sealed")
				if lost == 0 && begin == "COMMIT" {
					t.Errorf("%s: nothing was executed", s)
				}
			}
		}
	})
}

// TestRepeatedTooMany: where the server prepares no more statements texts are sent, and those of tunic's own make room for
// the client's.
func TestRepeatedTooMany(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.stock()
		p := r.pair(t, wiretest.ClientCaps&^wire.ClientMultiStatements)
		p.each(filled...)
		defer r.exec("SET GLOBAL max_prepared_stmt_count = DEFAULT")
		count := func() (n int) {
			t.Helper()
			var name string
			if err := r.db.QueryRow("SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'").Scan(&name, &n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		r.exec("SET GLOBAL max_prepared_stmt_count = 0")
		for range 3 {
			p.each("UPDATE stock SET k = k + 1 WHERE id = 1")
		}
		r.exec("SET GLOBAL max_prepared_stmt_count = DEFAULT")
		before := count()
		for n := range 40 {
			for range 2 {
				p.each(fmt.Sprintf("UPDATE stock SET k = k + 1 WHERE id = 1 AND big %s 7", strings.Repeat("- 0 ", n)+"<>"))
			}
		}
		kept := count() - before
		if kept == 0 || kept > 32 {
			t.Errorf("%d statements are kept", kept)
		}
		r.exec(fmt.Sprintf("SET GLOBAL max_prepared_stmt_count = %d", before+kept))
		made := append([]byte{byte(wire.ComStmtPrepare)}, "UPDATE stock SET k = k + 2 WHERE id = ?"...)
		if err := p.tunnel.Command(made); err != nil {
			t.Fatal(err)
		}
		if _, err := p.tunnel.ReadAnswer(wire.ComStmtPrepare, nil); err != nil {
			t.Error(err)
		}
		p.each("UPDATE stock SET k = k + 1 WHERE id = 1", allStock)
	})
}

// TestRepeatedStale: a table that has got another fence is told of as for a text.
func TestRepeatedStale(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.stock()
		p := r.pair(t, wiretest.ClientCaps&^wire.ClientMultiStatements)
		p.each(filled...)
		for _, begin := range []string{"COMMIT", "BEGIN"} {
			p.each(begin)
			for range 3 {
				p.each("UPDATE stock SET k = k + 1 WHERE id = 1")
			}
			p.each("COMMIT")
		}
		fence := r.catalog.Table("shop", "stock").Fence()
		r.exec("ALTER TABLE shop.stock RENAME COLUMN `" + fence + "` TO other")
		for _, begin := range []string{"COMMIT", "BEGIN"} {
			if _, err := p.tunnel.Query(begin); err != nil {
				t.Fatal(err)
			}
			_, err := p.tunnel.Query("UPDATE stock SET k = k + 1 WHERE id = 1")
			if err == nil || !strings.Contains(err.Error(), "1054") {
				t.Errorf("%s: %v", begin, err)
			}
		}
	})
}

// sealed makes a table of which each column is protected.
func (r *rig) sealed() {
	r.table("sealed", []col{
		{name: "id", typ: "INT", protect: "equality"}, {name: "code", typ: "VARCHAR(8)", protect: "equality"},
		{name: "a", typ: "TINYINT", protect: "sealed", null: true}, {name: "t", typ: "VARCHAR(6)", protect: "sealed", null: true},
	}, primary("id"), unique("code", "code"))
}

// TestRepeatedTexts: a change of one row whose values are all in slots is sent as text once, then executed.
func TestRepeatedTexts(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.sealed()
		seen := &spy{at: math.MaxInt}
		r.spy = seen
		for _, begin := range []string{"COMMIT", "BEGIN"} {
			p := r.pair(t, wiretest.ClientCaps|wire.ClientFoundRows)
			p.each("DELETE FROM sealed", begin)
			for n, want := range []sentFor{{1, 0, false}, {0, 1, true}, {0, 0, true}, {0, 0, true}} {
				for _, s := range []string{
					"INSERT INTO sealed (id, code, a, t) VALUES (%[1]d, 'c%[1]d', %[1]d, 'it''s')", "INSERT INTO sealed VALUES (%[1]d + 10, 'd%[1]d', NULL, 'é')",
					"REPLACE INTO sealed (id, code, a) VALUES (%[1]d, 'e%[1]d', 7)", "DELETE FROM sealed WHERE id = %[1]d", "DELETE FROM sealed WHERE code = 'd%[1]d'",
				} {
					seen.begin(math.MaxInt)
					p.same(fmt.Sprintf(s, n))
					if got := seen.sent(); got != want {
						t.Errorf("%s %s, time %d: %+v, want %+v", begin, s, n+1, got, want)
					}
				}
			}
			p.each("SELECT * FROM sealed ORDER BY id", "COMMIT")
		}
	})
}

// TestRepeatedAnswers: errors, warnings and counts are those of a text, and what others change in between.
func TestRepeatedAnswers(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.sealed()
		p := r.pair(t, wiretest.ClientCaps)
		add := func(values string) string { return "INSERT INTO sealed (id, code, a, t) VALUES (" + values + ")" }
		for _, mode := range []string{"STRICT_TRANS_TABLES", "", "STRICT_ALL_TABLES,ANSI_QUOTES,NO_BACKSLASH_ESCAPES"} {
			p.each("SET sql_mode = '"+mode+"'", "DELETE FROM sealed", add("1, 'a', 1, 'x'"), add("2, 'b', 2, 'y'"), add("3, 'c', 3, 'z'"))
			for _, values := range []string{
				"1, 'q', 1, 'x'", "9, 'a', 1, 'x'", "4, 'd', 300, 'x'", "5, 'e', 1, 'much too long'", "NULL, 'f', 1, 'x'", "6, NULL, 1, 'x'", "7, 'g', '1x', 'x'", "'8', 8, '8', 8", "1, 'q', 1, 'x'",
			} {
				p.each(add(values), "SELECT ROW_COUNT()", "SELECT LAST_INSERT_ID()")
			}
			p.each(add("20, 'k', 1, 'x'), (21, 'l', 1, 'y'"), "INSERT IGNORE INTO sealed (id, code, a, t) VALUES (1, 'a', 1, 'x')", "INSERT IGNORE INTO sealed (id, code, a, t) VALUES (2, 'a', 1, 'x')",
				add("22, 'm', 1, 'x'), (1, 'n', 1, 'y'"), add("23, 'o', 1, 'x'"), "SELECT * FROM sealed ORDER BY id")
			for _, n := range []string{"1", "2", "3", "99"} {
				p.each("DELETE FROM sealed WHERE id = "+n, "SELECT ROW_COUNT()", add(n+", 'z', 1, 'x'"), "DELETE FROM sealed WHERE id = "+n)
			}
			p.each("START TRANSACTION READ ONLY", add("30, 'p', 1, 'x'"), "DELETE FROM sealed WHERE id = 20", "COMMIT", "SELECT * FROM sealed ORDER BY id", "SET sql_mode = DEFAULT")
		}
	})
}

// TestRepeatedRefused: what the server does not prepare is text, unless it has ended the transaction for it, or was told to end
// the statement.
func TestRepeatedRefused(t *testing.T) {
	for number, fails := range map[uint16]bool{1461: false, 1142: false, 1054: false, 1213: true, 1317: true} {
		w := &writer{st: &Statement{}}
		err := w.takePrepared(&repeat.Statement{}, &dialogue.Preparation{Refusal: &wire.Err{Number: number}})
		if (err != nil) != fails || w.batch.repeated != nil {
			t.Errorf("%d: %v", number, err)
		}
		read := &sqlerr.Error{Number: 1205}
		if got := firstOf(err, read); fails && got != err || !fails && got != error(read) {
			t.Errorf("%d before %d: %v", number, read.Number, got)
		}
		broken := &dialogue.BrokenError{Err: wire.ErrMalformed}
		if got := firstOf(err, broken); got != error(broken) {
			t.Errorf("%d before a broken answer: %v", number, got)
		}
	}
}
