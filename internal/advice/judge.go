package advice

import (
	"bytes"
	"hash/maphash"
	"math"
	"math/big"

	"tunic/internal/policy"
	"tunic/internal/value"
)

// The thresholds of Judge. Each is the line beyond which attacks that need nothing but the
// stored column and a guess at the distribution are known to succeed.
const (
	// fewValues: Naveed, Kamara and Wright (2015) match values to tokens by how often they
	// occur. Columns of up to some hundred values (sex, race, month, age, length of stay)
	// were recovered for most rows of most hospitals.
	fewValues = 100
	// fewRows is how many rows a value must have for that to mean anything: where nearly all
	// values are different, frequencies tell nothing.
	fewRows = 2
	// dominantPart: a value that a quarter of the rows have needs no statistics to be told;
	// and a query for it reads a quarter of the table anyway.
	dominantPart = 0.25
	// densePart: where the values fill the range between the least and the greatest, the
	// rank of a value is the value (the sorting attack of Naveed, Kamara and Wright 2015).
	// Grubbs and others (2017) need less: sorted values are matched to those that are
	// expected, without crossing.
	densePart = 0.25
	// denseValues is how many values there must be for a range to say something.
	denseValues = 16
	// judgedValues is how many values it takes to judge at all.
	judgedValues = 32
)

// Why is why a layer is refused by default.
type Why uint8

// The reasons.
const (
	Fine      Why = iota // nothing speaks against it
	Unjudged             // there are too few values to tell
	Few                  // the column has few values
	Dominated            // one value has a large part of the rows
	Dense                // the values fill their range, and the layer tells their order
)

var whys = [...]string{
	Fine: "", Unjudged: "fewer than 32 values are stored: too few to judge by",
	Few:       "fewer than 100 different values: how often each occurs would name them",
	Dominated: "one value has a quarter of the rows or more: it would be known at once",
	Dense:     "the values fill a quarter or more of their range: their order would name them",
}

// String is the reason as advice and errors give it.
func (w Why) String() string { return whys[w] }

// Verdict is what the distribution of a column says of a layer.
type Verdict struct {
	// Refused says that the layer is not added by itself, nor by CALL tunic.add_layer
	// without a reason.
	Refused bool
	Why     Why
	// Rows is how many rows the table has.
	Rows int64
}

// Distribution is how the values of a column are distributed, NULLs left out, which
// everybody sees.
type Distribution struct {
	// Rows is how many rows have a value; Read, of how many of them this is told.
	Rows, Read int64
	// Distinct is how many different values were read, Once how many of them once.
	Distinct, Once int64
	// Top is how many of the rows that were read have the commonest value.
	Top int64
	// Places is how many values there could be from the least to the greatest that were
	// read, in steps that all of them share.
	Places float64
}

// values is how many different values the column has at most, taken from the sample: each
// value that was read once may stand for as many others as rows were left out. A bound from
// above makes refusing for density safe, and changes nothing for few values: those
// are read more than once.
func (d *Distribution) values() float64 {
	if d.Read == 0 {
		return 0
	}
	n := float64(d.Distinct-d.Once) + float64(d.Once)*float64(d.Rows)/float64(d.Read)
	return math.Min(n, float64(d.Rows))
}

// Judge says whether a layer on a column of this distribution should be refused.
func Judge(d *Distribution, capability policy.Capabilities) Verdict {
	v := Verdict{Rows: d.Rows, Why: d.why(capability)}
	v.Refused = v.Why != Fine && v.Why != Unjudged
	return v
}

func (d *Distribution) why(capability policy.Capabilities) Why {
	values := d.values()
	switch {
	case d.Read < judgedValues:
		return Unjudged
	case values < fewValues && float64(d.Rows) >= fewRows*values:
		return Few
	case float64(d.Top) >= dominantPart*float64(d.Read):
		return Dominated
	case capability == policy.Order && d.Distinct >= denseValues && math.Min(values, d.Places) >= densePart*d.Places:
		return Dense
	}
	return Fine
}

// Histogram makes the Distribution of values that it is given. It keeps a number for each
// different one, and none of them.
type Histogram struct {
	typ         *value.Type
	seed        maphash.Seed
	counts      map[uint64]int64
	read        int64
	least, most []byte
	first, step uint64
	buffer      []byte
}

// NewHistogram is for values of a type that can have layers.
func NewHistogram(t *value.Type) *Histogram {
	return &Histogram{typ: t, seed: maphash.MakeSeed(), counts: map[uint64]int64{}}
}

// Add adds a value in canonical form.
func (h *Histogram) Add(canonical []byte) {
	h.buffer = value.AppendEquality(h.buffer[:0], h.typ, canonical)
	h.counts[maphash.Bytes(h.seed, h.buffer)]++
	h.read++
	h.buffer = value.AppendOrder(h.buffer[:0], h.typ, canonical)
	h.place(h.buffer)
	clear(h.buffer[:cap(h.buffer)])
}

// place widens the range to an order encoding.
func (h *Histogram) place(at []byte) {
	if h.least == nil || bytes.Compare(at, h.least) < 0 {
		h.least = append(h.least[:0], at...)
	}
	if h.most == nil || bytes.Compare(at, h.most) > 0 {
		h.most = append(h.most[:0], at...)
	}
	if len(at) > 8 {
		return
	}
	n := new(big.Int).SetBytes(at).Uint64()
	if h.read == 1 {
		h.first = n
	}
	h.step = divisor(h.step, max(n, h.first)-min(n, h.first))
}

// divisor is the greatest number that divides both; 0 is divided by all.
func divisor(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Distribution is that of what was added, of a table in which so many rows have a value.
func (h *Histogram) Distribution(rows int64) *Distribution {
	d := &Distribution{Rows: max(rows, h.read), Read: h.read, Distinct: int64(len(h.counts)), Places: 1}
	for _, n := range h.counts {
		d.Top = max(d.Top, n)
		if n == 1 {
			d.Once++
		}
	}
	if h.read > 0 {
		width := new(big.Int).Sub(new(big.Int).SetBytes(h.most), new(big.Int).SetBytes(h.least))
		width.Quo(width, new(big.Int).SetUint64(max(h.step, 1)))
		d.Places, _ = new(big.Float).SetInt(width.Add(width, big.NewInt(1))).Float64()
	}
	return d
}

// Wipe forgets the least and the greatest value.
func (h *Histogram) Wipe() {
	clear(h.least)
	clear(h.most)
	h.first, h.step = 0, 0
}
