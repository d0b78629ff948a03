package arch

import (
	"go/ast"
	"slices"
	"strings"
)

// failers are the methods by which a test fails.
var failers = []string{"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"}

// findTests finds tests that cannot fail, and skips without a reason.
//
// A test can fail if it calls one of failers on any value, or hands its
// *testing.T, or one made from it, to a function that may.
func findTests(r *repo) []finding {
	var found []finding
	for _, f := range r.code {
		if !f.test {
			continue
		}
		for _, d := range f.syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && isTestFunc(fn) && !canFail(fn) {
				found = append(found, finding{f.path, r.line(fn.Pos()), fn.Name.Name + " cannot fail", "compare something, or delete the test"})
			}
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && isBareSkip(call) {
				found = append(found, finding{f.path, r.line(call.Pos()), "a skip without a reason", "say what is missing and how to get it"})
			}
			return true
		})
	}
	return found
}

// isTestFunc reports whether fn is func TestX(t *testing.T).
func isTestFunc(fn *ast.FuncDecl) bool {
	return fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") && fn.Name.Name != "TestMain" && len(fn.Type.Params.List) == 1
}

// canFail reports whether the body of a test holds a way to fail.
func canFail(fn *ast.FuncDecl) bool {
	testers := testersIn(fn)
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			found = found || fails(call, testers)
		}
		return !found
	})
	return found
}

// testersIn returns the names of parameters that are a *testing.T, of fn and of
// the functions inside it; also *rapid.T and the like.
func testersIn(fn *ast.FuncDecl) []string {
	var found []string
	ast.Inspect(fn, func(n ast.Node) bool {
		if t, ok := n.(*ast.FuncType); ok {
			for _, p := range t.Params.List {
				star, ok := p.Type.(*ast.StarExpr)
				if !ok {
					continue
				}
				if sel, ok := star.X.(*ast.SelectorExpr); ok && (sel.Sel.Name == "T" || sel.Sel.Name == "F") {
					for _, name := range p.Names {
						found = append(found, name.Name)
					}
				}
			}
		}
		return true
	})
	return found
}

// fails reports whether a call is, or may lead to, a failure of the test.
func fails(call *ast.CallExpr, testers []string) bool {
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains(failers, sel.Sel.Name) {
		if x, ok := sel.X.(*ast.Ident); ok && slices.Contains(testers, x.Name) {
			return true
		}
	}
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		id, ok := arg.(*ast.Ident)
		return ok && slices.Contains(testers, id.Name)
	})
}

// isBareSkip reports whether call is t.Skip() or t.SkipNow().
func isBareSkip(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && len(call.Args) == 0 && (sel.Sel.Name == "Skip" || sel.Sel.Name == "SkipNow")
}
