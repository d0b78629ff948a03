package eval

import (
	"strings"

	"tunic/internal/eval/class"
	"tunic/internal/eval/json"
	"tunic/internal/sql/ast"
	"tunic/internal/value/charset"
	"tunic/internal/value/document"
)

// Functions of JSON. MySQL computes with documents, MariaDB with their text: here,
// both with documents that keep the text of what is in them (package document). A
// node of classJSON is the text of a document, in UTF-8.

// coercibleDocument is the coercibility of text that functions of JSON make. Servers
// say that of a literal, and that its collation, a binary one, goes before that of
// other literals.
const coercibleDocument class.Coercibility = 3

// json compiles the functions of JSON; the node is nil for another expression.
func (c *compiler) json(e ast.Expr) (*node, error) {
	switch e := e.(type) {
	case *ast.JSONExtractExpr:
		return c.jsonOf("JSON_EXTRACT", e.JSONDoc, e.PathList, (*compiler).jsonExtract)
	case *ast.JSONUnquoteExpr:
		return c.jsonOf("JSON_UNQUOTE", e.JSONValue, nil, (*compiler).jsonUnquote)
	case *ast.JSONValueExpr:
		if e.ReturningType != nil || e.EmptyOnResponse != nil || e.ErrorOnResponse != nil {
			return nil, refuse("JSON_VALUE with RETURNING or ON")
		}
		return c.jsonOf("JSON_VALUE", e.JSONDoc, []ast.Expr{e.Path}, (*compiler).jsonValue)
	case *ast.JSONAttributesExpr:
		return c.jsonAttribute(e)
	case *ast.JSONKeysExpr:
		return c.jsonOf("JSON_KEYS", e.JSONDoc, optional(e.Path), (*compiler).jsonKeys)
	case *ast.JSONQuoteExpr:
		return c.jsonQuote(e)
	case *ast.JSONPrettyExpr:
		return c.jsonOf("JSON_PRETTY", e.JSONVal, nil, (*compiler).jsonPretty)
	case *ast.JSONContainsExpr:
		return c.jsonContains(e)
	case *ast.JSONContainsPathExpr:
		return c.jsonContainsPath(e)
	case *ast.JSONOverlapsExpr:
		return c.jsonOverlaps(e)
	case *ast.MemberOfExpr:
		return c.memberOf(e)
	case *ast.JSONObjectExpr:
		return c.jsonObject(e)
	case *ast.JSONArrayExpr:
		return c.jsonArray(e)
	case *ast.JSONValueModifierExpr:
		return c.jsonModify(e)
	case *ast.JSONRemoveExpr:
		return c.jsonOf("JSON_REMOVE", e.JSONDoc, e.PathList, (*compiler).jsonRemove)
	case *ast.JSONValueMergeExpr:
		return c.jsonMerge(e)
	}
	return nil, nil //nolint:nilnil // it is no function of JSON
}

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
	nodes     []*node // the document, and all others
	document  documentEvaluator
	paths     []pathEvaluator
}

// documentEvaluator evaluates a document; nil for NULL, and where the run has failed.
type documentEvaluator func(r *Run) *document.Value

// pathEvaluator evaluates a path; ok is false for NULL.
type pathEvaluator func(r *Run) (p document.Path, ok bool)

// jsonOf compiles a function of a document and paths.
func (c *compiler) jsonOf(operation string, doc ast.Expr, paths []ast.Expr, compile func(*compiler, *jsonArgs) (*node, error)) (*node, error) {
	nodes, err := c.all(append([]ast.Expr{doc}, paths...))
	if err != nil {
		return nil, err
	}
	if err := c.allow(operation, nodes[0]); err != nil {
		return nil, err
	}
	a := &jsonArgs{operation: operation, nodes: nodes}
	if a.document, err = c.documentOf(nodes[0], operation); err != nil {
		return nil, err
	}
	for _, n := range nodes[1:] {
		p, err := c.pathOf(n, operation)
		if err != nil {
			return nil, err
		}
		a.paths = append(a.paths, p)
	}
	return compile(c, a)
}

