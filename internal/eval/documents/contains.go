package documents

import (
	"strings"

	"tunic/internal/eval/class"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value/document"
)

// jsonContains compiles JSON_CONTAINS.
func jsonContains(c *compilation.Compilation, e *ast.JSONContainsExpr) (*program.Node, error) {
	const operation = "JSON_CONTAINS"
	n, err := c.Compile(e.Candidate)
	if err != nil {
		return nil, err
	}
	if len(e.PathList) > 1 {
		return nil, refusal.Of(operation)
	}
	candidate, err := documentOf(c, n, operation)
	if err != nil {
		return nil, err
	}
	return jsonOf(c, operation, e.Target, e.PathList, func(c *compilation.Compilation, a *jsonArgs) (*program.Node, error) {
		if n.Opaque || a.nodes[0].Opaque {
			return nil, refusal.Of(operation + " of a value that is no document's")
		}
		s := class.BoolShape
		s.Nullable = true
		missing := program.NullDatum
		if c.Session.IsMariaDB() {
			missing = program.FalseDatum
		}
		return program.Derive(s, func(r *program.Run) *program.Datum {
			paths := make([]document.Path, len(a.paths))
			v, ok := a.all(r, paths)
			w := candidate(r)
			if !ok || w == nil {
				return program.NullDatum
			}
			if len(paths) > 0 {
				if !paths[0].IsExact() {
					return r.Refuse(operation)
				}
				if v = v.First(paths[0]); v == nil {
					return missing
				}
			}
			is, known := v.Contains(w)
			if !known {
				return r.Refuse(operation)
			}
			return program.BoolDatum(is)
		}, append(a.nodes, n)...), nil
	})
}

// jsonContainsPath compiles JSON_CONTAINS_PATH.
func jsonContainsPath(c *compilation.Compilation, e *ast.JSONContainsPathExpr) (*program.Node, error) {
	const operation = "JSON_CONTAINS_PATH"
	which, err := c.Compile(e.OneOrAll)
	if err != nil {
		return nil, err
	}
	if which.Class != class.Text {
		return nil, refusal.Of(operation)
	}
	return jsonOf(c, operation, e.JSONDoc, e.PathList, func(_ *compilation.Compilation, a *jsonArgs) (*program.Node, error) {
		s := class.BoolShape
		s.Nullable = true
		return program.Derive(s, func(r *program.Run) *program.Datum {
			paths := make([]document.Path, len(a.paths))
			v, ok := a.all(r, paths)
			d := which.Ev(r)
			if !ok || d.Null {
				return program.NullDatum
			}
			one, every := strings.EqualFold(string(d.B), "one"), strings.EqualFold(string(d.B), "all")
			if !one && !every {
				return r.Refuse(operation)
			}
			for _, p := range paths {
				if there := v.First(p) != nil; there == one {
					return program.BoolDatum(one)
				}
			}
			return program.BoolDatum(every)
		}, append(a.nodes, which)...), nil
	})
}

// jsonOverlaps compiles JSON_OVERLAPS.
func jsonOverlaps(c *compilation.Compilation, e *ast.JSONOverlapsExpr) (*program.Node, error) {
	const operation = "JSON_OVERLAPS"
	nodes, err := c.All([]ast.Expr{e.JSONDoc1, e.JSONDoc2})
	if err != nil {
		return nil, err
	}
	if err := c.Allow(operation, nodes...); err != nil {
		return nil, err
	}
	first, err := documentOf(c, nodes[0], operation)
	if err != nil {
		return nil, err
	}
	second, err := documentOf(c, nodes[1], operation)
	if err != nil {
		return nil, err
	}
	if nodes[0].Opaque || nodes[1].Opaque {
		return nil, refusal.Of(operation + " of a value that is no document's")
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
func memberOf(c *compilation.Compilation, e *ast.MemberOfExpr) (*program.Node, error) {
	const operation = "MEMBER OF"
	known, n, opaque, err := Value(c, e.Value, operation)
	if err != nil {
		return nil, err
	}
	array, err := c.Compile(e.JSONArr)
	if err != nil {
		return nil, err
	}
	items, err := documentOf(c, array, operation)
	if err != nil {
		return nil, err
	}
	if opaque || array.Opaque || n.Class == class.Null {
		return nil, refusal.Of(operation + " of a value that is no document's")
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
