package eval

import (
	"tunic/internal/eval/characters"
	"tunic/internal/eval/class"
	"tunic/internal/sql/ast"
	"tunic/internal/value/charset"
)

// finderOf finds in text of a shape.
func (c *compiler) finderOf(name string, s class.Shape) (*characters.Finder, error) {
	f, unknown := characters.NewFinder(c.setOf(s), s.Collation, c.session.isMariaDB(), c.session.Version)
	if f == nil {
		return nil, refuse(name + " in " + unknown)
	}
	return f, nil
}

// foundAt is a position.
func foundAt(r *Run, slot int, name string, w *characters.Scratch, at int64) *datum {
	if r.arena = w.Bytes; w.Unknown {
		return r.refuse(name)
	}
	return r.slots[slot].setInt(at)
}

// compileInstr makes INSTR(text, what).
func compileInstr(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	return c.position(name, args[0], args[1], nil, args)
}

// locate compiles LOCATE(what, text, from) and POSITION(what IN text).
func (c *compiler) locate(e *ast.LocateExpr) (*node, error) {
	const name = "LOCATE"
	list := []ast.Expr{e.SubStr, e.Str}
	if e.Pos != nil {
		list = append(list, e.Pos)
	}
	args, err := c.all(list)
	if err != nil {
		return nil, err
	}
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	var from *node
	if e.Pos != nil {
		from = args[2]
	}
	return c.position(name, args[1], args[0], from, args)
}

func (c *compiler) position(name string, text, what, from *node, args []*node) (*node, error) {
	evs, s, err := c.texts(name, text, what)
	if err != nil {
		return nil, err
	}
	if s.Class == class.Text && !c.session.isMariaDB() {
		if s.Collation, err = c.searchedCollation(name, text, s.Collation); err != nil {
			return nil, err
		}
	}
	f, err := c.finderOf(name, s)
	if err != nil {
		return nil, err
	}
	if text.Class == class.Null || what.Class == class.Null { // which is no integer to MySQL
		return nil, refuse(name + " of NULL")
	}
	first := evaluator(nil)
	if from != nil {
		first = c.quiet(c.clampedInteger(from, name), name)
	}
	slot := c.slot()
	return castable(derive(class.CountShape, func(r *Run) *datum {
		d, x, at := evs[0](r), evs[1](r), trueDatum
		if first != nil {
			at = first(r)
		}
		switch {
		case d.null, x.null, at.null:
			return nullDatum
		case len(x.b) == 0 && first != nil: // which some count in bytes, or not at all
			return r.refuse(name)
		}
		w := characters.Scratch{Bytes: r.arena}
		position := f.From(&w, d.b, x.b, int64(at.n))
		return foundAt(r, slot, name, &w, position)
	}, args...)), nil
}

// searchedCollation is that of the text which is searched, whatever the collation of
// both would be. Of the versions before it is not known.
func (c *compiler) searchedCollation(name string, text *node, both *charset.Collation) (*charset.Collation, error) {
	own := c.textCollation(text)
	if own != both && (c.session.Version < characters.WeighsText || own.Charset != both.Charset) {
		return nil, refuse(name + " of text in two collations")
	}
	return own, nil
}

// compileFindInSet makes FIND_IN_SET: which of the items between commas a text
// is. Spaces at their ends count.
func compileFindInSet(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	evs, s, err := c.texts(name, args...)
	if err != nil {
		return nil, err
	}
	f, err := c.finderOf(name, s)
	if err != nil {
		return nil, err
	}
	slot := c.slot()
	found := castable(derive(class.CountShape, func(r *Run) *datum {
		what, list := evs[0](r), evs[1](r)
		if what.null || list.null {
			return nullDatum
		}
		w := characters.Scratch{Bytes: r.arena}
		position := f.Item(&w, what.b, list.b)
		return foundAt(r, slot, name, &w, position)
	}, args...))
	if args[0].constant && args[1].Class == class.Set {
		c.findLabel(found, name, evs[0], args[1])
	}
	return found, nil
}
