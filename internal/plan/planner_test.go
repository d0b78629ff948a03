package plan

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"tunic/internal/plan/plantest"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// session is one client's side of a planner.
type session struct {
	p  *Planner
	fp sql.Fingerprinter
	m  sql.Modes
}

func (s *session) plan(text string) *Plan { return s.p.Plan(&s.fp, []byte(text), s.m, "") }

// counted is Stats as a value to compare.
type counted struct{ hits, misses, evictions, entries uint64 }

func (s *session) counted() counted {
	h, m, e, n, _ := s.p.Stats()
	return counted{h, m, e, n}
}

func TestOneTemplateIsPlannedOnce(t *testing.T) {
	s := &session{p: New(Options{}), m: plantest.MariaDB}
	first := s.plan("SELECT a FROM t WHERE b = 1 AND c IN (1, 2)")
	second := s.plan("SELECT a FROM t WHERE b = 77 AND c IN (3, 4, 5, 6) -- again")
	if first != second {
		t.Error("the second text got a plan of its own")
	}
	other := s.plan("SELECT a FROM t WHERE b = 'x' AND c IN (1, 2)")
	if other == first {
		t.Error("another template got the same plan")
	}
	if got, want := s.counted(), (counted{hits: 1, misses: 2, entries: 2}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestModesAreInTheKey: one text under two modes is two plans.
func TestModesAreInTheKey(t *testing.T) {
	p := New(Options{})
	plain, ansi := &session{p: p, m: plantest.MariaDB}, &session{p: p, m: plantest.MariaDB | sql.PipesAsConcat}
	if plain.plan("SELECT a || b") == ansi.plan("SELECT a || b") {
		t.Error("a plan crossed from one mode to another")
	}
	plain.plan("SELECT a || b")
	ansi.plan("SELECT a || b")
	if got, want := plain.counted(), (counted{hits: 2, misses: 2, entries: 2}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestEffectsAreOfTheText: what a plan says of the session is what this text
// does to it, whatever came before with similar words.
func TestEffectsAreOfTheText(t *testing.T) {
	s := &session{p: New(Options{}), m: plantest.MariaDB}
	for range 2 {
		for _, value := range []string{"ANSI_QUOTES", "NO_BACKSLASH_ESCAPES", ""} {
			p := s.plan("SET sql_mode = '" + value + "', @a = 'x" + value + "'")
			e := p.Statements[0].Effects
			if len(e.Assignments) != 1 || e.Assignments[0].Value != value || p.Quiet {
				t.Errorf("%q: %+v", value, e)
			}
		}
		for _, schema := range []string{"a", "b", "`a`"} {
			if got := s.plan("USE " + schema).Statements[0].Effects.Schema; got != strings.Trim(schema, "`") {
				t.Errorf("USE %s: %q", schema, got)
			}
		}
		for _, charset := range []string{"latin1", "gbk"} {
			if got := s.plan("SET NAMES '" + charset + "'").Statements[0].Effects.Charset.Charset; got != charset {
				t.Errorf("SET NAMES %s: %q", charset, got)
			}
		}
	}
	if got := s.counted().hits; got != 8 {
		t.Errorf("%d hits: the second round should hit", got)
	}
}

// TestWhatIsNotCached: texts whose plan is not that of their template.
func TestWhatIsNotCached(t *testing.T) {
	for name, text := range map[string]string{
		"cannot be lexed":     "SELECT 'x",
		"parentheses":         "SELECT (1",
		"a definition":        "CREATE TABLE t (a INT COMMENT 'x')",
		"a statement as text": "PREPARE s FROM 'SELECT 1'",
		"a password":          "CREATE USER u IDENTIFIED BY 'x'",
		"a password by SET":   "SET PASSWORD = 'x'",
		"a file":              "SELECT 1 INTO OUTFILE 'f'",
		"another mode":        "SET sql_mode = 'NO_BACKSLASH_ESCAPES'; SELECT 'x'",
		"any mode":            "CALL p(); SELECT 'x'",
		"a connection":        "KILL 5",
		"long":                "SELECT " + strings.Repeat("a, ", templateBytesMax/3) + "b",
		"unknown":             "FROBNICATE t",
	} {
		s := &session{p: New(Options{}), m: plantest.MariaDB}
		s.plan(text)
		s.plan(text)
		if got, want := s.counted(), (counted{misses: 2}); got != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestKindsOfText(t *testing.T) {
	s := &session{p: New(Options{}), m: plantest.MariaDB}
	for range 2 {
		if p := s.plan(" ; /* nothing */ "); len(p.Statements) != 0 || !Is[*Forward](p) || !p.Quiet {
			t.Errorf("an empty text: %+v", p)
		}
		p := s.plan("INSERT INTO t VALUES (1), (2); COMMIT AND CHAIN; SELECT 1")
		if len(p.Statements) != 3 || p.Statements[0].Kind != sql.Insert || p.Statements[2].Kind != sql.Select {
			t.Errorf("three statements: %+v", p)
		}
		if !p.Statements[1].Effects.Tx.Has(sql.TxCommit|sql.TxChain) || p.Quiet {
			t.Errorf("COMMIT AND CHAIN: %+v", p.Statements[1])
		}
		if p := s.plan("SELECT 'x"); p.Statements[0].Kind != sql.Unknown || !p.Statements[0].Effects.Stale || p.Quiet {
			t.Errorf("text that cannot be lexed: %+v", p)
		}
	}
}

// TestAHitAllocatesNothing: neither does a miss of the fingerprint's buffers.
func TestAHitAllocatesNothing(t *testing.T) {
	s := &session{p: New(Options{}), m: plantest.MariaDB}
	for _, text := range []string{
		"SELECT c FROM sbtest1 WHERE id=4993",
		"UPDATE sbtest1 SET k=k+1 WHERE id=5031",
		"INSERT INTO sbtest1 (id, k, c, pad) VALUES (4984, 5031, '04776570498', '27590239742'), (1, 2, 'a', NULL)",
		"SET autocommit=0",
		"SET NAMES utf8mb4",
		"COMMIT",
	} {
		b := []byte(text)
		s.p.Plan(&s.fp, b, s.m, "")
		if n := testing.AllocsPerRun(100, func() { s.p.Plan(&s.fp, b, s.m, "") }); n != 0 {
			t.Errorf("%s: %v allocations", text, n)
		}
	}
}

// protects is the Names of a catalog with one protected table.
type protects struct{ name string }

func (protects) Empty() bool { return false }

func (p protects) Protected(name []byte) bool {
	return len(name) == 0 || strings.EqualFold(string(name), p.name)
}

// TestProtectedNames: a statement that may touch something protected does not
// get through, unless its kind cannot do harm.
func TestProtectedNames(t *testing.T) {
	s := &session{p: New(Options{Names: protects{"patient"}}), m: plantest.MariaDB}
	unread, refused := sqlerr.StatementUnread(), sqlerr.StatementRefused("")
	for text, want := range map[string]*sqlerr.Error{
		"SELECT a FROM t":                                                nil,
		"SELECT 'patient'":                                               nil,
		"SELECT a FROM patient":                                          refused,
		"SELECT a FROM `Patient` x":                                      refused,
		"SELECT (SELECT 1 FROM shop.patient)":                            refused,
		"HANDLER patient OPEN":                                           refused,
		"SELECT 1; DELETE FROM patient":                                  refused,
		"ANALYZE TABLE patient":                                          nil,
		"USE patient":                                                    nil,
		"FROBNICATE patient":                                             unread,
		"FROBNICATE t":                                                   nil,
		"FROBNICATE 'x patient'":                                         unread,
		"SELECT 'x":                                                      unread,
		"SELECT a FROM t WHERE b = 'x":                                   unread,
		"PREPARE s FROM 'SELECT 1'":                                      nil,
		"PREPARE s FROM 'SELECT a FROM patient'":                         refused,
		"PREPARE s FROM @a":                                              refused,
		"EXECUTE IMMEDIATE 'DELETE FROM pat' 'ient'":                     refused, // MariaDB joins them
		"EXECUTE IMMEDIATE 'SELECT 1'":                                   nil,
		"EXECUTE IMMEDIATE 'SELECT ?' USING 1":                           nil,
		"PREPARE s FROM X'44454C4554452046524F4D2070617469656E74'":       refused,
		"EXECUTE IMMEDIATE 0x44454C4554452046524F4D2070617469656E74":     refused,
		"EXECUTE IMMEDIATE b'01'":                                        refused,
		"PREPARE s FROM CONCAT('DELETE FROM pat', 'ient')":               refused,
		"PREPARE s FROM UNHEX('44454C4554452046524F4D2070617469656E74')": refused,
		"CREATE PROCEDURE p() EXECUTE IMMEDIATE X'00'":                   refused,
		"CREATE PROCEDURE p() BEGIN PREPARE s FROM 'SELECT 1'; EXECUTE s; DEALLOCATE PREPARE s; END": nil,
		"CREATE PROCEDURE p(x TEXT) BEGIN PREPARE s FROM x; END":                                     refused,
		"CALL sys.execute_prepared_stmt('DO 1')":                                                     nil,
		"CALL sys.`execute_prepared_stmt`(X'00')":                                                    refused,
		"CALL sys.execute_prepared_stmt(?)":                                                          refused,
		"XA PREPARE X'00'":                                                                           nil,
		"CREATE PROCEDURE p() BEGIN DELETE FROM patient; END":                                        refused,
		"CREATE PROCEDURE p() EXECUTE IMMEDIATE 'TABLE patient'":                                     refused,
		"SELECT 1 /*!99999 FROM patient */":                                                          refused,
		"SELECT 1 /* FROM patient */":                                                                nil,
		"SELECT 1 -- FROM patient":                                                                   nil,
		"SET sql_mode = CONCAT('a', 'b'); SELECT 1":                                                  nil,
		"SET sql_mode = CONCAT('a', 'b'); TABLE patient":                                             unread,
	} {
		for range 2 {
			p := s.plan(text)
			got, _ := errors.AsType[*sqlerr.Error](p.Refusal())
			switch {
			case want == nil && (!Is[*Forward](p) || p.Refusal() != nil):
				t.Errorf("%s: %v, %v", text, p.ActionName(), p.Refusal())
			case want != nil && (!Is[*Refuse](p) || !errors.Is(p.Refusal(), want)):
				t.Errorf("%s: %v, %v", text, p.ActionName(), p.Refusal())
			case got != nil && strings.Contains(got.Message, "patient"):
				t.Errorf("%s: the refusal repeats the statement: %v", text, got)
			}
		}
	}
}

func BenchmarkPlanHit(b *testing.B) {
	for _, s := range []struct{ name, text string }{
		{"point select", "SELECT c FROM sbtest1 WHERE id=4993"},
		{"insert", "INSERT INTO sbtest1 (id, k, c, pad) VALUES (4984, 5031, '04776570498-24146271262-87204329022-63812263486-54105063427-50226451459-18376450398-26388069426-10587812803-92446432471', '27590239742-20204899609-34345212327-79811525340-24267764271')"},
	} {
		b.Run(s.name, func(b *testing.B) {
			p := New(Options{})
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				var fp sql.Fingerprinter
				text := []byte(s.text)
				for pb.Next() {
					p.Plan(&fp, text, plantest.MariaDB, "")
				}
			})
		})
	}
}

func BenchmarkPlanMiss(b *testing.B) {
	p := New(Options{Entries: 1})
	var fp sql.Fingerprinter
	var texts [64][]byte
	for i := range texts {
		texts[i] = fmt.Appendf(nil, "SELECT c FROM sbtest%d WHERE id=4993", i)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.Plan(&fp, texts[i%len(texts)], plantest.MariaDB, "")
	}
}

// TestConcurrentSessions: many sessions plan many texts while the cache evicts,
// and each gets the plan of its own text. It is for the race detector, too.
func TestConcurrentSessions(t *testing.T) {
	p := New(Options{Entries: 64, Bytes: 64 << 10})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			s := &session{p: p, m: plantest.MariaDB}
			for i := range 2000 {
				schema := fmt.Sprintf("s%d", (i*7+g)%300)
				if i%3 == 0 {
					schema = "hot"
				}
				if got := s.plan("USE " + schema).Statements[0].Effects.Schema; got != schema {
					t.Errorf("the plan of USE %s says %q", schema, got)
					return
				}
			}
		})
	}
	wg.Wait()
	checkBounds(t, p, 64, 64<<10)
}
