package choice

import (
	"slices"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/predicate"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
)

// Case compiles both forms of CASE.
func Case(c *compilation.Compilation, e *ast.CaseExpr) (*program.Node, error) {
	conditions, err := caseConditions(c, e)
	if err != nil {
		return nil, err
	}
	var values []*program.Node
	for _, w := range e.Whens {
		n, err := c.Compile(w.Val)
		if err != nil {
			return nil, err
		}
		values = append(values, n)
	}
	last := nullNode()
	if e.Else != nil {
		if last, err = c.Compile(e.Else); err != nil {
			return nil, err
		}
	}
	values = append(values, last)
	return choiceOf(c, "CASE", conditions, values)
}

func nullNode() *program.Node {
	return &program.Node{
		Shape: class.Shape{Class: class.Null, Nullable: true, Coercible: class.CoercibleNull}, Constant: true,
		Ev: func(*program.Run) *program.Datum { return program.NullDatum },
	}
}

// condition is a node that decides, and how.
type condition struct {
	node *program.Node
	ev   program.Evaluator
}

func caseConditions(c *compilation.Compilation, e *ast.CaseExpr) ([]condition, error) {
	var subject *program.Node
	var err error
	if e.Expr != nil {
		if subject, err = c.Compile(e.Expr); err != nil {
			return nil, err
		}
		subject.Ev = c.PerRow(subject, subject.Ev)
	}
	conditions := make([]condition, len(e.Whens))
	var members []comparison.Member
	for i, w := range e.Whens {
		n, err := c.Compile(w.Cond)
		if err != nil {
			return nil, err
		}
		conditions[i].node = n
		if subject == nil {
			if conditions[i].ev, err = coercion.Truth(c, n); err != nil {
				return nil, err
			}
			continue
		}
		k, err := predicate.ComparisonOf(c, subjectOperation(subject, n), subject, n)
		if err != nil {
			return nil, err
		}
		members = append(members, comparison.Member{Comparison: k})
		conditions[i].ev = k.Evaluator(predicate.Equal)
		conditions[i].node = program.Derive(class.BoolShape, nil, subject, n)
	}
	if comparison.SeveralCollations(members) {
		return nil, refusal.Of("CASE of text in several collations")
	}
	return conditions, nil
}

// subjectOperation is how the value behind CASE is compared with one behind WHEN: as =
// compares them, but for documents.
func subjectOperation(subject, n *program.Node) string {
	if subject.Class == class.JSON || n.Class == class.JSON {
		return "WHEN"
	}
	return "="
}

// choiceOf makes a node of the value whose condition is the first to be true; there
// is a last value without one.
func choiceOf(c *compilation.Compilation, operation string, conditions []condition, values []*program.Node) (*program.Node, error) {
	s, evs, err := commonOf(c, operation, values)
	if err != nil {
		return nil, err
	}
	decide := make([]program.Evaluator, len(conditions))
	from := append([]*program.Node(nil), values...)
	for i := range conditions {
		decide[i] = conditions[i].ev
		from = append(from, conditions[i].node)
	}
	n := program.Derive(s, func(r *program.Run) *program.Datum {
		for i, ev := range decide {
			if d := ev(r); !d.Null && d.N != 0 {
				return evs[i](r)
			}
		}
		return evs[len(evs)-1](r)
	}, from...)
	n.Nullable = false
	for _, v := range values {
		n.Nullable, n.MayFill = n.Nullable || v.Nullable, n.MayFill || s.Class != class.Text && fillsUp(c, v)
	}
	return n, nil
}

// fillsUp reports whether a number that is chosen has the zeros of a ZEROFILL column to MySQL where
// it is text, and nowhere else.
func fillsUp(c *compilation.Compilation, n *program.Node) bool {
	return !c.Session.IsMariaDB() && (n.MayFill || n.Column != nil && n.Column.Zerofill)
}

// commonOf finds the type that values of several types have in common, as results
// of CASE, IF and COALESCE, and evaluators of it (MySQL manual, "Flow Control
// Functions").
func commonOf(c *compilation.Compilation, operation string, values []*program.Node) (class.Shape, []program.Evaluator, error) {
	if err := c.AllowPairs(operation, values); err != nil {
		return class.Shape{}, nil, err
	}
	s, err := commonShape(c, operation, values)
	if err != nil {
		return s, nil, err
	}
	evs := make([]program.Evaluator, len(values))
	for i, v := range values {
		if evs[i], err = asCommon(c, v, &s, operation); err != nil {
			return s, nil, err
		}
		if s.Class.HasDate() {
			evs[i] = chosen(c, v, evs[i], operation)
		}
	}
	return s, evs, nil
}

