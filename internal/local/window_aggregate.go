package local

import (
	"strings"

	"tunic/internal/eval"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// aggregated compiles an aggregate function over a window.
func (c *compiler) aggregated(f ast.AggrFunc, spec *ast.WindowSpecification, o *windowOrder) (made madeWindow, t *value.Type, err error) {
	e, ok := ast.CloneButNames[ast.Node](f).(ast.AggrFunc)
	if !ok {
		return made, nil, sqlerr.StatementUnread()
	}
	if err := c.argumentsOfGroup(e); err != nil {
		return made, nil, err
	}
	a, err := eval.CompileWindowed(e, c.scope, c.program.session)
	if err != nil {
		return made, nil, err
	}
	c.program.compiled = append(c.program.compiled, a)
	fr, err := c.frame(spec, o)
	if err != nil {
		return made, nil, err
	}
	if err := c.slides(f, a, fr); err != nil {
		return made, nil, err
	}
	made.aggregate = a
	made.start = func(x *Execution) (windowRun, error) {
		acc, err := a.Start(x.Inputs)
		if err == nil {
			err = Quiet(acc.Conditions())
		}
		if err != nil {
			return nil, err
		}
		g, err := fr.begin(c, x)
		return func(p *partition) error { return newSlide(p, a, acc, g).run() }, err
	}
	return made, a.Type(), nil
}

// argumentsOfGroup puts names of results into the place of the aggregate functions
// that one over a window has as its arguments.
func (c *compiler) argumentsOfGroup(f ast.AggrFunc) error {
	if c.group == nil {
		return nil
	}
	var failed error
	ast.Rewrite(f, func(cursor *ast.Cursor) bool {
		inner, ok := cursor.Node().(ast.AggrFunc)
		if !ok || cursor.Node() == ast.Node(f) {
			return failed == nil
		}
		name, err := c.ofGroup(inner)
		if failed = err; err != nil {
			return false
		}
		if averages, _ := c.averagesIn(name); len(averages) > 0 {
			failed = sqlerr.ExpressionRefused(strings.ToUpper(f.AggrName())+" OVER", "AVG")
		}
		cursor.Replace(name)
		return false
	}, nil)
	return failed
}

// slide computes an aggregate function for one row after the other. A frame is made of
// the one before it by adding rows, and by taking out rows where that is exact.
type slide struct {
	p        *partition
	of       *eval.Aggregate
	acc      *eval.Accumulation
	frames   *framing
	group    eval.Group
	from, to int // what is in the group
	last     int // the row that was computed, -1 for none
	held     int // bytes of the group
	result   []byte
}

func newSlide(p *partition, of *eval.Aggregate, acc *eval.Accumulation, frames *framing) *slide {
	frames.reset()
	return &slide{p: p, of: of, acc: acc, frames: frames, last: -1}
}

func (s *slide) run() error {
	bounds := make([]peers, s.p.len())
	if err := s.p.account.Keep(len(bounds) * 16); err != nil {
		return err
	}
	for i := range bounds {
		from, to, err := s.frames.of(s.p, i)
		if err != nil {
			return err
		}
		bounds[i] = peers{from, to}
	}
	var err error
	// Backwards, the last of equal texts would stand for all of them.
	if s.frames.fixedEnd() && !s.frames.fixedStart() && !s.of.Removes() && !s.of.Type().Kind.IsText() {
		for i := len(bounds) - 1; i >= 0 && err == nil; i-- {
			err = s.row(i, bounds[i])
		}
	} else {
		for i := 0; i < len(bounds) && err == nil; i++ {
			err = s.row(i, bounds[i])
		}
	}
	if err != nil {
		return err
	}
	return s.p.account.Keep(-len(bounds)*16 - s.held)
}

// row computes the function for a row with a frame.
func (s *slide) row(i int, f peers) error {
	if s.last >= 0 && f.from == s.from && f.to == s.to {
		s.p.share(i, s.last)
		return nil
	}
	if err := s.move(f); err != nil {
		return err
	}
	if err := Quiet(s.acc.Conditions()); err != nil {
		return err
	}
	s.last = i
	more := s.group.Bytes() - s.held
	s.held += more
	if err := s.p.account.Keep(more); err != nil {
		return err
	}
	return s.store(i)
}

// move makes the group one of the rows of a frame.
func (s *slide) move(f peers) error {
	switch {
	case f.from == s.from && f.to >= s.to:
	case f.to == s.to && f.from <= s.from && s.frames.fixedEnd():
		for s.from > f.from {
			s.from--
			if err := s.acc.Add(&s.group, s.p.at(s.from)); err != nil {
				return err
			}
		}
	case s.of.Removes() && f.from >= s.from && f.from <= s.to && f.to >= s.to:
		for ; s.from < f.from; s.from++ {
			if err := s.acc.Remove(&s.group, s.p.at(s.from)); err != nil {
				return err
			}
		}
	default:
		return s.anew(f)
	}
	for ; s.to < f.to; s.to++ {
		if err := s.acc.Add(&s.group, s.p.at(s.to)); err != nil {
			return err
		}
	}
	return nil
}

// anew adds the rows of a frame to an empty group.
func (s *slide) anew(f peers) error {
	s.group = eval.Group{}
	for s.from, s.to = f.from, f.from; s.to < f.to; s.to++ {
		if err := s.p.again(); err != nil {
			return err
		}
		if err := s.acc.Add(&s.group, s.p.at(s.to)); err != nil {
			return err
		}
	}
	return nil
}

// store is the result of the group.
func (s *slide) store(i int) error {
	r, err := s.acc.Result(&s.group)
	if err != nil || r.Null() {
		return err
	}
	if s.result, err = r.Append(append(s.result[:0], 0)); err != nil {
		return err
	}
	if err := s.p.set(i, s.result[1:]); err != nil || s.p.function.precise < 0 {
		return err
	}
	s.result = s.acc.AppendPrecise(s.result[:0], &s.group)
	return s.p.setAt(i, s.p.function.precise, s.result)
}
