package eval

import (
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
	if s.class != classText || s.collation != m.shape.collation {
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
		found := m.all(r, p, s, -1)
		if n > 0 {
			found = found[min(n-1, int64(len(found))):]
			found = found[:min(1, len(found))]
		}
		return m.replace(r, slot, p, s, found, replacement{with.b, sign})
	}, append(args, more...)...)), nil
}

// replacement is text in which a sign and a digit stand for what a group has
// matched.
type replacement struct {
	text []byte
	sign byte
}

func (m *matching) replace(r *Run, slot int, p *pattern, s []byte, found [][]int, with replacement) *datum {
	known := true
	out := r.write(slot, func(dst []byte) []byte {
		end := 0
		for _, at := range found {
			dst = append(dst, s[end:at[0]]...)
			if dst, known = with.append(dst, p, s, at); !known || len(dst) > grownMax {
				known = false
				return dst
			}
			end = at[1]
		}
		return append(dst, s[end:]...)
	})
	if !known {
		return r.refuse(m.name)
	}
	return out
}

// append appends what stands for a match. It knows one digit that no other
// follows; what else the sign may say, and a group that has matched nothing, is
// not known.
func (w *replacement) append(dst []byte, p *pattern, s []byte, at []int) ([]byte, bool) {
	for i := 0; i < len(w.text); i++ {
		b := w.text[i]
		if b != w.sign {
			if b == '\\' {
				return dst, false
			}
			dst = append(dst, b)
			continue
		}
		i++
		if i >= len(w.text) || w.text[i] < '1' || w.text[i] > '9' || i+1 < len(w.text) && w.text[i+1]-'0' <= 9 {
			return dst, false
		}
		group := 2 * int(w.text[i]-'0')
		if !p.groups || group >= len(at) || at[group] < 0 {
			return dst, false
		}
		dst = append(dst, s[at[group]:at[group+1]]...)
	}
	return dst, true
}
