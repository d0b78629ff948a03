package binding

import (
	"errors"

	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// constants computes values that do not depend on a row, before a statement is sent.
// It belongs to one session.
type constants struct {
	known map[*recipe.Computed]*constantRun
	room  []byte
	// drawn are the values of the statement that would be others a second time.
	drawn map[drawing]value.Source
}

// drawing is an expression in a row of a statement.
type drawing struct {
	of      *recipe.Computed
	element int
}

// begin forgets the values of the statement before.
func (c *constants) begin() { clear(c.drawn) }

// constantRun is an expression compiled for a session.
type constantRun struct {
	session eval.Session
	run     *eval.Run
}

// constantsMax is how many expressions a session keeps compiled.
const constantsMax = 256

// take computes the value of an expression, as the server would take it.
func (c *constants) take(b *Binder, of *recipe.Computed, element int) error {
	if known, ok := c.drawn[drawing{of, element}]; ok {
		b.Source = known
		return nil
	}
	arguments := argumentsIn(of.Expr)
	in := eval.Inputs{Env: &b.Env.Value, Now: b.Env.Value.Now, ZoneUnknown: b.Env.Zone != "", Binds: make([]value.Source, 0, len(arguments))}
	for _, a := range arguments {
		o, at := Operand{Of: local.OperandOf(a)}, element
		if o.Of.Place.Group < 0 {
			at = 0
		}
		if err := b.take(&o, at); err != nil {
			return err
		}
		in.Binds = append(in.Binds, ownSource(&b.Source))
	}
	run, err := c.runOf(b, of, in, arguments)
	if err != nil {
		return err
	}
	result, err := run.Eval(nil)
	if err != nil {
		return err
	}
	if len(run.Conditions()) > 0 {
		return sqlerr.ValueRefused("an expression that the server has a warning for, as the new value of a column,")
	}
	if result.Opaque() {
		return sqlerr.ValueRefused("a document with values of other types than JSON's, as the new value of a column,")
	}
	b.Source = result.Source(c.room[:0])
	if !run.Constant() {
		c.keep(drawing{of, element}, &b.Source)
	}
	return nil
}

// keep makes all forms of a value that was drawn those of one value.
func (c *constants) keep(d drawing, s *value.Source) {
	if c.drawn == nil {
		c.drawn = make(map[drawing]value.Source)
	}
	*s = ownSource(s)
	c.drawn[d] = *s
}

// runOf is a run of the expression with these inputs.
func (c *constants) runOf(b *Binder, of *recipe.Computed, in eval.Inputs, arguments []*ast.Argument) (*eval.Run, error) {
	session := b.Env.EvalSession()
	if known := c.known[of]; known != nil && known.session == session {
		if err := known.run.Restart(in); !errors.Is(err, eval.ErrShape) {
			return known.run, err
		}
	}
	x, err := eval.Compile(of.Expr, &constantScope{arguments, &in, of.OnceARow}, session)
	if err != nil {
		return nil, err
	}
	run, err := x.Start(in)
	if err != nil {
		return nil, err
	}
	if c.known == nil || len(c.known) >= constantsMax {
		c.known = make(map[*recipe.Computed]*constantRun)
	}
	c.known[of] = &constantRun{session, run}
	return run, nil
}

// isNow reports whether NOW() is what a TIMESTAMP is set to, with so many digits of a fraction that
// it keeps. MariaDB stores the moment itself, and not what the clocks of the session show of it.
func (b *Binder) isNow(o *Operand) (digits int, ok bool) {
	if o.Of.Kind != recipe.FromComputed || o.Use != recipe.Assign || o.Column.Type.Kind != value.Timestamp ||
		b.Env.Value.Flavor != value.MariaDB || b.Env.Zone != "" || o.Of.Ignored {
		return 0, false
	}
	now, ok := o.Of.Computed.Expr.(*ast.CurTimeFuncExpr)
	if !ok || now.Fsp < 0 || now.Fsp > 6 || now.Fsp > o.Column.Type.Decimals && b.Env.Has("TIME_ROUND_FRACTIONAL") {
		return 0, false
	}
	switch now.Name.Lowered() {
	case "now", "current_timestamp", "localtime", "localtimestamp":
		return min(now.Fsp, o.Column.Type.Decimals), true
	}
	return 0, false
}

// argumentsIn are the bind variables of an expression, in its order.
func argumentsIn(e ast.Expr) (all []*ast.Argument) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if a, ok := n.(*ast.Argument); ok {
			all = append(all, a)
		}
		return true, nil
	}, e)
	return all
}

// constantScope is what an expression without a column refers to: an eval.Scope.
type constantScope struct {
	arguments []*ast.Argument
	in        *eval.Inputs
	draws     bool
}

// Draws reports whether the value may be another one each time: an eval.Drawer.
func (s *constantScope) Draws() bool { return s.draws }

// Column refuses: there is none.
func (s *constantScope) Column(*ast.ColName) (int, *value.Type, error) {
	return 0, nil, sqlerr.StatementUnread()
}

// Bind is the number of a literal or parameter, and its value.
func (s *constantScope) Bind(a *ast.Argument) (int, value.Source, error) {
	for i, known := range s.arguments {
		if known == a {
			return i, s.in.Binds[i], nil
		}
	}
	return 0, value.Source{}, sqlerr.StatementUnread()
}

// Items refuses: what is in a list is not known here.
func (s *constantScope) Items(*ast.Argument) (int, []value.Source, error) {
	return 0, nil, sqlerr.ExpressionRefused("IN", "literals")
}

// ParamsOf is how many parameters a value refers to.
func ParamsOf(of *recipe.Operand) (n int) {
	switch of.Kind {
	case recipe.FromParam:
		if of.Param < sql.FirstVariable {
			return of.Param + 1
		}
	case recipe.FromComputed:
		for _, a := range argumentsIn(of.Computed.Expr) {
			if p, ok := sql.ParamOf(a); ok && p < sql.FirstVariable {
				n = max(n, p+1)
			}
		}
	default:
	}
	return n
}
