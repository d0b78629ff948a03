package predicate

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/literal"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// membersOf compiles the right side of IN.
func membersOf(c *compilation.Compilation, left *program.Node, right ast.Expr) ([]comparison.Member, error) {
	items, ok := right.(ast.ValTuple)
	if !ok {
		return nil, refusal.Of("IN of this kind")
	}
	if len(items) > 1 && foldsDocuments(c, left) {
		return nil, refusal.Of("IN of text of a document")
	}
	var all []comparison.Member
	documents := 0
	for _, item := range items {
		if a, ok := item.(*ast.Argument); ok && groupOfItems(a) {
			of, err := listMembers(c, left, a)
			if err != nil {
				return nil, err
			}
			all = append(all, of...)
			continue
		}
		n, err := c.Compile(item)
		if err != nil {
			return nil, err
		}
		if n.Class == class.JSON {
			documents++
		}
		k, err := ComparisonOf(c, itemOperation(c, left, n, len(items)), left, n)
		if err != nil {
			return nil, err
		}
		refuseFiner(c, &k, left, n)
		if len(items) == 1 { // the servers make = of it
			RoundSides(c, &k, left, n)
			Tolerant(c, &k, left, n)
		}
		all = append(all, comparison.Member{Comparison: k, Node: n, List: -1})
	}
	if comparison.SeveralCollations(all) {
		return nil, refusal.Of("IN of text in several collations")
	}
	if documents > 0 && documents < len(items) { // which would all be compared as documents, or not
		return nil, refusal.Of("IN of documents and other values")
	}
	return all, nil
}

// foldsDocuments reports whether a text is one that MariaDB compares with several items
// without regard to case, and with one in its own, a binary collation: what JSON_UNQUOTE
// makes, and its kin.
func foldsDocuments(c *compilation.Compilation, left *program.Node) bool {
	return c.Session.IsMariaDB() && left.Class == class.Text && left.Coercible == class.CoercibleDocument
}

// itemOperation is how an item is compared: MariaDB makes = of one that is alone, which
// it matters to documents that it is.
func itemOperation(c *compilation.Compilation, left, item *program.Node, items int) string {
	if items == 1 && c.Session.IsMariaDB() && (left.Class == class.JSON || item.Class == class.JSON) {
		return "="
	}
	return "IN"
}

// listMembers makes a member of every form that the items of a list have.
func listMembers(c *compilation.Compilation, left *program.Node, a *ast.Argument) ([]comparison.Member, error) {
	index, examples, err := c.Scope.Items(a)
	if err != nil {
		return nil, err
	}
	if left.Class == class.JSON && c.Session.IsMariaDB() || foldsDocuments(c, left) { // one item is compared otherwise than several
		return nil, refusal.Of("IN of a document and a list that varies")
	}
	list := program.ItemList{Index: index}
	var all []comparison.Member
	for i := range examples {
		if list.Proto(examples[i].Form) != nil {
			continue
		}
		s, err := literal.ShapeOf(&examples[i], &c.Session)
		if err != nil {
			return nil, err
		}
		slot := c.Slot()
		n := &program.Node{Shape: s, Constant: true, Varies: true, Literal: true, Example: &examples[i]}
		n.Ev = func(r *program.Run) *program.Datum { return &r.Slots[slot] }
		k, err := ComparisonOf(c, "IN", left, n)
		if err != nil {
			return nil, err
		}
		refuseFiner(c, &k, left, n)
		list.Protos = append(list.Protos, program.ItemProto{Form: examples[i].Form, Slot: slot, Shape: s})
		all = append(all, comparison.Member{Comparison: k, Node: n, List: c.List(), Slot: slot, Form: examples[i].Form})
	}
	c.AddList(list)
	return all, nil
}

// groupOfItems reports whether an argument stands for the items of IN.
func groupOfItems(a *ast.Argument) bool {
	p, ok := sql.PlaceOf(a)
	return ok && p.Group >= 0 && a.Name != "" && a.Name[0] == 'g'
}
