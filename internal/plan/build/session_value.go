package build

import (
	"slices"
	"strings"

	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// What a session says of itself, LAST_INSERT_ID(), USER(), @@version and the like, has one
// value for all of a statement. Where tunic computes with it, it is a parameter of the
// statement, as a user variable is, and the server is asked for it first. Where the server
// computes, it stays as the client wrote it.

// sessionFunctions are the functions without arguments by their names, in lower case.
var sessionFunctions = map[string]string{
	"last_insert_id": "LAST_INSERT_ID()", "connection_id": "CONNECTION_ID()", "version": "VERSION()",
	"database": "DATABASE()", "schema": "SCHEMA()", "current_role": "CURRENT_ROLE()",
	"row_count": recipe.RowCount, "found_rows": recipe.FoundRows,
	"user": "USER()", "current_user": "CURRENT_USER()", "session_user": "SESSION_USER()", "system_user": "SYSTEM_USER()",
}

// ofStatement are those that another statement changes: they stay parameters.
var ofStatement = map[string]bool{"LAST_INSERT_ID()": true, recipe.RowCount: true, recipe.FoundRows: true}

// ofDefiner are those that may be the definer's in a view.
var ofDefiner = map[string]bool{"CURRENT_USER()": true, "CURRENT_ROLE()": true}

// sessionValue is what the server is asked for an expression that is such a value; "" for
// any other. Variables that are about statements are not among them.
func sessionValue(n ast.Node) string {
	switch n := n.(type) {
	case *ast.FuncExpr:
		if n.Qualifier.IsEmpty() && len(n.Exprs) == 0 {
			return sessionFunctions[n.Name.Lowered()]
		}
	case *ast.Variable:
		name := n.Name.Lowered()
		if (n.Scope == ast.NoScope || n.Scope == ast.NextTxScope || n.Scope == ast.SessionScope) && settled(name) {
			return "@@" + name
		}
		if n.Scope == ast.GlobalScope && settled(name) {
			return "@@global." + name
		}
	}
	return ""
}

// settled reports whether a variable of the server's has one value, of which nothing hangs
// on the statement before; and a name that can be asked for as it is.
func settled(name string) bool {
	return name != "" && !outcomes[name] && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
	})
}

var outcomes = map[string]bool{
	"warning_count": true, "error_count": true, "timestamp": true, "rand_seed1": true, "rand_seed2": true, "insert_id": true,
	"last_insert_id": true, "identity": true, "statement_id": true, "last_gtid": true, "in_transaction": true, "pseudo_thread_id": true,
}

// tellSession makes parameters of what the session says of itself in a statement.
func (b *Builder) tellSession(root ast.Statement) ast.Statement {
	first := sql.FirstVariable + len(b.Run.Variables)
	var told []string
	var were []ast.Expr
	made := ast.Rewrite(ast.Clone(root), func(c *ast.Cursor) bool {
		n := c.Node()
		text := sessionValue(n)
		if text == "" || len(b.views) > 0 && ofDefiner[text] {
			return true
		}
		at := slices.Index(told, text)
		if at < 0 {
			at = len(told)
			told = append(told, text)
			e, _ := n.(ast.Expr) // it is one
			were = append(were, ast.Clone(e))
		}
		c.Replace(sql.Param(first + at))
		return false
	}, nil)
	statement, ok := made.(ast.Statement)
	if len(told) == 0 || !ok {
		return root
	}
	b.Run.Variables = append(slices.Clone(b.Run.Variables), told...)
	b.Run.Told, b.told = len(told), were
	return statement
}

// asWritten puts what the session says of itself back to where the server computes with it.
// LAST_INSERT_ID() and the counts stay parameters: one of several statements may change them.
func (b *Builder) asWritten(root ast.Statement) ast.Statement {
	if len(b.told) == 0 {
		return root
	}
	first := sql.FirstVariable + len(b.Run.Variables) - len(b.told)
	made := ast.Rewrite(ast.Clone(root), func(c *ast.Cursor) bool {
		a, ok := c.Node().(*ast.Argument)
		if !ok {
			return true
		}
		if n, is := sql.ParamOf(a); is && n >= first && !ofStatement[sessionValue(b.told[n-first])] {
			c.Replace(ast.Clone(b.told[n-first]))
		}
		return false
	}, nil)
	if statement, ok := made.(ast.Statement); ok {
		return statement
	}
	return root
}
