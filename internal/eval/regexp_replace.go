package eval

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/regexp"
	"tunic/internal/sql/ast"
)

// regexpReplace compiles REGEXP_REPLACE: of all matches, or of the n-th.
func (c *compiler) regexpReplace(e *ast.RegexpReplaceExpr) (*node, error) {
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
	if c.session.isMariaDB() {
		sign = '\\'
	}
	return castable(derive(s, func(r *Run) *datum {
		s, p := m.next(r)
		with := to[2](r)
		n, _, ok := m.numbers(r, evs)
		if p == nil || with.null || !ok {
			return nullDatum
		}
		found, known := p.All(s, -1)
		if !known {
			return r.refuse(m.name)
		}
		if n > 0 {
			found = found[min(n-1, int64(len(found))):]
			found = found[:min(1, len(found))]
		}
		out := r.write(slot, func(dst []byte) []byte {
			dst, known = p.Replace(dst, s, found, regexp.Replacement{Text: with.b, Sign: sign}, grownMax)
			return dst
		})
		if !known {
			return r.refuse(m.name)
		}
		return out
	}, append(args, more...)...)), nil
}
