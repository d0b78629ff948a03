package eval

import (
	"slices"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// member is one item of IN, or all of a list that have one form.
type member struct {
	comparison
	node *program.Node
	list int // index into the compiler's lists, or -1
	slot int // where the list's items go, one after the other
	form value.Form
}

// in compiles IN and NOT IN.
func (c *compiler) in(e *ast.ComparisonExpr) (*program.Node, error) {
	if row, ok := e.Left.(ast.ValTuple); ok {
		return c.inRows(e, row)
	}
	left, err := c.compile(e.Left)
	if err != nil {
		return nil, err
	}
	left.Ev = c.perRow(left, left.Ev)
	members, err := c.members(left, e.Right)
	if err != nil {
		return nil, err
	}
	from := []*program.Node{left}
	constant := true
	for i := range members {
		from = append(from, members[i].node)
		constant = constant && members[i].node.Constant
	}
	ev := evalMembers(left.Ev, members)
	if constant {
		ev = c.evalSet(left.Ev, members)
	}
	return program.Derive(class.BoolShape, negatedIf(e.Operator == ast.NotInOp, ev), from...), nil
}

// negatedIf is NOT of a truth, or the truth itself.
func negatedIf(not bool, ev program.Evaluator) program.Evaluator {
	if !not {
		return ev
	}
	return func(r *program.Run) *program.Datum {
		x := ev(r)
		if x.Null {
			return program.NullDatum
		}
		return program.BoolDatum(x.N == 0)
	}
}

// members compiles the right side of IN.
func (c *compiler) members(left *program.Node, right ast.Expr) ([]member, error) {
	items, ok := right.(ast.ValTuple)
	if !ok {
		return nil, refuse("IN of this kind")
	}
	if len(items) > 1 && c.foldsDocuments(left) {
		return nil, refuse("IN of text of a document")
	}
	var all []member
	documents := 0
	for _, item := range items {
		if a, ok := item.(*ast.Argument); ok && groupOfItems(a) {
			of, err := c.listMembers(left, a)
			if err != nil {
				return nil, err
			}
			all = append(all, of...)
			continue
		}
		n, err := c.compile(item)
		if err != nil {
			return nil, err
		}
		if n.Class == class.JSON {
			documents++
		}
		k, err := c.comparisonOf(c.itemOperation(left, n, len(items)), left, n)
		if err != nil {
			return nil, err
		}
		c.refuseFiner(&k, left, n)
		if len(items) == 1 { // the servers make = of it
			c.roundSides(&k, left, n)
			c.tolerant(&k, left, n)
		}
		all = append(all, member{comparison: k, node: n, list: -1})
	}
	if severalCollations(all) {
		return nil, refuse("IN of text in several collations")
	}
	if documents > 0 && documents < len(items) { // which would all be compared as documents, or not
		return nil, refuse("IN of documents and other values")
	}
	return all, nil
}

// severalCollations reports whether items would be compared in different collations:
// servers take one for all of them.
func severalCollations(all []member) bool {
	var one *charset.Collation
	for i := range all {
		switch collation := all[i].collation; {
		case collation == nil || collation == one:
		case one != nil:
			return true
		default:
			one = collation
		}
	}
	return false
}

// foldsDocuments reports whether a text is one that MariaDB compares with several items
// without regard to case, and with one in its own, a binary collation: what JSON_UNQUOTE
// makes, and its kin.
func (c *compiler) foldsDocuments(left *program.Node) bool {
	return c.session.IsMariaDB() && left.Class == class.Text && left.Coercible == coercibleDocument
}

// itemOperation is how an item is compared: MariaDB makes = of one that is alone, which
// it matters to documents that it is.
func (c *compiler) itemOperation(left, item *program.Node, items int) string {
	if items == 1 && c.session.IsMariaDB() && (left.Class == class.JSON || item.Class == class.JSON) {
		return "="
	}
	return "IN"
}

// listMembers makes a member of every form that the items of a list have.
func (c *compiler) listMembers(left *program.Node, a *ast.Argument) ([]member, error) {
	index, examples, err := c.scope.Items(a)
	if err != nil {
		return nil, err
	}
	if left.Class == class.JSON && c.session.IsMariaDB() || c.foldsDocuments(left) { // one item is compared otherwise than several
		return nil, refuse("IN of a document and a list that varies")
	}
	list := program.ItemList{Index: index}
	var all []member
	for i := range examples {
		if list.Proto(examples[i].Form) != nil {
			continue
		}
		s, err := c.shapeOfSource(&examples[i])
		if err != nil {
			return nil, err
		}
		slot := c.slot()
		n := &program.Node{Shape: s, Constant: true, Varies: true, Literal: true, Example: &examples[i]}
		n.Ev = func(r *program.Run) *program.Datum { return &r.Slots[slot] }
		k, err := c.comparisonOf("IN", left, n)
		if err != nil {
			return nil, err
		}
		c.refuseFiner(&k, left, n)
		list.Protos = append(list.Protos, program.ItemProto{Form: examples[i].Form, Slot: slot, Shape: s})
		all = append(all, member{comparison: k, node: n, list: len(c.lists), slot: slot, form: examples[i].Form})
	}
	c.lists = append(c.lists, list)
	return all, nil
}

// evalMembers compares with one item after the other.
func evalMembers(left program.Evaluator, members []member) program.Evaluator {
	return func(r *program.Run) *program.Datum {
		if left(r).Null {
			return program.NullDatum
		}
		unknown := false
		for i := range members {
			m := &members[i]
			y := m.b(r)
			if y.Null {
				unknown = true
				continue
			}
			if m.compare(r, m.a(r), y) == 0 {
				return program.TrueDatum
			}
		}
		if unknown {
			return program.NullDatum
		}
		return program.FalseDatum
	}
}

// itemSet is the constants of IN, as they are compared, in parts that are
// compared in the same way.
type itemSet struct {
	parts   []itemPart
	hasNull bool
}

type itemPart struct {
	of    *comparison
	items []program.Datum
	words map[uint64]struct{} // of integers with the same sign rule
	texts map[string]struct{} // of the weight strings of text
	// weights are those of text, item by item, where they are too few for a map.
	weights [][]byte
}

// hashFrom is the number of items from which a part is looked up in a map.
const hashFrom = 8

// evalSet looks the left side up among constants, which are read once a run.
func (c *compiler) evalSet(left program.Evaluator, members []member) program.Evaluator {
	state := c.states
	c.states++
	c.eager = append(c.eager, func(r *program.Run) *program.Datum {
		r.States[state] = readItems(r, members)
		return program.NullDatum
	})
	return func(r *program.Run) *program.Datum {
		if left(r).Null {
			return program.NullDatum
		}
		set, _ := r.States[state].(*itemSet)
		for i := range set.parts {
			p := &set.parts[i]
			if p.has(r, p.of.a(r)) {
				return program.TrueDatum
			}
		}
		if set.hasNull {
			return program.NullDatum
		}
		return program.FalseDatum
	}
}

// has reports whether one of the items equals x.
func (p *itemPart) has(r *program.Run, x *program.Datum) bool {
	switch {
	case p.words != nil:
		_, ok := p.words[x.N]
		return ok
	case p.texts != nil:
		start := len(r.Arena)
		r.Arena = p.of.collation.AppendWeights(r.Arena, x.B)
		_, ok := p.texts[string(r.Arena[start:])]
		return ok
	case p.isText():
		return slices.ContainsFunc(p.weights, func(w []byte) bool { return p.of.collation.CompareTo(x.B, w) == 0 })
	}
	for i := range p.items {
		if p.of.compare(r, x, &p.items[i]) == 0 {
			return true
		}
	}
	return false
}

func (p *itemPart) isText() bool { return p.of.by == class.Text && p.of.collation != nil }

// readItems reads the constants.
func readItems(r *program.Run, members []member) *itemSet {
	set := &itemSet{}
	for i := range members {
		m := &members[i]
		p := itemPart{of: &m.comparison}
		if m.list < 0 {
			set.put(&p, m.b(r))
		} else {
			readList(r, set, &p, m)
		}
		if len(p.items) > 0 {
			set.parts = append(set.parts, p)
		}
	}
	set.join()
	return set
}

// readList reads the items of a list that have the member's form.
func readList(r *program.Run, set *itemSet, p *itemPart, m *member) {
	list := &r.X.Lists[m.list]
	for i := range r.In.Lists[list.Index] {
		s := &r.In.Lists[list.Index][i]
		proto := list.Proto(s.Form)
		switch {
		case s.Form == value.FormNull:
			set.hasNull = true
		case proto == nil:
			r.Err = program.ErrShape
		case s.Form == m.form:
			if err := program.SetSource(&r.Slots[m.slot], s, proto.Shape); err != nil {
				r.Err = err
			}
			set.put(p, m.b(r))
		}
	}
}

func (s *itemSet) put(p *itemPart, d *program.Datum) {
	if d.Null {
		s.hasNull = true
		return
	}
	item := *d
	item.B = append([]byte(nil), d.B...)
	p.items = append(p.items, item)
}

// join makes one part of neighbours that are compared alike, and maps of long
// ones.
func (s *itemSet) join() {
	var parts []itemPart
	for _, p := range s.parts {
		last := len(parts) - 1
		if last >= 0 && parts[last].of.comparesAs(p.of) {
			parts[last].items = append(parts[last].items, p.items...)
			continue
		}
		parts = append(parts, p)
	}
	for i := range parts {
		parts[i].hash()
	}
	s.parts = parts
}

// comparesAs reports whether the items of both are compared in one way: integers of
// other signs than the left side's are not.
func (k *comparison) comparesAs(other *comparison) bool {
	return k.by == other.by && k.alike && other.alike && k.collation == other.collation
}

// hash prepares the items for has.
func (p *itemPart) hash() {
	switch long := len(p.items) >= hashFrom; {
	case p.isText() && long:
		p.texts = make(map[string]struct{}, len(p.items))
		for i := range p.items {
			p.texts[string(p.of.collation.AppendWeights(nil, p.items[i].B))] = struct{}{}
		}
	case p.isText():
		for i := range p.items {
			p.weights = append(p.weights, p.of.collation.AppendWeights(nil, p.items[i].B))
		}
	case !long:
	case p.of.by == class.DateTime, p.of.by == class.Time, p.of.by == class.Int && p.of.alike:
		p.words = make(map[uint64]struct{}, len(p.items))
		for i := range p.items {
			p.words[p.items[i].N] = struct{}{}
		}
	}
}
