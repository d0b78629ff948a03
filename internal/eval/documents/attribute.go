package documents

import (
	"bytes"

	"tunic/internal/eval/class"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/json"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value/charset"
	"tunic/internal/value/document"
)

// lengthShape is the type of what is counted in a document.
var lengthShape = class.Shape{Class: class.Int, Digits: 10, Coercible: class.CoercibleNumber, Nullable: true}

// jsonAttribute compiles JSON_VALID, JSON_TYPE, JSON_LENGTH and JSON_DEPTH.
func jsonAttribute(c *compilation.Compilation, e *ast.JSONAttributesExpr) (*program.Node, error) {
	switch e.Type {
	case ast.ValidAttributeType:
		return jsonValid(c, e)
	case ast.TypeAttributeType:
		return jsonOf(c, "JSON_TYPE", e.JSONDoc, nil, jsonKind)
	case ast.LengthAttributeType:
		return jsonOf(c, "JSON_LENGTH", e.JSONDoc, optional(e.Path), jsonLength)
	default:
		return jsonOf(c, "JSON_DEPTH", e.JSONDoc, nil, jsonDepth)
	}
}

func jsonLength(c *compilation.Compilation, a *jsonArgs) (*program.Node, error) {
	slot := c.Slot()
	return program.Derive(lengthShape, func(r *program.Run) *program.Datum {
		paths := make([]document.Path, len(a.paths))
		v, ok := a.all(r, paths)
		if !ok {
			return program.NullDatum
		}
		if len(paths) > 0 {
			if !paths[0].IsExact() {
				return r.Refuse(a.operation)
			}
			if v = v.First(paths[0]); v == nil {
				return program.NullDatum
			}
		}
		return r.Slots[slot].SetInt(int64(v.Len()))
	}, a.nodes...), nil
}

func jsonDepth(c *compilation.Compilation, a *jsonArgs) (*program.Node, error) {
	slot := c.Slot()
	return program.Derive(lengthShape, func(r *program.Run) *program.Datum {
		v := a.document(r)
		if v == nil {
			return program.NullDatum
		}
		return r.Slots[slot].SetInt(int64(v.Depth()))
	}, a.nodes...), nil
}

// jsonKind compiles JSON_TYPE. A value that was made of SQL's has a type that its
// text does not show.
func jsonKind(c *compilation.Compilation, a *jsonArgs) (*program.Node, error) {
	if a.nodes[0].Opaque {
		return nil, refusal.Of(a.operation + " of a value that is no document's")
	}
	s := textShape(c, "_bin")
	if c.Session.IsMariaDB() {
		s.Collation, _ = charset.Lookup(c.Session.Flavor, "utf8mb3_general_ci")
	}
	slot, mariadb := c.Slot(), c.Session.IsMariaDB()
	return program.Derive(s, func(r *program.Run) *program.Datum {
		v := a.document(r)
		if v == nil {
			return program.NullDatum
		}
		return r.Slots[slot].SetBytes([]byte(json.KindName(v, mariadb)))
	}, a.nodes...), nil
}

// jsonValid compiles JSON_VALID.
func jsonValid(c *compilation.Compilation, e *ast.JSONAttributesExpr) (*program.Node, error) {
	n, err := c.Compile(e.JSONDoc)
	if err != nil {
		return nil, err
	}
	if err := c.Allow("JSON_VALID", n); err != nil {
		return nil, err
	}
	ev, err := textOfDocument(n, "JSON_VALID")
	if err != nil {
		return nil, err
	}
	s := class.BoolShape
	s.Nullable = true
	made, mariadb := n.Class == class.JSON, c.Session.IsMariaDB()
	return program.Derive(s, func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return program.NullDatum
		}
		if made {
			return program.TrueDatum
		}
		_, ok := json.Normalise(nil, d.B, r.X.Session.Flavor, &r.Lax)
		if !ok && mariadb { // which says of some that they end too soon
			return r.Refuse("JSON_VALID")
		}
		return program.BoolDatum(ok)
	}, n), nil
}

// jsonQuote compiles JSON_QUOTE.
func jsonQuote(c *compilation.Compilation, e *ast.JSONQuoteExpr) (*program.Node, error) {
	n, err := c.Compile(e.StringArg)
	if err != nil {
		return nil, err
	}
	if err := c.Allow("JSON_QUOTE", n); err != nil {
		return nil, err
	}
	if n.Class == class.JSON {
		return nil, refusal.Of("JSON_QUOTE of a document")
	}
	ev, err := textOfDocument(n, "JSON_QUOTE")
	if err != nil {
		return nil, err
	}
	slot := c.Slot()
	return program.Derive(textShape(c, "_bin"), func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return program.NullDatum
		}
		if bytes.IndexByte(d.B, 0x7f) >= 0 {
			return r.Refuse("JSON_QUOTE")
		}
		return r.Write(slot, func(dst []byte) []byte {
			return append(document.AppendRaw(append(dst, '"'), d.B), '"')
		})
	}, n), nil
}
