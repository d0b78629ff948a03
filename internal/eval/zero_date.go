package eval

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/value"

	"tunic/internal/eval/calendar"
)

// Dates with zeros are no dates: some functions have a result for them and some do
// not, with a warning or without. In a session with NO_ZERO_DATE or NO_ZERO_IN_DATE
// it depends on the server and on the function whether they become NULL (MySQL
// manual, "Server SQL Modes"; MariaDB does so wherever values of several types meet).

// refuseZeros refuses a date with zeros, even if the result is NULL anyway: MariaDB
// warns of it.
func refuseZeros(n *program.Node, ev program.Evaluator, name string) program.Evaluator {
	if !n.Class.HasDate() {
		return ev
	}
	return func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return d
		}
		if k := calendar.UnpackDateTime(d.N); !k.IsDate() {
			return r.Refuse(name)
		}
		return d
	}
}

// WithoutZeros refuses dates with zeros in modes that do not allow them.
func WithoutZeros(c *compiler, n *program.Node, ev program.Evaluator, name string) program.Evaluator {
	if c.session.Mode&(value.NoZeroDate|value.NoZeroInDate) == 0 {
		return ev
	}
	return refuseZeros(n, ev, name)
}

// chosen is withoutZeros for what CASE and its kin choose among, which MySQL leaves
// as it is.
func chosen(c *compiler, n *program.Node, ev program.Evaluator, name string) program.Evaluator {
	if !c.session.IsMariaDB() {
		return ev
	}
	return WithoutZeros(c, n, ev, name)
}

// ZeroNuller is a Scope with columns that may be NULL in its rows, and of which servers take
// the zero date for NULL all the same.
type ZeroNuller interface {
	// ZeroIsNull says so of a column, which is a DATE or DATETIME.
	ZeroIsNull(index int) bool
}

// withoutZeroDate refuses the zero date of a column that IS NULL is asked of: where the column is
// NOT NULL, servers take the condition for a comparison with the zero date, at some places in a
// statement (MySQL manual, "Comparison Functions and Operators").
func withoutZeroDate(c *compiler, n *program.Node) program.Evaluator {
	if n.Column == nil || n.Class != class.Date && n.Class != class.DateTime {
		return n.Ev
	}
	if outer, ok := c.scope.(ZeroNuller); !n.Column.NotNull && !(ok && outer.ZeroIsNull(n.Index)) {
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
