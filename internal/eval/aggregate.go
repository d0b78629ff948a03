package eval

import (
	"tunic/internal/eval/program"
	"tunic/internal/value"
)

// Aggregate is a compiled aggregate function, with or without DISTINCT. It may be
// shared.
type Aggregate struct {
	name     string
	distinct bool
	nulls    bool // rows are taken whose arguments are NULL
	args     []*program.Expression
	out      *program.Expression // what the results are of
	family   family
	sorting  *sorting // of GROUP_CONCAT; nil for the order in which rows come
}

// family is what one aggregate function does with the rows of a group. It keeps
// nothing of its own: what is accumulated is the Group's.
type family interface {
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

// operation is the aggregate as the list of what is supported has it.
func (a *Aggregate) operation() string {
	if a.distinct {
		return a.name + " DISTINCT"
	}
	return a.name
}

// Type is the type of the results, as Expression.Type.
func (a *Aggregate) Type() *value.Type { return &a.out.Result }

// Fits is Expression.Fits for the arguments.
func (a *Aggregate) Fits(in *program.Inputs) bool {
	for _, x := range a.args {
		if !x.Fits(in) {
			return false
		}
	}
	return a.sorting.fits(in)
}
