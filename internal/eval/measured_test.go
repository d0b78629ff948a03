package eval

import (
	"testing"

	"tunic/internal/eval/compilation"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// TestFunctionsAskTheList: each function that is called by a name asks whether it is known to be exact on
// its operands, by a name under which the differential test measures it. One that does not ask would be
// computed for everyone before it is measured for anyone.
func TestFunctionsAskTheList(t *testing.T) {
	measured := map[string]bool{}
	for _, op := range operations {
		measured[op.name] = true
	}
	for name, f := range functions {
		if unasked[name] {
			continue
		}
		compiled := false
		for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
			for operation := range askedBy(t, name, f, flavor) {
				compiled = true
				switch {
				case operation == "":
					t.Errorf("%s: a call is compiled without a question (Compilation.Allow)", name)
				case !measured[operation]:
					t.Errorf("%s asks for %s, which is not measured (operations)", name, operation)
				}
			}
		}
		if !compiled {
			t.Errorf("%s: no call of it compiles with %q", name, asArguments)
		}
	}
}

// unasked are the functions that take nothing of which a list could tell, or whose values are another one
// each time (package drawing).
var unasked = map[string]bool{"curdate": true, "current_date": true, "utc_date": true, "pi": true, "rand": true, "random_bytes": true, "uuid": true}

// asArguments are the columns and literals that functions are called with.
var asArguments = []string{"k", "name", "price", "date", "time", "datetime", "bytes", "'a'", "'+01:00'", "'%Y-%m-%d'", "16", "256"}

// askedBy are the operations that calls of a function ask for, those calls that are not refused; "" is
// for one that asks for nothing.
func askedBy(t *testing.T, name string, f compilation.Function, flavor value.Flavor) map[string]bool {
	t.Helper()
	var nodes, calls []ast.Expr
	for _, text := range asArguments {
		nodes = append(nodes, parseExpr(t, text))
	}
	for lists, n := [][]ast.Expr{{}}, 1; n <= 3; n++ {
		var longer [][]ast.Expr
		for _, list := range lists {
			for _, node := range nodes {
				longer = append(longer, append(list[:len(list):len(list)], node))
			}
		}
		for lists = longer; f.Fits(n) && len(longer) > 0; longer = longer[1:] {
			calls = append(calls, &ast.FuncExpr{Name: ast.Identifier(name), Exprs: longer[0]})
		}
	}
	asked, scope := map[string]bool{}, &typed{newPeople(flavor)}
	scope.session.EnglishNames = true
	for _, call := range calls {
		operation := ""
		c := compilation.New(scope, scope.session, compile)
		c.Observe = func(of, _ string) { operation = of }
		if _, err := compile(c, call); err == nil {
			asked[operation] = true
		}
	}
	return asked
}

// typed is people with columns of more types.
type typed struct{ *people }

func (s *typed) Column(name *ast.ColName) (int, *value.Type, error) {
	more := map[string]value.Kind{"date": value.Date, "time": value.Time, "datetime": value.DateTime, "bytes": value.VarBinary}
	if kind, ok := more[name.Name.String()]; ok {
		return 10 + int(kind), &value.Type{Kind: kind, Length: 40}, nil
	}
	return s.people.Column(name)
}
