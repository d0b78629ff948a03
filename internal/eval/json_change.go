package eval

import (
	"tunic/internal/sql/ast"
	"tunic/internal/value/document"
)

// modifiers are the operations of JSON_SET and its kin.
var modifiers = map[ast.JSONValueModifierType]struct {
	operation string
	change    document.Change
}{
	ast.JSONSetType:         {"JSON_SET", document.Set},
	ast.JSONInsertType:      {"JSON_INSERT", document.Insert},
	ast.JSONReplaceType:     {"JSON_REPLACE", document.Replace},
	ast.JSONArrayAppendType: {"JSON_ARRAY_APPEND", document.Append},
}

// jsonModify compiles JSON_SET, JSON_INSERT, JSON_REPLACE and JSON_ARRAY_APPEND.
func (c *compiler) jsonModify(e *ast.JSONValueModifierExpr) (*node, error) {
	m, ok := modifiers[e.Type]
	if !ok {
		return nil, refuse("JSON_ARRAY_INSERT")
	}
	var paths []ast.Expr
	var values []part
	var nodes []*node
	var opaque bool
	for _, p := range e.Params {
		v, n, o, err := c.jsonPart(p.Value, "JSON_ARRAY")
		if err != nil {
			return nil, err
		}
		paths, values, nodes, opaque = append(paths, p.Key), append(values, v), append(nodes, n), opaque || o
	}
	return c.jsonOf(m.operation, e.JSONDoc, paths, func(c *compiler, a *jsonArgs) (*node, error) {
		s := c.jsonShape(a.nodes[0])
		s.Opaque = s.Opaque || opaque
		if c.session.isMariaDB() && m.change == document.Append && len(paths) > 1 {
			return nil, refuse(m.operation)
		}
		sorted := !c.session.isMariaDB()
		a.nodes = append(a.nodes, nodes...)
		return a.writes(c, s, func(r *Run, v *document.Value, paths []document.Path) (*document.Value, bool) {
			out := v.Clone()
			for i, p := range paths {
				text, ok := values[i](r, nil)
				if !ok {
					return nil, false
				}
				with, ok := document.Parse(text)
				if !ok || !out.Change(m.change, p, with, sorted) {
					r.refuse(m.operation)
					return nil, false
				}
			}
			return &out, true
		}), nil
	})
}

// jsonRemove compiles JSON_REMOVE.
func (c *compiler) jsonRemove(a *jsonArgs) (*node, error) {
	return a.writes(c, c.jsonShape(a.nodes[0]), func(r *Run, v *document.Value, paths []document.Path) (*document.Value, bool) {
		out := v.Clone()
		for _, p := range paths {
			if !out.Remove(p) {
				r.refuse(a.operation)
				return nil, false
			}
		}
		return &out, true
	}), nil
}

// jsonMerge compiles JSON_MERGE_PATCH and JSON_MERGE_PRESERVE.
func (c *compiler) jsonMerge(e *ast.JSONValueMergeExpr) (*node, error) {
	operation, merge := "JSON_MERGE_PRESERVE", document.MergePreserve
	if e.Type == ast.JSONMergePatchType {
		operation, merge = "JSON_MERGE_PATCH", document.MergePatch
	}
	if e.Type == ast.JSONMergeType || len(e.JSONDocList) != 1 {
		return nil, refuse(operation)
	}
	n, err := c.compile(e.JSONDocList[0])
	if err != nil {
		return nil, err
	}
	if err := c.allow(operation, n); err != nil {
		return nil, err
	}
	with, err := c.documentOf(n, operation)
	if err != nil {
		return nil, err
	}
	sorted := !c.session.isMariaDB()
	return c.jsonOf(operation, e.JSONDoc, nil, func(c *compiler, a *jsonArgs) (*node, error) {
		s := c.jsonShape(a.nodes[0])
		s.Opaque = s.Opaque || n.Opaque
		a.nodes = append(a.nodes, n)
		merged := a.writes(c, s, func(r *Run, v *document.Value, _ []document.Path) (*document.Value, bool) {
			w := with(r)
			if w == nil {
				return nil, false
			}
			out, ok := merge(v, w, sorted)
			if !ok {
				r.refuse(operation)
			}
			return &out, ok
		})
		if e.Type == ast.JSONMergePatchType {
			merged.ev = patchOfNull(merged.ev, with, operation)
		}
		return merged, nil
	})
}

// patchOfNull refuses what becomes of NULL if it is replaced as a whole.
func patchOfNull(merged evaluator, with documentEvaluator, operation string) evaluator {
	return func(r *Run) *datum {
		d := merged(r)
		if d.null && r.err == nil {
			if w := with(r); w != nil && w.Kind != document.Object {
				return r.refuse(operation)
			}
		}
		return d
	}
}
