package eval

import (
	"slices"

	"tunic/internal/eval/class"
	"tunic/internal/sql/ast"
)

// caseExpr compiles both forms of CASE.
func (c *compiler) caseExpr(e *ast.CaseExpr) (*node, error) {
	conditions, err := c.caseConditions(e)
	if err != nil {
		return nil, err
	}
	var values []*node
	for _, w := range e.Whens {
		n, err := c.compile(w.Val)
		if err != nil {
			return nil, err
		}
		values = append(values, n)
	}
	last := nullNode()
	if e.Else != nil {
		if last, err = c.compile(e.Else); err != nil {
			return nil, err
		}
	}
	values = append(values, last)
	return c.choice("CASE", conditions, values)
}

func nullNode() *node {
	return &node{
		Shape: class.Shape{Class: class.Null, Nullable: true, Coercible: class.CoercibleNull}, constant: true,
		ev: func(*Run) *datum { return nullDatum },
	}
}

// condition is a node that decides, and how.
type condition struct {
	node *node
	ev   evaluator
}

func (c *compiler) caseConditions(e *ast.CaseExpr) ([]condition, error) {
	var subject *node
	var err error
	if e.Expr != nil {
		if subject, err = c.compile(e.Expr); err != nil {
			return nil, err
		}
		subject.ev = c.perRow(subject, subject.ev)
	}
	conditions := make([]condition, len(e.Whens))
	var members []member
	for i, w := range e.Whens {
		n, err := c.compile(w.Cond)
		if err != nil {
			return nil, err
		}
		conditions[i].node = n
		if subject == nil {
			if conditions[i].ev, err = c.truth(n); err != nil {
				return nil, err
			}
			continue
		}
		k, err := c.comparisonOf(subjectOperation(subject, n), subject, n)
		if err != nil {
			return nil, err
		}
		members = append(members, member{comparison: k})
		conditions[i].ev = k.evaluator(comparisonOps[ast.EqualOp])
		conditions[i].node = derive(class.BoolShape, nil, subject, n)
	}
	if severalCollations(members) {
		return nil, refuse("CASE of text in several collations")
	}
	return conditions, nil
}

// subjectOperation is how the value behind CASE is compared with one behind WHEN: as =
// compares them, but for documents.
func subjectOperation(subject, n *node) string {
	if subject.Class == class.JSON || n.Class == class.JSON {
		return "WHEN"
	}
	return "="
}

// choice makes a node of the value whose condition is the first to be true; there
// is a last value without one.
func (c *compiler) choice(operation string, conditions []condition, values []*node) (*node, error) {
	s, evs, err := c.common(operation, values)
	if err != nil {
		return nil, err
	}
	decide := make([]evaluator, len(conditions))
	from := append([]*node(nil), values...)
	for i := range conditions {
		decide[i] = conditions[i].ev
		from = append(from, conditions[i].node)
	}
	n := derive(s, func(r *Run) *datum {
		for i, ev := range decide {
			if d := ev(r); !d.null && d.n != 0 {
				return evs[i](r)
			}
		}
		return evs[len(evs)-1](r)
	}, from...)
	n.Nullable = false
	for _, v := range values {
		n.Nullable, n.mayFill = n.Nullable || v.Nullable, n.mayFill || s.Class != class.Text && c.fillsUp(v)
	}
	return n, nil
}

// fillsUp reports whether a number that is chosen has the zeros of a ZEROFILL column to MySQL where
// it is text, and nowhere else.
func (c *compiler) fillsUp(n *node) bool {
	return !c.session.isMariaDB() && (n.mayFill || n.column != nil && n.column.Zerofill)
}

