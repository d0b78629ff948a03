package refusal

import (
	"reflect"
	"strings"
	"unicode"

	"tunic/internal/sql/ast"
)

// NameOf is what an expression that is not computed is called in a refusal: the name of
// its function or operator, never what it is of.
func NameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.FuncExpr:
		return strings.ToUpper(e.Name.String())
	case *ast.AssignmentExpr:
		return ":="
	case *ast.Variable:
		return "a variable of the server's"
	case ast.ValTuple:
		return "a row"
	case *ast.Subquery, *ast.ExistsExpr:
		return "a subquery"
	case *ast.Default:
		return "DEFAULT"
	case *ast.ValuesFuncExpr:
		return "VALUES()"
	}
	if name := ast.Called(e); name != "" {
		return strings.ToUpper(name)
	}
	return spelled(reflect.TypeOf(e).String())
}

// spelled makes words of the name of a node's type, for an operator that has no other name:
// MatchExpr is MATCH.
func spelled(node string) string {
	node = node[strings.LastIndexByte(node, '.')+1:]
	for _, end := range []string{"Expr", "Function", "Func"} {
		node = strings.TrimSuffix(node, end)
	}
	runes := []rune(node)
	var b strings.Builder
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}
