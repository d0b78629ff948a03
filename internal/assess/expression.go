package assess

import (
	"errors"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// What tunic computes itself it may refuse to: a plan does not say so, as that depends on the forms of
// values and on the session. Here an expression is taken for refused if it is so both for texts and for
// numbers in the place of each value, in a session as servers begin one.

// evalSession is a session as the server begins one.
func (w *Workload) evalSession(mode string) (s eval.Session) {
	s = eval.Session{Flavor: w.a.o.Flavor, ConcatMax: 1024, DivPrecision: 4, EnglishNames: true, BlockMode: "aes-128-ecb", Version: w.modes.Version()}
	for m := range strings.SplitSeq(mode, ",") {
		s.Mode |= value.ModeNamed(m)
	}
	s.NoUnsignedSubtraction, s.NoBackslashEscapes = strings.Contains(mode, "NO_UNSIGNED_SUBTRACTION"), strings.Contains(mode, "NO_BACKSLASH_ESCAPES")
	s.Collation, _ = charset.Lookup(w.a.o.Flavor, "utf8mb4_general_ci")
	return s
}

// uncomputed is the refusal of an expression that a plan has tunic compute; nil if there is none.
func (w *Workload) uncomputed(r *recipe.Run) *sqlerr.Error {
	for _, e := range expressionsOf(r) {
		var refusal *sqlerr.Error
		for _, example := range []value.Source{value.StringSource([]byte("1"), w.session.Collation), value.IntSource(1)} {
			_, err := eval.Compile(e, &scope{tables: r.Tables, example: example}, w.session)
			said, ok := errors.AsType[*sqlerr.Error](err)
			if !ok || said.Code == 0 {
				refusal = nil
				break
			}
			refusal = said
		}
		if refusal != nil {
			return refusal
		}
	}
	return nil
}

// expressionsOf are the expressions of rows that a plan has tunic compute: those with an aggregate function
// or a query in them are left out.
func expressionsOf(r *recipe.Run) (all []ast.Expr) {
	add := func(e ast.Expr) {
		if e != nil && ofRows(e) {
			all = append(all, e)
		}
	}
	for _, s := range r.Local {
		switch s := s.(type) {
		case *recipe.Filter:
			add(s.Where)
		case *recipe.Project:
			for _, it := range s.Items {
				add(it.Expr)
			}
		case *recipe.Sort:
			for _, k := range s.By {
				add(k.Expr)
			}
		}
	}
	if rewrite := r.Rewrite(); rewrite != nil {
		for i := range rewrite.Write.Set {
			if a := &rewrite.Write.Set[i]; !a.Given {
				add(a.To)
			}
		}
	}
	if r.Tree != nil {
		for _, n := range r.Tree.Expressions() {
			if e, ok := n.(ast.Expr); ok {
				add(e)
			}
		}
	}
	return all
}

func ofRows(e ast.Expr) bool {
	plain := true
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case ast.AggrFunc, *ast.Subquery, *ast.Default:
			plain = false
		case *ast.FuncExpr:
			plain = plain && n.Qualifier.IsEmpty()
		}
		return plain, nil
	}, e)
	return plain
}

// scope has the columns of some tables, and one value for all that is not known.
type scope struct {
	tables  []*catalog.Table
	example value.Source
}

var errUncertain = errors.New("it is not certain which column is meant")

// Column is the only column of a name.
func (s *scope) Column(name *ast.ColName) (index int, t *value.Type, err error) {
	at := 0
	for _, table := range s.tables {
		if i := table.Column(name.Name.String()); i >= 0 {
			if t != nil {
				return 0, nil, errUncertain
			}
			index, t = at+i, &table.Columns[i].Type
		}
		at += len(table.Columns)
	}
	if t == nil {
		return 0, nil, errUncertain
	}
	return index, t, nil
}

// Bind is the example.
func (s *scope) Bind(*ast.Argument) (index int, example value.Source, err error) {
	return 0, s.example, nil
}

// Items is the example.
func (s *scope) Items(*ast.Argument) (index int, examples []value.Source, err error) {
	return 0, []value.Source{s.example}, nil
}
