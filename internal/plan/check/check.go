package check

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// Statement holds a stored statement to what the rules are to keep, whatever they did:
//
//   - a sealed form is selected (any of a group by MIN), counted, tested for NULL,
//     kept (IF) or assigned, and nothing is computed from it;
//   - a sealed form is compared (<=>) with a slot: with the one that was read;
//   - a token is compared with slots and, for equality, tokens of one domain, grouped by,
//     counted or assigned; that of an order layer alone is compared by <, BETWEEN and their
//     kin, sorted by, and selected where rows are sorted by it;
//   - a token is selected beside the form of its column's family, too;
//   - what is assigned to either is a slot, NULL, or what keeps it: IF with the tokens of all columns
//     whose values it has;
//   - the form of a family is never counted, tested for NULL or assigned it, and the name of a column that is in one is
//     nowhere;
//   - a plain form is assigned a slot or NULL, and nothing else names it; the values of its
//     own column are what it gets, and nothing else gets them as they are (Bare);
//   - no cipher is called with a key that the client's statement says.
//
// So a value of a protected column can only be in a slot.
func Statement(root ast.Statement, t *catalog.Table) error { return auditForms(root, formsOf(t)) }

// Named is a table under a name of its own in a statement.
type Named struct {
	Table *catalog.Table
	Name  string
}

// Joined is audit for a statement over several tables. They are joined by what is
// plain, and by tokens.
func Joined(root ast.Statement, tables []Named) error {
	all := forms{several: true, byName: map[string]recipe.Form{}, ordered: map[string]bool{}, family: map[string]string{}}
	for _, t := range tables {
		for i := range t.Table.Columns {
			all.byName[t.Name+"."+strings.ToLower(t.Table.Columns[i].Name)] = recipe.Value
		}
		of := formsOf(t.Table)
		for name, form := range of.byName {
			all.byName[t.Name+"."+name], all.ordered[t.Name+"."+name] = form, of.ordered[name]
		}
		for token, form := range of.family {
			all.family[t.Name+"."+token] = t.Name + "." + form
		}
	}
	return auditForms(root, all)
}

func auditForms(root ast.Statement, forms forms) error {
	if resolve.Ciphers(root) {
		return sqlerr.KeySent()
	}
	if n, ok := root.(*ast.Insert); ok {
		return auditRows(n, forms)
	}
	var visit visitor
	visit = func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			if forms.of(n) != recipe.Value {
				return false, errAudit // not where a case below has let it
			}
		case *ast.AliasedExpr:
			e := n.Expr
			if one, ok := e.(*ast.Min); ok && one.OverClause == nil {
				e = one.Arg
			}
			token := forms.of(n.Expr) == recipe.Token && (sortedByIt(root, n.Expr) || forms.besideItsForm(root, n.Expr))
			return into(forms.of(e) != recipe.Sealed && forms.of(e) != recipe.Record && !token)
		case *ast.GroupBy:
			return into(!forms.tokens(n.Exprs))
		case *ast.Count:
			counted := len(n.Args) == 1 && (forms.of(n.Args[0]) == recipe.Token || forms.of(n.Args[0]) == recipe.Sealed && !n.Distinct)
			return into(!counted)
		case *ast.IsExpr:
			null := n.Right == ast.IsNullOp || n.Right == ast.IsNotNullOp
			return into(!null || forms.of(n.Left) != recipe.Sealed && forms.of(n.Left) != recipe.Token)
		case *ast.Order:
			return into(!forms.orders(n.Expr) && !forms.breaksTies(root, n))
		case *ast.ComparisonExpr:
			if q, ok := n.Right.(*ast.Subquery); ok {
				return false, forms.semijoin(n, q, visit)
			}
			if row, ok := n.Left.(ast.ValTuple); ok && forms.any(row) {
				return false, forms.rows(row, n.Right)
			}
			same := (forms.of(n.Left) == recipe.Sealed || forms.of(n.Left) == recipe.Record) && n.Operator == ast.NullSafeEqualOp
			if n.Operator == ast.EqualOp && forms.of(n.Left) == recipe.Token && forms.of(n.Right) == recipe.Token {
				return false, nil
			}
			if forms.of(n.Left) == recipe.Token && !equates(n.Operator) && !forms.orders(n.Left) {
				return false, errAudit
			}
			return into(forms.of(n.Left) != recipe.Token && !same || !slots(n.Right))
		case *ast.BetweenExpr:
			return into(!forms.orders(n.Left) || !slots(n.From, n.To))
		case *ast.UpdateExpr:
			return forms.assignment(n)
		}
		return true, nil
	}
	return ast.Walk(visit, root)
}

