package eval

import (
	"testing"

	"tunic/internal/sql/ast"
)

// TestNameOf: a refusal names the function or the operator.
func TestNameOf(t *testing.T) {
	for want, e := range map[string]ast.Expr{
		"SOUNDEX":    &ast.FuncExpr{Name: ast.Identifier("soundex")},
		":=":         &ast.AssignmentExpr{},
		"a row":      ast.ValTuple{&ast.NullVal{}},
		"a subquery": &ast.Subquery{},
		"JSON_KEYS":  &ast.JSONKeysExpr{},
	} {
		if got := nameOf(e); got != want {
			t.Errorf("%T: %q, want %q", e, got, want)
		}
	}
}
