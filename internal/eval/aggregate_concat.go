package eval

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
	"tunic/internal/value/charset"
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

// groupConcat compiles GROUP_CONCAT. Rows in which an argument is NULL are left out.
func (c *compiler) groupConcat(e *ast.GroupConcatExpr) (*Aggregate, error) {
	a := &Aggregate{name: "GROUP_CONCAT", distinct: e.Distinct}
	joined, s, err := c.joined(a, e.Exprs)
	if err != nil {
		return nil, err
	}
	f := &concatenating{text: joined}
	if f.separator, err = c.separatorOf(e.Separator, s); err != nil {
		return nil, err
	}
	a.family = f
	if a.sorting, err = c.sortingOf(e, joined); err != nil {
		return nil, err
	}
	s.Nullable = true
	return a, c.finishAggregate(a, s)
}

// joined compiles the arguments: each is an expression of its own, for DISTINCT, and
// has an evaluator that writes it as text of what they have in common.
func (c *compiler) joined(a *Aggregate, list []ast.Expr) (*joiner, class.Shape, error) {
	nodes := make([]*program.Node, len(list))
	for i, e := range list {
		sub := c.argument()
		x, err := sub.expression(e)
		if err != nil {
			return nil, class.Shape{}, err
		}
		if err := c.allow(a.operation(), x.Root); err != nil {
			return nil, class.Shape{}, err
		}
		if a.distinct {
			if err := tellsApart(a.operation(), x.Root); err != nil {
				return nil, class.Shape{}, err
			}
		}
		x.Root.Ev = c.withoutZeros(x.Root, x.Root.Ev, a.name) // it is put into a table
		nodes[i], a.args = x.Root, append(a.args, x)
	}
	sub := c.argument()
	for _, x := range a.args { // one numbering of slots, for the evaluators of all arguments
		sub.slots = max(sub.slots, x.Slots)
	}
	evs, s, err := sub.texts(a.name, nodes...)
	if err != nil {
		return nil, s, err
	}
	for _, x := range a.args {
		x.Slots = sub.slots
	}
	return &joiner{evs}, s, sub.refusal
}

// separatorOf is the separator of a tree, which has it as it is quoted there, in the
// character set of the result.
func (c *compiler) separatorOf(quoted string, s class.Shape) ([]byte, error) {
	if quoted == "" {
		quoted = "','"
	}
	set := c.setOf(s)
	text := quoted[1 : len(quoted)-1]
	switch {
	case c.session.NoBackslashEscapes && strings.Contains(text, `\`), set.BytesMin > 1:
		return nil, refuse("GROUP_CONCAT with this separator")
	case !strings.Contains(text, `\`) && isASCII(text):
		return []byte(text), nil
	}
	utf8mb4, _ := charset.CharsetByName(c.session.Flavor, "utf8mb4")
	plain := unquoted(text)
	if s.Collation != nil && !isASCII(plain) && (set != utf8mb4 || c.session.Collation.Charset != utf8mb4) {
		return nil, refuse("GROUP_CONCAT with this separator")
	}
	return []byte(plain), nil
}

func isASCII(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0 }

// escapes are what the tree escapes in a string, and what it writes for it.
var escapes = strings.NewReplacer(`\0`, "\x00", `\'`, "'", `\"`, `"`, `\b`, "\b", `\n`, "\n", `\r`, "\r", `\t`, "\t", `\Z`, "\x1a", `\\`, `\`)

func unquoted(s string) string { return escapes.Replace(s) }

// sortingOf compiles the ORDER BY and the LIMIT of a GROUP_CONCAT; nil if it has
// neither.
func (c *compiler) sortingOf(e *ast.GroupConcatExpr, text *joiner) (*sorting, error) {
	by := e.OrderBy
	if len(by) == 0 && e.Distinct {
		for _, x := range e.Exprs {
			by = append(by, &ast.Order{Expr: x})
		}
	}
	if len(by) == 0 && e.Limit == nil {
		return nil, nil //nolint:nilnil // nothing is sorted
	}
	s := &sorting{text: text}
	for _, o := range by {
		if err := c.sortedBy(s, o); err != nil {
			return nil, err
		}
	}
	return s, c.limitOf(e.Limit, s)
}

// sortedBy adds a key.
func (c *compiler) sortedBy(s *sorting, o *ast.Order) error {
	x, err := c.argument().expression(o.Expr)
	if err == nil {
		x.Root.Ev = c.withoutZeros(x.Root, x.Root.Ev, "GROUP_CONCAT")
	}
	switch {
	case err != nil:
		return err
	case x.Constant():
		return refuse("GROUP_CONCAT, sorted by a position or a constant,")
	}
	if err := c.allow("GROUP_CONCAT ORDER BY", x.Root); err != nil {
		return err
	}
	var zero []byte
	ok := value.Ordered(x.Type())
	if ok {
		zero, ok = zeroOf(x.Type())
	}
	if !ok {
		return refuse("GROUP_CONCAT, sorted by such values,")
	}
	s.by, s.zeros, s.descending = append(s.by, x), append(s.zeros, zero), append(s.descending, o.Direction == ast.DescOrder)
	return nil
}

// zeroOf is what the servers sort for NULL: what a column that is not set has.
func zeroOf(t *value.Type) ([]byte, bool) {
	switch k := t.Kind; {
	case k.IsText():
		return t.Collation.AppendWeights([]byte{}, nil), true
	case k.IsBytes():
		return []byte{}, true
	case k.IsInteger(), k.IsTemporal(), k == value.Year, k == value.Bit, k == value.Enum, k == value.Set,
		k == value.Float, k == value.Double:
		return make([]byte, 8), true
	case k == value.Decimal:
		return make([]byte, value.FixedBytes(t)), true
	}
	return nil, false
}

func (c *compiler) limitOf(l *ast.Limit, s *sorting) (err error) {
	if l == nil {
		return nil
	}
	if !c.session.IsMariaDB() {
		return refuse("GROUP_CONCAT with a LIMIT")
	}
	if l.Offset != nil {
		if s.offset, err = c.argument().expression(l.Offset); err != nil {
			return err
		}
	}
	s.most, err = c.argument().expression(l.Rowcount)
	return err
}

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
		return refuse("LIMIT in GROUP_CONCAT")
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