// utf8mb4 is a collation of that character set.
func (c *compiler) utf8mb4(name string) *charset.Collation {
	collation, _ := charset.Lookup(c.session.Flavor, "utf8mb4"+name)
	return collation
}

// jsonShape is the shape of documents that are made of a node: on MariaDB, text in
// its collation.
func (c *compiler) jsonShape(of *node) class.Shape {
	s := class.Shape{Class: class.JSON, Coercible: class.CoercibleColumn, Collation: c.utf8mb4("_bin"), Opaque: of.Opaque, Nullable: true}
	if c.session.isMariaDB() {
		s.Collation, s.Coercible = c.textCollation(of), of.Coercible
	}
	return s
}

// documentText evaluates what may be a document as its text in UTF-8.
func (c *compiler) documentText(n *node, operation string) (evaluator, error) {
	switch {
	case n.Class == class.Null, n.Class == class.JSON:
		return n.ev, nil
	case n.Class != class.Text, n.Coercible >= class.CoercibleNumber, !strings.HasPrefix(n.Collation.Charset.Name, "utf8mb"):
		return nil, refuse(operation)
	}
	return n.ev, nil
}

// documentOf evaluates a document.
func (c *compiler) documentOf(n *node, operation string) (documentEvaluator, error) {
	ev, err := c.documentText(n, operation)
	if err != nil {
		return nil, err
	}
	state, normal, flavor := c.states, n.Class == class.JSON || c.session.isMariaDB(), c.session.Flavor
	c.states++
	return func(r *Run) *document.Value {
		d := ev(r)
		if d.null || r.err != nil {
			return nil
		}
		s, _ := r.states[state].(*json.Document)
		if s == nil {
			s = &json.Document{}
			r.states[state] = s
		}
		v := s.Read(d.b, normal, flavor, &r.lax)
		if v == nil {
			r.refuse(operation)
		}
		return v
	}, nil
}

// pathOf evaluates a path.
func (c *compiler) pathOf(n *node, operation string) (pathEvaluator, error) {
	if n.Class != class.Text && n.Class != class.Null {
		return nil, refuse(operation)
	}
	ev, state, mariadb := n.ev, c.states, c.session.isMariaDB()
	c.states++
	return func(r *Run) (document.Path, bool) {
		d := ev(r)
		if d.null || r.err != nil {
			return nil, false
		}
		s, _ := r.states[state].(*json.Path)
		if s == nil {
			s = &json.Path{}
			r.states[state] = s
		}
		path, known := s.Read(d.b, mariadb)
		if !known {
			r.refuse(operation)
		}
		return path, known
	}, nil
}

// all evaluates the document and the paths; ok is false if one of them is NULL, or
// the run has failed.
func (a *jsonArgs) all(r *Run, paths []document.Path) (v *document.Value, ok bool) {
	v = a.document(r)
	ok = v != nil
	for i := range paths {
		path, known := a.paths[i](r)
		paths[i], ok = path, ok && known
	}
	return v, ok
}

// writes makes a node of documents.
func (a *jsonArgs) writes(c *compiler, s class.Shape, write func(r *Run, v *document.Value, paths []document.Path) (*document.Value, bool)) *node {
	slot, count := c.slot(), len(a.paths)
	n := derive(s, func(r *Run) *datum {
		paths := make([]document.Path, count)
		v, ok := a.all(r, paths)
		if !ok {
			return nullDatum
		}
		if v, ok = write(r, v, paths); !ok || r.err != nil {
			return nullDatum
		}
		return r.write(slot, v.Append)
	}, a.nodes...)
	n.Nullable = true
	return n
}

