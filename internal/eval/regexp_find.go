package eval

import (
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"

	"tunic/internal/eval/class"
)

// numbersOf compiles the position, the occurrence and the option that functions of
// regular expressions have in MySQL. One that is not there is its default.
func (m *matching) numbersOf(c *compiler, list []ast.Expr, defaults []int64) (evs []program.Evaluator, nodes []*program.Node, err error) {
	for i, e := range list {
		if e == nil {
			d := &program.Datum{N: uint64(defaults[i])}
			evs = append(evs, func(*program.Run) *program.Datum { return d })
			continue
		}
		n, err := c.compile(e)
		if err != nil {
			return nil, nil, err
		}
		if c.session.IsMariaDB() || n.Class != class.Int {
			return nil, nil, refuse(m.name + " with a position or an occurrence")
		}
		evs, nodes = append(evs, n.Ev), append(nodes, n)
	}
	return evs, nodes, nil
}

// numbers evaluates them. A position behind the start is refused: what stands
// before it would be seen by some patterns.
func (m *matching) numbers(r *program.Run, evs []program.Evaluator) (occurrence, option int64, ok bool) {
	var n [3]int64
	for i, ev := range evs {
		d := ev(r)
		if d.Null {
			return 0, 0, false
		}
		n[i] = int64(d.N)
	}
	if n[0] != 1 || n[1] < 0 || n[2] < 0 || n[2] > 1 {
		r.Refuse(m.name)
		return 0, 0, false
	}
	return n[1], n[2], true
}

// regexpInstr compiles REGEXP_INSTR: the position of a match, or of what follows
// it; 0 for none.
func (c *compiler) regexpInstr(e *ast.RegexpInstrExpr) (*program.Node, error) {
	args, err := c.all([]ast.Expr{e.Expr, e.Pattern})
	if err != nil {
		return nil, err
	}
	m, err := c.matching("REGEXP_INSTR", args, e.MatchType)
	if err != nil {
		return nil, err
	}
	evs, more, err := m.numbersOf(c, []ast.Expr{e.Position, e.Occurrence, e.ReturnOption}, []int64{1, 1, 0})
	if err != nil {
		return nil, err
	}
	slot, set := c.slot(), c.setOf(m.shape)
	return program.Castable(program.Derive(class.CountShape, func(r *program.Run) *program.Datum {
		s, p := m.next(r)
		n, end, ok := m.numbers(r, evs)
		if p == nil || !ok {
			return program.NullDatum
		}
		at, known := p.Nth(s, n)
		switch {
		case !known:
			return r.Refuse(m.name)
		case at == nil:
			return r.Slots[slot].SetInt(0)
		}
		return r.Slots[slot].SetInt(int64(set.CharLen(s[:at[end]])) + 1)
	}, append(args, more...)...)), nil
}

// regexpSubstr compiles REGEXP_SUBSTR: the text of a match. Of none MySQL makes
// NULL, and MariaDB nothing.
func (c *compiler) regexpSubstr(e *ast.RegexpSubstrExpr) (*program.Node, error) {
	args, err := c.all([]ast.Expr{e.Expr, e.Pattern})
	if err != nil {
		return nil, err
	}
	m, err := c.matching("REGEXP_SUBSTR", args, e.MatchType)
	if err != nil {
		return nil, err
	}
	evs, more, err := m.numbersOf(c, []ast.Expr{e.Position, e.Occurrence}, []int64{1, 1})
	if err != nil {
		return nil, err
	}
	m.shape.Chars = c.textChars(args[0])
	slot, mariadb := c.slot(), c.session.IsMariaDB()
	return program.Castable(program.Derive(m.shape, func(r *program.Run) *program.Datum {
		s, p := m.next(r)
		n, _, ok := m.numbers(r, evs)
		if p == nil || !ok {
			return program.NullDatum
		}
		switch at, known := p.Nth(s, n); {
		case !known:
			return r.Refuse(m.name)
		case at != nil:
			return r.Slots[slot].SetBytes(s[at[0]:at[1]])
		case mariadb:
			return r.Slots[slot].SetBytes(nil)
		}
		return program.NullDatum
	}, append(args, more...)...)), nil
}
