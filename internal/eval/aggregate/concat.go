package aggregate

import (
	"bytes"
	"cmp"
	"slices"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Concatenation is GROUP_CONCAT.
type Concatenation struct {
	nullOfNone
	Text      *Joiner
	Separator []byte
}

// Sorting is what a GROUP_CONCAT sorts by, and how many values it has.
type Sorting struct {
	By           []*program.Expression
	Zeros        [][]byte // what NULL is sorted as
	Descending   []bool
	Offset, Most *program.Expression // nil for none
	// Text is how the values are written that are kept until all rows are there.
	Text *Joiner
}

// Joiner writes the arguments of a row, one behind the other.
type Joiner struct{ Evs []program.Evaluator }

// piece is the text of a row, and what it is sorted by: canonical forms, weight
// strings of text.
type piece struct {
	text    []byte
	keys    program.Row
	arrived int64
}

// pieceBytes is what a piece takes beside its bytes.
const pieceBytes = 56

func (s *Sorting) fits(in *program.Inputs) bool {
	if s == nil {
		return true
	}
	for _, x := range append(slices.Clone(s.By), s.Offset, s.Most) {
		if x != nil && !x.Fits(in) {
			return false
		}
	}
	return true
}

// start begins the runs of keys and limits.
func (s *Sorting) start(acc *Accumulation, in program.Inputs) error {
	if s == nil {
		return nil
	}
	acc.sort, acc.most = make([]*program.Run, len(s.By)), ^uint64(0)
	for i, x := range s.By {
		var err error
		if acc.sort[i], err = x.Start(in); err != nil {
			return err
		}
	}
	if err := countOf(s.Offset, in, &acc.skip); err != nil {
		return err
	}
	return countOf(s.Most, in, &acc.most)
}

// countOf is an operand of LIMIT.
func countOf(x *program.Expression, in program.Inputs, to *uint64) error {
	if x == nil {
		return nil
	}
	run, err := x.Start(in)
	if err != nil {
		return err
	}
	res, err := run.Eval(nil)
	switch {
	case err != nil:
		return err
	case res.Null() || !x.Root.Class.IsInteger() || x.Root.Class == class.Int && int64(res.D.N) < 0:
		return sqlerr.ExpressionRefused("LIMIT in GROUP_CONCAT", "")
	}
	*to = res.D.N
	return nil
}

// add appends a row's text, until the text is longer than it may be.
func (f *Concatenation) add(acc *Accumulation, g *Group) error {
	if len(g.bytes) > acc.longest() {
		return nil
	}
	if g.count > 1 {
		g.bytes = append(g.bytes, f.Separator...)
	}
	var err error
	g.bytes, err = f.Text.append(acc, g.bytes)
	return err
}

// longest is group_concat_max_len.
func (acc *Accumulation) longest() int { return acc.of.Out.Session.ConcatMax }

// append appends the text of the row. Every argument is text of a run of its own.
func (j *Joiner) append(acc *Accumulation, dst []byte) ([]byte, error) {
	for i, ev := range j.Evs {
		r := acc.args[i]
		d := ev(r)
		if r.Err != nil {
			return dst, r.Fail()
		}
		dst = append(dst, d.B...)
	}
	return dst, nil
}

// addSorted keeps a row's text and its keys.
func (acc *Accumulation) addSorted(g *Group, row program.Row) error {
	text, err := acc.of.Sorting.Text.append(acc, nil)
	if err != nil {
		return err
	}
	p := piece{text: text, keys: make(program.Row, len(acc.sort)), arrived: g.count}
	g.more += len(text)
	for i, r := range acc.sort {
		res, err := r.Eval(row)
		if err != nil {
			return err
		}
		if res.Null() {
			p.keys[i] = acc.of.Sorting.Zeros[i]
			continue
		}
		key, err := res.Append([]byte{})
		if err != nil {
			return err
		}
		if t := r.X.Type(); t.Kind.IsText() {
			key = t.Collation.AppendWeights([]byte{}, key)
		}
		p.keys[i] = key
		g.more += pieceBytes + len(key)
	}
	g.pieces = append(g.pieces, p)
	return nil
}

// compare compares two rows by their keys.
func (s *Sorting) compare(a, b *piece) int {
	for i, x := range s.By {
		d := compareSorted(x.Type(), a.keys[i], b.keys[i])
		switch {
		case d == 0:
		case s.Descending[i]:
			return -d
		default:
			return d
		}
	}
	return 0
}

func compareSorted(t *value.Type, a, b []byte) int {
	switch k := t.Kind; {
	case k.IsText():
		return t.Collation.CompareWeights(a, b)
	case k.IsBytes():
		return bytes.Compare(a, b)
	}
	return value.Compare(t, a, b)
}

// result joins what was kept, and refuses what the servers would cut.
func (f *Concatenation) result(acc *Accumulation, g *Group, out *program.Datum) {
	if acc.sort != nil {
		f.join(acc, g)
	}
	if len(g.bytes) > acc.longest() {
		acc.out.Refuse("GROUP_CONCAT, longer than group_concat_max_len,")
	}
	out.SetBytes(g.bytes)
}

// join joins the rows that were kept, in their order. Of rows with equal keys the
// servers have the last one first, and all in their order where nothing is sorted.
func (f *Concatenation) join(acc *Accumulation, g *Group) {
	if len(acc.sort) > 0 {
		slices.SortFunc(g.pieces, func(a, b piece) int {
			return cmp.Or(acc.of.Sorting.compare(&a, &b), cmp.Compare(b.arrived, a.arrived))
		})
	}
	g.bytes = g.bytes[:0]
	skip := min(acc.skip, uint64(len(g.pieces)))
	for i, p := range g.pieces[skip:] {
		if uint64(i) >= acc.most || len(g.bytes) > acc.longest() {
			return
		}
		if i > 0 {
			g.bytes = append(g.bytes, f.Separator...)
		}
		g.bytes = append(g.bytes, p.text...)
	}
}
