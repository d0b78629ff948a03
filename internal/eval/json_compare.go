package eval

import (
	"bytes"

	"tunic/internal/eval/class"
	"tunic/internal/eval/json"
	"tunic/internal/value/document"
)

// compareJSON finds how a document is compared with another value: MySQL compares it
// with what would be the value's document (MySQL manual, "Comparison and Ordering of
// JSON Values"); MariaDB compares what a scalar stands for, as text or as a number.
func (c *compiler) compareJSON(operation string, a, b *node) (comparison, error) {
	switch {
	case a.Class != class.JSON:
		k, err := c.compareJSON(operation, b, a)
		return k.turned(), err
	case a.Opaque || b.Opaque || b.Class == class.Int && b.column == nil && !b.literal:
		return comparison{}, refuse(operation)
	case c.session.isMariaDB():
		return c.compareJSONText(operation, a, b)
	case operation == "WHEN" && b.Class != class.JSON:
		return c.compareWritten(operation, a, b)
	}
	k := comparison{a: a.ev, b: b.ev, by: class.JSON}
	var as func(d *datum) (json.Scalar, bool)
	switch {
	case b.Class == class.JSON:
		as = func(d *datum) (json.Scalar, bool) { return json.ScalarOf(d.b) }
	case b.literal && b.example.Truth:
		as = func(d *datum) (json.Scalar, bool) { return json.OfTruth(d.n != 0), true }
	case b.Class == class.Int, b.Class == class.Uint, b.Class == class.Decimal:
		k.b = c.decimal(b, operation)
		as = func(d *datum) (json.Scalar, bool) { return json.OfExact(d.d), true }
	case b.Class == class.Double:
		as = func(d *datum) (json.Scalar, bool) { return json.OfReal(d.double()), true }
	case b.Class == class.Text:
		var err error
		if k.b, err = c.inCharset(b, c.utf8mb4("_bin").Charset, operation); err != nil {
			return k, err
		}
		as = func(d *datum) (json.Scalar, bool) { return json.OfText(d.b), true }
	default:
		return k, refuse(operation)
	}
	k.compare = func(r *Run, x, y *datum) int {
		v, ok := json.ScalarOf(x.b)
		w, known := as(y)
		if !ok || !known {
			if b.Class == class.JSON && bytes.Equal(x.b, y.b) {
				return 0
			}
			r.refuse(operation)
			return 0
		}
		d, ok := v.Compare(&w)
		if !ok {
			r.refuse(operation)
		}
		return d
	}
	return k, nil
}

// compareWritten compares a document as it is written, with its quotation marks.
func (c *compiler) compareWritten(operation string, a, b *node) (comparison, error) {
	if b.Class != class.Text && b.Class != class.JSON {
		return comparison{}, refuse(operation)
	}
	written, other := *a, *b
	written.Class, other.Class = class.Text, class.Text
	return c.compareStrings(operation, &written, &other, comparison{by: class.Text})
}

// turned is the same comparison with its sides changed.
func (k *comparison) turned() comparison {
	other, compare := *k, k.compare
	other.a, other.b = k.b, k.a
	other.compare = func(r *Run, x, y *datum) int { return -compare(r, y, x) }
	return other
}

// compareJSONText is MariaDB's comparison. Of what = finds in a document it sees what a
// string stands for; IN and CASE see its quotation marks.
func (c *compiler) compareJSONText(operation string, a, b *node) (comparison, error) {
	switch {
	case !a.Extracted:
		return comparison{}, refuse(operation)
	case b.Class == class.Text, b.Class == class.JSON:
		found := *a
		if operation == "=" {
			found.ev = c.plainText(a, operation)
		}
		return c.compareWritten(operation, &found, b)
	case b.Class == class.Int, b.Class == class.Uint, b.Class == class.Decimal, b.Class == class.Double:
	default:
		return comparison{}, refuse(operation)
	}
	k := comparison{by: class.Double, compare: compareDoubles}
	k.a = c.convert(a, func(r *Run, in, out *datum) *datum {
		f, ok := json.AsReal(in.b, a.Collation, &r.lax)
		if !ok {
			return r.refuse(operation)
		}
		return out.setDouble(f)
	})
	k.b = c.once(b, c.convert(&node{ev: c.real(b, operation)}, func(r *Run, in, out *datum) *datum {
		if f := in.double(); f > 1<<53 || f < -1<<53 {
			return r.refuse(operation)
		}
		return out.setDouble(in.double())
	}))
	return k, nil
}

// plainText evaluates a document as text: a string as what it stands for.
func (c *compiler) plainText(n *node, operation string) evaluator {
	slot := c.slot()
	return func(r *Run) *datum {
		d := n.ev(r)
		if d.null || r.err != nil || len(d.b) == 0 || d.b[0] != '"' {
			return d
		}
		v, ok := document.Parse(d.b)
		if !ok {
			return r.refuse(operation)
		}
		return r.write(slot, func(dst []byte) []byte { return document.AppendText(dst, v.Raw) })
	}
}

// jsonNumber is a document as the text of a number; others are refused.
func (c *compiler) jsonNumber(n *node, operation string) *node {
	text := &node{Shape: n.Shape, constant: n.constant}
	text.Class = class.Text
	text.ev = c.convert(n, func(r *Run, in, out *datum) *datum {
		if !json.IsNumber(in.b) {
			return r.refuse(operation)
		}
		return out.setBytes(in.b)
	})
	return text
}
