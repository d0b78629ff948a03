package operand

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/literal"
	"tunic/internal/eval/program"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// Bind is the value of a place or a parameter.
func Bind(c *compilation.Compilation, a *ast.Argument) (*program.Node, error) {
	index, example, err := c.Scope.Bind(a)
	if err != nil {
		return nil, err
	}
	n, err := Constant(c, example, index)
	if param, ok := sql.ParamOf(a); err == nil && ok {
		n.Param = param < sql.FirstVariable
	}
	return n, err
}

// Constant is a constant; bind is -1 for one that the tree has.
func Constant(c *compilation.Compilation, s value.Source, bind int) (*program.Node, error) {
	shape, err := literal.ShapeOf(&s, &c.Session)
	if err != nil {
		return nil, err
	}
	n := &program.Node{Shape: shape, Constant: true, Literal: true, Example: &s}
	n.Guessed = s.Variable && s.Form == value.FormDecimal
	if shape.Class == class.Null && bind < 0 {
		n.Ev = func(*program.Run) *program.Datum { return program.NullDatum }
		return n, nil
	}
	slot := c.Slot()
	n.Fixed = c.Fix(program.Constant{Slot: slot, Bind: bind, Literal: s, Shape: shape})
	n.Ev = func(r *program.Run) *program.Datum { return &r.Slots[slot] }
	return n, nil
}

// Literal is a literal that has no place in the statement's template.
func Literal(c *compilation.Compilation, l *ast.Literal) (*program.Node, error) {
	s, err := literal.SourceOf(l, &c.Session)
	if err != nil {
		return nil, err
	}
	return Constant(c, s, -1)
}
