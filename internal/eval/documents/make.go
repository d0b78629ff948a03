package documents

import (
	"bytes"
	"slices"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/json"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
	"tunic/internal/value/document"
)

// A Part appends what a value of SQL's is in a document; ok is false if the run has
// failed.
type Part func(r *program.Run, dst []byte) (out []byte, ok bool)

// isTruth reports whether an expression is TRUE, FALSE, a comparison or logic, which
// are true or false in a document and numbers elsewhere.
func isTruth(e ast.Expr, n *program.Node) bool {
	switch e.(type) {
	case ast.BoolVal, *ast.IsExpr, *ast.BetweenExpr, *ast.AndExpr, *ast.OrExpr, *ast.NotExpr, *ast.ComparisonExpr:
		return true
	case *ast.Argument:
		return n.Example != nil && n.Example.Truth
	}
	return false
}

// Value compiles a value that goes into a document; opaque says that it is none of
// a document's own types there.
func Value(c *compilation.Compilation, e ast.Expr, operation string) (p Part, n *program.Node, opaque bool, err error) {
	if n, err = c.Compile(e); err != nil {
		return nil, nil, false, err
	}
	if err := c.Allow(operation, n); err != nil {
		return nil, nil, false, err
	}
	known := truthPart(n)
	if !isTruth(e, n) {
		if !isPlainNumber(e, n) || mayBeTruth(c, n) {
			return nil, nil, false, refusal.Of(operation + " of a computed number")
		}
		known, opaque, err = partOf(c, n, operation)
	}
	if err != nil {
		return nil, nil, false, err
	}
	return func(r *program.Run, dst []byte) ([]byte, bool) {
		if d := n.Ev(r); r.Err != nil {
			return dst, false
		} else if d.Null {
			return append(dst, "null"...), true
		}
		return known(r, dst)
	}, n, opaque, nil
}

// mayBeTruth reports whether a result that has a name, of MAX, a subquery or a derived
// table, may be that of a comparison. MariaDB writes true or false for it where it computes
// it in its place, and a number where it has put it into a table. The servers' results
// of comparisons have one digit.
func mayBeTruth(c *compilation.Compilation, n *program.Node) bool {
	return c.Session.IsMariaDB() && n.Column != nil && n.Column.Kind == value.BigInt && n.Column.Length == 1 && !n.Column.Zerofill
}

// integerFunctions are those whose results are integers in a document as well. Of
// others MySQL says that they are true or false.
var integerFunctions = map[string]bool{
	"length": true, "octet_length": true, "char_length": true, "character_length": true, "year": true, "month": true,
	"day": true, "dayofmonth": true, "hour": true, "minute": true, "second": true, "quarter": true, "to_days": true, "datediff": true,
}

// isPlainNumber reports whether a number is written in a document as it is elsewhere:
// servers compute numbers with more digits than they show, and some integers are
// truths.
func isPlainNumber(e ast.Expr, n *program.Node) bool {
	switch {
	case n.Column != nil, n.Literal:
		return true
	case n.Class == class.Decimal, n.Class.IsReal(), n.Class == class.Year:
		return false
	case !n.Class.IsInteger():
		return true
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return true
	case *ast.JSONAttributesExpr:
		return e.Type == ast.LengthAttributeType || e.Type == ast.DepthAttributeType
	case *ast.FuncExpr:
		return integerFunctions[e.Name.Lowered()]
	}
	return false
}

func truthPart(n *program.Node) Part {
	return func(r *program.Run, dst []byte) ([]byte, bool) {
		if n.Ev(r).N != 0 {
			return append(dst, "true"...), true
		}
		return append(dst, "false"...), true
	}
}

