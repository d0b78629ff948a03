package structure

import (
	"go/ast"
	"go/types"
)

// FieldArguments are the functions that hand a field to another function as it is.
type FieldArguments map[FieldArgument][]string

// FieldArgument is a field and the function that it is handed to, both with their packages and types.
type FieldArgument struct{ Field, To string }

// note adds what the functions of one package hand on.
func (h FieldArguments) note(c *checked) {
	for by, body := range c.bodies() {
		ast.Inspect(body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				for _, one := range c.fieldArguments(call) {
					h[one] = append(h[one], by)
				}
			}
			return true
		})
	}
}

// fieldArguments are the fields among the arguments of a call.
func (c *checked) fieldArguments(call *ast.CallExpr) (all []FieldArgument) {
	var name *ast.Ident
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f
	case *ast.SelectorExpr:
		name = f.Sel
	default:
		return nil
	}
	to, ok := c.info.Uses[name].(*types.Func)
	if !ok || to.Pkg() == nil {
		return nil
	}
	for _, a := range call.Args {
		selector, ok := a.(*ast.SelectorExpr)
		if !ok || c.info.Selections[selector] == nil {
			continue
		}
		s := c.info.Selections[selector]
		of := s.Recv()
		if p, ok := of.Underlying().(*types.Pointer); ok {
			of = p.Elem()
		}
		if named, ok := types.Unalias(of).(*types.Named); ok && s.Kind() == types.FieldVal && len(s.Index()) == 1 {
			all = append(all, FieldArgument{fieldName(named, s.Obj().(*types.Var)), fullName(to)})
		}
	}
	return all
}
