package text

import (
	"bytes"

	"tunic/internal/eval/characters"
	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value/charset"
)

// finderOf finds in text of a shape.
func finderOf(c *compilation.Compilation, name string, s class.Shape) (*characters.Finder, error) {
	f, unknown := characters.NewFinder(coercion.SetOf(c, s), s.Collation, c.Session.IsMariaDB(), c.Session.Version)
	if f == nil {
		return nil, refusal.Of(name + " in " + unknown)
	}
	return f, nil
}

// foundAt is a position.
func foundAt(r *program.Run, slot int, name string, w *characters.Scratch, at int64) *program.Datum {
	if r.Arena = w.Bytes; w.Unknown {
		return r.Refuse(name)
	}
	return r.Slots[slot].SetInt(at)
}

// compileInstr makes INSTR(text, what).
func compileInstr(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	return positionOf(c, name, args[0], args[1], nil, args)
}

// Locate compiles LOCATE(what, text, from) and POSITION(what IN text).
func Locate(c *compilation.Compilation, e *ast.LocateExpr) (*program.Node, error) {
	const name = "LOCATE"
	list := []ast.Expr{e.SubStr, e.Str}
	if e.Pos != nil {
		list = append(list, e.Pos)
	}
	args, err := c.All(list)
	if err != nil {
		return nil, err
	}
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	var from *program.Node
	if e.Pos != nil {
		from = args[2]
	}
	return positionOf(c, name, args[1], args[0], from, args)
}

func positionOf(c *compilation.Compilation, name string, text, what, from *program.Node, args []*program.Node) (*program.Node, error) {
	evs, s, err := coercion.Texts(c, name, text, what)
	if err != nil {
		return nil, err
	}
	if s.Class == class.Text && !c.Session.IsMariaDB() {
		if s.Collation, err = searchedCollation(c, name, text, s.Collation); err != nil {
			return nil, err
		}
	}
	f, err := finderOf(c, name, s)
	if err != nil {
		return nil, err
	}
	if text.Class == class.Null || what.Class == class.Null { // which is no integer to MySQL
		return nil, refusal.Of(name + " of NULL")
	}
	first := program.Evaluator(nil)
	if from != nil {
		first = c.Quiet(coercion.ClampedInteger(c, from, name), name)
	}
	slot := c.Slot()
	return program.Castable(program.Derive(class.CountShape, func(r *program.Run) *program.Datum {
		d, x, at := evs[0](r), evs[1](r), program.TrueDatum
		if first != nil {
			at = first(r)
		}
		switch {
		case d.Null, x.Null, at.Null:
			return program.NullDatum
		case len(x.B) == 0 && first != nil: // which some count in bytes, or not at all
			return r.Refuse(name)
		}
		w := characters.Scratch{Bytes: r.Arena}
		position := f.From(&w, d.B, x.B, int64(at.N))
		return foundAt(r, slot, name, &w, position)
	}, args...)), nil
}

// searchedCollation is that of the text which is searched, whatever the collation of
// both would be. Of the versions before it is not known.
func searchedCollation(c *compilation.Compilation, name string, text *program.Node, both *charset.Collation) (*charset.Collation, error) {
	own := coercion.TextCollation(c, text)
	if own != both && (c.Session.Version < characters.WeighsText || own.Charset != both.Charset) {
		return nil, refusal.Of(name + " of text in two collations")
	}
	return own, nil
}

// compileFindInSet makes FIND_IN_SET: which of the items between commas a text
// is. Spaces at their ends count.
func compileFindInSet(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	evs, s, err := coercion.Texts(c, name, args...)
	if err != nil {
		return nil, err
	}
	f, err := finderOf(c, name, s)
	if err != nil {
		return nil, err
	}
	slot := c.Slot()
	found := program.Castable(program.Derive(class.CountShape, func(r *program.Run) *program.Datum {
		what, list := evs[0](r), evs[1](r)
		if what.Null || list.Null {
			return program.NullDatum
		}
		w := characters.Scratch{Bytes: r.Arena}
		position := f.Item(&w, what.B, list.B)
		return foundAt(r, slot, name, &w, position)
	}, args...))
	if args[0].Constant && args[1].Class == class.Set {
		findLabel(c, found, name, evs[0], args[1])
	}
	return found, nil
}

// findLabel has FIND_IN_SET of a constant and a column be what servers make of it: they
// look the constant up among the column's labels once, without regard to case, and answer
// with its place among these instead of its place in the value. MySQL does so for
// literals, and cannot for parameters, which here are the same: there a value of which
// the two places differ has a truth alone.
func findLabel(c *compilation.Compilation, n *program.Node, name string, what program.Evaluator, of *program.Node) {
	place, slot, labels := n.Ev, c.Slot(), of.Column.Labels
	find := func(r *program.Run, exact bool) *program.Datum {
		d := place(r)
		w := what(r)
		if d.Null || w.Null || r.Err != nil {
			return d
		}
		label, ok := labelOf(labels, w.B)
		switch {
		case !ok, label == 0 && d.N != 0, (label != 0 && of.Ev(r).N>>(label-1)&1 != 0) != (d.N != 0):
			return r.Refuse(name)
		case exact && d.N != 0 && d.N != uint64(label):
			return r.Refuse(name)
		case d.N != 0:
			return r.Slots[slot].SetInt(int64(label))
		}
		return d
	}
	n.Ev = func(r *program.Run) *program.Datum { return find(r, !c.Session.IsMariaDB()) }
	n.Truth = func(r *program.Run) *program.Datum { return find(r, false) }
}

// labelOf is the number of a label without regard to case, 0 for none; ok is false if
// that is known for ASCII alone.
func labelOf(labels [][]byte, text []byte) (number int, ok bool) {
	if !charset.IsASCII(text) {
		return 0, false
	}
	for i, label := range labels {
		if !charset.IsASCII(label) {
			return 0, false
		}
		if number == 0 && bytes.EqualFold(label, text) {
			number = i + 1
		}
	}
	return number, true
}
