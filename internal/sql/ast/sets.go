package ast

// Marks in the Lock of a Union, which the library has for UNION alone: what it is
// instead. A set that is locked is none of these.
const (
	IntersectMark Lock = 100
	ExceptMark    Lock = 101
)

// SetOf is the operator of a Union, "union", "intersect" or "except"; set is false for
// the first.
func SetOf(n *Union) (operator string, set bool) {
	switch n.Lock {
	case IntersectMark:
		return "intersect", true
	case ExceptMark:
		return "except", true
	default:
		return "union", false
	}
}
