package sql

import (
	"errors"

	"vitess.io/vitess/go/vt/sqlparser"

	"tunic/internal/sql/ast"
	"tunic/internal/sql/fingerprint"
	"tunic/internal/sql/lex"
)

// Errors of [Statement.TreeWithPlaces] beside those of [Statement.Tree].
var (
	// ErrNoPlaces says that the text's literals are not such that each has a
	// place (see [Literals.Regular]), or are not of this text.
	ErrNoPlaces = errors.New("sql: the literals of the text have no places of their own")
	// ErrPlace says that a literal stands where the parser's grammar takes only
	// the literal itself. There is a tree of the statement, but it is of this
	// text alone.
	ErrPlace = errors.New("sql: a literal is part of the statement's form to the parser")
)

// Mark is what the template tells of the literals at place p.
func (t *Tree) Mark(p Place) Mark { return t.marks[p] }

// Params is the number of parameters of a tree with places.
func (t *Tree) Params() int { return t.params }

// TreeWithPlaces parses the statement as [Statement.Tree] does, with a bind
// variable in the place of every literal that has one, of every parameter, and of
// every user variable that is read: [PlaceOf] and [ParamOf] say which. Of a group only the first element is in
// the tree, so that the tree is the same for every text with the template.
// Literals without a place stay literals.
//
// The literals are those that a Fingerprinter recorded of the text that was
// parsed, under the modes that Parse was given.
//
// DATE, TIME and TIMESTAMP before a literal are in the bind variable's type; an
// introducer is a node around it.
func (s *Statement) TreeWithPlaces(l *Literals) (*Tree, error) {
	if !l.Regular() || !s.Kind.hasPlaces() {
		return nil, ErrNoPlaces
	}
	p := newPlacer(s, l)
	r := respeller{out: make([]byte, 0, min(s.End-s.Start, 4096)+16), places: p, kind: s.Kind}
	text, err := r.respell(s.text[s.Start:s.End], s.modes)
	if err != nil {
		return nil, err
	}
	if !p.walk.Done() {
		return nil, ErrNoPlaces
	}
	tree, err := parseRespelled(text, s.Kind)
	if err != nil {
		if _, other := s.Tree(); other == nil {
			err = ErrPlace
		}
		return nil, err
	}
	if !p.settle(tree) {
		return nil, ErrPlace
	}
	tree.marks, tree.params, tree.variables = p.marks, p.params, p.variables
	return tree, nil
}

// hasPlaces says that literals of a statement of this kind are data. Of the
// others, which define things, they are form.
func (k Kind) hasPlaces() bool {
	switch k {
	case Select, SetOperation, Values, Table, Insert, Replace, Update, Delete, Explain, Call:
		return true
	}
	return false
}

// placer finds the places of a statement while it is respelled.
type placer struct {
	walk *fingerprint.Walk
	text []byte
	base int // where the statement begins in the text

	params  int
	marks   map[Place]Mark
	written int // bind variables
	// variables are the user variables that are read, once for each time that they are.
	variables []string
	into      bool // in the list behind INTO, whose variables are not read
}

func newPlacer(s *Statement, l *Literals) *placer {
	return &placer{walk: l.Walk(s.Start, s.End), text: s.text, base: s.Start, marks: map[Place]Mark{}}
}

// leaveGroup moves from the end of the first element of a group to the end of
// the last, if t is the token after the former. It returns the current token.
func (r *respeller) leaveGroup(t lex.Token) lex.Token {
	p := r.places
	for {
		end, left := p.walk.Leave(p.base + r.lx.Gap)
		if !left {
			return t
		}
		r.lx.Pos = end - p.base
		t = r.lx.Next()
	}
}

// place writes a bind variable if the current token, t, begins a literal that
// has a place or is a parameter, and moves to the end of the literal.
func (r *respeller) place(t lex.Token) (done bool, err error) {
	p := r.places
	if t == lex.Param {
		p.params++
		return true, r.argument(hole{what: 'v', n: p.params - 1})
	}
	p.into = t == lex.Comma && p.into || t == lex.Var && (p.into || r.prev == lex.Word && lex.Is(r.prevWord, "INTO"))
	if t == lex.Var && !p.into && !r.assigned() && len(p.variables) < variablesMax {
		p.variables = append(p.variables, variableName((&lex.Cursor{Lexer: r.lx, Token: t})))
		return true, r.argument(hole{what: 'v', n: FirstVariable + len(p.variables) - 1})
	}
	if p.walk.Done() || p.base+r.lx.From < int(p.walk.Literal().From) {
		return false, nil
	}
	l := p.walk.Literal()
	if p.base+r.lx.From != int(l.From) {
		return false, ErrNoPlaces
	}
	at, rows := p.walk.Place()
	p.marks[at] = l.Mark(p.text)
	p.walk.Pass()
	r.lx.Pos = int(l.To) - p.base
	return true, r.argument(hole{what: 'p', n: at.Cell, group: at.Group, rows: rows})
}

// FirstVariable is the number of the first user variable among the parameters of a
// tree with places; no statement has as many parameters. A variable that is read twice
// has two numbers.
const FirstVariable = 1 << 16

// variablesMax is how many times user variables are read in a statement with places.
// It bounds what a statement of many can make a plan hold; a tree with more has them
// as they are.
const variablesMax = 1 << 12

// assigned says that what is assigned to the current token, a user variable, stands
// behind it.
func (r *respeller) assigned() bool {
	at := lex.Cursor{Lexer: r.lx}
	at.Next()
	return at.Token == lex.Assign
}

// argument writes a bind variable. After DATE the library takes a string only;
// bindTemporal makes it a bind variable.
func (r *respeller) argument(h hole) error {
	name := h.name()
	if err := r.introduced(); err != nil {
		return err
	}
	if r.prev == lex.Word && lex.BeforeTemporal.Has(r.prevWord) {
		r.out = append(r.out, " '"...)
		r.out = append(r.out, name...)
		r.out = append(r.out, '\'')
	} else {
		r.out = append(r.out, " :"...)
		r.out = append(r.out, name...)
	}
	r.out = append(r.out, ' ') // the library would read on
	r.prev = lex.Number
	r.places.written++
	return nil
}

// settle makes bind variables of what stands for them in temporal literals,
// and says whether every bind variable that was written is in the tree, once.
func (p *placer) settle(t *Tree) bool {
	t.bindTemporal()
	seen, found := map[string]bool{}, 0
	_ = ast.Walk(func(n sqlparser.SQLNode) (bool, error) {
		if a, ok := n.(*sqlparser.Argument); ok {
			found++
			if _, ok := readHole(a.Name); ok {
				seen[a.Name] = true
			}
		}
		return true, nil
	}, t.nodes()...)
	return found == p.written && len(seen) == p.written
}
