package sql

import "tunic/internal/sql/lex"

// The library reads a query in parentheses behind WITH, and loses it:
//
//	WITH w AS (SELECT 1 AS x) (SELECT x FROM w)
//
// What it makes of that is no tree at all: a node in it is of no type, and whoever looks at
// it crashes. The parentheses say nothing where the query ends behind them, and are left
// out. Where anything but a set operator comes behind them the statement is not read: the
// library gives what belongs to the outer query to the inner one.

// withAt is where in a WITH the respeller is, at one depth of parentheses.
type withAt uint8

const (
	withNone  withAt = iota
	withName         // a name comes next, or RECURSIVE
	withNamed        // AS comes next, or a list of columns before it
	withAs           // the query of the name comes next
	withQuery        // a comma comes next, or what has the WITH
	withBody         // it was in parentheses
)

// followWith follows WITH up to the statement that has it.
func (r *respeller) followWith(t lex.Token, value []byte) error {
	l := r.level()
	word := t == lex.Word && r.prev != lex.Dot
	switch at := l.with; {
	case at == withBody:
		return r.leaveBody(l, t, value)
	case word && at == withNone && lex.Is(value, "WITH"):
		l.with = withName
	case at == withName && word && lex.Is(value, "RECURSIVE") && r.after("WITH"):
	case at == withName && (word || t == lex.Quoted):
		l.with = withNamed
	case at == withNamed && t == lex.Open:
	case at == withNamed && word && lex.Is(value, "AS"):
		l.with = withAs
	case at == withAs && t == lex.Open:
		l.with = withQuery
	case at == withQuery && t == lex.Comma:
		l.with = withName
	case at == withQuery && t == lex.Open:
		l.with, l.body = withBody, len(r.out)
	default:
		l.with = withNone
	}
	return nil
}

// leaveBody is behind a query in parentheses that has a WITH. t is tokenEnd at the end of the text.
func (r *respeller) leaveBody(l *setLevel, t lex.Token, value []byte) error {
	l.with = withNone
	switch {
	case t == lex.Close || t == lex.End:
		open := l.body
		if r.out[open] == ' ' {
			open++
		}
		r.out[open], r.out[len(r.out)-1] = ' ', ' '
		return nil
	case t == lex.Word && (lex.Is(value, "UNION") || lex.Is(value, "EXCEPT") || lex.Is(value, "INTERSECT")):
		return nil
	}
	return ErrTreeSyntax
}