// sortedByIt reports whether the rows of a query are sorted by an expression.
func sortedByIt(root ast.Statement, e ast.Expr) bool {
	n, ok := root.(*ast.Select)
	return ok && slices.ContainsFunc(n.OrderBy, func(o *ast.Order) bool { return ast.Equal(o.Expr, e) })
}

// besideItsForm reports whether a query that selects a token selects the form of its column's family as well.
func (f forms) besideItsForm(root ast.Statement, e ast.Expr) bool {
	n, ok := root.(*ast.Select)
	name, named := e.(*ast.ColName)
	if !ok || !named {
		return false
	}
	form := f.family[f.known(name)]
	return form != "" && slices.ContainsFunc(n.SelectExprs.Exprs, func(s ast.SelectExpr) bool {
		one, is := s.(*ast.AliasedExpr)
		if !is {
			return false
		}
		other, is := one.Expr.(*ast.ColName)
		return is && f.known(other) == form
	})
}

func into(yes bool) (bool, error) { return yes, nil }

// equates reports whether an operator tells nothing but whether values are equal.
func equates(o ast.ComparisonExprOperator) bool {
	switch o {
	case ast.EqualOp, ast.NotEqualOp, ast.NullSafeEqualOp, ast.InOp, ast.NotInOp:
		return true
	default:
		return false
	}
}

// tokens reports whether no expression has anything to do with a form but those
// that are tokens.
func (f forms) tokens(all []ast.Expr) bool {
	for _, e := range all {
		if f.of(e) != recipe.Token && f.plain(e) != nil {
			return false
		}
	}
	return true
}

// assignment lets a slot or NULL into a form, or IF that keeps a sealed form where the
// token of its column stays.
func (f forms) assignment(n *ast.UpdateExpr) (bool, error) {
	switch f.of(n.Name) {
	case recipe.Value:
		return true, nil
	case recipe.Sealed, recipe.Record:
		if keep, ok := n.Expr.(*ast.FuncExpr); ok && len(keep.Exprs) == 3 && keep.Name.EqualString("if") {
			if f.tokensStay(n.Name, keep.Exprs[0]) && ast.Equal(keep.Exprs[1], n.Name) && slots(keep.Exprs[2]) {
				return false, nil
			}
		}
		if f.of(n.Name) == recipe.Record && !slots(n.Expr) {
			return false, errAudit // it is never NULL
		}
	case recipe.Token, recipe.Bare:
	case noForm:
		return false, errAudit
	}
	if _, null := n.Expr.(*ast.NullVal); !null && !slots(n.Expr) {
		return false, errAudit
	}
	return false, nil
}

// tokensStay reports whether a condition is that tokens are those of slots, and among them those of all columns that a sealed
// form has the values of.
func (f forms) tokensStay(sealed *ast.ColName, e ast.Expr) bool {
	compared, ok := f.compared(e)
	needed := f.equality[strings.ToLower(sealed.Name.String())]
	return ok && len(needed) > 0 && !slices.ContainsFunc(needed, func(token string) bool { return !slices.Contains(compared, token) })
}

// compared are the tokens that a condition compares with slots by <=>, all of which it is true of; false if it is another one.
func (f forms) compared(e ast.Expr) (names []string, ok bool) {
	switch n := e.(type) {
	case *ast.AndExpr:
		left, l := f.compared(n.Left)
		right, r := f.compared(n.Right)
		return append(left, right...), l && r
	case *ast.ComparisonExpr:
		name, is := n.Left.(*ast.ColName)
		if !is || n.Operator != ast.NullSafeEqualOp || f.of(name) != recipe.Token || !slots(n.Right) {
			return nil, false
		}
		return []string{strings.ToLower(name.Name.String())}, true
	default:
		return nil, false
	}
}

