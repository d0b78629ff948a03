package coercion

import (
	"slices"

	"tunic/internal/eval/class"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/value/charset"
)

// CollationOf finds the collation that counts where strings meet. Where the
// server has one that is not one of theirs, or none, it is refused.
func CollationOf(c *compilation.Compilation, operation string, nodes ...*program.Node) (*charset.Collation, error) {
	var best *program.Node
	var collation *charset.Collation
	for _, n := range nodes {
		if n.Class == class.Null {
			continue
		}
		if n.Class == class.Bytes || n.Class == class.Hex {
			return nil, refusal.Of(operation + " of text and bytes")
		}
		switch {
		case best == nil || n.Coercible < best.Coercible:
			best, collation = n, TextCollation(c, n)
		case n.Coercible == best.Coercible && TextCollation(c, n) != collation:
			if collation = class.CollationOfTwo(n.Coercible, collation, TextCollation(c, n)); collation == nil {
				return nil, refusal.Of(operation + " of text in two collations")
			}
		}
	}
	switch {
	case best == nil:
		return c.Session.Collation, nil
	case namedBeside(c, nodes):
		return nil, refusal.Of(operation + " of text beside a column whose collation an inner query names")
	}
	return collation, nil
}

// namedBeside reports whether an inner query names the collation of one of several columns that have different ones.
func namedBeside(c *compilation.Compilation, nodes []*program.Node) bool {
	for _, named := range nodes {
		if named.Named && slices.ContainsFunc(nodes, func(n *program.Node) bool {
			return n.Class != class.Null && n.Coercible <= class.CoercibleColumn && TextCollation(c, n) != TextCollation(c, named)
		}) {
			return true
		}
	}
	return false
}

// TextCollation is the collation of a node as text: numbers have that of the
// connection.
func TextCollation(c *compilation.Compilation, n *program.Node) *charset.Collation {
	if n.Collation != nil {
		return n.Collation
	}
	return c.Session.Collation
}

// BinaryCharset is that of bytes.
func BinaryCharset(c *compilation.Compilation) *charset.Charset {
	set, _ := charset.CharsetByName(c.Session.Flavor, "binary")
	return set
}

// SetOf is the character set of a shape that is text or bytes.
func SetOf(c *compilation.Compilation, s class.Shape) *charset.Charset {
	if s.Collation != nil {
		return s.Collation.Charset
	}
	return BinaryCharset(c)
}

// UTF8MB4 is a collation of that character set.
func UTF8MB4(c *compilation.Compilation, name string) *charset.Collation {
	collation, _ := charset.Lookup(c.Session.Flavor, "utf8mb4"+name)
	return collation
}
