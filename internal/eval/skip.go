package eval

import (
	"tunic/internal/eval/class"

	"tunic/internal/eval/program"
)

// lazy are the operations that do not compute all of their operands, here as on the
// servers.
var lazy = map[string]bool{"IF": true, "IFNULL": true, "COALESCE": true, "CASE": true, "NULLIF": true, "truth": true, "IS NULL": true}

// guardSkipped watches the operands of an operation that is NULL if its first
// operand is. Servers differ in whether they compute the others then, and warn or
// fail: a run in which one of them would is refused.
func (c *compiler) guardSkipped(operation string, operands []*program.Node) {
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
