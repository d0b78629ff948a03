package eval

import (
	"tunic/internal/sql/ast"

	"tunic/internal/eval/program"
)

// function compiles calls, of functions and of what has a grammar of its own.
func function(c *compiler, e ast.Expr) (*program.Node, error) {
	switch e := e.(type) {
	case *ast.FuncExpr:
		return call(c, e)
	case *ast.SubstrExpr:
		return Substring(c, e)
	case *ast.TrimFuncExpr:
		return Trim(c, e)
	case *ast.CastExpr:
		if e.Array {
			return nil, refuse("CAST AS ARRAY")
		}
		return Cast(c, e.Expr, e.Type)
	case *ast.ConvertExpr:
		return Cast(c, e.Expr, e.Type)
	case *ast.CollateExpr:
		return Collate(c, e)
	case *ast.CurTimeFuncExpr:
		return Current(c, e)
	case *ast.IntervalDateExpr:
		return Interval(c, e)
	case *ast.ExtractFuncExpr:
		return Extract(c, e)
	case *ast.TimestampDiffExpr:
		return TimestampDiff(c, e)
	}
	if n, err := jsonFunction(c, e); n != nil || err != nil {
		return n, err
	}
	return textFunction(c, e)
}

// builtin compiles a function of arguments that have been compiled.
type builtin struct {
	least, most int // arguments; most is -1 for any number
	compile     func(c *compiler, name string, args []*program.Node) (*program.Node, error)
}

func call(c *compiler, e *ast.FuncExpr) (*program.Node, error) {
	name := e.Name.Lowered()
	if other, ok := synonyms[name]; ok {
		name = other
	}
	f, ok := builtins[name]
	if !ok || e.Qualifier.NotEmpty() || len(e.Exprs) < f.least || f.most >= 0 && len(e.Exprs) > f.most {
		return nil, refuse(upper(name))
	}
	args, err := c.all(e.Exprs)
	if err != nil {
		return nil, err
	}
	return f.compile(c, upper(name), args)
}
