package eval

import (
	"bytes"

	"tunic/internal/eval/class"
	"tunic/internal/eval/json"
	"tunic/internal/sql/ast"
	"tunic/internal/value/charset"
	"tunic/internal/value/document"
)

// lengthShape is the type of what is counted in a document.
var lengthShape = class.Shape{Class: class.Int, Digits: 10, Coercible: class.CoercibleNumber, Nullable: true}

// jsonAttribute compiles JSON_VALID, JSON_TYPE, JSON_LENGTH and JSON_DEPTH.
func (c *compiler) jsonAttribute(e *ast.JSONAttributesExpr) (*node, error) {
	switch e.Type {
	case ast.ValidAttributeType:
		return c.jsonValid(e)
	case ast.TypeAttributeType:
		return c.jsonOf("JSON_TYPE", e.JSONDoc, nil, (*compiler).jsonKind)
	case ast.LengthAttributeType:
		return c.jsonOf("JSON_LENGTH", e.JSONDoc, optional(e.Path), (*compiler).jsonLength)
	default:
		return c.jsonOf("JSON_DEPTH", e.JSONDoc, nil, (*compiler).jsonDepth)
	}
}

func (c *compiler) jsonLength(a *jsonArgs) (*node, error) {
	slot := c.slot()
	return derive(lengthShape, func(r *Run) *datum {
		paths := make([]document.Path, len(a.paths))
		v, ok := a.all(r, paths)
		if !ok {
			return nullDatum
		}
		if len(paths) > 0 {
			if !paths[0].IsExact() {
				return r.refuse(a.operation)
			}
			if v = v.First(paths[0]); v == nil {
				return nullDatum
			}
		}
		return r.slots[slot].setInt(int64(v.Len()))
	}, a.nodes...), nil
}

func (c *compiler) jsonDepth(a *jsonArgs) (*node, error) {
	slot := c.slot()
	return derive(lengthShape, func(r *Run) *datum {
		v := a.document(r)
		if v == nil {
			return nullDatum
		}
		return r.slots[slot].setInt(int64(v.Depth()))
	}, a.nodes...), nil
}

// jsonKind compiles JSON_TYPE. A value that was made of SQL's has a type that its
// text does not show.
func (c *compiler) jsonKind(a *jsonArgs) (*node, error) {
	if a.nodes[0].Opaque {
		return nil, refuse(a.operation + " of a value that is no document's")
	}
	s := c.textShape("_bin")
	if c.session.isMariaDB() {
		s.Collation, _ = charset.Lookup(c.session.Flavor, "utf8mb3_general_ci")
	}
	slot, mariadb := c.slot(), c.session.isMariaDB()
	return derive(s, func(r *Run) *datum {
		v := a.document(r)
		if v == nil {
			return nullDatum
		}
		return r.slots[slot].setBytes([]byte(json.KindName(v, mariadb)))
	}, a.nodes...), nil
}

// jsonValid compiles JSON_VALID.
func (c *compiler) jsonValid(e *ast.JSONAttributesExpr) (*node, error) {
	n, err := c.compile(e.JSONDoc)
	if err != nil {
		return nil, err
	}
	if err := c.allow("JSON_VALID", n); err != nil {
		return nil, err
	}
	ev, err := c.documentText(n, "JSON_VALID")
	if err != nil {
		return nil, err
	}
	s := class.BoolShape
	s.Nullable = true
	made, mariadb := n.Class == class.JSON, c.session.isMariaDB()
	return derive(s, func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return nullDatum
		}
		if made {
			return trueDatum
		}
		_, ok := json.Normalise(nil, d.b, r.x.session.Flavor, &r.lax)
		if !ok && mariadb { // which says of some that they end too soon
			return r.refuse("JSON_VALID")
		}
		return boolDatum(ok)
	}, n), nil
}

// jsonQuote compiles JSON_QUOTE.
func (c *compiler) jsonQuote(e *ast.JSONQuoteExpr) (*node, error) {
	n, err := c.compile(e.StringArg)
	if err != nil {
		return nil, err
	}
	if err := c.allow("JSON_QUOTE", n); err != nil {
		return nil, err
	}
	if n.Class == class.JSON {
		return nil, refuse("JSON_QUOTE of a document")
	}
	ev, err := c.documentText(n, "JSON_QUOTE")
	if err != nil {
		return nil, err
	}
	slot := c.slot()
	return derive(c.textShape("_bin"), func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return nullDatum
		}
		if bytes.IndexByte(d.b, 0x7f) >= 0 {
			return r.refuse("JSON_QUOTE")
		}
		return r.write(slot, func(dst []byte) []byte {
			return append(document.AppendRaw(append(dst, '"'), d.b), '"')
		})
	}, n), nil
}
