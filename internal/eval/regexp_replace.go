package eval

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/eval/regexp"
	"tunic/internal/sql/ast"
)

// regexpReplace compiles REGEXP_REPLACE: of all matches, or of the n-th.
func (c *compiler) regexpReplace(e *ast.RegexpReplaceExpr) (*program.Node, error) {
	args, err := c.all([]ast.Expr{e.Expr, e.Pattern, e.Repl})
	if err != nil {
		return nil, err
	}
	m, err := c.matching("REGEXP_REPLACE", args, e.MatchType)
	if err != nil {
		return nil, err
	}
	if err := c.allow("REGEXP", args[0], args[2]); err != nil {
		return nil, err
	}
	to, s, err := c.texts(m.name, args...)
	if err != nil {
		return nil, err
	}
	if s.Class != class.Text || s.Collation != m.shape.Collation {
		return nil, refuse(m.name + " of text in two collations")
	}
	evs, more, err := m.numbersOf(c, []ast.Expr{e.Position, e.Occurrence}, []int64{1, 0})
	if err != nil {
		return nil, err
	}
	slot, sign := c.slot(), byte('$')
	if c.session.IsMariaDB() {
		sign = '\\'
	}
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		s, p := m.next(r)
		with := to[2](r)
		n, _, ok := m.numbers(r, evs)
		if p == nil || with.Null || !ok {
			return program.NullDatum
		}
		found, known := p.All(s, -1)
		if !known {
			return r.Refuse(m.name)
		}
		if n > 0 {
			found = found[min(n-1, int64(len(found))):]
			found = found[:min(1, len(found))]
		}
		out := r.Write(slot, func(dst []byte) []byte {
			dst, known = p.Replace(dst, s, found, regexp.Replacement{Text: with.B, Sign: sign}, program.GrownMax)
			return dst
		})
		if !known {
			return r.Refuse(m.name)
		}
		return out
	}, append(args, more...)...)), nil
}
