package comparison

import (
	"slices"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// Member is one item of IN, or all of a list that have one form.
type Member struct {
	Comparison
	Node *program.Node
	List int // index into the compiler's lists, or -1
	Slot int // where the list's items go, one after the other
	Form value.Form
	// Otherwise is set where servers may compare the item, as one of several rows, otherwise than by =: it says what of the value
	// d, as it is compared here, is a reason to refuse; nothing if it makes no difference.
	Otherwise func(r *program.Run, d *program.Datum) (reason string)
}

// SeveralCollations reports whether items would be compared in different collations:
// servers take one for all of them.
func SeveralCollations(all []Member) bool {
	var one *charset.Collation
	for i := range all {
		switch collation := all[i].Collation; {
		case collation == nil || collation == one:
		case one != nil:
			return true
		default:
			one = collation
		}
	}
	return false
}

// Any compares with one item after the other.
func Any(left program.Evaluator, members []Member) program.Evaluator {
	return func(r *program.Run) *program.Datum {
		if left(r).Null {
			return program.NullDatum
		}
		unknown := false
		for i := range members {
			m := &members[i]
			y := m.B(r)
			if y.Null {
				unknown = true
				continue
			}
			if m.Compare(r, m.A(r), y) == 0 {
				return program.TrueDatum
			}
		}
		if unknown {
			return program.NullDatum
		}
		return program.FalseDatum
	}
}

// ItemSet is the constants of IN, as they are compared, in parts that are
// compared in the same way.
type ItemSet struct {
	parts   []itemPart
	hasNull bool
}

type itemPart struct {
	of    *Comparison
	items []program.Datum
	words map[uint64]struct{} // of integers with the same sign rule
	texts map[string]struct{} // of the weight strings of text
	// weights are those of text, item by item, where they are too few for a map.
	weights [][]byte
}

// hashFrom is the number of items from which a part is looked up in a map.
const hashFrom = 8

// has reports whether one of the items equals x.
func (p *itemPart) has(r *program.Run, x *program.Datum) bool {
	switch {
	case p.words != nil:
		_, ok := p.words[x.N]
		return ok
	case p.texts != nil:
		start := len(r.Arena)
		r.Arena = p.of.Collation.AppendWeights(r.Arena, x.B)
		_, ok := p.texts[string(r.Arena[start:])]
		return ok
	case p.isText():
		return slices.ContainsFunc(p.weights, func(w []byte) bool { return p.of.Collation.CompareTo(x.B, w) == 0 })
	}
	for i := range p.items {
		if p.of.Compare(r, x, &p.items[i]) == 0 {
			return true
		}
	}
	return false
}

func (p *itemPart) isText() bool { return p.of.By == class.Text && p.of.Collation != nil }

// ReadItems reads the constants.
func ReadItems(r *program.Run, members []Member) *ItemSet {
	set := &ItemSet{}
	for i := range members {
		m := &members[i]
		p := itemPart{of: &m.Comparison}
		if m.List < 0 {
			set.put(&p, m.B(r))
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
func readList(r *program.Run, set *ItemSet, p *itemPart, m *Member) {
	list := &r.X.Lists[m.List]
	for i := range r.In.Lists[list.Index] {
		s := &r.In.Lists[list.Index][i]
		proto := list.Proto(s.Form)
		switch {
		case s.Form == value.FormNull:
			set.hasNull = true
		case proto == nil:
			r.Err = program.ErrShape
		case s.Form == m.Form:
			if err := program.SetSource(&r.Slots[m.Slot], s, proto.Shape); err != nil {
				r.Err = err
			}
			set.put(p, m.B(r))
		}
	}
}

func (s *ItemSet) put(p *itemPart, d *program.Datum) {
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
func (s *ItemSet) join() {
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

// hash prepares the items for has.
func (p *itemPart) hash() {
	switch long := len(p.items) >= hashFrom; {
	case p.isText() && long:
		p.texts = make(map[string]struct{}, len(p.items))
		for i := range p.items {
			p.texts[string(p.of.Collation.AppendWeights(nil, p.items[i].B))] = struct{}{}
		}
	case p.isText():
		for i := range p.items {
			p.weights = append(p.weights, p.of.Collation.AppendWeights(nil, p.items[i].B))
		}
	case !long:
	case p.of.By == class.DateTime, p.of.By == class.Time, p.of.By == class.Int && p.of.Alike:
		p.words = make(map[uint64]struct{}, len(p.items))
		for i := range p.items {
			p.words[p.items[i].N] = struct{}{}
		}
	}
}

// Find looks the left side up, which is not NULL.
func (s *ItemSet) Find(r *program.Run) *program.Datum {
	for i := range s.parts {
		p := &s.parts[i]
		if p.has(r, p.of.A(r)) {
			return program.TrueDatum
		}
	}
	if s.hasNull {
		return program.NullDatum
	}
	return program.FalseDatum
}
