package show

import (
	"strconv"
	"strings"

	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// A statement may select what the server does not know: a word is replaced by the
// text that it stands for when the row comes back. It may also compute with it as
// long as the result is the same for the word as for the text: an expression whose
// only column it is, and literals, is computed here for all of them. Everything else
// would be computed of words, and is refused: to sort by it, to group by it, to
// compare it with something else, to select it within another query.

// secretColumns are the columns with words in them, and the tables that they are of.
var secretColumns = map[string]struct {
	kind     wordKind
	relation string
}{
	"column_default": {defaultWord, "columns"}, "column_type": {typeWord, "columns"}, "column_comment": {commentWord, "columns"},
	"table_comment": {tableWord, "tables"}, "view_definition": {viewWord, "views"},
	"generation_expression": {generatedWord, "columns"}, "check_clause": {checkWord, "check_constraints"},
	"reason": {reasonWord, ownJobs}, "why": {whyWord, ownLayers},
}

// secrets checks one statement.
type secrets struct {
	*Answer
	// relations are the tables of information_schema that are read, by the names that
	// stand before their columns, in lower case; others are "".
	relations map[string]string
	// selected are the names that selected secrets have.
	selected map[string]bool
	// columns are, of a query without *, which of the columns of the result may have a
	// word as their value; nil of one with *, where those may that have their names.
	columns []bool
	queries int         // of a union, that have been looked at
	first   *ast.Select // of them
}

// secretsStay refuses a statement in whose result it would show that words stand for
// texts.
func (a *Answer) secretsStay(tree *sql.Tree) error {
	if len(a.words.texts) == 0 {
		return nil
	}
	s := &secrets{Answer: a, relations: map[string]string{}, selected: map[string]bool{}}
	s.findRelations(tree.Root())
	q, ok := tree.Root().(ast.TableStatement)
	if !ok || tree.Kind() != sql.Select && tree.Kind() != sql.SetOperation {
		return s.free(tree.Root())
	}
	if err := s.outer(q); err != nil {
		return err
	}
	if len(s.selected) > 0 {
		a.holders = &holders{columns: s.columns}
	}
	return nil
}

// findRelations finds which names stand for which tables. A name that stands for
// several stands for any of them.
func (s *secrets) findRelations(root ast.Node) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		t, ok := n.(*ast.AliasedTableExpr)
		if !ok {
			return true, nil
		}
		relation, name := s.relationOf(t), strings.ToLower(t.As.String())
		if table, ok := t.Expr.(ast.TableName); ok && name == "" {
			name = strings.ToLower(table.Name.String())
		}
		if _, known := s.relations[name]; !known || relation == "columns" || relation == "tables" || relation == "views" || relation == "check_constraints" || relation == ownJobs || relation == ownLayers {
			s.relations[name] = relation
		}
		return true, nil
	}, root)
}

// relationOf is the table of information_schema that is read, if it is one that a
// query stands for; "" for all others.
func (s *secrets) relationOf(t *ast.AliasedTableExpr) string {
	const schema = "information_schema"
	table, ok := t.Expr.(ast.TableName)
	if ok && strings.EqualFold(table.Qualifier.String(), plan.Own) {
		if name := plan.OwnTable(table.Name.String()); ownTables[name] != nil {
			return name
		}
	}
	if !ok || !strings.EqualFold(table.Qualifier.String(), schema) && (!table.Qualifier.IsEmpty() || !strings.EqualFold(s.inquiry.Schema, schema)) {
		return ""
	}
	name := strings.ToLower(table.Name.String())
	if _, ok := relations[name]; !ok {
		return ""
	}
	return name
}

// secret is the kind of word that a column may have in it; ok is false for a column
// without.
func (s *secrets) secret(c *ast.ColName) (kind wordKind, ok bool) {
	of, ok := secretColumns[c.Name.Lowered()]
	if !ok || len(s.words.kinds[of.kind]) == 0 {
		return 0, false
	}
	if !c.Qualifier.IsEmpty() {
		relation, known := s.relations[strings.ToLower(c.Qualifier.Name.String())]
		return of.kind, !known || relation == of.relation
	}
	return of.kind, s.reads(of.relation)
}

// reads reports whether a table of information_schema is read.
func (s *secrets) reads(relation string) bool {
	for _, r := range s.relations {
		if r == relation {
			return true
		}
	}
	return false
}

// errSecret is the refusal. It names no value: there is none in it.
func errSecret() error {
	return sqlerr.StatementRefused("a computation over defaults, labels or comments in information_schema, or over reasons in tunic.jobs and tunic.layers,")
}

// outer checks the query whose rows the client gets.
func (s *secrets) outer(q ast.TableStatement) error {
	switch q := q.(type) {
	case *ast.Select:
		return s.outerSelect(q)
	case *ast.Union:
		left, right := s.outer(q.Left), s.outer(q.Right)
		_, sifts := ast.SetOf(q)
		switch {
		case left != nil:
			return left
		case right != nil:
			return right
		case (q.Distinct || sifts) && len(s.selected) > 0, q.Into != nil && len(s.selected) > 0:
			return errSecret()
		}
		if q.With != nil {
			if err := s.free(q.With); err != nil {
				return err
			}
		}
		return s.order(q.OrderBy)
	default:
		return s.free(q)
	}
}

