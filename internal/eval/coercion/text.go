package coercion

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// Text evaluates a node as characters: text itself, labels, and numbers and dates
// as the server writes them.
func Text(c *compilation.Compilation, n *program.Node, operation string) (program.Evaluator, error) {
	switch {
	case n.Class == class.Null, n.Class == class.Text, n.Class == class.Bytes, n.Class == class.Hex:
		return n.Ev, nil
	case n.Class == class.Other, n.MayFill, n.NumberOnly && !isUneven(c, n), n.Column == nil && (n.Class == class.Float || n.Class == class.Year):
		return nil, refusal.Of(operation)
	case n.Column != nil:
		return textOfColumn(c, n, operation), nil
	}
	t, err := c.ResultType(n)
	if err != nil {
		return nil, err
	}
	inexact := n.Class.IsReal()
	signed := inexact && !c.Session.IsMariaDB()
	return c.Convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
		if signed && in.N == 1<<63 { // -0, of which MySQL makes either text
			return r.Refuse(operation)
		}
		var room [32]byte
		canonical, ok := program.AppendCanonical(room[:0], &t, n.Class, in)
		if !ok {
			return r.Refuse(operation)
		}
		start := len(r.Arena)
		r.Arena = value.AppendText(r.Arena, &t, canonical, r.In.Env)
		if inexact && len(r.Arena)-start > doubleCharsMax {
			return r.Refuse(operation)
		}
		return out.SetBytes(r.Arena[start:])
	}), nil
}

// isUneven reports whether a node is a decimal that is written with the digits that it
// happens to have: MariaDB's of several types.
func isUneven(c *compilation.Compilation, n *program.Node) bool {
	return n.Class == class.Decimal && c.Session.IsMariaDB()
}

// doubleCharsMax is the longest text of a double in an expression. For longer ones
// the servers weigh digits against the room that they give to it.
const doubleCharsMax = 15

// textOfColumn writes a column as the server sends it: ZEROFILL, the digits of
// FLOAT(M,D) and labels are its type's.
func textOfColumn(c *compilation.Compilation, n *program.Node, operation string) program.Evaluator {
	inexact := n.Class.IsReal()
	slot, index, t := c.Slot(), n.Index, n.Column
	return func(r *program.Run) *program.Datum {
		b := r.Row[index]
		if b == nil {
			return program.NullDatum
		}
		start := len(r.Arena)
		r.Arena = value.AppendText(r.Arena, t, b, r.In.Env)
		if inexact && len(r.Arena)-start > doubleCharsMax {
			return r.Refuse(operation)
		}
		return r.Slots[slot].SetBytes(r.Arena[start:])
	}
}

// TextChars is how long a node is as text at most.
func TextChars(n *program.Node) int {
	switch {
	case n.Class == class.Text, n.Class == class.Bytes:
		return n.Chars
	case class.IsLabel(n.Class):
		most := 0
		for _, l := range n.Column.Labels {
			most = max(most, len(l))
		}
		return most
	case n.Class == class.Decimal:
		return n.Digits + 2
	case n.Class.IsInteger():
		return max(n.Digits, 1) + 1
	}
	return 26
}

// InCharset evaluates text in a character set. Text that is not constant is
// never converted: a character that the other set has not would be lost.
func InCharset(c *compilation.Compilation, n *program.Node, to *charset.Charset, operation string) (program.Evaluator, error) {
	ev, err := Text(c, n, operation)
	if err != nil {
		return nil, err
	}
	from := TextCollation(c, n).Charset
	if from == to || n.Class == class.Null || class.Widens(to, from) {
		return ev, nil
	}
	if ok, _ := to.Convertible(); !ok || !n.Constant {
		return nil, refusal.Of(operation + " of text in two character sets")
	}
	return c.Convert(&program.Node{Ev: ev}, func(r *program.Run, in, out *program.Datum) *program.Datum {
		start := len(r.Arena)
		var bad int
		if r.Arena, bad = charset.Convert(r.Arena, to, from, in.B); bad >= 0 {
			return r.Refuse(operation)
		}
		return out.SetBytes(r.Arena[start:])
	}), nil
}