// jsonExtract compiles JSON_EXTRACT, -> and what is in ->>.
func (c *compiler) jsonExtract(a *jsonArgs) (*node, error) {
	mariadb := c.session.isMariaDB()
	if mariadb && a.nodes[0].Class == class.Null { // bytes, of which there are none
		return derive(class.Shape{Class: class.Bytes, Coercible: class.CoercibleNull, Nullable: true}, a.nodes[0].ev, a.nodes...), nil
	}
	s := c.jsonShape(a.nodes[0])
	s.Extracted = true
	return a.writes(c, s, func(r *Run, v *document.Value, paths []document.Path) (*document.Value, bool) {
		found, known := json.Extract(v, paths, mariadb)
		if !known {
			r.refuse(a.operation)
		}
		return found, found != nil
	}), nil
}

// textShape is the shape of text that a function makes of a document.
func (c *compiler) textShape(collation string) class.Shape {
	return class.Shape{Class: class.Text, Collation: c.utf8mb4(collation), Coercible: coercibleDocument, Nullable: true}
}

// jsonUnquote compiles JSON_UNQUOTE, and so ->>.
func (c *compiler) jsonUnquote(a *jsonArgs) (*node, error) {
	ev, err := c.documentText(a.nodes[0], a.operation)
	if err != nil {
		return nil, err
	}
	slot := c.slot()
	return derive(c.textShape("_bin"), func(r *Run) *datum {
		d := ev(r)
		if d.null || len(d.b) < 2 || d.b[0] != '"' || d.b[len(d.b)-1] != '"' {
			return d
		}
		v, ok := document.Parse(d.b)
		if !ok {
			return r.refuse("JSON_UNQUOTE")
		}
		return r.write(slot, func(dst []byte) []byte { return document.AppendText(dst, v.Raw) })
	}, a.nodes...), nil
}

// jsonPretty compiles JSON_PRETTY. MariaDB's has another form.
func (c *compiler) jsonPretty(a *jsonArgs) (*node, error) {
	if c.session.isMariaDB() {
		return nil, refuse(a.operation)
	}
	slot := c.slot()
	return derive(c.textShape("_bin"), func(r *Run) *datum {
		v := a.document(r)
		if v == nil {
			return nullDatum
		}
		return r.write(slot, func(dst []byte) []byte { return v.AppendPretty(dst, 0) })
	}, a.nodes...), nil
}

// valueCharsMax is how long MySQL's JSON_VALUE may be without RETURNING.
const valueCharsMax = 512

// jsonValue compiles JSON_VALUE: a scalar as text; on MySQL, all others too.
func (c *compiler) jsonValue(a *jsonArgs) (*node, error) {
	mariadb, slot := c.session.isMariaDB(), c.slot()
	s := c.textShape("_0900_bin")
	s.Chars = valueCharsMax
	if mariadb {
		s.Collation, s.Coercible = c.textCollation(a.nodes[0]), a.nodes[0].Coercible
	}
	set := s.Collation.Charset
	return derive(s, func(r *Run) *datum {
		paths := make([]document.Path, 1)
		v, ok := a.all(r, paths)
		if !ok {
			return nullDatum
		}
		if !paths[0].IsExact() {
			return r.refuse(a.operation)
		}
		v = v.First(paths[0])
		if v == nil || v.Kind == document.Null || mariadb && !v.IsScalar() {
			return nullDatum
		}
		out := r.write(slot, func(dst []byte) []byte { return json.AppendScalar(dst, v, mariadb) })
		if !mariadb && set.CharLen(out.b) > valueCharsMax {
			return r.refuse(a.operation)
		}
		return out
	}, a.nodes...), nil
}

// jsonKeys compiles JSON_KEYS. A name that is there twice is one.
func (c *compiler) jsonKeys(a *jsonArgs) (*node, error) {
	return a.writes(c, c.jsonShape(a.nodes[0]), func(r *Run, v *document.Value, paths []document.Path) (*document.Value, bool) {
		names, known := json.Keys(v, paths)
		if !known {
			r.refuse(a.operation)
		}
		return names, names != nil
	}), nil
}