func commonShape(c *compilation.Compilation, operation string, values []*program.Node) (class.Shape, error) {
	if mixesComputedSigns(values) {
		return class.Shape{}, refusal.Of(operation + " of integers of several types")
	}
	if err := coercion.TextParams(c, operation, values...); err != nil {
		return class.Shape{}, err
	}
	s := class.Shape{Class: class.Null, Nullable: true, Coercible: class.CoercibleNull}
	for _, v := range values {
		next, ok := s.Merge(mergedShape(c, v), coercion.TextChars(v), c.Session.IsMariaDB())
		if !ok {
			return s, refusal.Of(operation)
		}
		s = next
	}
	if s.Class == class.Uint && c.Session.IsMariaDB() && operation != "IF" && slices.ContainsFunc(values, isNull) {
		s.Class, s.Scale = class.Decimal, 0 // NULL has a sign to it, and a DECIMAL is common to both
	}
	chooses := operation == "COALESCE" || operation == "IFNULL"
	if s.Class == class.Decimal && !c.Session.IsMariaDB() && !chooses && slices.ContainsFunc(values, isComputedInteger) {
		return s, refusal.Of(operation + " of a computed integer and a DECIMAL") // MySQL shows it with digits after the point, or not
	}
	if s.Class == class.Text {
		collation, err := coercion.CollationOf(c, operation, values...)
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

func isNull(v *program.Node) bool { return v.Class == class.Null }

// isComputedInteger reports whether a value is an integer that is no column and no
// literal.
func isComputedInteger(v *program.Node) bool {
	return v.Class.IsInteger() && v.Column == nil && !v.Literal
}

// mixesComputedSigns reports whether integers with and without a sign meet of
// which one is computed: how many digits the servers give to it is not known.
func mixesComputedSigns(values []*program.Node) bool {
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

// mergedShape is what a value gives to a type that is common to it and others. On MySQL a parameter without a
// sign gives all digits of its type.
func mergedShape(c *compilation.Compilation, v *program.Node) *class.Shape {
	s := v.Shape
	if v.Param && v.Class == class.Uint && !c.Session.IsMariaDB() {
		s.Digits = unsignedDigits
	}
	return &s
}

// unsignedDigits is how many digits an integer of 64 bits without a sign may have.
const unsignedDigits = 20

// asCommon evaluates a node in a type that is common to it and others.
func asCommon(c *compilation.Compilation, n *program.Node, s *class.Shape, operation string) (program.Evaluator, error) {
	switch {
	case n.Class == class.Null:
		return n.Ev, nil
	case s.Class == class.Text:
		return coercion.InCharset(c, n, s.Collation.Charset, operation)
	case s.Class == class.Bytes:
		return coercion.Text(c, n, operation)
	case s.Class == class.Decimal:
		if n.NumberOnly && !c.Session.IsMariaDB() {
			return nil, refusal.Of(operation)
		}
		return coercion.Decimal(c, n, operation), nil
	case s.Class.IsReal():
		return coercion.Real(c, n, operation), nil
	default:
		return n.Ev, nil
	}
}

func compileIf(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	ev, err := coercion.Truth(c, args[0])
	if err != nil {
		return nil, err
	}
	return choiceOf(c, name, []condition{{args[0], ev}}, args[1:])
}

// compileCoalesce compiles COALESCE and IFNULL: the first that is not NULL.
func compileCoalesce(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	s, evs, err := commonOf(c, name, args)
	if err != nil {
		return nil, err
	}
	if s.Class == class.Decimal && args[0].Constant && !args[0].Literal && !c.Session.IsMariaDB() {
		return nil, refusal.Of(name + " of a constant that is computed") // MySQL may know it to be NULL
	}
	n := program.Derive(s, func(r *program.Run) *program.Datum {
		for _, ev := range evs {
			if d := ev(r); !d.Null {
				return d
			}
		}
		return program.NullDatum
	}, args...)
	n.Nullable = true
	for _, a := range args {
		n.Nullable = n.Nullable && a.Nullable
	}
	if s.Class == class.Decimal && !c.Session.IsMariaDB() {
		extended(c, n, name)
	}
	return n, nil
}

// compileNVL compiles NVL, which is MariaDB's other name of IFNULL.
func compileNVL(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if !c.Session.IsMariaDB() {
		return nil, refusal.Of(name)
	}
	return compileCoalesce(c, "IFNULL", args)
}

// compileNVL2 compiles MariaDB's NVL2(a, b, c): b if a is not NULL, and else c.
func compileNVL2(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if !c.Session.IsMariaDB() {
		return nil, refusal.Of(name)
	}
	decides, err := predicate.IsNull(c, args[0], false)
	if err != nil {
		return nil, err
	}
	return choiceOf(c, "IF", []condition{{decides, decides.Ev}}, args[1:])
}

// extended has a node be what MySQL makes of decimals of several types: all have the
// digits of theirs.
func extended(c *compilation.Compilation, n *program.Node, name string) {
	n.Ev = coercion.Extend(c, n, name)
	n.NumberOnly, n.Uneven = false, n.Uneven || n.NumberOnly
}

// compileNullIf compiles NULLIF(a, b): a, but NULL where they are equal.
func compileNullIf(c *compilation.Compilation, _ string, args []*program.Node) (*program.Node, error) {
	k, err := predicate.ComparisonOf(c, "NULLIF", args[0], args[1])
	if err != nil {
		return nil, err
	}
	predicate.RoundSides(c, &k, args[0], args[1])
	predicate.Tolerant(c, &k, args[0], args[1])
	equal, ev := k.Evaluator(predicate.Equal), chosen(c, args[0], args[0].Ev, "NULLIF")
	n := program.Derive(args[0].Shape, func(r *program.Run) *program.Datum {
		if d := equal(r); !d.Null && d.N != 0 {
			return program.NullDatum
		}
		return ev(r)
	}, args...)
	n.Nullable, n.MayFill = true, fillsUp(c, args[0])
	if class.IsLabel(n.Class) {
		n.Class, n.TextOnly = class.Text, true
		if n.Ev, err = coercion.Text(c, &program.Node{Shape: args[0].Shape, Ev: ev, Column: args[0].Column, Index: args[0].Index}, "NULLIF"); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// chosen is withoutZeros for what CASE and its kin choose among, which MySQL leaves
// as it is.
func chosen(c *compilation.Compilation, n *program.Node, ev program.Evaluator, name string) program.Evaluator {
	if !c.Session.IsMariaDB() {
		return ev
	}
	return coercion.WithoutZeros(c, n, ev, name)
}
