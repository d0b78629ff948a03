package show

import (
	"bytes"

	"tunic/internal/eval"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// independent reports whether an expression, of one secret column and literals, has
// the same value for all texts of the column as for their words.
func (s *secrets) independent(e ast.Expr) bool {
	column, ok := s.only(e)
	if !ok {
		return false
	}
	kind, _ := s.secret(column)
	for _, w := range s.words.kinds[kind] {
		for _, collation := range []string{"utf8mb4_general_ci", "utf8mb4_bin"} {
			ofText, ok := s.compute(e, w.text, collation)
			ofWord, okWord := s.compute(e, w.word, collation)
			if !ok || !okWord || !bytes.Equal(ofText, ofWord) || (ofText == nil) != (ofWord == nil) {
				return false
			}
		}
	}
	return true
}

// only is the one secret column of an expression that has no other column, and
// nothing else that changes.
func (s *secrets) only(e ast.Expr) (column *ast.ColName, ok bool) {
	ok = true
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			_, secret := s.secret(n)
			ok = ok && secret && (column == nil || column.Name.Equal(n.Name))
			column = n
		case *ast.Argument, *ast.Subquery, *ast.Variable:
			ok = false
		}
		return ok, nil
	}, e)
	return column, ok && column != nil
}

// compute computes an expression whose columns all have one text. ok is false if it
// cannot be computed here.
func (s *secrets) compute(e ast.Expr, text, collation string) (result []byte, ok bool) {
	c, ok := charset.Lookup(s.session.Env.Flavor, collation)
	if !ok {
		return nil, false
	}
	scope := &oneColumn{text: []byte(text), t: value.Type{Kind: value.VarChar, Length: 1 << 14, Collation: c, NotNull: true}}
	if e, ok = s.located(e, scope); !ok {
		return nil, false
	}
	return s.run(e, scope)
}

// run evaluates an expression.
func (s *secrets) run(e ast.Expr, scope *oneColumn) (result []byte, ok bool) {
	env := *s.session.Env
	x, err := eval.Compile(e, scope, eval.Session{
		Flavor: env.Flavor, Version: env.Version, Mode: env.Mode, Collation: s.session.Collation, DivPrecision: 4,
	})
	if err != nil {
		return nil, false
	}
	r, err := x.Start(eval.Inputs{Env: &env})
	if err != nil {
		return nil, false
	}
	v, err := r.Eval(eval.Row{scope.text})
	if err != nil || len(r.Conditions()) > 0 {
		return nil, false
	}
	if v.Null() {
		return nil, true
	}
	result, err = v.Append([]byte{})
	return result, err == nil
}

// oneColumn is the scope of an expression with one column.
type oneColumn struct {
	text []byte
	t    value.Type
}

// Column implements eval.Scope.
func (o *oneColumn) Column(*ast.ColName) (int, *value.Type, error) { return 0, &o.t, nil }

// Bind implements eval.Scope.
func (o *oneColumn) Bind(*ast.Argument) (int, value.Source, error) {
	return 0, value.Source{}, errSecret()
}

// Items implements eval.Scope.
func (o *oneColumn) Items(*ast.Argument) (int, []value.Source, error) { return 0, nil, errSecret() }