// common finds the type that values of several types have in common, as results
// of CASE, IF and COALESCE, and evaluators of it (MySQL manual, "Flow Control
// Functions").
func (c *compiler) common(operation string, values []*node) (class.Shape, []evaluator, error) {
	if err := c.allowPairs(operation, values); err != nil {
		return class.Shape{}, nil, err
	}
	s, err := c.commonShape(operation, values)
	if err != nil {
		return s, nil, err
	}
	evs := make([]evaluator, len(values))
	for i, v := range values {
		if evs[i], err = c.as(v, &s, operation); err != nil {
			return s, nil, err
		}
		if s.Class.HasDate() {
			evs[i] = c.chosen(v, evs[i], operation)
		}
	}
	return s, evs, nil
}

// allowPairs asks for every pair of values: what is common to several types is
// common to each two.
func (c *compiler) allowPairs(operation string, values []*node) error {
	if len(values) == 1 {
		return c.allow(operation, values[0])
	}
	for i, v := range values {
		for _, w := range values[i+1:] {
			if err := c.allow(operation, v, w); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *compiler) commonShape(operation string, values []*node) (class.Shape, error) {
	if mixesComputedSigns(values) {
		return class.Shape{}, refuse(operation + " of integers of several types")
	}
	if err := c.textParams(operation, values...); err != nil {
		return class.Shape{}, err
	}
	s := class.Shape{Class: class.Null, Nullable: true, Coercible: class.CoercibleNull}
	for _, v := range values {
		next, ok := s.Merge(&v.Shape, c.textChars(v), c.session.isMariaDB())
		if !ok {
			return s, refuse(operation)
		}
		s = next
	}
	if s.Class == class.Uint && c.session.isMariaDB() && operation != "IF" && slices.ContainsFunc(values, isNull) {
		s.Class, s.Scale = class.Decimal, 0 // NULL has a sign to it, and a DECIMAL is common to both
	}
	chooses := operation == "COALESCE" || operation == "IFNULL"
	if s.Class == class.Decimal && !c.session.isMariaDB() && !chooses && slices.ContainsFunc(values, isComputedInteger) {
		return s, refuse(operation + " of a computed integer and a DECIMAL") // MySQL shows it with digits after the point, or not
	}
	if s.Class == class.Text {
		collation, err := c.collationOf(operation, values...)
		if err != nil {
			return s, err
		}
		s.Collation = collation
		s.Coercible = class.CoercibleLiteral
		for _, v := range values {
			if v.Class != class.Null && v.Coercible < s.Coercible {
				s.Coercible = v.Coercible
			}
		}
	}
	return s, nil
}

// textParams refuses a parameter that is text beside values of another type: MySQL gives a
// parameter the type of what stands beside it, and makes a value of that type of the text
// (MySQL manual, "PREPARE Statement").
func (c *compiler) textParams(operation string, values ...*node) error {
	text := func(v *node) bool { return v.param && v.Class.IsString() }
	other := func(v *node) bool { return !v.Class.IsString() && v.Class != class.Null }
	if !c.session.isMariaDB() && slices.ContainsFunc(values, text) && slices.ContainsFunc(values, other) {
		return refuse(operation + " of a parameter that is text and a value of another type")
	}
	return nil
}

func isNull(v *node) bool { return v.Class == class.Null }

// isComputedInteger reports whether a value is an integer that is no column and no
// literal.
func isComputedInteger(v *node) bool { return v.Class.IsInteger() && v.column == nil && !v.literal }

// mixesComputedSigns reports whether integers with and without a sign meet of
// which one is computed: how many digits the servers give to it is not known.
func mixesComputedSigns(values []*node) bool {
	var signs [2]bool
	computed := false
	for _, v := range values {
		if !v.Class.IsInteger() {
			continue
		}
		computed = computed || isComputedInteger(v)
		if v.Class.IsUnsigned() {
			signs[1] = true
		} else {
			signs[0] = true
		}
	}
	return computed && signs[0] && signs[1]
}

// textChars is how long a node is as text at most.
func (c *compiler) textChars(n *node) int {
	switch {
	case n.Class == class.Text, n.Class == class.Bytes:
		return n.Chars
	case class.IsLabel(n.Class):
		most := 0
		for _, l := range n.column.Labels {
			most = max(most, len(l))
		}
		return most
	case n.Class == class.Decimal:
		return n.Digits + 2
	case n.Class.IsInteger():
		return max(n.Digits, 1) + 1
	}
	return 26
}

// as evaluates a node in a type that is common to it and others.
func (c *compiler) as(n *node, s *class.Shape, operation string) (evaluator, error) {
	switch {
	case n.Class == class.Null:
		return n.ev, nil
	case s.Class == class.Text:
		return c.inCharset(n, s.Collation.Charset, operation)
	case s.Class == class.Bytes:
		return c.text(n, operation)
	case s.Class == class.Decimal:
		if n.NumberOnly && !c.session.isMariaDB() {
			return nil, refuse(operation)
		}
		return c.decimal(n, operation), nil
	case s.Class.IsReal():
		return c.real(n, operation), nil
	default:
		return n.ev, nil
	}
}

func compileIf(c *compiler, name string, args []*node) (*node, error) {
	ev, err := c.truth(args[0])
	if err != nil {
		return nil, err
	}
	return c.choice(name, []condition{{args[0], ev}}, args[1:])
}

// compileCoalesce compiles COALESCE and IFNULL: the first that is not NULL.
func compileCoalesce(c *compiler, name string, args []*node) (*node, error) {
	s, evs, err := c.common(name, args)
	if err != nil {
		return nil, err
	}
	if s.Class == class.Decimal && args[0].constant && !args[0].literal && !c.session.isMariaDB() {
		return nil, refuse(name + " of a constant that is computed") // MySQL may know it to be NULL
	}
	n := derive(s, func(r *Run) *datum {
		for _, ev := range evs {
			if d := ev(r); !d.null {
				return d
			}
		}
		return nullDatum
	}, args...)
	n.Nullable = true
	for _, a := range args {
		n.Nullable = n.Nullable && a.Nullable
	}
	if s.Class == class.Decimal && !c.session.isMariaDB() {
		c.extended(n, name)
	}
	return n, nil
}

// compileNVL compiles NVL, which is MariaDB's other name of IFNULL.
func compileNVL(c *compiler, name string, args []*node) (*node, error) {
	if !c.session.isMariaDB() {
		return nil, refuse(name)
	}
	return compileCoalesce(c, "IFNULL", args)
}

// compileNVL2 compiles MariaDB's NVL2(a, b, c): b if a is not NULL, and else c.
func compileNVL2(c *compiler, name string, args []*node) (*node, error) {
	if !c.session.isMariaDB() {
		return nil, refuse(name)
	}
	decides, err := c.isNull(args[0], false)
	if err != nil {
		return nil, err
	}
	return c.choice("IF", []condition{{decides, decides.ev}}, args[1:])
}

// extended has a node be what MySQL makes of decimals of several types: all have the
// digits of theirs.
func (c *compiler) extended(n *node, name string) {
	n.ev = c.extend(n, name)
	n.NumberOnly, n.Uneven = false, n.Uneven || n.NumberOnly
}

// compileNullIf compiles NULLIF(a, b): a, but NULL where they are equal.
func compileNullIf(c *compiler, _ string, args []*node) (*node, error) {
	k, err := c.comparisonOf("NULLIF", args[0], args[1])
	if err != nil {
		return nil, err
	}
	c.roundSides(&k, args[0], args[1])
	c.tolerant(&k, args[0], args[1])
	equal, ev := k.evaluator(comparisonOps[ast.EqualOp]), c.chosen(args[0], args[0].ev, "NULLIF")
	n := derive(args[0].Shape, func(r *Run) *datum {
		if d := equal(r); !d.null && d.n != 0 {
			return nullDatum
		}
		return ev(r)
	}, args...)
	n.Nullable, n.mayFill = true, c.fillsUp(args[0])
	if class.IsLabel(n.Class) {
		n.Class, n.TextOnly = class.Text, true
		if n.ev, err = c.text(&node{Shape: args[0].Shape, ev: ev, column: args[0].column, index: args[0].index}, "NULLIF"); err != nil {
			return nil, err
		}
	}
	return n, nil
}
