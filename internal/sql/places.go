package sql

import (
	"errors"
	"sort"

	"vitess.io/vitess/go/vt/sqlparser"

	"tunic/internal/sql/ast"
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

// Mark is what a template tells of the literal at a place.
type Mark uint8

// The marks.
const (
	MarkAny      Mark = iota // any literal, a signed number and NULL included: a cell of VALUES
	MarkExact                // an integer or a decimal
	MarkFloat                // a number with an exponent
	MarkHex                  // hexadecimal or binary
	MarkString               // a string
	MarkNational             // a national string
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
	if !p.finished() {
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
	literals *Literals
	text     []byte
	base     int // where the statement begins in the text
	end      int // and where it ends

	next    int // index of the next literal
	single  int // its number, if it is a single
	group   int // the next group that is not left
	params  int
	marks   map[Place]Mark
	written int // bind variables
	// variables are the user variables that are read, once for each time that they are.
	variables []string
	into      bool // in the list behind INTO, whose variables are not read
}

func newPlacer(s *Statement, l *Literals) *placer {
	p := &placer{literals: l, text: s.text, base: s.Start, end: s.End, marks: map[Place]Mark{}}
	p.next = sort.Search(len(l.all), func(i int) bool { return int(l.all[i].From) >= s.Start })
	p.group = sort.Search(len(l.groups), func(i int) bool { return l.groups[i].end > s.Start })
	p.single = p.next
	if p.group > 0 {
		p.single -= l.groups[p.group-1].upTo
	}
	return p
}

// finished says that every literal of the statement was come across.
func (p *placer) finished() bool {
	l := p.literals
	return p.next == len(l.all) || int(l.all[p.next].From) >= p.end
}

// here is the place of the next literal.
func (p *placer) here() hole {
	if p.group < len(p.literals.groups) {
		if g := &p.literals.groups[p.group]; p.next >= g.first {
			return hole{what: 'p', n: p.next - g.first, group: p.group, rows: g.rows}
		}
	}
	return hole{what: 'p', n: p.single, group: -1}
}

// leaveGroup moves from the end of the first element of a group to the end of
// the last, if t is the token after the former. It returns the current token.
func (r *respeller) leaveGroup(t lex.Token) lex.Token {
	p := r.places
	for p.group < len(p.literals.groups) {
		g := &p.literals.groups[p.group]
		if p.next != g.first+g.cells || p.base+r.lx.Gap != g.headEnd {
			return t
		}
		p.next = g.first + g.elements*g.cells
		p.group++
		r.lx.Pos = g.end - p.base
		t = r.lx.Next()
	}
	return t
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
	if p.finished() || p.base+r.lx.From < int(p.literals.all[p.next].From) {
		return false, nil
	}
	l := p.literals.all[p.next]
	if p.base+r.lx.From != int(l.From) {
		return false, ErrNoPlaces
	}
	at := p.here()
	p.marks[Place{Group: at.group, Cell: at.n}] = l.mark(p.text)
	if at.group < 0 {
		p.single++
	}
	p.next++
	r.lx.Pos = int(l.To) - p.base
	return true, r.argument(at)
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
	if r.prev == lex.Word && beforeTemporal.Has(r.prevWord) {
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

// mark is what the literal's template tells of it.
func (l Literal) mark(text []byte) Mark {
	switch c := text[l.From]; {
	case l.word == anyType:
		return MarkAny
	case c == '\'', c == '"':
		return MarkString
	case c|0x20 == 'n':
		return MarkNational
	}
	switch _, k := l.AppendValue(nil, text, 0); k {
	case LiteralFloat:
		return MarkFloat
	case LiteralHex, LiteralHexNumber, LiteralBit:
		return MarkHex
	default:
		return MarkExact
	}
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
