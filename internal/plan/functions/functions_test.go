package functions

import (
	"testing"

	"tunic/internal/eval/drawing"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// TestCalls: what may call a function or program of an application's, and what does something.
func TestCalls(t *testing.T) {
	type answers struct{ foreign, acts, draws, programs, calls bool }
	for text, want := range map[string]answers{
		"SELECT 1":                         {},
		"SELECT UPPER('a'), NOW()":         {},
		"SELECT upper('a') FROM dual":      {},
		"SELECT a FROM t":                  {programs: true}, // t may be a view
		"SELECT f(1)":                      {foreign: true, acts: true, programs: true},
		"SELECT shop.upper('a')":           {foreign: true, acts: true, programs: true},
		"SELECT (SELECT MAX(f(a)) FROM t)": {foreign: true, acts: true, programs: true},
		"SELECT MD5('a')":                  {foreign: true, acts: true, programs: true}, // newer MySQL may have no such function of its own
		"SELECT RAND()":                    {acts: true, draws: true},
		"SELECT BENCHMARK(1000, 1)":        {acts: true},
		"SELECT @a := 1":                   {acts: true},
		"SELECT a FROM t FOR UPDATE":       {acts: true, programs: true},
		"SET @a = 1":                       {},
		"SET @a = f(1)":                    {foreign: true, acts: true, programs: true},
		"INSERT INTO t VALUES (1)":         {programs: true}, // t may have a trigger
		"CALL p()":                         {programs: true, calls: true},
		"NO STATEMENT":                     {programs: true, calls: true},
		"COMMIT":                           {},
	} {
		read, err := sql.Parse([]byte(text), 0)
		var got answers
		got.programs, got.calls = MayRun(read, 0)
		if len(read) == 1 {
			if tree, bad := read[0].Tree(); err == nil && bad == nil {
				got.foreign, got.acts, got.draws = Foreign(tree.Root(), 0), Acts(tree.Root(), 0), Draws(tree.Root())
				if may := MayCall(read, 0); may != got.foreign {
					t.Errorf("%s: it may call a stored function: %v", text, may)
				}
			}
		}
		if got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	call := &ast.FuncExpr{Name: ast.Identifier("md5")}
	for version, foreign := range map[string]bool{"8.4.6": false, "9.5.0": false, "9.6.0": true, "10.11.6-MariaDB": false, "8.0.11-TiDB-v8.5.0": false} {
		if Foreign(call, sql.Modes(0).WithServer(version)) != foreign {
			t.Errorf("MD5 of %s", version)
		}
	}
	if !Foreign(call, 0) {
		t.Error("MD5 is not every MySQL's own")
	}
	if !IsBuiltIn("upper") || IsBuiltIn("f") {
		t.Error("functions of the servers' own are not known")
	}
}

// TestDrawnAreKnown: what tunic draws for each row is known to be another value each time.
func TestDrawnAreKnown(t *testing.T) {
	for name := range drawing.Functions() {
		if !Draws(&ast.FuncExpr{Name: ast.Identifier(name)}) {
			t.Errorf("%s is not among drawn", name)
		}
	}
}
