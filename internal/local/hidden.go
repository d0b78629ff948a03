package local

import (
	"bytes"
	"strings"

	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// What a client sees of a DECIMAL are the digits of its type. What servers store of it,
// or set a user variable to, are all that they have: of an average more than its type
// says, and of a quotient on MariaDB, until they put it into a table of their own. Where
// the value has more digits here as well, and no server has cut them, it is known. A
// value that went through a column of tunic's rows has those of its type, so that one
// that servers may have with more is refused where it is not for the client.

// errHidden is the refusal of a value with digits that only servers have.
func errHidden() error {
	return sqlerr.ValueRefused("a DECIMAL that servers have with more digits than they show, other than in an answer,")
}

// hides reports whether servers may have a decimal that is computed from columns with
// digits that are not here. kept says that it is put into a column of its type, which
// has no others.
func (c *compiler) hides(e ast.Node, t *value.Type, kept bool) (found bool) {
	if t.Kind != value.Decimal {
		return false
	}
	quotients := kept && c.program.session.Flavor != value.MySQL
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			if i := c.scope.find(n); i >= 0 {
				of := &c.scope.Columns[i]
				found = found || of.hidden || kept && of.finer > 0
			}
		case *ast.BinaryExpr:
			found = found || quotients && n.Operator == ast.DivOp
		case *ast.CastExpr, *ast.ConvertExpr:
			return false, nil
		case *ast.FuncExpr:
			if settlesDigits(n) {
				return false, nil
			}
		}
		return !found, nil
	}, e)
	return found
}

// settlesDigits reports whether a function leaves as many digits as its type says.
func settlesDigits(n *ast.FuncExpr) bool {
	switch n.Name.Lowered() {
	case "floor", "ceil", "ceiling":
		return true
	case "round", "truncate":
		return len(n.Exprs) == 1 || len(n.Exprs) == 2 && isLiteral(n.Exprs[1])
	}
	return false
}

func isLiteral(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Literal:
		return true
	case *ast.Argument:
		return OperandOf(e).Kind == recipe.FromPlace
	}
	return false
}

// hiding says of an item what servers may have of it.
func (c *compiler) hiding(it *Item, e ast.Expr) error {
	computed, err := c.ofWindow(e)
	if err == nil {
		computed, err = c.ofGroup(computed)
	}
	if err != nil {
		return err
	}
	it.hidden, it.hidesKept = c.hides(computed, it.Typ, false), c.hides(computed, it.Typ, true)
	if it.hidden || it.Typ.Kind != value.Decimal || it.Expression != nil && it.Expression.twin == nil {
		return nil
	}
	averages, _ := c.averagesIn(computed)
	for _, i := range averages {
		it.averages = append(it.averages, c.scope.rounding(i))
	}
	return nil
}

// hidesIn is hides for the results of functions of rows.
func (c *compiler) hidesIn(f ast.Node, t *value.Type) bool {
	hidden := false
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if e, ok := n.(ast.Expr); ok && n != f {
			computed, err := c.ofGroup(e)
			hidden = hidden || err != nil || c.hides(computed, t, true)
			return false, nil //nolint:nilerr // what cannot be read hides something
		}
		return true, nil
	}, f)
	return hidden
}

// Shown refuses an item of a row that servers may have with more digits. asText says that
// zeros at its end are digits, too.
func (it *Item) Shown(r eval.Row, env *value.Env, asText bool) error {
	if it.hidden {
		return errHidden()
	}
	for _, average := range it.averages {
		if asText && r[average.column] != nil || average.Shows(r, env, asText) {
			return errHidden()
		}
	}
	return nil
}

// ShownAll refuses a decimal that has more digits than its type says.
func ShownAll(t *value.Type, source *value.Source) error {
	if source.Form != value.FormDecimal || t.Kind != value.Decimal {
		return nil
	}
	if _, digits, ok := bytes.Cut(source.Bytes, []byte(".")); ok && len(bytes.TrimRight(digits, "0")) > t.Decimals {
		return errHidden()
	}
	return nil
}

// Buffers reports whether a server may put the rows of a query into a table before it
// has all of their columns, which then have the digits of their types; constant, that
// it may do so with what is the same in all rows.
func Buffers(run *recipe.Run) (all, constant bool) {
	steps, one := run.Local, true
	if run.Tree != nil {
		b, ok := run.Tree.Root.(*recipe.Block)
		if !ok {
			return true, true
		}
		source, is := b.From.(*recipe.Source)
		steps, one = b.Steps, b.From == nil || is && source.Qualifiers == nil && isPlainBlock(b)
	} else if run.Remote != nil {
		text := strings.ToLower(run.Remote.String())
		all = strings.Contains(text, " group by ") || strings.Contains(text, "distinct")
	}
	for _, s := range steps {
		switch s := s.(type) {
		case *recipe.Filter, *recipe.Having, *recipe.Project, *recipe.Limit, *recipe.Attach:
		case *recipe.Group:
			if len(s.By) > 0 || !one {
				return true, true
			}
			constant = true
		case *recipe.Sort:
			all = all || !one
		default: // Distinct, Window, and what nobody has looked at
			return true, true
		}
	}
	return all, all || constant
}
