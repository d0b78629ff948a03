package eval

import (
	"math"

	"tunic/internal/eval/decimal"
)

// datum is the value of a node. Which of its fields counts is a matter of the
// node's class, known when the expression is compiled.
type datum struct {
	null bool
	n    uint64
	b    []byte // belongs to the row, the bind or the run's arena
	d    decimal.Number
}

// evaluator computes a node for the run's row. What it returns is the run's, and
// good until it is called again.
type evaluator func(r *Run) *datum

var nullDatum = &datum{null: true}

func (d *datum) double() float64 { return math.Float64frombits(d.n) }

func (d *datum) setInt(i int64) *datum {
	d.null, d.n = false, uint64(i)
	return d
}

func (d *datum) setUint(u uint64) *datum {
	d.null, d.n = false, u
	return d
}

func (d *datum) setDouble(f float64) *datum {
	d.null, d.n = false, math.Float64bits(f)
	return d
}

func (d *datum) setBytes(b []byte) *datum {
	d.null, d.b = false, b
	return d
}

// The truths, as data: 1 and 0.
var (
	falseDatum = &datum{n: 0}
	trueDatum  = &datum{n: 1}
)

func boolDatum(b bool) *datum {
	if b {
		return trueDatum
	}
	return falseDatum
}
