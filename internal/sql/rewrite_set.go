package sql

import (
	"slices"

	"vitess.io/vitess/go/vt/sqlparser"

	"tunic/internal/sql/ast"
	"tunic/internal/sql/lex"
)

// The library knows UNION, and neither INTERSECT nor EXCEPT. They are written as
//
//	a INTERSECT b     a UNION ALL SELECT :set_intersect UNION ALL b
//
// and the tree is rewritten: the query in the middle, which no client can write since a
// colon begins no name of a server's, becomes the kind of the set. INTERSECT binds
// tighter than the others (MySQL manual, "Set Operations with UNION, INTERSECT, and
// EXCEPT"; MariaDB, "INTERSECT"), so what it stands between is put into parentheses
// unless it comes first:
//
//	a UNION b INTERSECT c     a UNION (b UNION ALL SELECT :set_intersect UNION ALL c)

// setReader follows the set operators of a statement.
type setReader struct {
	levels  []setLevel // by depth of parentheses
	pending bool       // INTERSECT or EXCEPT is written up to its ALL
}

// setLevel is what is between two parentheses.
type setLevel struct {
	operand int  // where the operand that is being written begins in out; 0 for the first
	grouped bool // a parenthesis was opened before it
	with    withAt
	body    int // where in out the parenthesis is, of withBody
}

// setMarks are the names that stand for operators in the library's text, all rows or
// those that differ.
var setMarks = map[string]struct {
	mark     ast.Lock
	distinct bool
}{
	"set_intersect": {ast.IntersectMark, true}, "set_intersect_all": {ast.IntersectMark, false},
	"set_except": {ast.ExceptMark, true}, "set_except_all": {ast.ExceptMark, false},
}

// behindSets are words that end the last operand of a set.
var behindSets = lex.NewWordSet("ORDER", "LIMIT", "FOR", "LOCK", "INTO", "PROCEDURE")

// level is that of the current depth.
func (r *respeller) level() *setLevel {
	for len(r.sets.levels) <= r.depth {
		r.sets.levels = append(r.sets.levels, setLevel{})
	}
	return &r.sets.levels[max(r.depth, 0)]
}

// hasSets says that the server has INTERSECT and EXCEPT.
func (r *respeller) hasSets() bool {
	const first = 80031 // of MySQL
	m := r.lx.Modes
	return m&(MariaDB|TiDB) != 0 || m.Version() == 0 || m.Version() >= first
}

// followSets follows set operators; done if the current token is one of them, and is
// written.
func (r *respeller) followSets(t lex.Token, value []byte) (done bool, err error) {
	word := t == lex.Word && r.prev != lex.Dot
	if r.sets.pending {
		r.sets.pending = false
		all := word && lex.Is(value, "ALL")
		if all {
			r.out = append(r.out, "_all"...)
		}
		r.out = append(r.out, " UNION ALL"...)
		r.prev, r.prevWord = lex.Word, []byte("ALL")
		if all || word && lex.Is(value, "DISTINCT") {
			return true, nil
		}
	}
	switch {
	case t == lex.Open:
		r.depth++ // that of what is inside
		*r.level() = setLevel{}
		r.depth--
	case t == lex.Close:
		r.closeSet()
	case !word:
	case behindSets.Has(value) && !r.after("INDEX", "KEY"):
		r.closeSet()
	case lex.Is(value, "UNION"):
		r.beginOperand()
	case r.hasSets() && (lex.Is(value, "EXCEPT") || lex.Is(value, "INTERSECT")):
		return true, r.setOperator(lex.Is(value, "INTERSECT"))
	}
	return false, nil
}

// beginOperand begins the operand behind UNION or EXCEPT, which end what INTERSECT
// binds.
func (r *respeller) beginOperand() {
	r.closeSet()
	r.level().operand = -1
}

// closeSet closes the parenthesis around what INTERSECT binds.
func (r *respeller) closeSet() {
	if l := r.level(); l.grouped {
		l.grouped = false
		r.out, r.prev = append(r.out, " )"...), lex.Close
	}
}

// setOperator writes INTERSECT or EXCEPT.
func (r *respeller) setOperator(intersect bool) error {
	if r.returning > 0 {
		return ErrTreeSyntax
	}
	name := " UNION ALL SELECT :set_except"
	if intersect {
		name = " UNION ALL SELECT :set_intersect"
		if l := r.level(); l.operand > 0 && !l.grouped {
			r.out, l.grouped = slices.Insert(r.out, l.operand, ' ', '('), true
		}
	} else {
		r.beginOperand()
	}
	r.out, r.sets.pending = append(r.out, name...), true
	return nil
}

// noteOperand notes where an operand begins: at the token that is about to be written,
// unless that is still of the operator.
func (r *respeller) noteOperand(t lex.Token, value []byte) {
	if l := r.level(); l.operand < 0 && !(t == lex.Word && (lex.Is(value, "UNION") || lex.Is(value, "ALL") || lex.Is(value, "DISTINCT"))) {
		l.operand = len(r.out)
	}
}

// joinSets makes sets of what was written for INTERSECT and EXCEPT.
func (t *Tree) joinSets() error {
	whole := true
	_ = ast.Walk(func(n sqlparser.SQLNode) (bool, error) {
		if u, ok := n.(*sqlparser.Union); ok {
			whole = joinSet(u) && whole
		}
		if a, ok := n.(*sqlparser.Argument); ok {
			_, mark := setMarks[a.Name]
			whole = whole && !mark
		}
		return true, nil
	}, t.nodes()...)
	if !whole {
		return ErrTreeSyntax
	}
	return nil
}

// joinSet makes a set of u if it is one. What it consists of comes after it; false if
// it is locked, which no set is.
func joinSet(u *sqlparser.Union) bool {
	left, ok := u.Left.(*sqlparser.Union)
	if !ok {
		return true
	}
	middle, ok := left.Right.(*sqlparser.Select)
	if !ok || middle.SelectExprs == nil || len(middle.SelectExprs.Exprs) != 1 {
		return true
	}
	item, _ := middle.SelectExprs.Exprs[0].(*sqlparser.AliasedExpr)
	if item == nil {
		return true
	}
	name, _ := item.Expr.(*sqlparser.Argument)
	if name == nil {
		return true
	}
	of, ok := setMarks[name.Name]
	if !ok {
		return true
	}
	u.Left, u.Distinct = left.Left, of.distinct
	locked := u.Lock != sqlparser.NoLock
	u.Lock = of.mark
	return !locked
}

// setOf prints INTERSECT and EXCEPT. Sets in them are in parentheses, whose order
// depends on nothing then.
func (w *printer) setOf(buf *sqlparser.TrackedBuffer, n *sqlparser.Union) {
	if n.With != nil {
		w.node(buf, n.With)
	}
	w.operand(buf, n.Left)
	kind, _ := ast.SetOf(n)
	buf.WriteString(" " + kind + " ")
	if !n.Distinct {
		buf.WriteString("all ")
	}
	w.operand(buf, n.Right)
	w.node(buf, n.OrderBy)
	if n.Limit != nil {
		w.node(buf, n.Limit)
	}
	if n.Into != nil {
		w.node(buf, n.Into)
	}
}

// operand prints an operand of a set.
func (w *printer) operand(buf *sqlparser.TrackedBuffer, n sqlparser.TableStatement) {
	if q, ok := n.(*sqlparser.Select); ok && q.OrderBy == nil && q.Limit == nil && q.Lock == sqlparser.NoLock && q.Into == nil && q.With == nil {
		w.node(buf, q)
		return
	}
	buf.WriteString("(")
	w.node(buf, n)
	buf.WriteString(")")
}
