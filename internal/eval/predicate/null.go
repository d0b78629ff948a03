package predicate

import (
	"tunic/internal/eval/calendar"
	"tunic/internal/eval/class"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
)

// IsNull compiles IS NULL, or IS NOT NULL where NULL is not wanted.
func IsNull(c *compilation.Compilation, n *program.Node, wanted bool) (*program.Node, error) {
	if err := c.Allow("IS NULL", n); err != nil {
		return nil, err
	}
	ev := n.Ev
	if wanted || c.IsDenied() {
		ev = withoutZeroDate(c, n)
	}
	return program.NotNullable(program.Derive(class.BoolShape, comparison.IsNull(ev, wanted), n)), nil
}

// compileIsNull compiles ISNULL, which is IS NULL under another name.
func compileIsNull(c *compilation.Compilation, _ string, args []*program.Node) (*program.Node, error) {
	return IsNull(c, args[0], true)
}

// withoutZeroDate refuses the zero date of a column that IS NULL is asked of: where the column is
// NOT NULL, servers take the condition for a comparison with the zero date, at some places in a
// statement (MySQL manual, "Comparison Functions and Operators").
func withoutZeroDate(c *compilation.Compilation, n *program.Node) program.Evaluator {
	if n.Column == nil || n.Class != class.Date && n.Class != class.DateTime {
		return n.Ev
	}
	if outer, ok := c.Scope.(compilation.ZeroNuller); !n.Column.NotNull && !(ok && outer.ZeroIsNull(n.Index)) {
		return n.Ev
	}
	return func(r *program.Run) *program.Datum {
		d := n.Ev(r)
		if d.Null {
			return d
		}
		if k := calendar.UnpackDateTime(d.N); k.Year|k.Month|k.Day == 0 {
			return r.Refuse("IS NULL")
		}
		return d
	}
}
