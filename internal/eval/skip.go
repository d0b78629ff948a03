package eval

import "tunic/internal/eval/class"

// lazy are the operations that do not compute all of their operands, here as on the
// servers.
var lazy = map[string]bool{"IF": true, "IFNULL": true, "COALESCE": true, "CASE": true, "NULLIF": true, "truth": true, "IS NULL": true}

// guardSkipped watches the operands of an operation that is NULL if its first
// operand is. Servers differ in whether they compute the others then, and warn or
// fail: a run in which one of them would is refused.
func (c *compiler) guardSkipped(operation string, operands []*node) {
	if lazy[operation] || len(operands) < 2 || operands[0].literal {
		return
	}
	var others []evaluator
	for _, n := range operands[1:] {
		if n.column == nil && !n.literal && n.Class != class.Null && (n.constant || !operands[0].constant) {
			others = append(others, n.ev)
		}
	}
	if len(others) == 0 {
		return
	}
	first := operands[0].ev
	operands[0].ev = func(r *Run) *datum {
		d := first(r)
		if !d.null || r.err != nil {
			return d
		}
		before := len(r.conds)
		for _, ev := range others {
			ev(r)
		}
		if r.err != nil || len(r.conds) > before {
			r.err, r.conds = nil, r.conds[:before]
			return r.refuse(operation)
		}
		return nullDatum
	}
}
