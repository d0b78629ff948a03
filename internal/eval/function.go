package eval

import (
	"strings"

	"tunic/internal/eval/cast"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/date"
	"tunic/internal/eval/documents"
	"tunic/internal/eval/encoding"
	"tunic/internal/eval/pattern"
	"tunic/internal/eval/refusal"
	"tunic/internal/eval/text"
	"tunic/internal/sql/ast"

	"tunic/internal/eval/program"
)

// grammar compiles calls, of functions and of what has a grammar of its own.
func grammar(c *compilation.Compilation, e ast.Expr) (*program.Node, error) {
	switch e := e.(type) {
	case *ast.FuncExpr:
		return call(c, e)
	case *ast.SubstrExpr:
		return text.Substring(c, e)
	case *ast.TrimFuncExpr:
		return text.Trim(c, e)
	case *ast.CastExpr:
		if e.Array {
			return nil, refusal.Of("CAST AS ARRAY")
		}
		return cast.As(c, e.Expr, e.Type)
	case *ast.ConvertExpr:
		return cast.As(c, e.Expr, e.Type)
	case *ast.CollateExpr:
		return cast.Collate(c, e)
	case *ast.CurTimeFuncExpr:
		return date.Current(c, e)
	case *ast.IntervalDateExpr:
		return date.Interval(c, e)
	case *ast.ExtractFuncExpr:
		return date.Extract(c, e)
	case *ast.TimestampDiffExpr:
		return date.TimestampDiff(c, e)
	case *ast.LocateExpr:
		return text.Locate(c, e)
	case *ast.InsertExpr:
		return text.Insert(c, e)
	case *ast.CharExpr:
		return encoding.Char(c, e)
	}
	if n, err := documents.Function(c, e); n != nil || err != nil {
		return n, err
	}
	if n, err := pattern.Function(c, e); n != nil || err != nil {
		return n, err
	}
	return nil, refusal.Of(refusal.NameOf(e))
}

func call(c *compilation.Compilation, e *ast.FuncExpr) (*program.Node, error) {
	name := e.Name.Lowered()
	if other, ok := synonyms[name]; ok {
		name = other
	}
	f, ok := functions[name]
	if !ok || e.Qualifier.NotEmpty() || !f.Fits(len(e.Exprs)) {
		return nil, refusal.Of(strings.ToUpper(name))
	}
	args, err := c.All(e.Exprs)
	if err != nil {
		return nil, err
	}
	return f.Compile(c, strings.ToUpper(name), args)
}
