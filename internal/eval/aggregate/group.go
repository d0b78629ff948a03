package aggregate

import (
	"encoding/binary"

	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
	"tunic/internal/eval/json"
	"tunic/internal/eval/program"
	"tunic/internal/value"
)

// Accumulation is one execution of an aggregate, for one goroutine and any number
// of groups.
type Accumulation struct {
	of   *Aggregate
	args []*program.Run
	data []*program.Datum // of the arguments for the row that is added
	sort []*program.Run   // of what GROUP_CONCAT sorts by
	skip uint64           // of the values that GROUP_CONCAT has, by its LIMIT
	most uint64           // and how many it has of the others
	out  *program.Run
	key  []byte
}

// Group is what has been accumulated of the rows of one group. The zero Group has
// seen none.
type Group struct {
	count    int64
	exact    decimal.Number
	inexact  float64
	mean     float64
	best     program.Datum
	bytes    []byte        // of best, and the text of GROUP_CONCAT
	row      []byte        // best's canonical form, if the argument is a column
	pieces   []piece       // of GROUP_CONCAT, where it sorts
	members  []json.Member // of JSON_OBJECTAGG
	distinct map[string]struct{}
	more     int // bytes of distinct and of pieces
}

// distinctBytes is about what a map takes for an entry beside its key.
const distinctBytes = 48

// Bytes is about how much memory the group holds beside itself, for a budget.
func (g *Group) Bytes() int { return cap(g.bytes) + cap(g.row) + g.more + cap(g.pieces)*pieceBytes }

// Start begins an execution.
func (a *Aggregate) Start(in program.Inputs) (*Accumulation, error) {
	acc := &Accumulation{of: a, out: &program.Run{X: a.Out, In: in, Row: program.Row{nil}}, data: make([]*program.Datum, len(a.Args))}
	for _, x := range a.Args {
		r, err := x.Start(in)
		if err != nil {
			return nil, err
		}
		acc.args = append(acc.args, r)
	}
	return acc, a.Sorting.start(acc, in)
}

// Holds reports whether groups hold memory beside themselves: Bytes is always 0 of those
// that do not.
func (a *Aggregate) Holds() bool {
	switch a.Family.(type) {
	case Count, *Sum, *InexactSum, *Bits, *Variance:
		return a.Distinct
	}
	return true
}

// Conditions returns the warnings so far.
func (acc *Accumulation) Conditions() (all []value.Condition) {
	for _, runs := range [...][]*program.Run{acc.args, acc.sort} {
		for _, r := range runs {
			if len(r.Conds) > 0 { // asked once a row, and almost never so
				all = append(all, r.Conds...)
			}
		}
	}
	return all
}

// take evaluates the arguments. It is false for a row that does not count, because one
// of them is NULL.
func (acc *Accumulation) take(row program.Row) (counts bool, err error) {
	for i, r := range acc.args {
		res, err := r.Eval(row)
		if err != nil || res.Null() && !acc.of.Nulls {
			return false, err
		}
		acc.data[i] = res.D
	}
	return true, nil
}

// Add adds a row to a group.
func (acc *Accumulation) Add(g *Group, row program.Row) error {
	if counts, err := acc.take(row); err != nil || !counts {
		return err
	}
	if acc.of.Distinct && acc.seen(g) {
		return nil
	}
	g.count++
	if acc.sort == nil {
		return acc.of.Family.add(acc, g)
	}
	return acc.addSorted(g, row)
}

// seen reports whether the group has had a row with equal arguments, and notes
// that it has.
func (acc *Accumulation) seen(g *Group) bool {
	acc.key = acc.key[:0]
	for i, r := range acc.args {
		start := len(acc.key)
		acc.key = binary.BigEndian.AppendUint32(acc.key, 0)
		acc.key = appendDistinct(acc.key, r.X, acc.data[i])
		binary.BigEndian.PutUint32(acc.key[start:], uint32(len(acc.key)-start))
	}
	if _, ok := g.distinct[string(acc.key)]; ok {
		return true
	}
	if g.distinct == nil {
		g.distinct = map[string]struct{}{}
	}
	g.distinct[string(acc.key)] = struct{}{}
	g.more += len(acc.key) + distinctBytes
	return false
}

// appendDistinct appends bytes that are the same for equal data of one type.
func appendDistinct(dst []byte, x *program.Expression, d *program.Datum) []byte {
	switch k := x.Root.Class; {
	case k == class.Text:
		return x.Root.Collation.AppendWeights(dst, d.B)
	case k.IsString():
		return append(dst, d.B...)
	case k == class.Decimal:
		n := d.D
		n.Round(x.Result.Decimals)
		return n.AppendCanonical(dst, decimal.Bytes)
	case k.IsReal() && d.Double() == 0:
		return binary.BigEndian.AppendUint64(dst, 0)
	default:
		return binary.BigEndian.AppendUint64(dst, d.N)
	}
}

// Result is the group's result so far. It is good until the next one is asked
// for. The error is a refusal: the result is not known here.
func (acc *Accumulation) Result(g *Group) (program.Result, error) {
	out := acc.of.Family.empty()
	if g.count > 0 {
		out = &program.Datum{}
		acc.of.Family.result(acc, g, out)
	}
	return program.Result{Run: acc.out, D: out}, acc.out.Fail()
}

// Count is COUNT.
type Count struct{}

func (Count) add(*Accumulation, *Group) error { return nil }

func (Count) result(_ *Accumulation, g *Group, out *program.Datum) { out.SetInt(g.count) }

func (Count) empty() *program.Datum { return program.FalseDatum }
