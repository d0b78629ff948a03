package sql

import (
	"errors"
	"testing"
)

// TestExplained: what is explained, and with which words. The rest of the text is
// the statement, read as it would be alone.
func TestExplained(t *testing.T) {
	for _, c := range []struct {
		text, prefix, of string
		kind             Kind
		runs             bool
	}{
		{"EXPLAIN SELECT a FROM t", "EXPLAIN ", "SELECT a FROM t", Select, false},
		{"desc select 1", "EXPLAIN ", "select 1", Select, false},
		{"DESCRIBE /* x */ UPDATE t SET a = 1", "EXPLAIN ", "UPDATE t SET a = 1", Update, false},
		{"EXPLAIN EXTENDED DELETE FROM t", "EXPLAIN EXTENDED ", "DELETE FROM t", Delete, false},
		{"explain partitions REPLACE INTO t VALUES (1)", "EXPLAIN PARTITIONS ", "REPLACE INTO t VALUES (1)", Replace, false},
		{"EXPLAIN FORMAT = json INSERT INTO t VALUES (1)", "EXPLAIN FORMAT=JSON ", "INSERT INTO t VALUES (1)", Insert, false},
		{"EXPLAIN ANALYZE FORMAT=TREE SELECT 1", "EXPLAIN ANALYZE FORMAT=TREE ", "SELECT 1", Select, true},
		{"ANALYZE SELECT 1", "ANALYZE ", "SELECT 1", Select, true},
		{"ANALYZE FORMAT=JSON UPDATE t SET a = 1", "ANALYZE FORMAT=JSON ", "UPDATE t SET a = 1", Update, true},
		{"EXPLAIN (SELECT 1)", "EXPLAIN ", "(SELECT 1)", Select, false},
		{"EXPLAIN SELECT 1 UNION SELECT 2", "EXPLAIN ", "SELECT 1 UNION SELECT 2", SetOperation, false},
		{"EXPLAIN WITH a AS (SELECT 1) SELECT * FROM a", "EXPLAIN ", "WITH a AS (SELECT 1) SELECT * FROM a", Select, false},
		{"EXPLAIN /*!50000 EXTENDED */ SELECT 1", "EXPLAIN EXTENDED ", "SELECT 1", Select, false},
		{"EXPLAIN FORMAT='json' SELECT 1", "", "", 0, false},
		{"EXPLAIN FORMAT=brief SELECT 1", "", "", 0, false},
		{"EXPLAIN FOR CONNECTION 5", "", "", 0, false},
		{"EXPLAIN FORMAT=JSON FOR CONNECTION 5", "", "", 0, false},
		{"EXPLAIN FORMAT=JSON INTO @a SELECT 1", "", "", 0, false},
		{"EXPLAIN FORMAT JSON SELECT 1", "", "", 0, false},
		{"ANALYZE TABLE t", "", "", 0, false},
		{"DESCRIBE t", "", "", 0, false},
		{"SELECT 1", "", "", 0, false},
	} {
		text := "DO 0; " + c.text + " ;"
		all, err := Parse([]byte(text), 0)
		if err != nil || len(all) != 2 {
			t.Fatalf("%s: %v", c.text, err)
		}
		e, ok := all[1].Explained()
		switch {
		case ok != (c.of != ""):
			t.Errorf("%s: %v", c.text, ok)
		case !ok:
		case e.Prefix != c.prefix || e.Runs != c.runs || e.Of.Kind != c.kind || text[e.Of.Start:e.Of.End] != c.of:
			t.Errorf("%s: %q, %v, %v, %q", c.text, e.Prefix, e.Runs, e.Of.Kind, text[e.Of.Start:e.Of.End])
		}
	}
}

// TestExplainedHasThePlaces: the literals of what is explained have the places that
// they have in the whole text.
func TestExplainedHasThePlaces(t *testing.T) {
	const text = "EXPLAIN FORMAT=JSON SELECT a FROM t WHERE b = 7 AND c IN (1, 2, 3) AND d = 'x'"
	f := Fingerprinter{}
	f.Record(true)
	f.Fingerprint([]byte(text), 0)
	all, err := Parse([]byte(text), 0)
	if err != nil || len(all) != 1 {
		t.Fatal(err)
	}
	e, ok := all[0].Explained()
	if !ok {
		t.Fatal("not read")
	}
	tree, err := e.Of.TreeWithPlaces(f.Literals())
	if err != nil {
		t.Fatal(err)
	}
	printed, err := tree.Print(0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := printed.Fill(nil, f.Literals().Elements, func(dst []byte, h Hole, element int) ([]byte, error) {
		at := f.Literals().At(h.Place, element)
		return append(dst, text[at.From:at.To]...), nil
	})
	const want = "select `a` from `t` where `b` = 7 and `c` in (1, 2, 3) and `d` = 'x'"
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

// TestExplainedInsideAComment: a statement that begins within an executable comment
// is no statement of its own.
func TestExplainedInsideAComment(t *testing.T) {
	text := []byte("EXPLAIN /*!50000 EXTENDED SELECT */ a FROM t")
	all, err := Parse(text, 0)
	if err != nil || len(all) != 1 {
		t.Fatal(err)
	}
	e, ok := all[0].Explained()
	if !ok {
		return
	}
	f := Fingerprinter{}
	f.Record(true)
	f.Fingerprint(text, 0)
	if _, err := e.Of.TreeWithPlaces(f.Literals()); !errors.Is(err, ErrTreeSyntax) {
		t.Errorf("%v", err)
	}
}
