package eval

import "tunic/internal/value"

// Dates with zeros are no dates: some functions have a result for them and some do
// not, with a warning or without. In a session with NO_ZERO_DATE or NO_ZERO_IN_DATE
// it depends on the server and on the function whether they become NULL (MySQL
// manual, "Server SQL Modes"; MariaDB does so wherever values of several types meet).

// refuseZeros refuses a date with zeros, even if the result is NULL anyway: MariaDB
// warns of it.
func refuseZeros(n *node, ev evaluator, name string) evaluator {
	if !n.class.hasDate() {
		return ev
	}
	return func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return d
		}
		if k := unpackDateTime(d.n); !k.isDate() {
			return r.refuse(name)
		}
		return d
	}
}

// withoutZeros refuses dates with zeros in modes that do not allow them.
func (c *compiler) withoutZeros(n *node, ev evaluator, name string) evaluator {
	if c.session.Mode&(value.NoZeroDate|value.NoZeroInDate) == 0 {
		return ev
	}
	return refuseZeros(n, ev, name)
}

// chosen is withoutZeros for what CASE and its kin choose among, which MySQL leaves
// as it is.
func (c *compiler) chosen(n *node, ev evaluator, name string) evaluator {
	if !c.session.isMariaDB() {
		return ev
	}
	return c.withoutZeros(n, ev, name)
}