// any reports whether one of several expressions is a form.
func (f forms) any(row ast.ValTuple) bool {
	return slices.ContainsFunc(row, func(e ast.Expr) bool { return f.of(e) != recipe.Value })
}

// rows holds a list of rows that a row with tokens is compared with to what the rules
// say: where there is a token there are slots, and where there is none, none.
func (f forms) rows(left ast.ValTuple, right ast.Expr) error {
	list, ok := right.(ast.ValTuple)
	if !ok || len(list) == 0 {
		return errAudit
	}
	for _, item := range list {
		row, ok := item.(ast.ValTuple)
		if !ok || len(row) != len(left) {
			return errAudit
		}
		for i, e := range row {
			switch f.of(left[i]) {
			case recipe.Token:
				if !slots(e) {
					return errAudit
				}
			case recipe.Value:
				if f.plain(left[i]) != nil || f.plain(e) != nil {
					return errAudit
				}
			default:
				return errAudit
			}
		}
	}
	return nil
}

// slots reports whether every expression is a slot, or a list of slots.
func slots(all ...ast.Expr) bool {
	for _, e := range all {
		switch e := e.(type) {
		case *ast.Argument:
			if _, ok := sql.SlotOf(e); !ok {
				return false
			}
		case ast.ValTuple:
			if len(e) == 0 || !slots(e...) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// auditRows is audit for rows of values: those of forms are slots, and the others
// name no column that is a form. Rows that are there already are set no form either.
func auditRows(n *ast.Insert, f forms) error {
	rows, ok := n.Rows.(ast.Values)
	if !ok {
		return errAudit
	}
	for _, e := range n.OnDup {
		if f.of(e.Name) != recipe.Value || ast.HasQuery(e.Expr) {
			return errAudit
		}
		if err := f.plain(e.Expr); err != nil {
			return err
		}
	}
	for _, row := range rows {
		if len(row) != len(n.Columns) {
			return errAudit
		}
		for i, e := range row {
			if name := n.Columns[i].Lowered(); f.byName[name] != recipe.Value || f.copied[name] {
				if f.byName[name] == noForm || !slots(e) {
					return errAudit
				}
			} else if err := f.plain(e); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f forms) plain(e ast.Expr) error {
	return ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			if f.of(n) != recipe.Value {
				return false, errAudit
			}
		case *ast.Argument:
			if _, ok := sql.SlotOf(n); ok {
				return false, errAudit
			}
		}
		return true, nil
	}, e)
}

// Bare holds the slots of a stored statement to where they are: one that has a value as
// a plain column has it is what the plain form of that very column is set to. base is the
// number that slots have for the table's first column.
func Bare(root ast.Statement, t *catalog.Table, slots []recipe.Slot, base int) error {
	bare := map[string]int{} // columns, by the names of their plain forms
	for s := range t.StoredColumns() {
		if s.Kind == catalog.StoredBare {
			bare[strings.ToLower(s.Name)] = base + s.At
		}
	}
	if len(bare) == 0 && !slices.ContainsFunc(slots, func(s recipe.Slot) bool { return s.Form == recipe.Bare }) {
		return nil
	}
	set := 0
	assigned := func(name string, e ast.Expr) error {
		column, is := bare[name]
		a, ok := e.(*ast.Argument)
		if !ok {
			return nil
		}
		n, ok := sql.SlotOf(a)
		if !ok || n >= len(slots) {
			return nil
		}
		if s := &slots[n]; is != (s.Form == recipe.Bare) || is && (s.Column != column || s.Use != recipe.Assign) {
			return errAudit
		}
		if is {
			set++
		}
		return nil
	}
	err := ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.UpdateExpr:
			return true, assigned(n.Name.Name.Lowered(), n.Expr)
		case *ast.Insert:
			rows, _ := n.Rows.(ast.Values)
			for _, row := range rows {
				for i, e := range row {
					if err := assigned(n.Columns[i].Lowered(), e); err != nil {
						return false, err
					}
				}
			}
		case *ast.Argument:
			if at, ok := sql.SlotOf(n); ok && at < len(slots) && slots[at].Form == recipe.Bare {
				set--
			}
		}
		return true, nil
	}, root)
	if err != nil || set != 0 {
		return errAudit
	}
	return nil
}
