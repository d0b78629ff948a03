package program

import (
	"math"

	"tunic/internal/eval/decimal"
)

// Datum is the value of a node. Which of its fields counts is a matter of the
// node's class, known when the expression is compiled.
type Datum struct {
	Null bool
	N    uint64
	B    []byte // belongs to the row, the bind or the run's arena
	D    decimal.Number
}

// Evaluator computes a node for the run's row. What it returns is the run's, and
// good until it is called again.
type Evaluator func(r *Run) *Datum

// NullDatum is NULL.
var NullDatum = &Datum{Null: true}

// Double is the datum as a double.
func (d *Datum) Double() float64 { return math.Float64frombits(d.N) }

// SetInt makes it an integer with a sign.
func (d *Datum) SetInt(i int64) *Datum {
	d.Null, d.N = false, uint64(i)
	return d
}

// SetUint makes it an integer without a sign, or a date or time.
func (d *Datum) SetUint(u uint64) *Datum {
	d.Null, d.N = false, u
	return d
}

// SetDouble makes it a double.
func (d *Datum) SetDouble(f float64) *Datum {
	d.Null, d.N = false, math.Float64bits(f)
	return d
}

// SetBytes makes it text or bytes.
func (d *Datum) SetBytes(b []byte) *Datum {
	d.Null, d.B = false, b
	return d
}

// The truths, as data: 1 and 0.
var (
	FalseDatum = &Datum{N: 0}
	TrueDatum  = &Datum{N: 1}
)

// BoolDatum is 1 or 0.
func BoolDatum(b bool) *Datum {
	if b {
		return TrueDatum
	}
	return FalseDatum
}
