package build

import (
	"slices"

	"tunic/internal/sql/ast"
)

// implied adds the equalities that conditions imply because they are in every part of an
// OR: rows can be found by those, where the OR alone looks at all pairs.
//
//	(a.k = b.k AND a.x = 1) OR (a.k = b.k AND b.y = 2)  implies  a.k = b.k
//
// The OR stays as it is. Only equalities of two columns of one kind are added, which
// raise no warning.
func (s *scope) implied(conditions []ast.Expr) []ast.Expr {
	for _, c := range conditions {
		if _, ok := c.(*ast.OrExpr); !ok {
			continue
		}
		for _, e := range inAllParts(c) {
			if s.sameKind(e) && !hasCondition(conditions, e) {
				conditions = append(conditions, namedAnew(e))
			}
		}
	}
	return conditions
}

// inAllParts are the conditions that an OR has in all of its parts.
func inAllParts(e ast.Expr) []ast.Expr {
	or, ok := e.(*ast.OrExpr)
	if !ok {
		return ast.Conjuncts(e, nil)
	}
	right := inAllParts(or.Right)
	return slices.DeleteFunc(inAllParts(or.Left), func(e ast.Expr) bool { return !hasCondition(right, e) })
}

func hasCondition(all []ast.Expr, e ast.Expr) bool {
	return slices.ContainsFunc(all, func(other ast.Expr) bool { return ast.Equal(other, e) })
}

// sameKind reports whether a condition is an equality of columns of two tables that have
// one kind.
func (s *scope) sameKind(e ast.Expr) bool {
	n, ok := e.(*ast.ComparisonExpr)
	if !ok || n.Operator != ast.EqualOp || n.Modifier != ast.Missing || len(s.ownSources(e)) < 2 {
		return false
	}
	l, a := s.leafColumn(n.Left)
	r, b := s.leafColumn(n.Right)
	if l == nil || r == nil {
		return false
	}
	left, _ := l.equality(a)
	right, _ := r.equality(b)
	return left != nil && right != nil && left.Type.Kind == right.Type.Kind
}

// namedAnew is an equality of columns with names of its own: those of the stored
// statement are written over names, and the OR's are to stay.
func namedAnew(e ast.Expr) ast.Expr {
	n, ok := e.(*ast.ComparisonExpr)
	if !ok {
		return e
	}
	made := *n
	for _, side := range [...]*ast.Expr{&made.Left, &made.Right} {
		if name, ok := (*side).(*ast.ColName); ok {
			own := *name
			*side = &own
		}
	}
	return &made
}
