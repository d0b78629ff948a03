package documents

import (
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
)

// Function compiles the functions of JSON; the node is nil for another expression.
func Function(c *compilation.Compilation, e ast.Expr) (*program.Node, error) {
	switch e := e.(type) {
	case *ast.JSONExtractExpr:
		return jsonOf(c, "JSON_EXTRACT", e.JSONDoc, e.PathList, jsonExtract)
	case *ast.JSONUnquoteExpr:
		return jsonOf(c, "JSON_UNQUOTE", e.JSONValue, nil, jsonUnquote)
	case *ast.JSONValueExpr:
		if e.ReturningType != nil || e.EmptyOnResponse != nil || e.ErrorOnResponse != nil {
			return nil, refusal.Of("JSON_VALUE with RETURNING or ON")
		}
		return jsonOf(c, "JSON_VALUE", e.JSONDoc, []ast.Expr{e.Path}, jsonValue)
	case *ast.JSONAttributesExpr:
		return jsonAttribute(c, e)
	case *ast.JSONKeysExpr:
		return jsonOf(c, "JSON_KEYS", e.JSONDoc, optional(e.Path), jsonKeys)
	case *ast.JSONQuoteExpr:
		return jsonQuote(c, e)
	case *ast.JSONPrettyExpr:
		return jsonOf(c, "JSON_PRETTY", e.JSONVal, nil, jsonPretty)
	case *ast.JSONContainsExpr:
		return jsonContains(c, e)
	case *ast.JSONContainsPathExpr:
		return jsonContainsPath(c, e)
	case *ast.JSONOverlapsExpr:
		return jsonOverlaps(c, e)
	case *ast.MemberOfExpr:
		return memberOf(c, e)
	case *ast.JSONObjectExpr:
		return jsonObject(c, e)
	case *ast.JSONArrayExpr:
		return jsonArray(c, e)
	case *ast.JSONValueModifierExpr:
		return jsonModify(c, e)
	case *ast.JSONRemoveExpr:
		return jsonOf(c, "JSON_REMOVE", e.JSONDoc, e.PathList, jsonRemove)
	case *ast.JSONValueMergeExpr:
		return jsonMerge(c, e)
	}
	return nil, nil //nolint:nilnil // it is no function of JSON
}
