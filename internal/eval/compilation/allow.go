package compilation

import (
	"strings"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/eval/supported"
	"tunic/internal/sqlerr"
)

// Allow refuses an operation that is not known to be exact on its operands.
func (c *Compilation) Allow(operation string, operands ...*program.Node) error {
	c.guardSkipped(operation, operands)
	if !comparisons[operation] && !byDigitsGiven[operation] {
		for _, n := range operands {
			if n.Guessed {
				return sqlerr.ExpressionRefused(operation, "a decimal in a user variable")
			}
		}
	}
	classes := make([]string, len(operands))
	for i, n := range operands {
		classes[i] = n.Operand()
	}
	list := strings.Join(classes, ", ")
	if c.Observe != nil {
		c.Observe(operation, list)
		return nil
	}
	if !supported.Is(c.Session.Flavor, operation, list) {
		return sqlerr.ExpressionRefused(operation, list)
	}
	return nil
}

// AllowPairs asks for every pair of values: what is common to several types is
// common to each two.
func (c *Compilation) AllowPairs(operation string, values []*program.Node) error {
	if len(values) == 1 {
		return c.Allow(operation, values[0])
	}
	for i, v := range values {
		for _, w := range values[i+1:] {
			if err := c.Allow(operation, v, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// comparisons are the operations on decimals for which it does not matter how many
// digits there may be after the point.
var comparisons = map[string]bool{
	"=": true, "<=>": true, "<>": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true,
	"IN": true, "BETWEEN": true, "IS NULL": true, "truth": true,
}

// byDigitsGiven are the operations on decimals whose results have the digits that their operands
// have, whatever their types say.
var byDigitsGiven = map[string]bool{"+": true, "-": true, "*": true}

// guardSkipped watches the operands of an operation that is NULL if its first
// operand is. Servers differ in whether they compute the others then, and warn or
// fail: a run in which one of them would is refused.
func (c *Compilation) guardSkipped(operation string, operands []*program.Node) {
	if lazy[operation] || len(operands) < 2 || operands[0].Literal {
		return
	}
	var others []program.Evaluator
	for _, n := range operands[1:] {
		if n.Column == nil && !n.Literal && n.Class != class.Null && (n.Constant || !operands[0].Constant) {
			others = append(others, n.Ev)
		}
	}
	if len(others) == 0 {
		return
	}
	first := operands[0].Ev
	operands[0].Ev = func(r *program.Run) *program.Datum {
		d := first(r)
		if !d.Null || r.Err != nil {
			return d
		}
		before := len(r.Conds)
		for _, ev := range others {
			ev(r)
		}
		if r.Err != nil || len(r.Conds) > before {
			r.Err, r.Conds = nil, r.Conds[:before]
			return r.Refuse(operation)
		}
		return program.NullDatum
	}
}

// lazy are the operations that do not compute all of their operands, here as on the
// servers.
var lazy = map[string]bool{"IF": true, "IFNULL": true, "COALESCE": true, "CASE": true, "NULLIF": true, "truth": true, "IS NULL": true}
