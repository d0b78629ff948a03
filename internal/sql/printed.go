package sql

import (
	"errors"
	"iter"
	"slices"
)

// Errors of [Tree.Print].
var (
	// ErrPrintNode says that the tree has a node that is not known to be printed
	// as it was read.
	ErrPrintNode = errors.New("sql: the statement has a part that cannot be printed")
	// ErrPrintHole says that a bind variable is none that this package made, or
	// that one of a group is not where the group's elements are.
	ErrPrintHole = errors.New("sql: the statement has a bind variable out of its place")
	// ErrPrintReading says that what was printed reads differently from what it
	// was printed from.
	ErrPrintReading = errors.New("sql: the statement does not read as it was printed")
)

// Printed is the text of a statement with holes: a stored statement. It is
// immutable and can be filled by many at once.
type Printed struct {
	pieces []piece
	runs   []run
}

// piece is text and, after it, perhaps a hole.
type piece struct {
	text string
	hole Hole
}

// run are pieces that are written once for each element of a group, with a
// comma between.
type run struct {
	group    int
	from, to int // pieces[from:to]
}

// Hole is what is to be filled with a literal.
type Hole struct {
	Kind HoleKind
	// Place is the literal's, if Kind is HolePlace. What the client wrote there
	// fits the hole as it is.
	Place Place
	// Number is the parameter's or the slot's otherwise; the first parameter is
	// 0.
	Number int
	// Limit says that the hole is in a LIMIT, which takes a number and no expression.
	Limit bool
}

// HoleKind says what a [Hole] is for.
type HoleKind uint8

// The kinds of holes.
const (
	holeNone  HoleKind = iota
	HolePlace          // a literal of the text
	HoleParam          // a parameter of a prepared statement
	HoleSlot           // a slot of [Slot]'s
)

// Fill writes the statement to dst. For each hole fill appends its literal;
// element counts the elements of the group that the hole is in, or is 0.
// elements is the number of elements of a group, at least one. The first error
// of fill ends it.
func (p *Printed) Fill(dst []byte, elements func(group int) int,
	fill func(dst []byte, h Hole, element int) ([]byte, error),
) (_ []byte, err error) {
	return p.FillAround(dst, elements, fill, nil)
}

// Around writes what else stands around the elements of a statement's first group.
type Around struct {
	// Before writes it before an element, and behind the comma; After behind the last one.
	Before func(dst []byte, element int) []byte
	After  func(dst []byte) []byte
}

// FillAround is Fill with more around the elements of the first group; nil is nothing.
func (p *Printed) FillAround(dst []byte, elements func(group int) int,
	fill func(dst []byte, h Hole, element int) ([]byte, error), around *Around,
) (_ []byte, err error) {
	next := 0
	for i, r := range p.runs {
		if dst, err = fillPieces(dst, p.pieces[next:r.from], 0, fill); err != nil {
			return dst, err
		}
		for e := range elements(r.group) {
			if e > 0 {
				dst = append(dst, ", "...)
			}
			if i == 0 && around != nil {
				dst = around.Before(dst, e)
			}
			if dst, err = fillPieces(dst, p.pieces[r.from:r.to], e, fill); err != nil {
				return dst, err
			}
		}
		if i == 0 && around != nil {
			dst = around.After(dst)
		}
		next = r.to
	}
	return fillPieces(dst, p.pieces[next:], 0, fill)
}

func fillPieces(dst []byte, pieces []piece, element int,
	fill func(dst []byte, h Hole, element int) ([]byte, error),
) (_ []byte, err error) {
	for i := range pieces {
		dst = append(dst, pieces[i].text...)
		if pieces[i].hole.Kind != holeNone {
			if dst, err = fill(dst, pieces[i].hole, element); err != nil {
				return dst, err
			}
		}
	}
	return dst, nil
}

// ElementHoles is how many holes an element of the first group has.
func (p *Printed) ElementHoles() (n int) {
	if len(p.runs) == 0 {
		return 0
	}
	for _, of := range p.pieces[p.runs[0].from:p.runs[0].to] {
		if of.hole.Kind != holeNone {
			n++
		}
	}
	return n
}

// Holes are those of the statement in the order of its text; those of a group's
// elements are there once.
func (p *Printed) Holes() []Hole { return slices.Collect(p.EachHole()) }

// EachHole is Holes one by one.
func (p *Printed) EachHole() iter.Seq[Hole] {
	return func(yield func(Hole) bool) {
		for i := range p.pieces {
			if h := p.pieces[i].hole; h.Kind != holeNone && !yield(h) {
				return
			}
		}
	}
}
