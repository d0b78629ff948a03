package eval

import (
	"tunic/internal/sql/ast"

	"tunic/internal/eval/program"
)

// function compiles calls, of functions and of what has a grammar of its own.
func (c *compiler) function(e ast.Expr) (*program.Node, error) {
	switch e := e.(type) {
	case *ast.FuncExpr:
		return c.call(e)
	case *ast.SubstrExpr:
		return c.substr(e)
	case *ast.TrimFuncExpr:
		return c.trim(e)
	case *ast.CastExpr:
		if e.Array {
			return nil, refuse("CAST AS ARRAY")
		}
		return c.cast(e.Expr, e.Type)
	case *ast.ConvertExpr:
		return c.cast(e.Expr, e.Type)
	case *ast.CollateExpr:
		return c.collate(e)
	case *ast.CurTimeFuncExpr:
		return c.current(e)
	case *ast.IntervalDateExpr:
		return c.interval(e)
	case *ast.ExtractFuncExpr:
		return c.extract(e)
	case *ast.TimestampDiffExpr:
		return c.timestampDiff(e)
	}
	if n, err := c.json(e); n != nil || err != nil {
		return n, err
	}
	return c.textFunction(e)
}

// builtin compiles a function of arguments that have been compiled.
type builtin struct {
	least, most int // arguments; most is -1 for any number
	compile     func(c *compiler, name string, args []*program.Node) (*program.Node, error)
}

func (c *compiler) call(e *ast.FuncExpr) (*program.Node, error) {
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
