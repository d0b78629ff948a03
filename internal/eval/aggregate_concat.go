package eval

import (
	"bytes"
	"cmp"
	"slices"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// concatenating is GROUP_CONCAT.
type concatenating struct {
	nullOfNone
	text      *joiner
	separator []byte
}

// sorting is what a GROUP_CONCAT sorts by, and how many values it has.
type sorting struct {
	by           []*program.Expression
	zeros        [][]byte // what NULL is sorted as
	descending   []bool
	offset, most *program.Expression // nil for none
	// text is how the values are written that are kept until all rows are there.
	text *joiner
}

// joiner writes the arguments of a row, one behind the other.
type joiner struct{ evs []program.Evaluator }

// piece is the text of a row, and what it is sorted by: canonical forms, weight
// strings of text.
type piece struct {
	text    []byte
	keys    program.Row
	arrived int64
}

// pieceBytes is what a piece takes beside its bytes.
const pieceBytes = 56

func (s *sorting) fits(in *program.Inputs) bool {
	if s == nil {
		return true
	}
	for _, x := range append(slices.Clone(s.by), s.offset, s.most) {
		if x != nil && !x.Fits(in) {
			return false
		}
	}
	return true
}

// start begins the runs of keys and limits.
func (s *sorting) start(acc *Accumulation, in program.Inputs) error {
	if s == nil {
		return nil
	}
	acc.sort, acc.most = make([]*program.Run, len(s.by)), ^uint64(0)
	for i, x := range s.by {
		var err error
		if acc.sort[i], err = x.Start(in); err != nil {
			return err
		}
	}
	if err := countOf(s.offset, in, &acc.skip); err != nil {
		return err
	}
	return countOf(s.most, in, &acc.most)
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
func (f *concatenating) add(acc *Accumulation, g *Group) error {
	if len(g.bytes) > acc.longest() {
		return nil
	}
	if g.count > 1 {
		g.bytes = append(g.bytes, f.separator...)
	}
	var err error
	g.bytes, err = f.text.append(acc, g.bytes)
	return err
}

// longest is group_concat_max_len.
func (acc *Accumulation) longest() int { return acc.of.out.Session.ConcatMax }

// append appends the text of the row. Every argument is text of a run of its own.
func (j *joiner) append(acc *Accumulation, dst []byte) ([]byte, error) {
	for i, ev := range j.evs {
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
	text, err := acc.of.sorting.text.append(acc, nil)
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
			p.keys[i] = acc.of.sorting.zeros[i]
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
func (s *sorting) compare(a, b *piece) int {
	for i, x := range s.by {
		d := compareSorted(x.Type(), a.keys[i], b.keys[i])
		switch {
		case d == 0:
		case s.descending[i]:
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
func (f *concatenating) result(acc *Accumulation, g *Group, out *program.Datum) {
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
func (f *concatenating) join(acc *Accumulation, g *Group) {
	if len(acc.sort) > 0 {
		slices.SortFunc(g.pieces, func(a, b piece) int {
			return cmp.Or(acc.of.sorting.compare(&a, &b), cmp.Compare(b.arrived, a.arrived))
		})
	}
	g.bytes = g.bytes[:0]
	skip := min(acc.skip, uint64(len(g.pieces)))
	for i, p := range g.pieces[skip:] {
		if uint64(i) >= acc.most || len(g.bytes) > acc.longest() {
			return
		}
		if i > 0 {
			g.bytes = append(g.bytes, f.separator...)
		}
		g.bytes = append(g.bytes, p.text...)
	}
}
