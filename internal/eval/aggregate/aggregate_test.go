package aggregate

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/value"
)

var (
	ints     = class.Shape{Class: class.Int, Digits: 20, Nullable: true}
	doubles  = class.Shape{Class: class.Double, Scale: class.ScaleFree, Nullable: true}
	decimals = class.Shape{Class: class.Decimal, Digits: 42, Scale: 4, Nullable: true}
)

// column is an expression that is the first value of a row, eight bytes long.
func column(t *testing.T, s class.Shape) *program.Expression {
	t.Helper()
	kind := map[class.Class]value.Kind{class.Int: value.BigInt, class.Double: value.Double}[s.Class]
	c := &value.Type{Kind: kind}
	ev := func(r *program.Run) *program.Datum {
		b := r.Row[0]
		if b == nil {
			return program.NullDatum
		}
		n := uint64(0)
		for _, x := range b {
			n = n<<8 | uint64(x)
		}
		return r.Slots[0].SetUint(n)
	}
	return &program.Expression{Root: &program.Node{Shape: s, Ev: ev, Column: c}, Result: *c, Slots: 1, At: -1, Session: session}
}

var session = program.Session{Flavor: value.MariaDB, DivPrecision: 4, ConcatMax: 20}

// aggregated starts an aggregate of a column.
func aggregated(t *testing.T, a *Aggregate, arg, out class.Shape) *Accumulation {
	t.Helper()
	a.Args = []*program.Expression{column(t, arg)}
	result, ok := out.Result(true)
	if !ok {
		t.Fatal("no result")
	}
	a.Out = &program.Expression{Root: &program.Node{Shape: out}, Result: result, At: -1, Session: session}
	acc, err := a.Start(program.Inputs{Env: &value.Env{Flavor: value.MariaDB}})
	if err != nil {
		t.Fatal(err)
	}
	return acc
}

func word(n uint64) program.Row {
	b := make([]byte, 8)
	for i := range b {
		b[i] = byte(n >> (56 - 8*i))
	}
	return program.Row{b}
}

func text(t interface{ Fatal(...any) }, acc *Accumulation, g *Group) string {
	res, err := acc.Result(g)
	if err != nil {
		t.Fatal(err)
	}
	if res.Null() {
		return "NULL"
	}
	b, err := res.AppendText(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func evOf(a *Aggregate) program.Evaluator {
	return func(r *program.Run) *program.Datum { return a.Args[0].Root.Ev(r) }
}

// TestOfNone: without rows, and of NULL alone, there is NULL, or nothing that is counted.
func TestOfNone(t *testing.T) {
	bits := &Aggregate{Name: "BIT_AND"}
	bits.Family = &Bits{Name: "BIT_AND", Integer: evOf(bits)}
	for _, c := range []struct {
		a    *Aggregate
		out  class.Shape
		want string
	}{
		{&Aggregate{Name: "COUNT", Family: Count{}}, ints, "0"},
		{&Aggregate{Name: "SUM", Family: &Sum{Name: "SUM", Scale: 4}}, decimals, "NULL"},
		{bits, class.Shape{Class: class.Uint, Digits: 20}, "18446744073709551615"},
	} {
		acc := aggregated(t, c.a, ints, c.out)
		var g Group
		if got := text(t, acc, &g); got != c.want {
			t.Errorf("%s of no row: %s", c.a.Name, got)
		}
		if err := acc.Add(&g, program.Row{nil}); err != nil {
			t.Fatal(err)
		}
		if got := text(t, acc, &g); got != c.want {
			t.Errorf("%s of NULL: %s", c.a.Name, got)
		}
	}
}

// TestSums: sums are those of big integers, rows that are removed leave no trace, and DISTINCT has each once.
func TestSums(t *testing.T) {
	sum := aggregated(t, &Aggregate{Name: "SUM", Family: &Sum{Name: "SUM", Scale: 4}}, ints, decimals)
	distinct := aggregated(t, &Aggregate{Name: "SUM", Distinct: true, Family: &Sum{Name: "SUM", Scale: 4}}, ints, decimals)
	count := aggregated(t, &Aggregate{Name: "COUNT", Family: Count{}}, ints, ints)
	if !sum.of.Removes() || distinct.of.Removes() || !count.of.Removes() || sum.of.Holds() || !distinct.of.Holds() {
		t.Error("what can be removed, and what holds memory")
	}
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(-3, 3), rapid.Int64()), 1, 10).Draw(t, "numbers")
		gone := rapid.SliceOfN(rapid.Int64(), 0, 3).Draw(t, "removed")
		var g, d, n Group
		want, once, seen := new(big.Int), new(big.Int), map[int64]bool{}
		for _, x := range append(gone, numbers...) {
			for acc, group := range map[*Accumulation]*Group{sum: &g, count: &n} {
				if err := acc.Add(group, word(uint64(x))); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, x := range gone {
			if err := sum.Remove(&g, word(uint64(x))); err != nil {
				t.Fatal(err)
			}
		}
		for _, x := range numbers {
			if err := distinct.Add(&d, word(uint64(x))); err != nil {
				t.Fatal(err)
			}
			want.Add(want, big.NewInt(x))
			if !seen[x] {
				once.Add(once, big.NewInt(x))
			}
			seen[x] = true
		}
		if got := text(t, sum, &g); got != want.String()+".0000" {
			t.Errorf("%v: %s, want %s", numbers, got, want)
		}
		if got := text(t, distinct, &d); got != once.String()+".0000" {
			t.Errorf("%v once: %s, want %s", numbers, got, once)
		}
		if got := text(t, count, &n); got != big.NewInt(int64(len(gone)+len(numbers))).String() {
			t.Errorf("%v: %s", numbers, got)
		}
		if d.Bytes() == 0 || g.Bytes() != 0 {
			t.Errorf("%d bytes of what is distinct, %d of a sum", d.Bytes(), g.Bytes())
		}
	})
}

