package eval

import (
	"bytes"
	"strings"

	"tunic/internal/sql/ast"
	"tunic/internal/value/charset"
)

// finder finds text in text as the servers do. MariaDB compares with every part
// that has as many bytes and begins where a character does, so that a character is
// not found where the collation has an equal one of another length. MySQL compares
// weights, and finds it.
type finder struct {
	name      string
	set       *charset.Charset
	collation *charset.Collation // nil to compare bytes
	// cuts says that a part that ends within a character is never equal.
	cuts bool
	// weighs says that the server compares with what a text goes on with, however
	// many bytes it has there.
	weighs bool
	// unsure says that the server does one or the other.
	unsure bool
}

// weighsText is the first version of MySQL that is known to compare weights, in the
// collation of the text that is searched.
const weighsText = 90000

// finderOf finds in text of a shape.
func (c *compiler) finderOf(name string, s shape) (*finder, error) {
	f := &finder{name: name, set: c.setOf(s)}
	if f.set.BytesMin > 1 || !isSelfSynchronizing(f.set) {
		return nil, refuse(name + " in " + f.set.Name)
	}
	if s.class == classBytes || s.collation.Binary {
		return f, nil
	}
	if exact, _ := s.collation.Exact(); !exact || s.collation.Name == "latin1_german2_ci" || !isRootOrder(s.collation) {
		return nil, refuse(name + " in " + s.collation.Name)
	}
	f.collation = s.collation
	if !c.session.isMariaDB() && f.set.BytesMax > 1 {
		f.weighs = c.session.Version >= weighsText
		f.unsure = !f.weighs
	}
	f.cuts = f.set.BytesMax == 1 || s.collation.Name == f.set.Name+"_general_ci"
	return f, nil
}

// rootOrders are the collations of Unicode in which every character has weights of
// its own, at one level: without the letters that some languages write with two
// characters, whose parts are not found.
var rootOrders = map[string]bool{
	"_general_ci": true, "_unicode_ci": true, "_unicode_520_ci": true, "_0900_ai_ci": true,
	"_uca1400_ai_ci": true, "_uca1400_nopad_ai_ci": true,
}

func isRootOrder(c *charset.Collation) bool {
	return c.Charset.BytesMax == 1 || rootOrders[strings.TrimPrefix(c.Name, c.Charset.Name)]
}

// index is the first character of s that what begins at, from 0 on; -1 for none.
func (f *finder) index(r *Run, s, what []byte) int {
	if f.collation == nil {
		i := bytes.Index(s, what)
		if i < 0 {
			return -1
		}
		return f.set.CharLen(s[:i])
	}
	plain := isPlainASCII(what)
	for at := 0; ; at++ {
		if f.begins(r, s, what, plain) {
			return at
		}
		if r.err != nil || len(s) == 0 {
			return -1
		}
		s = s[f.step(s):]
	}
}

func (f *finder) step(s []byte) int {
	if s[0] < 0x80 || f.set.BytesMax == 1 {
		return 1
	}
	return len(f.set.TruncateChars(s, 1))
}

// begins reports whether s begins with what.
func (f *finder) begins(r *Run, s, what []byte, plain bool) bool {
	part := s[:min(len(what), len(s))]
	switch {
	case bytes.Equal(part, what):
		return true
	case plain && isPlainASCII(part):
		return len(part) == len(what) && f.collation.Compare(part, what) == 0
	case f.weighs:
		return f.beginsByWeight(r, s, what)
	case f.unsure:
		return f.beginsSurely(r, s, what)
	}
	return f.isPart(r, part, what)
}

// isPart compares with a part of a text that has as many bytes.
func (f *finder) isPart(r *Run, part, what []byte) bool {
	switch {
	case len(part) < len(what):
		return false
	case f.set.Valid(part):
		return f.sameBefore(r, part, what)
	case !f.cuts:
		r.refuse(f.name)
	}
	return false
}