// partOf is Value for a value that is not NULL.
func partOf(c *compilation.Compilation, n *program.Node, operation string) (Part, bool, error) {
	mariadb := c.Session.IsMariaDB()
	switch k := n.Class; {
	case k == class.Null:
		return func(_ *program.Run, dst []byte) ([]byte, bool) { return append(dst, "null"...), true }, false, nil
	case k == class.JSON:
		return textPart(n.Ev), n.Opaque, nil
	case k == class.Text && mariadb && n.Column != nil && n.Column.Kind == value.LongText:
		return nil, false, refusal.Of(operation + " of a LONGTEXT, which may be JSON")
	case k == class.Text && n.Coercible >= class.CoercibleNumber:
		return nil, false, refusal.Of(operation + " of a number as text")
	case k == class.Text, class.IsLabel(k), k.IsTemporal():
		return quotedPart(c, n, operation)
	case k.IsReal() && !mariadb:
		return doublePart(c, n, operation)
	case k == class.Int, k == class.Uint, k == class.Year, k == class.Decimal, k.IsReal():
		if !mariadb {
			n = withoutFill(n)
		}
		ev, err := coercion.Text(c, n, operation)
		return textPart(ev), k == class.Decimal, err
	}
	return nil, false, refusal.Of(operation)
}

// withoutFill is a number without the zeros that ZEROFILL has before it, which MySQL's documents
// have not.
func withoutFill(n *program.Node) *program.Node {
	plain := *n
	plain.MayFill = false
	if n.Column != nil {
		plain.Column = n.Column.Unfilled()
	}
	return &plain
}

// textPart appends text as it is.
func textPart(ev program.Evaluator) Part {
	return func(r *program.Run, dst []byte) ([]byte, bool) { return append(dst, ev(r).B...), r.Err == nil }
}

// fractionMax is how many digits the fraction of a time has in MySQL's documents.
const fractionMax = 6

// quotedPart appends a string.
func quotedPart(c *compilation.Compilation, n *program.Node, operation string) (Part, bool, error) {
	set := coercion.UTF8MB4(c, "_bin").Charset
	from := *n
	behind := ""
	if n.Class.IsTemporal() && n.Class != class.Date && !c.Session.IsMariaDB() {
		behind = ".000000"[min(n.Scale+min(n.Scale, 1), fractionMax+1):]
	}
	if n.Class == class.Text && n.Collation.Charset.Name == "utf8mb3" {
		set = n.Collation.Charset
	}
	ev, err := coercion.InCharset(c, &from, set, operation)
	if err != nil {
		return nil, false, err
	}
	return func(r *program.Run, dst []byte) ([]byte, bool) {
		d := ev(r)
		if r.Err != nil || bytes.IndexByte(d.B, 0x7f) >= 0 {
			r.Refuse(operation)
			return dst, false
		}
		return append(document.AppendRaw(append(dst, '"'), d.B), behind+`"`...), true
	}, n.Class.IsTemporal(), nil
}

// doublePart appends a double as MySQL's documents have it.
func doublePart(c *compilation.Compilation, n *program.Node, operation string) (Part, bool, error) {
	if n.Class == class.Float {
		return nil, false, refusal.Of(operation + " of a FLOAT")
	}
	ev, err := coercion.Text(c, n, operation)
	return func(r *program.Run, dst []byte) ([]byte, bool) {
		d := ev(r)
		if r.Err != nil {
			return dst, false
		}
		b := d.B
		if !bytes.ContainsAny(b, ".e") {
			b = append(slices.Clone(b), ".0"...)
		}
		dst, ok := json.Normalise(dst, b, r.X.Session.Flavor, &r.Lax)
		if !ok {
			r.Refuse(operation)
		}
		return dst, ok
	}, false, err
}

// MadeShape is the shape of a document that is made of values.
func MadeShape(c *compilation.Compilation, opaque bool) class.Shape {
	s := class.Shape{Class: class.JSON, Coercible: class.CoercibleColumn, Collation: coercion.UTF8MB4(c, "_bin"), Opaque: opaque}
	if c.Session.IsMariaDB() {
		s.Collation, s.Coercible = c.Session.Collation, class.CoercibleLiteral
	}
	return s
}