// TestAverage is shown with fewer digits than it is computed with.
func TestAverage(t *testing.T) {
	a := &Aggregate{Name: "AVG", Family: &Sum{Name: "AVG", Average: true, Scale: 4}}
	acc := aggregated(t, a, ints, decimals)
	var g Group
	for _, x := range []uint64{1, 0, 0} {
		if err := acc.Add(&g, word(x)); err != nil {
			t.Fatal(err)
		}
	}
	if got := text(t, acc, &g); got != "0.3333" {
		t.Errorf("%s", got)
	}
	if digits, ok := a.Digits(); !ok || digits != 9 {
		t.Errorf("%d digits, %v", digits, ok)
	}
	if precise := acc.AppendPrecise(nil, &g); len(precise) == 0 || precise[len(precise)-1] != byte(333333333&0xff) {
		t.Errorf("%x", precise)
	}
}

func TestDoubles(t *testing.T) {
	for _, c := range []struct {
		family func(a *Aggregate) Family
		want   float64
	}{
		{func(a *Aggregate) Family { return &InexactSum{Name: "SUM", Real: evOf(a)} }, 40},
		{func(a *Aggregate) Family { return &InexactSum{Name: "AVG", Average: true, Real: evOf(a)} }, 5},
		{func(a *Aggregate) Family { return &Variance{Name: "VAR_POP", Real: evOf(a)} }, 4},
		{func(a *Aggregate) Family { return &Variance{Name: "STDDEV_POP", Root: true, Real: evOf(a)} }, 2},
		{func(a *Aggregate) Family { return &Variance{Name: "VAR_SAMP", Sample: true, Real: evOf(a)} }, 32.0 / 7},
	} {
		a := &Aggregate{}
		a.Family = c.family(a)
		acc := aggregated(t, a, doubles, doubles)
		var g Group
		for _, x := range []float64{2, 4, 4, 4, 5, 5, 7, 9} {
			if err := acc.Add(&g, word(math.Float64bits(x))); err != nil {
				t.Fatal(err)
			}
		}
		res, err := acc.Result(&g)
		if got := math.Float64frombits(res.Source(nil).Number); err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", a.Family, got, c.want)
		}
	}
}

func TestBits(t *testing.T) {
	for name, want := range map[string]string{"BIT_AND": "6", "BIT_OR": "7", "BIT_XOR": "1"} {
		a := &Aggregate{Name: name}
		a.Family = &Bits{Name: name, Integer: evOf(a)}
		acc := aggregated(t, a, ints, class.Shape{Class: class.Uint, Digits: 20})
		var g Group
		for _, x := range []uint64{6, 7} {
			if err := acc.Add(&g, word(x)); err != nil {
				t.Fatal(err)
			}
		}
		if got := text(t, acc, &g); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if a.Removes() != (name == "BIT_XOR") {
			t.Errorf("%s is removed: %v", name, a.Removes())
		}
	}
}
