package ast

// HasQuery reports whether a node has a query in it.
func HasQuery(root Node) (found bool) {
	_ = Walk(func(n Node) (bool, error) {
		_, is := n.(*Subquery)
		found = found || is
		return !found, nil
	}, root)
	return found
}
