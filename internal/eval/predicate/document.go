package predicate

import (
	"bytes"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/json"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/value/document"
)

// compareJSON finds how a document is compared with another value: MySQL compares it
// with what would be the value's document (MySQL manual, "Comparison and Ordering of
// JSON Values"); MariaDB compares what a scalar stands for, as text or as a number.
func compareJSON(c *compilation.Compilation, operation string, a, b *program.Node) (comparison.Comparison, error) {
	switch {
	case a.Class != class.JSON:
		k, err := compareJSON(c, operation, b, a)
		return k.Turned(), err
	case a.Opaque || b.Opaque || b.Class == class.Int && b.Column == nil && !b.Literal:
		return comparison.Comparison{}, refusal.Of(operation)
	case c.Session.IsMariaDB():
		return compareJSONText(c, operation, a, b)
	case operation == "WHEN" && b.Class != class.JSON:
		return compareWritten(c, operation, a, b)
	}
	k := comparison.Comparison{A: a.Ev, B: b.Ev, By: class.JSON}
	var as func(d *program.Datum) (json.Scalar, bool)
	switch {
	case b.Class == class.JSON:
		as = func(d *program.Datum) (json.Scalar, bool) { return json.ScalarOf(d.B) }
	case b.Literal && b.Example.Truth:
		as = func(d *program.Datum) (json.Scalar, bool) { return json.OfTruth(d.N != 0), true }
	case b.Class == class.Int, b.Class == class.Uint, b.Class == class.Decimal:
		k.B = coercion.Decimal(c, b, operation)
		as = func(d *program.Datum) (json.Scalar, bool) { return json.OfExact(d.D), true }
	case b.Class == class.Double:
		as = func(d *program.Datum) (json.Scalar, bool) { return json.OfReal(d.Double()), true }
	case b.Class == class.Text:
		var err error
		if k.B, err = coercion.InCharset(c, b, coercion.UTF8MB4(c, "_bin").Charset, operation); err != nil {
			return k, err
		}
		as = func(d *program.Datum) (json.Scalar, bool) { return json.OfText(d.B), true }
	default:
		return k, refusal.Of(operation)
	}
	k.Compare = func(r *program.Run, x, y *program.Datum) int {
		v, ok := json.ScalarOf(x.B)
		w, known := as(y)
		if !ok || !known {
			if b.Class == class.JSON && bytes.Equal(x.B, y.B) {
				return 0
			}
			r.Refuse(operation)
			return 0
		}
		d, ok := v.Compare(&w)
		if !ok {
			r.Refuse(operation)
		}
		return d
	}
	return k, nil
}

// compareWritten compares a document as it is written, with its quotation marks.
func compareWritten(c *compilation.Compilation, operation string, a, b *program.Node) (comparison.Comparison, error) {
	if b.Class != class.Text && b.Class != class.JSON {
		return comparison.Comparison{}, refusal.Of(operation)
	}
	written, other := *a, *b
	written.Class, other.Class = class.Text, class.Text
	return CompareStrings(c, operation, &written, &other, comparison.Comparison{By: class.Text})
}

// compareJSONText is MariaDB's comparison. Of what = finds in a document it sees what a
// string stands for; IN and CASE see its quotation marks.
func compareJSONText(c *compilation.Compilation, operation string, a, b *program.Node) (comparison.Comparison, error) {
	switch {
	case !a.Extracted:
		return comparison.Comparison{}, refusal.Of(operation)
	case b.Class == class.Text, b.Class == class.JSON:
		found := *a
		if operation == "=" {
			found.Ev = plainText(c, a, operation)
		}
		return compareWritten(c, operation, &found, b)
	case b.Class == class.Int, b.Class == class.Uint, b.Class == class.Decimal, b.Class == class.Double:
	default:
		return comparison.Comparison{}, refusal.Of(operation)
	}
	k := comparison.Comparison{By: class.Double, Compare: comparison.Doubles}
	k.A = c.Convert(a, func(r *program.Run, in, out *program.Datum) *program.Datum {
		f, ok := json.AsReal(in.B, a.Collation, &r.Lax)
		if !ok {
			return r.Refuse(operation)
		}
		return out.SetDouble(f)
	})
	k.B = c.Once(b, c.Convert(&program.Node{Ev: coercion.Real(c, b, operation)}, func(r *program.Run, in, out *program.Datum) *program.Datum {
		if f := in.Double(); f > 1<<53 || f < -1<<53 {
			return r.Refuse(operation)
		}
		return out.SetDouble(in.Double())
	}))
	return k, nil
}

// plainText evaluates a document as text: a string as what it stands for.
func plainText(c *compilation.Compilation, n *program.Node, operation string) program.Evaluator {
	slot := c.Slot()
	return func(r *program.Run) *program.Datum {
		d := n.Ev(r)
		if d.Null || r.Err != nil || len(d.B) == 0 || d.B[0] != '"' {
			return d
		}
		v, ok := document.Parse(d.B)
		if !ok {
			return r.Refuse(operation)
		}
		return r.Write(slot, func(dst []byte) []byte { return document.AppendText(dst, v.Raw) })
	}
}
