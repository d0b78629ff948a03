package documents

import (
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
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
func jsonModify(c *compilation.Compilation, e *ast.JSONValueModifierExpr) (*program.Node, error) {
	m, ok := modifiers[e.Type]
	if !ok {
		return nil, refusal.Of("JSON_ARRAY_INSERT")
	}
	var paths []ast.Expr
	var values []Part
	var nodes []*program.Node
	var opaque bool
	for _, p := range e.Params {
		v, n, o, err := Value(c, p.Value, "JSON_ARRAY")
		if err != nil {
			return nil, err
		}
		paths, values, nodes, opaque = append(paths, p.Key), append(values, v), append(nodes, n), opaque || o
	}
	return jsonOf(c, m.operation, e.JSONDoc, paths, func(c *compilation.Compilation, a *jsonArgs) (*program.Node, error) {
		s := jsonShape(c, a.nodes[0])
		s.Opaque = s.Opaque || opaque
		if c.Session.IsMariaDB() && m.change == document.Append && len(paths) > 1 {
			return nil, refusal.Of(m.operation)
		}
		sorted := !c.Session.IsMariaDB()
		a.nodes = append(a.nodes, nodes...)
		return a.writes(c, s, func(r *program.Run, v *document.Value, paths []document.Path) (*document.Value, bool) {
			out := v.Clone()
			for i, p := range paths {
				text, ok := values[i](r, nil)
				if !ok {
					return nil, false
				}
				with, ok := document.Parse(text)
				if !ok || !out.Change(m.change, p, with, sorted) {
					r.Refuse(m.operation)
					return nil, false
				}
			}
			return &out, true
		}), nil
	})
}

// jsonRemove compiles JSON_REMOVE.
func jsonRemove(c *compilation.Compilation, a *jsonArgs) (*program.Node, error) {
	return a.writes(c, jsonShape(c, a.nodes[0]), func(r *program.Run, v *document.Value, paths []document.Path) (*document.Value, bool) {
		out := v.Clone()
		for _, p := range paths {
			if !out.Remove(p) {
				r.Refuse(a.operation)
				return nil, false
			}
		}
		return &out, true
	}), nil
}

// jsonMerge compiles JSON_MERGE_PATCH and JSON_MERGE_PRESERVE.
func jsonMerge(c *compilation.Compilation, e *ast.JSONValueMergeExpr) (*program.Node, error) {
	operation, merge := "JSON_MERGE_PRESERVE", document.MergePreserve
	if e.Type == ast.JSONMergePatchType {
		operation, merge = "JSON_MERGE_PATCH", document.MergePatch
	}
	if e.Type == ast.JSONMergeType || len(e.JSONDocList) != 1 {
		return nil, refusal.Of(operation)
	}
	n, err := c.Compile(e.JSONDocList[0])
	if err != nil {
		return nil, err
	}
	if err := c.Allow(operation, n); err != nil {
		return nil, err
	}
	with, err := documentOf(c, n, operation)
	if err != nil {
		return nil, err
	}
	sorted := !c.Session.IsMariaDB()
	return jsonOf(c, operation, e.JSONDoc, nil, func(c *compilation.Compilation, a *jsonArgs) (*program.Node, error) {
		s := jsonShape(c, a.nodes[0])
		s.Opaque = s.Opaque || n.Opaque
		a.nodes = append(a.nodes, n)
		merged := a.writes(c, s, func(r *program.Run, v *document.Value, _ []document.Path) (*document.Value, bool) {
			w := with(r)
			if w == nil {
				return nil, false
			}
			out, ok := merge(v, w, sorted)
			if !ok {
				r.Refuse(operation)
			}
			return &out, ok
		})
		if e.Type == ast.JSONMergePatchType {
			merged.Ev = patchOfNull(merged.Ev, with, operation)
		}
		return merged, nil
	})
}

// patchOfNull refuses what becomes of NULL if it is replaced as a whole.
func patchOfNull(merged program.Evaluator, with documentEvaluator, operation string) program.Evaluator {
	return func(r *program.Run) *program.Datum {
		d := merged(r)
		if d.Null && r.Err == nil {
			if w := with(r); w != nil && w.Kind != document.Object {
				return r.Refuse(operation)
			}
		}
		return d
	}
}
