package eval

import (
	"slices"

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
		shape: shape{class: classNull, nullable: true, coercible: coercibleNull}, constant: true,
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
		conditions[i].node = derive(boolShape, nil, subject, n)
	}
	if severalCollations(members) {
		return nil, refuse("CASE of text in several collations")
	}
	return conditions, nil
}

// subjectOperation is how the value behind CASE is compared with one behind WHEN: as =
// compares them, but for documents.
func subjectOperation(subject, n *node) string {
	if subject.class == classJSON || n.class == classJSON {
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
	n.nullable = false
	for _, v := range values {
		n.nullable, n.mayFill = n.nullable || v.nullable, n.mayFill || s.class != classText && c.fillsUp(v)
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
func (c *compiler) common(operation string, values []*node) (shape, []evaluator, error) {
	if err := c.allowPairs(operation, values); err != nil {
		return shape{}, nil, err
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
		if s.class.hasDate() {
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

func (c *compiler) commonShape(operation string, values []*node) (shape, error) {
	if mixesComputedSigns(values) {
		return shape{}, refuse(operation + " of integers of several types")
	}
	if err := c.textParams(operation, values...); err != nil {
		return shape{}, err
	}
	s := shape{class: classNull, nullable: true, coercible: coercibleNull}
	for _, v := range values {
		next, ok := c.merge(s, v)
		if !ok {
			return s, refuse(operation)
		}
		s = next
	}
	if s.class == classUint && c.session.isMariaDB() && operation != "IF" && slices.ContainsFunc(values, isNull) {
		s.class, s.scale = classDecimal, 0 // NULL has a sign to it, and a DECIMAL is common to both
	}
	chooses := operation == "COALESCE" || operation == "IFNULL"
	if s.class == classDecimal && !c.session.isMariaDB() && !chooses && slices.ContainsFunc(values, isComputedInteger) {
		return s, refuse(operation + " of a computed integer and a DECIMAL") // MySQL shows it with digits after the point, or not
	}
	if s.class == classText {
		collation, err := c.collationOf(operation, values...)
		if err != nil {
			return s, err
		}
		s.collation = collation
		s.coercible = coercibleLiteral
		for _, v := range values {
			if v.class != classNull && v.coercible < s.coercible {
				s.coercible = v.coercible
			}
		}
	}
	return s, nil
}

// textParams refuses a parameter that is text beside values of another type: MySQL gives a
// parameter the type of what stands beside it, and makes a value of that type of the text
// (MySQL manual, "PREPARE Statement").
func (c *compiler) textParams(operation string, values ...*node) error {
	text := func(v *node) bool { return v.param && v.class.isString() }
	other := func(v *node) bool { return !v.class.isString() && v.class != classNull }
	if !c.session.isMariaDB() && slices.ContainsFunc(values, text) && slices.ContainsFunc(values, other) {
		return refuse(operation + " of a parameter that is text and a value of another type")
	}
	return nil
}

func isNull(v *node) bool { return v.class == classNull }

// isComputedInteger reports whether a value is an integer that is no column and no
// literal.
func isComputedInteger(v *node) bool { return v.class.isInteger() && v.column == nil && !v.literal }

// mixesComputedSigns reports whether integers with and without a sign meet of
// which one is computed: how many digits the servers give to it is not known.
func mixesComputedSigns(values []*node) bool {
	var signs [2]bool
	computed := false
	for _, v := range values {
		if !v.class.isInteger() {
			continue
		}
		computed = computed || isComputedInteger(v)
		if v.class.isUnsigned() {
			signs[1] = true
		} else {
			signs[0] = true
		}
	}
	return computed && signs[0] && signs[1]
}

// merge adds one value's type to what is common so far.
func (c *compiler) merge(s shape, v *node) (shape, bool) {
	chars := c.textChars(v)
	switch {
	case v.class == classNull:
		return s, true
	case v.class == classOther, v.class == classBit, v.class == classHex:
		return s, false
	case s.class == classNull:
		s = v.shape
		s.chars, s.digits = chars, c.mergedDigits(v)
		if isLabel(v.class) {
			s.class, s.textOnly = classText, true
		}
		return s, true
	}
	s.chars = max(s.chars, chars)
	s.nullable = s.nullable || v.nullable
	s.uneven = s.uneven || v.uneven
	s.numberOnly = s.numberOnly || v.numberOnly || s.class != v.class || s.scale != v.scale
	return c.mergeClasses(s, v)
}

func (c *compiler) mergeClasses(s shape, v *node) (shape, bool) {
	x, y := s.class, v.class
	switch {
	case x == y && !isLabel(x):
		return mergeSame(s, v), true
	case x.isInteger() && y.isInteger():
		return c.mergeIntegers(s, v), true
	case x.isExact() && y.isExact():
		return mergeDecimals(s, v), true
	case (x.isExact() || x.isReal()) && (y.isExact() || y.isReal()):
		if s.class = classDouble; s.scale != scaleFree && !isFree(v) {
			s.scale = max(s.scale, v.scale)
		} else {
			s.scale = scaleFree
		}
		return s, true
	case x.hasDate() && y.hasDate():
		s.class, s.scale = classDateTime, max(s.scale, v.scale)
		return s, true
	case x.isTemporal() && y.isTemporal():
		return s, false
	}
	s.textOnly = s.textOnly || v.textOnly || !x.isString() || !y.isString()
	if s.class = classText; x == classBytes || y == classBytes {
		s.class, s.collation = classBytes, nil
	}
	return s, true
}

func mergeSame(s shape, v *node) shape {
	if s.class == classDecimal {
		return mergeDecimals(s, v)
	}
	s.digits = max(s.digits, v.digits)
	s.scale = max(s.scale, v.scale)
	s.textOnly = s.textOnly || v.textOnly
	return s
}

func mergeDecimals(s shape, v *node) shape {
	whole := max(s.digits-s.scale, v.digits-v.scale)
	s.class, s.scale = classDecimal, max(s.scale, v.scale)
	s.digits = min(whole+s.scale, digitsMax)
	return s
}

// mergeIntegers finds a type for integers with and without a sign: a signed one,
// or a decimal where 64 bits are not enough.
func (c *compiler) mergeIntegers(s shape, v *node) shape {
	if s.class.isUnsigned() == v.class.isUnsigned() {
		if s.class.isUnsigned() {
			s.class = classUint
		}
		s.digits = max(s.digits, c.mergedDigits(v))
		return s
	}
	unsigned := s.digits
	if v.class.isUnsigned() {
		unsigned = c.mergedDigits(v)
	}
	s.digits = max(s.digits, c.mergedDigits(v))
	if s.class = classInt; unsigned >= 19 || c.session.isMariaDB() {
		s.class = classDecimal
	}
	return s
}

// mergedDigits is how many digits a value gives to a type that is common to it and others: those of its type
// on MySQL if it is a parameter without a sign.
func (c *compiler) mergedDigits(v *node) int {
	if v.param && v.class == classUint && !c.session.isMariaDB() {
		return unsignedDigits
	}
	return v.digits
}

// unsignedDigits is how many digits an integer of 64 bits without a sign may have.
const unsignedDigits = 20

// textChars is how long a node is as text at most.
func (c *compiler) textChars(n *node) int {
	switch {
	case n.class == classText, n.class == classBytes:
		return n.chars
	case isLabel(n.class):
		most := 0
		for _, l := range n.column.Labels {
			most = max(most, len(l))
		}
		return most
	case n.class == classDecimal:
		return n.digits + 2
	case n.class.isInteger():
		return max(n.digits, 1) + 1
	}
	return 26
}

// as evaluates a node in a type that is common to it and others.
func (c *compiler) as(n *node, s *shape, operation string) (evaluator, error) {
	switch {
	case n.class == classNull:
		return n.ev, nil
	case s.class == classText:
		return c.inCharset(n, s.collation.Charset, operation)
	case s.class == classBytes:
		return c.text(n, operation)
	case s.class == classDecimal:
		if n.numberOnly && !c.session.isMariaDB() {
			return nil, refuse(operation)
		}
		return c.decimal(n, operation), nil
	case s.class.isReal():
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
	if s.class == classDecimal && args[0].constant && !args[0].literal && !c.session.isMariaDB() {
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
	n.nullable = true
	for _, a := range args {
		n.nullable = n.nullable && a.nullable
	}
	if s.class == classDecimal && !c.session.isMariaDB() {
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
	n.numberOnly, n.uneven = false, n.uneven || n.numberOnly
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
	n := derive(args[0].shape, func(r *Run) *datum {
		if d := equal(r); !d.null && d.n != 0 {
			return nullDatum
		}
		return ev(r)
	}, args...)
	n.nullable, n.mayFill = true, c.fillsUp(args[0])
	if isLabel(n.class) {
		n.class, n.textOnly = classText, true
		if n.ev, err = c.text(&node{shape: args[0].shape, ev: ev, column: args[0].column, index: args[0].index}, "NULLIF"); err != nil {
			return nil, err
		}
	}
	return n, nil
}
