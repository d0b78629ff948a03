package documents

import (
	"strings"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/json"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value/document"
)

// optional is a list of what is there.
func optional(e ast.Expr) []ast.Expr {
	if e == nil {
		return nil
	}
	return []ast.Expr{e}
}

// jsonArgs are the arguments of a function of a document and paths.
type jsonArgs struct {
	operation string
	nodes     []*program.Node // the document, and all others
	document  documentEvaluator
	paths     []pathEvaluator
}

// documentEvaluator evaluates a document; nil for NULL, and where the run has failed.
type documentEvaluator func(r *program.Run) *document.Value

// pathEvaluator evaluates a path; ok is false for NULL.
type pathEvaluator func(r *program.Run) (p document.Path, ok bool)

// jsonOf compiles a function of a document and paths.
func jsonOf(c *compilation.Compilation, operation string, doc ast.Expr, paths []ast.Expr, compile func(*compilation.Compilation, *jsonArgs) (*program.Node, error)) (*program.Node, error) {
	nodes, err := c.All(append([]ast.Expr{doc}, paths...))
	if err != nil {
		return nil, err
	}
	if err := c.Allow(operation, nodes[0]); err != nil {
		return nil, err
	}
	a := &jsonArgs{operation: operation, nodes: nodes}
	if a.document, err = documentOf(c, nodes[0], operation); err != nil {
		return nil, err
	}
	for _, n := range nodes[1:] {
		p, err := pathOf(c, n, operation)
		if err != nil {
			return nil, err
		}
		a.paths = append(a.paths, p)
	}
	return compile(c, a)
}

// jsonShape is the shape of documents that are made of a node: on MariaDB, text in
// its collation.
func jsonShape(c *compilation.Compilation, of *program.Node) class.Shape {
	s := class.Shape{Class: class.JSON, Coercible: class.CoercibleColumn, Collation: coercion.UTF8MB4(c, "_bin"), Opaque: of.Opaque, Nullable: true}
	if c.Session.IsMariaDB() {
		s.Collation, s.Coercible = coercion.TextCollation(c, of), of.Coercible
	}
	return s
}

// textOfDocument evaluates what may be a document as its text in UTF-8.
func textOfDocument(n *program.Node, operation string) (program.Evaluator, error) {
	switch {
	case n.Class == class.Null, n.Class == class.JSON:
		return n.Ev, nil
	case n.Class != class.Text, n.Coercible >= class.CoercibleNumber, !strings.HasPrefix(n.Collation.Charset.Name, "utf8mb"):
		return nil, refusal.Of(operation)
	}
	return n.Ev, nil
}

// documentOf evaluates a document.
func documentOf(c *compilation.Compilation, n *program.Node, operation string) (documentEvaluator, error) {
	ev, err := textOfDocument(n, operation)
	if err != nil {
		return nil, err
	}
	state, normal, flavor := c.State(), n.Class == class.JSON || c.Session.IsMariaDB(), c.Session.Flavor
	return func(r *program.Run) *document.Value {
		d := ev(r)
		if d.Null || r.Err != nil {
			return nil
		}
		s, _ := r.States[state].(*json.Document)
		if s == nil {
			s = &json.Document{}
			r.States[state] = s
		}
		v := s.Read(d.B, normal, flavor, &r.Lax)
		if v == nil {
			r.Refuse(operation)
		}
		return v
	}, nil
}

// pathOf evaluates a path.
func pathOf(c *compilation.Compilation, n *program.Node, operation string) (pathEvaluator, error) {
	if n.Class != class.Text && n.Class != class.Null {
		return nil, refusal.Of(operation)
	}
	ev, state, mariadb := n.Ev, c.State(), c.Session.IsMariaDB()
	return func(r *program.Run) (document.Path, bool) {
		d := ev(r)
		if d.Null || r.Err != nil {
			return nil, false
		}
		s, _ := r.States[state].(*json.Path)
		if s == nil {
			s = &json.Path{}
			r.States[state] = s
		}
		path, known := s.Read(d.B, mariadb)
		if !known {
			r.Refuse(operation)
		}
		return path, known
	}, nil
}

// all evaluates the document and the paths; ok is false if one of them is NULL, or
// the run has failed.
func (a *jsonArgs) all(r *program.Run, paths []document.Path) (v *document.Value, ok bool) {
	v = a.document(r)
	ok = v != nil
	for i := range paths {
		path, known := a.paths[i](r)
		paths[i], ok = path, ok && known
	}
	return v, ok
}

