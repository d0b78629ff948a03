package fingerprint

import "sort"

// A Walk goes through the literals of a part of a text, in their order, with the place of each. Of a group it goes
// through the first element, and then it has to be told to leave the group.
type Walk struct {
	literals *Literals
	end      int // of the part

	next   int // index of the next literal
	single int // its number, if it is a single
	group  int // the next group that is not left
}

// Walk begins at the first literal of the part of the text from index start to end.
func (l *Literals) Walk(start, end int) *Walk {
	w := &Walk{literals: l, end: end}
	w.next = sort.Search(len(l.all), func(i int) bool { return int(l.all[i].From) >= start })
	w.group = sort.Search(len(l.groups), func(i int) bool { return l.groups[i].end > start })
	w.single = w.next
	if w.group > 0 {
		w.single -= l.groups[w.group-1].upTo
	}
	return w
}

// Done says that every literal was passed.
func (w *Walk) Done() bool {
	all := w.literals.all
	return w.next == len(all) || int(all[w.next].From) >= w.end
}

// Literal is the next literal, if the Walk is not done.
func (w *Walk) Literal() Literal { return w.literals.all[w.next] }

// Place is the place of the next literal. rows says that its group is of rows.
func (w *Walk) Place() (p Place, rows bool) {
	if w.group < len(w.literals.groups) {
		if g := &w.literals.groups[w.group]; w.next >= g.first {
			return Place{Group: w.group, Cell: w.next - g.first}, g.rows
		}
	}
	return Place{Group: -1, Cell: w.single}, false
}

// Pass moves past the next literal.
func (w *Walk) Pass() {
	if p, _ := w.Place(); p.Group < 0 {
		w.single++
	}
	w.next++
}

// Leave moves past the next group, if all literals of its first element were passed and at is where this element
// ends in the text. It returns where the last element ends.
func (w *Walk) Leave(at int) (end int, left bool) {
	if w.group >= len(w.literals.groups) {
		return 0, false
	}
	g := &w.literals.groups[w.group]
	if w.next != g.first+g.cells || at != g.headEnd {
		return 0, false
	}
	w.next = g.first + g.elements*g.cells
	w.group++
	return g.end, true
}
