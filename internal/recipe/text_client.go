package recipe

import (
	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// Say is a stored statement with its slots described, and without a value. Of the
// elements of a group the first stands for all.
func (r *Run) Say(p *sql.Printed, slots []Slot) string {
	out, _ := p.Fill(nil, severalElements, func(dst []byte, h sql.Hole, element int) ([]byte, error) {
		switch {
		case element > 0:
			return append(dst, "..."...), nil
		case h.Kind == sql.HoleSlot:
			return append(dst, r.slotTold(&slots[h.Number])...), nil
		}
		return append(dst, '?'), nil
	})
	return string(out)
}

// severalElements is how many elements of a group are shown: a group has at least
// two.
func severalElements(int) int { return 2 }

// slotTold is a slot as <equality of name>, and that of a family as <sealed of name$form>. MySQL, too, writes what is not SQL in
// angle brackets where it explains.
func (r *Run) slotTold(s *Slot) string {
	form := "value"
	switch s.Form {
	case Record:
		return "<sealed of " + r.familyName(s.Column) + ">"
	case Sealed:
		form = "sealed"
	case Token:
		form = CapabilityNames[s.Layer]
	case Bare:
		form = "plain form"
	case Most:
		return "<as many as it takes>"
	case Value:
	}
	return "<" + form + " of " + r.columnName(s.Column) + ">"
}

// Phrase is an expression of the client's without its values.
func Phrase(e ast.Expr) string {
	return printed(e, func(p *sql.Printed) string { return (&Run{}).Say(p, nil) })
}

// CapabilityNames are the capabilities as words.
var CapabilityNames = map[policy.Capabilities]string{
	policy.Equality: "equality", policy.Order: "order",
	catalog.Shadow(policy.Equality): "next equality", catalog.Shadow(policy.Order): "next order",
}
