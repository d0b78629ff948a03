package predicate

import (
	"tunic/internal/eval/characters"
	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// like compiles LIKE and NOT LIKE. It compares character by character, and so
// spaces at the end count, and 'ß' LIKE 'ss' is false in every collation (MySQL
// manual, "String Comparison Functions and Operators").
func like(c *compilation.Compilation, e *ast.ComparisonExpr) (*program.Node, error) {
	args, err := c.All([]ast.Expr{e.Left, e.Right})
	if err != nil {
		return nil, err
	}
	escape, err := escapeOf(c, e.Escape)
	if err != nil {
		return nil, err
	}
	if err := c.Allow("LIKE", args...); err != nil {
		return nil, err
	}
	text, pattern, m, err := matcherOf(c, args[0], args[1], escape)
	if err != nil {
		return nil, err
	}
	negated := e.Operator == ast.NotLikeOp
	return program.Derive(class.BoolShape, func(r *program.Run) *program.Datum {
		x := text(r)
		if x.Null {
			return program.NullDatum
		}
		y := pattern(r)
		if y.Null {
			return program.NullDatum
		}
		return program.BoolDatum(m.Match(x.B, y.B) != negated)
	}, args...), nil
}

// escapeOf is the escape character of LIKE, -1 for none.
func escapeOf(c *compilation.Compilation, e ast.Expr) (int, error) {
	if e == nil {
		if c.Session.NoBackslashEscapes && !c.Session.IsMariaDB() { // MariaDB escapes in any mode
			return -1, nil
		}
		return '\\', nil
	}
	n, err := c.Compile(e)
	if err != nil {
		return 0, err
	}
	if n.Example == nil || n.Example.Form != value.FormString || len(n.Example.Bytes) > 1 {
		return 0, refusal.Of("ESCAPE")
	}
	c.Pin(n)
	if len(n.Example.Bytes) == 0 {
		return -1, nil
	}
	if n.Example.Bytes[0] >= 0x80 {
		return 0, refusal.Of("ESCAPE")
	}
	return int(n.Example.Bytes[0]), nil
}

// matcherOf evaluates a text and a pattern, and says how they are matched.
func matcherOf(c *compilation.Compilation, text, pattern *program.Node, escape int) (s, p program.Evaluator, m *characters.Matcher, err error) {
	if text.Class == class.Bytes || pattern.Class == class.Bytes || text.Class == class.Hex || pattern.Class == class.Hex {
		return bytesMatcher(c, text, pattern, escape)
	}
	collation, err := coercion.CollationOf(c, "LIKE", text, pattern)
	if err != nil {
		return nil, nil, nil, err
	}
	if exact, _ := collation.Exact(); !exact || collation.Charset.BytesMin > 1 {
		return nil, nil, nil, refusal.Of("LIKE in " + collation.Name)
	}
	if s, err = coercion.InCharset(c, text, collation.Charset, "LIKE"); err != nil {
		return nil, nil, nil, err
	}
	if p, err = coercion.InCharset(c, pattern, collation.Charset, "LIKE"); err != nil {
		return nil, nil, nil, err
	}
	return s, c.Once(pattern, p), characters.NewMatcher(collation.Charset, collation, escape), nil
}

func bytesMatcher(c *compilation.Compilation, text, pattern *program.Node, escape int) (s, p program.Evaluator, m *characters.Matcher, err error) {
	if s, err = coercion.Text(c, text, "LIKE"); err != nil {
		return nil, nil, nil, err
	}
	p, err = coercion.Text(c, pattern, "LIKE")
	return s, p, characters.NewMatcher(coercion.BinaryCharset(c), nil, escape), err
}
