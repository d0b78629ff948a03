package refusal_test

import (
	"testing"

	"tunic/internal/eval/evaltest"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
)

// TestNameOf: a refusal names the function or the operator.
func TestNameOf(t *testing.T) {
	for want, e := range map[string]ast.Expr{
		"SOUNDEX":    &ast.FuncExpr{Name: ast.Identifier("soundex")},
		":=":         &ast.AssignmentExpr{},
		"a row":      ast.ValTuple{&ast.NullVal{}},
		"a subquery": &ast.Subquery{},
	} {
		if got := refusal.NameOf(e); got != want {
			t.Errorf("%T: %q, want %q", e, got, want)
		}
	}
}

// TestNameOfCall: a function that has a node of its own is named as the client wrote it, and nothing is
// said of its arguments.
func TestNameOfCall(t *testing.T) {
	for text, want := range map[string]string{
		"JSON_KEYS(a)":                            "JSON_KEYS",
		"EXTRACTVALUE(a, '/b')":                   "EXTRACTVALUE",
		"UpdateXML(a, '/b', 'c')":                 "UPDATEXML",
		"JSON_MERGE_PATCH(a, b)":                  "JSON_MERGE_PATCH",
		"JSON_ARRAY_APPEND(a, '$', 1)":            "JSON_ARRAY_APPEND",
		"ST_GeomFromText('POINT(0 0)')":           "ST_GEOMETRYFROMTEXT", // the same function
		"ST_Length(a)":                            "ST_LENGTH",
		"GET_LOCK('a', 1)":                        "GET_LOCK",
		"GTID_SUBSET('a', 'b')":                   "GTID_SUBSET",
		"INTERVAL(a, 1, 2)":                       "INTERVAL",
		"WEIGHT_STRING(a)":                        "WEIGHT_STRING",
		"CURTIME(3)":                              "CURTIME",
		"PS_CURRENT_THREAD_ID()":                  "PS_CURRENT_THREAD_ID",
		"MATCH (a) AGAINST ('secret')":            "MATCH",
		"EXTRACTVALUE(CONCAT('secret(', a), 'b')": "EXTRACTVALUE",
	} {
		if got := refusal.NameOf(evaltest.Parse(t, text)); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
