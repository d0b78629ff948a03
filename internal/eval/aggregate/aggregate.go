package aggregate

import (
	"tunic/internal/eval/program"
	"tunic/internal/value"
)

// Aggregate is a compiled aggregate function, with or without DISTINCT. It may be
// shared.
type Aggregate struct {
	Name     string
	Distinct bool
	Nulls    bool // rows are taken whose arguments are NULL
	Args     []*program.Expression
	Out      *program.Expression // what the results are of
	Family   Family
	Sorting  *Sorting // of GROUP_CONCAT; nil for the order in which rows come
}

// Family is what one aggregate function does with the rows of a group. It keeps
// nothing of its own: what is accumulated is the Group's.
type Family interface {
	// add adds the row whose arguments are in acc.data.
	add(acc *Accumulation, g *Group) error
	// result makes a datum of a group that has had a row, or says that there is none.
	result(acc *Accumulation, g *Group, out *program.Datum)
	// empty is the result of a group without rows.
	empty() *program.Datum
}

// nullOfNone is a family whose result is NULL where there are no rows.
type nullOfNone struct{}

func (nullOfNone) empty() *program.Datum { return program.NullDatum }

// Operation is the aggregate as the list of what is supported has it.
func (a *Aggregate) Operation() string {
	if a.Distinct {
		return a.Name + " DISTINCT"
	}
	return a.Name
}

// Type is the type of the results, as Expression.Type.
func (a *Aggregate) Type() *value.Type { return &a.Out.Result }

// Fits is Expression.Fits for the arguments.
func (a *Aggregate) Fits(in *program.Inputs) bool {
	for _, x := range a.Args {
		if !x.Fits(in) {
			return false
		}
	}
	return a.Sorting.fits(in)
}
