package sql

import (
	"errors"

	"vitess.io/vitess/go/vt/sqlparser"

	"tunic/internal/sql/ast"
)

// ErrExpression says that a text is not one expression, or none that is read here.
var ErrExpression = errors.New("sql: not an expression")

// Expression reads an expression as a server shows it in a definition: in UTF-8, with
// names in backquotes and strings with backslashes, whatever sql_mode says. Literals stay
// in the tree; those with UTF-8 or ASCII before them have nothing before them there.
func Expression(text string, m Modes) (ast.Expr, error) {
	all, err := Parse([]byte("SELECT ("+text+")"), m.WithSQLMode("").WithCharset("utf8mb4"))
	if err != nil || len(all) != 1 {
		return nil, ErrExpression
	}
	tree, err := all[0].Tree()
	if err != nil {
		return nil, ErrExpression
	}
	query, ok := tree.Root().(*ast.Select)
	if !ok || query.SelectExprs == nil || len(query.SelectExprs.Exprs) != 1 || len(query.From) > 1 || query.Where != nil {
		return nil, ErrExpression
	}
	one, ok := query.SelectExprs.Exprs[0].(*ast.AliasedExpr)
	if !ok || !one.As.IsEmpty() {
		return nil, ErrExpression
	}
	bare, ok := sqlparser.Rewrite(one.Expr, withoutIntroducer, nil).(ast.Expr)
	if !ok {
		return nil, ErrExpression
	}
	return bare, nil
}

// withoutIntroducer takes away what says that a literal is in UTF-8 or in ASCII.
func withoutIntroducer(c *sqlparser.Cursor) bool {
	before, ok := c.Node().(*sqlparser.IntroducerExpr)
	if !ok {
		return true
	}
	switch before.CharacterSet {
	case "_utf8mb4", "_utf8mb3", "_utf8", "_ascii":
		c.Replace(before.Expr)
	}
	return true
}