// beginsByWeight reports whether the weights of s begin with those of what. A digit
// stands behind both: spaces at the end count.
func (f *finder) beginsByWeight(r *Run, s, what []byte) bool {
	start := len(r.arena)
	defer func() { r.arena = r.arena[:start] }()
	r.arena = append(append(r.arena, what...), '1')
	middle := len(r.arena)
	r.arena = append(append(r.arena, s...), '1')
	text, end := r.arena, len(r.arena)
	r.arena = f.collation.AppendWeights(r.arena, text[start:middle])
	half := len(r.arena)
	r.arena = f.collation.AppendWeights(r.arena, digit)
	last := len(r.arena) - half
	r.arena = f.collation.AppendWeights(r.arena[:half], text[middle:end])
	return bytes.HasPrefix(r.arena[half:len(r.arena)-last], r.arena[end:half-last])
}

var digit = []byte{'1'}

// beginsSurely refuses where the two ways to compare come to different ends.
func (f *finder) beginsSurely(r *Run, s, what []byte) bool {
	same := f.isPart(r, s[:min(len(what), len(s))], what)
	if same != f.beginsByWeight(r, s, what) {
		r.refuse(f.name)
	}
	return same
}

// sameBefore compares with a digit behind both: spaces at the end count.
func (f *finder) sameBefore(r *Run, a, b []byte) bool {
	start := len(r.arena)
	r.arena = append(append(r.arena, a...), '1')
	middle := len(r.arena)
	r.arena = append(append(r.arena, b...), '1')
	same := f.collation.Compare(r.arena[start:middle], r.arena[middle:]) == 0
	r.arena = r.arena[:start]
	return same
}

// isPlainASCII reports whether all of s are characters of ASCII that every
// collation gives a weight of its own.
func isPlainASCII(s []byte) bool {
	for _, b := range s {
		if b < ' ' || b > '~' {
			return false
		}
	}
	return true
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
	if s.class == classText && !c.session.isMariaDB() {
		if s.collation, err = c.searchedCollation(name, text, s.collation); err != nil {
			return nil, err
		}
	}
	f, err := c.finderOf(name, s)
	if err != nil {
		return nil, err
	}
	if text.class == classNull || what.class == classNull { // which is no integer to MySQL
		return nil, refuse(name + " of NULL")
	}
	first := evaluator(nil)
	if from != nil {
		first = c.quiet(c.clampedInteger(from, name), name)
	}
	slot := c.slot()
	return castable(derive(countShape, func(r *Run) *datum {
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
		return r.slots[slot].setInt(f.from(r, d.b, x.b, int64(at.n)))
	}, args...)), nil
}

// searchedCollation is that of the text which is searched, whatever the collation of
// both would be. Of the versions before it is not known.
func (c *compiler) searchedCollation(name string, text *node, both *charset.Collation) (*charset.Collation, error) {
	own := text.textCollation(c)
	if own != both && (c.session.Version < weighsText || own.Charset != both.Charset) {
		return nil, refuse(name + " of text in two collations")
	}
	return own, nil
}

// from is the position of what in s that is not before first, 0 for none.
func (f *finder) from(r *Run, s, what []byte, first int64) int64 {
	if first < 1 || first > int64(len(s))+1 {
		return 0
	}
	before := f.set.TruncateChars(s, int(first-1))
	if int64(f.set.CharLen(before)) < first-1 {
		return 0
	}
	if i := f.index(r, s[len(before):], what); i >= 0 {
		return first + int64(i)
	}
	return 0
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
	found := castable(derive(countShape, func(r *Run) *datum {
		what, list := evs[0](r), evs[1](r)
		if what.null || list.null {
			return nullDatum
		}
		return r.slots[slot].setInt(f.item(r, what.b, list.b))
	}, args...))
	if args[0].constant && args[1].class == classSet {
		c.findLabel(found, name, evs[0], args[1])
	}
	return found, nil
}

// item is the position of what among the items of a list, 0 for none.
func (f *finder) item(r *Run, what, list []byte) int64 {
	if len(list) == 0 || bytes.IndexByte(what, ',') >= 0 {
		return 0
	}
	for at := int64(1); ; at++ {
		item, rest, more := bytes.Cut(list, comma)
		if bytes.Equal(item, what) {
			return at
		}
		if f.collation != nil && f.sameBefore(r, item, what) {
			if !f.weighs && len(item) != len(what) { // found by some, and in some places
				r.refuse(f.name)
			}
			return at
		}
		if !more {
			return 0
		}
		list = rest
	}
}

var comma = []byte{','}
