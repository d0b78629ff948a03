package eval

import (
	"encoding/binary"
	"math"
	"strings"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// compiler compiles one expression.
type compiler struct {
	scope   Scope
	session program.Session
	any     func(c *compiler, e ast.Expr) (*program.Node, error) // compiles an expression of any kind
	slots   int
	consts  []program.Constant
	lists   []program.ItemList
	eager   []program.Evaluator // what a run computes when it starts
	states  int                 // of what a run builds once: see Run.states
	refusal error               // found where an error cannot be returned
	denied  int                 // how many NOT are around what is compiled
	// observe is told every operation on its operands that is asked for, and lets
	// all of them pass: the differential test measures with it.
	observe func(operation, operands string)
}

// newCompiler begins to compile for a scope and a session.
func newCompiler(scope Scope, session program.Session) *compiler {
	return &compiler{scope: scope, session: session, any: compile}
}

// part is a compiler for a part that is evaluated on its own, and so has slots of its own.
func (c *compiler) part() *compiler {
	return &compiler{scope: c.scope, session: c.session, any: c.any, observe: c.observe}
}

// compile compiles an operand.
func (c *compiler) compile(e ast.Expr) (*program.Node, error) { return c.any(c, e) }

func (c *compiler) slot() int {
	c.slots++
	return c.slots - 1
}

// state is the number of one more of what a run builds once.
func (c *compiler) state() int {
	c.states++
	return c.states - 1
}

// atStart has a run evaluate something when it starts.
func (c *compiler) atStart(ev program.Evaluator) { c.eager = append(c.eager, ev) }

// allow refuses an operation that is not known to be exact on its operands.
func (c *compiler) allow(operation string, operands ...*program.Node) error {
	c.guardSkipped(operation, operands)
	if !comparisons[operation] && !byDigitsGiven[operation] {
		for _, n := range operands {
			if n.Guessed {
				return sqlerr.ExpressionRefused(operation, "a decimal in a user variable")
			}
		}
	}
	classes := make([]string, len(operands))
	for i, n := range operands {
		classes[i] = n.Operand()
	}
	list := strings.Join(classes, ", ")
	if c.observe != nil {
		c.observe(operation, list)
		return nil
	}
	if !supported(c.session.Flavor, operation, list) {
		return sqlerr.ExpressionRefused(operation, list)
	}
	return nil
}

// comparisons are the operations on decimals for which it does not matter how many
// digits there may be after the point.
var comparisons = map[string]bool{
	"=": true, "<=>": true, "<>": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true,
	"IN": true, "BETWEEN": true, "IS NULL": true, "truth": true,
}

// byDigitsGiven are the operations on decimals whose results have the digits that their operands
// have, whatever their types say.
var byDigitsGiven = map[string]bool{"+": true, "-": true, "*": true}

// refuse is the refusal of something that no list is needed for.
func refuse(operation string) error { return sqlerr.ExpressionRefused(operation, "") }

// compile compiles an expression of any kind. What has no case is refused.
func compile(c *compiler, e ast.Expr) (*program.Node, error) {
	switch e := e.(type) {
	case *ast.ColName:
		return Column(c, e)
	case *ast.Default:
		return Default(c, e)
	case *ast.Argument:
		return Bind(c, e)
	case *ast.IntroducerExpr: // the bind's source knows what stands before it
		if a, ok := e.Expr.(*ast.Argument); ok {
			return Bind(c, a)
		}
		return nil, refuse("a string with a character set before it")
	case *ast.Literal:
		return Literal(c, e)
	case *ast.NullVal:
		return Constant(c, value.NullSource(), -1)
	case ast.BoolVal:
		return Constant(c, value.BoolSource(bool(e)), -1)
	case *ast.AndExpr, *ast.OrExpr, *ast.XorExpr, *ast.NotExpr, *ast.IsExpr:
		return Logic(c, e)
	case *ast.ComparisonExpr:
		if e.Operator == ast.RegexpOp || e.Operator == ast.NotRegexpOp {
			return Regexp(c, e)
		}
		return Comparison(c, e)
	case *ast.BetweenExpr:
		return Between(c, e)
	case *ast.BinaryExpr:
		return Binary(c, e)
	case *ast.UnaryExpr:
		if e.Operator == ast.BangOp {
			return Not(c, e.Expr)
		}
		return Unary(c, e)
	case *ast.CaseExpr:
		return Case(c, e)
	}
	return grammar(c, e)
}

// all compiles several expressions.
func (c *compiler) all(list []ast.Expr) ([]*program.Node, error) {
	nodes := make([]*program.Node, len(list))
	for i, e := range list {
		n, err := c.compile(e)
		if err != nil {
			return nil, err
		}
		nodes[i] = n
	}
	return nodes, nil
}

// Column reads a column of the row.
func Column(c *compiler, name *ast.ColName) (*program.Node, error) {
	index, t, err := c.scope.Column(name)
	if err != nil {
		return nil, err
	}
	n := &program.Node{Shape: class.OfColumn(t), Column: t, Index: index}
	n.Ev = columnReader(c, n, t, index)
	if f, ok := c.scope.(Filler); ok {
		n.MayFill = f.MayFill(index)
	}
	return n, nil
}

// columnReader turns a canonical form into a datum.
func columnReader(c *compiler, n *program.Node, t *value.Type, index int) program.Evaluator {
	slot := c.slot()
	switch n.Class {
	case class.Decimal:
		digits := t.Decimals
		if finer, ok := c.scope.(Finer); ok {
			if more, ok := finer.Digits(index); ok {
				digits = more
			}
		}
		return decimalReader(index, slot, digits)
	case class.Text, class.Bytes, class.JSON, class.Other:
		return bytesReader(c, t, index, slot)
	case class.Float:
		return wordReader(index, slot, func(_ *program.Run, w uint64) uint64 {
			return math.Float64bits(float64(math.Float32frombits(uint32(w))))
		})
	case class.Timestamp:
		return wordReader(index, slot, (*program.Run).LocalTimestamp)
	default:
		return func(r *program.Run) *program.Datum {
			b := r.Row[index]
			if b == nil {
				return program.NullDatum
			}
			d := &r.Slots[slot]
			d.N = binary.BigEndian.Uint64(b)
			return d
		}
	}
}

// decimalReader reads a decimal of so many digits after the point.
func decimalReader(index, slot, digits int) program.Evaluator {
	return func(r *program.Run) *program.Datum {
		b := r.Row[index]
		if b == nil {
			return program.NullDatum
		}
		d := &r.Slots[slot]
		d.D.SetCanonical(b, digits)
		return d
	}
}

// wordReader reads eight bytes that are not yet what a datum has.
func wordReader(index, slot int, convert func(*program.Run, uint64) uint64) program.Evaluator {
	return func(r *program.Run) *program.Datum {
		b := r.Row[index]
		if b == nil {
			return program.NullDatum
		}
		d := &r.Slots[slot]
		d.N = convert(r, binary.BigEndian.Uint64(b))
		return d
	}
}

// bytesReader reads text and bytes; CHAR with the spaces that sql_mode may give
// it back.
func bytesReader(c *compiler, t *value.Type, index, slot int) program.Evaluator {
	pad := t.Kind == value.Char && c.session.Mode&value.PadCharToFullLength != 0
	return func(r *program.Run) *program.Datum {
		b := r.Row[index]
		if b == nil {
			return program.NullDatum
		}
		if pad {
			start := len(r.Arena)
			r.Arena = value.AppendText(r.Arena, t, b, r.In.Env)
			b = r.Arena[start:]
		}
		d := &r.Slots[slot]
		d.B = b
		return d
	}
}

// resultType is the type of the results of a node that is no column.
func (c *compiler) resultType(n *program.Node) (value.Type, error) {
	t, ok := n.Result(c.session.IsMariaDB())
	if !ok {
		return t, refuse("a result of this type")
	}
	return t, nil
}

// rules are those of the session.
func (c *compiler) rules() class.Rules {
	return class.Rules{MariaDB: c.session.IsMariaDB(), DivPrecision: c.session.DivPrecision}
}

// numberClass is what a node computes as.
func (c *compiler) numberClass(n *program.Node) class.Class { return n.Number(c.session.IsMariaDB()) }

// A maker makes a node of a function's name and arguments.
type maker func(c *compiler, name string, args []*program.Node) (*program.Node, error)

// A function is called by a name, with arguments that have been compiled.
type function struct {
	least, most int // arguments; most is -1 for any number
	compile     maker
}

// takes is a function that takes so many arguments; most is -1 for any number.
func takes(least, most int, compile maker) function { return function{least, most, compile} }

// fits reports whether the function can be called with so many arguments.
func (f *function) fits(arguments int) bool {
	return arguments >= f.least && (f.most < 0 || arguments <= f.most)
}