// writes makes a node of documents.
func (a *jsonArgs) writes(c *compilation.Compilation, s class.Shape, write func(r *program.Run, v *document.Value, paths []document.Path) (*document.Value, bool)) *program.Node {
	slot, count := c.Slot(), len(a.paths)
	n := program.Derive(s, func(r *program.Run) *program.Datum {
		paths := make([]document.Path, count)
		v, ok := a.all(r, paths)
		if !ok {
			return program.NullDatum
		}
		if v, ok = write(r, v, paths); !ok || r.Err != nil {
			return program.NullDatum
		}
		return r.Write(slot, v.Append)
	}, a.nodes...)
	n.Nullable = true
	return n
}

// jsonExtract compiles JSON_EXTRACT, -> and what is in ->>.
func jsonExtract(c *compilation.Compilation, a *jsonArgs) (*program.Node, error) {
	mariadb := c.Session.IsMariaDB()
	if mariadb && a.nodes[0].Class == class.Null { // bytes, of which there are none
		return program.Derive(class.Shape{Class: class.Bytes, Coercible: class.CoercibleNull, Nullable: true}, a.nodes[0].Ev, a.nodes...), nil
	}
	s := jsonShape(c, a.nodes[0])
	s.Extracted = true
	return a.writes(c, s, func(r *program.Run, v *document.Value, paths []document.Path) (*document.Value, bool) {
		found, known := json.Extract(v, paths, mariadb)
		if !known {
			r.Refuse(a.operation)
		}
		return found, found != nil
	}), nil
}

// textShape is the shape of text that a function makes of a document.
func textShape(c *compilation.Compilation, collation string) class.Shape {
	return class.Shape{Class: class.Text, Collation: coercion.UTF8MB4(c, collation), Coercible: class.CoercibleDocument, Nullable: true}
}

// jsonUnquote compiles JSON_UNQUOTE, and so ->>.
func jsonUnquote(c *compilation.Compilation, a *jsonArgs) (*program.Node, error) {
	ev, err := textOfDocument(a.nodes[0], a.operation)
	if err != nil {
		return nil, err
	}
	slot := c.Slot()
	return program.Derive(textShape(c, "_bin"), func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null || len(d.B) < 2 || d.B[0] != '"' || d.B[len(d.B)-1] != '"' {
			return d
		}
		v, ok := document.Parse(d.B)
		if !ok {
			return r.Refuse("JSON_UNQUOTE")
		}
		return r.Write(slot, func(dst []byte) []byte { return document.AppendText(dst, v.Raw) })
	}, a.nodes...), nil
}

// jsonPretty compiles JSON_PRETTY. MariaDB's has another form.
func jsonPretty(c *compilation.Compilation, a *jsonArgs) (*program.Node, error) {
	if c.Session.IsMariaDB() {
		return nil, refusal.Of(a.operation)
	}
	slot := c.Slot()
	return program.Derive(textShape(c, "_bin"), func(r *program.Run) *program.Datum {
		v := a.document(r)
		if v == nil {
			return program.NullDatum
		}
		return r.Write(slot, func(dst []byte) []byte { return v.AppendPretty(dst, 0) })
	}, a.nodes...), nil
}

// valueCharsMax is how long MySQL's JSON_VALUE may be without RETURNING.
const valueCharsMax = 512

// jsonValue compiles JSON_VALUE: a scalar as text; on MySQL, all others too.
func jsonValue(c *compilation.Compilation, a *jsonArgs) (*program.Node, error) {
	mariadb, slot := c.Session.IsMariaDB(), c.Slot()
	s := textShape(c, "_0900_bin")
	s.Chars = valueCharsMax
	if mariadb {
		s.Collation, s.Coercible = coercion.TextCollation(c, a.nodes[0]), a.nodes[0].Coercible
	}
	set := s.Collation.Charset
	return program.Derive(s, func(r *program.Run) *program.Datum {
		paths := make([]document.Path, 1)
		v, ok := a.all(r, paths)
		if !ok {
			return program.NullDatum
		}
		if !paths[0].IsExact() {
			return r.Refuse(a.operation)
		}
		v = v.First(paths[0])
		if v == nil || v.Kind == document.Null || mariadb && !v.IsScalar() {
			return program.NullDatum
		}
		out := r.Write(slot, func(dst []byte) []byte { return json.AppendScalar(dst, v, mariadb) })
		if !mariadb && set.CharLen(out.B) > valueCharsMax {
			return r.Refuse(a.operation)
		}
		return out
	}, a.nodes...), nil
}

// jsonKeys compiles JSON_KEYS. A name that is there twice is one.
func jsonKeys(c *compilation.Compilation, a *jsonArgs) (*program.Node, error) {
	return a.writes(c, jsonShape(c, a.nodes[0]), func(r *program.Run, v *document.Value, paths []document.Path) (*document.Value, bool) {
		names, known := json.Keys(v, paths)
		if !known {
			r.Refuse(a.operation)
		}
		return names, names != nil
	}), nil
}