func (s *secrets) outerSelect(q *ast.Select) error {
	all, settled := false, true
	for _, item := range q.SelectExprs.Exprs {
		if star, ok := item.(*ast.StarExpr); ok {
			all, settled = true, settled && s.settledAll(star, q)
		}
	}
	holds := make([]bool, len(q.SelectExprs.Exprs))
	for i, item := range q.SelectExprs.Exprs {
		e, ok := item.(*ast.AliasedExpr)
		if !ok {
			continue
		}
		err := s.free(e.Expr)
		switch {
		case err != nil && !s.passes(e.Expr):
			return err
		case err != nil:
			holds[i] = true
			s.selected[s.nameOf(e)] = true
		case all && !s.settled(e.Expr) && secretColumns[s.nameOf(e)].relation != "":
			return errSecret() // the name is that of a column that * selects
		}
	}
	if all {
		s.selectAll()
		holds = nil
	}
	if !settled && len(s.selected) > 0 {
		return errSecret()
	}
	if err := s.hold(q, holds); err != nil {
		return err
	}
	if len(s.selected) > 0 && (q.Distinct && !s.keyed(q) || q.GroupBy != nil || q.Into != nil) {
		return errSecret()
	}
	rest := *q
	rest.SelectExprs = &ast.SelectExprs{}
	rest.OrderBy = nil
	if err := s.free(&rest); err != nil {
		return err
	}
	return s.order(q.OrderBy)
}

// selectAll notes what * selects.
func (s *secrets) selectAll() {
	for name, of := range secretColumns {
		if len(s.words.kinds[of.kind]) > 0 && s.reads(of.relation) {
			s.selected[name] = true
		}
	}
}

// nameOf is the name that HAVING and ORDER BY may call an item by.
func (s *secrets) nameOf(item *ast.AliasedExpr) string {
	if !item.As.IsEmpty() {
		return item.As.Lowered()
	}
	if c, ok := item.Expr.(*ast.ColName); ok {
		return c.Name.Lowered()
	}
	return ""
}

// order checks ORDER BY. A position may be that of a secret.
func (s *secrets) order(by ast.OrderBy) error {
	for _, o := range by {
		if l, ok := o.Expr.(*ast.Literal); ok && len(s.selected) > 0 && !s.sortsFree(l) {
			return errSecret()
		}
		if err := s.free(o.Expr); err != nil {
			return err
		}
	}
	return nil
}

// sortsFree reports whether a literal in ORDER BY is the position of a column that has no
// words as its values.
func (s *secrets) sortsFree(l *ast.Literal) bool {
	at, err := strconv.Atoi(l.Val)
	return err == nil && l.Type == ast.IntVal && at >= 1 && at <= len(s.columns) && !s.columns[at-1]
}

// holds reports whether there is a secret in an expression.
func (s *secrets) holds(e ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if c, ok := n.(*ast.ColName); ok {
			_, secret := s.secret(c)
			found = found || secret
		}
		return !found, nil
	}, e)
	return found
}

// passes reports whether an expression has a whole secret as its value, or none.
func (s *secrets) passes(e ast.Expr) bool {
	free := func(e ast.Expr) bool { return e == nil || s.free(e) == nil }
	either := func(e ast.Expr) bool { return e == nil || s.passes(e) || s.settled(e) && free(e) }
	switch e := e.(type) {
	case *ast.ColName:
		_, ok := s.secret(e)
		return ok
	case *ast.CastExpr:
		return s.passes(e.Expr) && strings.EqualFold(e.Type.Type, "char") && e.Type.Length == nil && e.Type.Charset.Name == "" && !e.Array
	case *ast.CaseExpr:
		ok := free(e.Expr) && either(e.Else)
		for _, w := range e.Whens {
			ok = ok && free(w.Cond) && either(w.Val)
		}
		return ok
	case *ast.FuncExpr:
		arms := map[string]int{"ifnull": 0, "coalesce": 0, "if": 1}
		from, ok := arms[e.Name.Lowered()]
		for i, x := range e.Exprs {
			ok = ok && (i >= from && either(x) || i < from && free(x))
		}
		return ok
	}
	return false
}

// free refuses what computes with a secret, unless the result tells nothing of it.
func (s *secrets) free(root ast.Node) error {
	return ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ExistsExpr:
			return false, s.exists(n)
		case *ast.StarExpr:
			before := len(s.selected)
			if s.selectAll(); before < len(s.selected) || before > 0 {
				return false, errSecret()
			}
		case *ast.JoinTableExpr:
			if s.joinsBy(n) {
				return false, errSecret()
			}
		case *ast.ColName:
			if _, ok := s.secret(n); ok || n.Qualifier.IsEmpty() && s.selected[n.Name.Lowered()] {
				return false, errSecret()
			}
		case ast.Expr:
			if s.holds(n) && s.independent(n) {
				return false, nil
			}
		}
		return true, nil
	}, root)
}

// joinsBy reports whether a join compares secrets without naming their tables.
func (s *secrets) joinsBy(j *ast.JoinTableExpr) bool {
	if j.Join == ast.NaturalJoinType || j.Join == ast.NaturalLeftJoinType || j.Join == ast.NaturalRightJoinType {
		return s.reads("columns") || s.reads("tables")
	}
	if j.Condition != nil {
		for _, c := range j.Condition.Using {
			if _, ok := s.secret(&ast.ColName{Name: c}); ok {
				return true
			}
		}
	}
	return false
}

// exists checks EXISTS, for which it does not matter what is selected.
func (s *secrets) exists(e *ast.ExistsExpr) error {
	q, ok := e.Subquery.Select.(*ast.Select)
	if !ok || len(q.SelectExprs.Exprs) != 1 {
		return s.free(e.Subquery)
	}
	if _, all := q.SelectExprs.Exprs[0].(*ast.StarExpr); !all {
		return s.free(e.Subquery)
	}
	rest := *q
	rest.SelectExprs = &ast.SelectExprs{}
	return s.free(&rest)
}
