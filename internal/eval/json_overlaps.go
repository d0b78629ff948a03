package eval

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"
	"tunic/internal/value/document"
)

// jsonOverlaps compiles JSON_OVERLAPS.
func (c *compiler) jsonOverlaps(e *ast.JSONOverlapsExpr) (*program.Node, error) {
	const operation = "JSON_OVERLAPS"
	nodes, err := c.all([]ast.Expr{e.JSONDoc1, e.JSONDoc2})
	if err != nil {
		return nil, err
	}
	if err := c.allow(operation, nodes...); err != nil {
		return nil, err
	}
	first, err := c.documentOf(nodes[0], operation)
	if err != nil {
		return nil, err
	}
	second, err := c.documentOf(nodes[1], operation)
	if err != nil {
		return nil, err
	}
	if nodes[0].Opaque || nodes[1].Opaque {
		return nil, refuse(operation + " of a value that is no document's")
	}
	s := class.BoolShape
	s.Nullable = true
	return program.Derive(s, func(r *program.Run) *program.Datum {
		v, w := first(r), second(r)
		if v == nil || w == nil {
			return program.NullDatum
		}
		return r.Known(operation)(v.Overlaps(w))
	}, nodes...), nil
}

// memberOf compiles MEMBER OF, which is MySQL's.
func (c *compiler) memberOf(e *ast.MemberOfExpr) (*program.Node, error) {
	const operation = "MEMBER OF"
	known, n, opaque, err := c.jsonPart(e.Value, operation)
	if err != nil {
		return nil, err
	}
	array, err := c.compile(e.JSONArr)
	if err != nil {
		return nil, err
	}
	items, err := c.documentOf(array, operation)
	if err != nil {
		return nil, err
	}
	if opaque || array.Opaque || n.Class == class.Null {
		return nil, refuse(operation + " of a value that is no document's")
	}
	s := class.BoolShape
	s.Nullable = true
	return program.Derive(s, func(r *program.Run) *program.Datum {
		v := items(r)
		if v == nil || n.Ev(r).Null {
			return program.NullDatum
		}
		text, ok := known(r, nil)
		if !ok {
			return program.NullDatum
		}
		w, ok := document.Parse(text)
		if !ok {
			return r.Refuse(operation)
		}
		return r.Known(operation)(v.HasItem(&w))
	}, n, array), nil
}