// jsonArray compiles JSON_ARRAY.
func jsonArray(c *compilation.Compilation, e *ast.JSONArrayExpr) (*program.Node, error) {
	parts := make([]Part, len(e.Params))
	var opaque bool
	var nodes []*program.Node
	for i, x := range e.Params {
		p, n, o, err := Value(c, x, "JSON_ARRAY")
		if err != nil {
			return nil, err
		}
		parts[i], opaque, nodes = p, opaque || o, append(nodes, n)
	}
	slot := c.Slot()
	n := program.Derive(MadeShape(c, opaque), func(r *program.Run) *program.Datum {
		return r.WriteParts(slot, func(dst []byte) ([]byte, bool) {
			dst = append(dst, '[')
			for i, p := range parts {
				if i > 0 {
					dst = append(dst, ", "...)
				}
				var ok bool
				if dst, ok = p(r, dst); !ok {
					return dst, false
				}
			}
			return append(dst, ']'), true
		})
	}, nodes...)
	n.Nullable = false
	return n, nil
}

// jsonObject compiles JSON_OBJECT.
func jsonObject(c *compilation.Compilation, e *ast.JSONObjectExpr) (*program.Node, error) {
	const operation = "JSON_OBJECT"
	names, values := make([]Part, len(e.Params)), make([]Part, len(e.Params))
	var opaque bool
	var nodes []*program.Node
	for i, x := range e.Params {
		name, k, err := Name(c, x.Key, operation)
		if err != nil {
			return nil, err
		}
		v, n, o, err := Value(c, x.Value, operation)
		if err != nil {
			return nil, err
		}
		names[i], values[i], opaque, nodes = name, v, opaque || o, append(nodes, k, n)
	}
	slot, mariadb := c.Slot(), c.Session.IsMariaDB()
	n := program.Derive(MadeShape(c, opaque), func(r *program.Run) *program.Datum {
		return r.WriteParts(slot, func(dst []byte) ([]byte, bool) {
			members := make([]json.Member, len(names))
			for i := range members {
				var known [2]bool
				members[i].Name, known[0] = names[i](r, nil)
				members[i].Value, known[1] = values[i](r, nil)
				if !known[0] || !known[1] {
					return dst, false
				}
			}
			if !mariadb {
				members = json.InOrder(members)
			}
			return json.AppendMembers(dst, members, `": `), true
		})
	}, nodes...)
	n.Nullable = false
	return n, nil
}

// Name compiles the name of a member. NULL is none.
func Name(c *compilation.Compilation, e ast.Expr, operation string) (Part, *program.Node, error) {
	n, err := c.Compile(e)
	if err != nil {
		return nil, nil, err
	}
	if n.Class != class.Text && n.Class != class.Int && n.Class != class.Uint || isTruth(e, n) {
		return nil, nil, refusal.Of(operation + " with such a name")
	}
	ev, err := coercion.InCharset(c, n, coercion.UTF8MB4(c, "_bin").Charset, operation)
	if err != nil {
		return nil, nil, err
	}
	return func(r *program.Run, dst []byte) ([]byte, bool) {
		d := ev(r)
		if d.Null || r.Err != nil || bytes.IndexByte(d.B, 0x7f) >= 0 {
			r.Refuse(operation)
			return dst, false
		}
		return append(dst, d.B...), true
	}, n, nil
}

// Cast makes a document of text, which has to be one. MariaDB has no such cast.
func Cast(c *compilation.Compilation, n *program.Node, name string) (*program.Node, error) {
	if c.Session.IsMariaDB() {
		return nil, refusal.Of(name)
	}
	if n.Class == class.JSON {
		return program.Derive(n.Shape, n.Ev, n), nil
	}
	doc, err := documentOf(c, n, name)
	if err != nil {
		return nil, err
	}
	slot := c.Slot()
	return program.Castable(program.Derive(jsonShape(c, n), func(r *program.Run) *program.Datum {
		v := doc(r)
		if v == nil {
			return program.NullDatum
		}
		return r.Write(slot, v.Append)
	}, n)), nil
}
