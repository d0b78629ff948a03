package guard

import (
	"regexp"
	"slices"
	"strings"

	"tunic/internal/eval"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// A server reads an expression of a definition when it opens the table, whoever writes a
// row then. What of the client's session does not count is put right here; where it hangs
// on which session has opened the table, nobody knows the value, and it is refused.

// divPrecision is the default of div_precision_increment.
const divPrecision = 4

// settled is the session that a guard is computed in, for a client's session.
func (s *Set) settled(g *Guard, session eval.Session) (eval.Session, error) {
	if s.literals != nil {
		session.Collation = s.literals
	}
	has := contentsOf(g.Expr)
	padded := func(i int) bool { return s.Table.Columns[i].Type.Kind == value.Char }
	switch {
	case has.quotient && session.DivPrecision != divPrecision:
		return session, sqlerr.StatementRefused("a definition with a division, under another div_precision_increment,")
	case has.like && session.NoBackslashEscapes && session.Flavor == value.MariaDB:
		return session, sqlerr.StatementRefused("a definition with LIKE, under NO_BACKSLASH_ESCAPES,")
	case session.Mode&value.PadCharToFullLength != 0 && slices.ContainsFunc(g.Reads, padded):
		return session, sqlerr.StatementRefused("a definition that reads a CHAR, under PAD_CHAR_TO_FULL_LENGTH,")
	}
	return session, nil
}

// Inputs are what a guard is computed with, of what a statement has: the servers compute
// VIRTUAL columns when they are read, so that neither the clock nor the time zone may
// have a say in a generated column.
func (s *Set) Inputs(g *Guard, in eval.Inputs) eval.Inputs {
	if !s.Generated(g.Column) {
		return in
	}
	env := *in.Env
	env.Location = nil
	return eval.Inputs{Env: &env, ZoneUnknown: true}
}

// tableCollation finds the default collation in what MariaDB shows of a table.
var tableCollation = regexp.MustCompile(`^\) .* COLLATE=(\w+)`)

// findLiterals finds the collation that literals, and numbers as text, have in the
// definition: on MariaDB the table's, on MySQL the default of utf8mb4, whatever that of
// the connection was.
func (s *Set) findLiterals(flavor value.Flavor) {
	name := "utf8mb4_0900_ai_ci"
	if flavor == value.MariaDB {
		lines := strings.Split(s.Table.Definition, "\n")
		found := tableCollation.FindStringSubmatch(lines[len(lines)-1])
		if found == nil {
			return
		}
		name = found[1]
	}
	c, ok := charset.Lookup(flavor, name)
	if ok && s.InUTF8 && !strings.HasPrefix(c.Charset.Name, "utf8") {
		c, ok = charset.Lookup(flavor, "utf8mb4_general_ci") // the text of the catalog is in UTF-8
	}
	if ok {
		s.literals = c
	}
}

// contents are what an expression has in it.
type contents struct{ quotient, like bool }

func contentsOf(e ast.Expr) (has contents) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			has.quotient = has.quotient || n.Operator == ast.DivOp
		case *ast.ComparisonExpr:
			has.like = has.like || n.Operator == ast.LikeOp || n.Operator == ast.NotLikeOp
		}
		return true, nil
	}, e)
	return has
}
