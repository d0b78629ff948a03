package show

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tunic/internal/sql/ast"
)

// located puts the result of LOCATE and INSTR of a literal, which drivers ask types
// with, in their place.
func (s *secrets) located(e ast.Expr, scope *oneColumn) (_ ast.Expr, ok bool) {
	ok = true
	after := func(c *ast.Cursor) bool {
		part, text := searched(c.Node())
		if part == nil {
			return true
		}
		at, known := s.position(part, text, scope)
		if ok = ok && known; ok {
			c.Replace(&ast.Literal{Type: ast.IntVal, Val: strconv.Itoa(at)})
		}
		return ok
	}
	computed, isExpr := ast.Rewrite(ast.Clone(e), nil, after).(ast.Expr)
	return computed, ok && isExpr
}

// searched are what a node searches for and in; nil if it is another one.
func searched(n ast.Node) (part, text ast.Expr) {
	switch n := n.(type) {
	case *ast.LocateExpr:
		if n.Pos == nil {
			return n.SubStr, n.Str
		}
	case *ast.FuncExpr:
		if n.Name.Lowered() == "instr" && len(n.Exprs) == 2 {
			return n.Exprs[1], n.Exprs[0]
		}
	}
	return nil, nil
}

// position is where a literal begins in a text, from 1; 0 if it is not there.
func (s *secrets) position(part, text ast.Expr, scope *oneColumn) (at int, ok bool) {
	literal, ok := part.(*ast.Literal)
	if !ok || literal.Type != ast.StrVal {
		return 0, false
	}
	in, ok := s.run(text, scope)
	if !ok || in == nil {
		return 0, false
	}
	where, what := string(in), literal.Val
	if scope.t.Collation != scope.t.Collation.Charset.Bin() {
		where, what = strings.ToLower(where), strings.ToLower(what)
	}
	return find(where, what)
}

// find is where a text in ASCII begins in another, counted in characters from 1; 0 if
// it is not there. Characters outside ASCII may be equal to others, or to two: if that
// could make a difference, ok is false.
func find(in, what string) (at int, ok bool) {
	runes := []rune(in)
	m := matcher{left: matchStepsMax}
	for i := range runes {
		switch m.match(runes[i:], what) {
		case matches:
			return i + 1, true
		case mayMatch:
			return 0, false
		case differs:
		}
	}
	return 0, strings.IndexFunc(what, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// matching says whether a text begins with another.
type matching uint8

const (
	differs matching = iota
	matches
	mayMatch
)

// matcher compares texts in a number of steps: the ways in which characters outside
// ASCII may be equal to others multiply.
type matcher struct{ left int }

// matchStepsMax is far more than the types and comments of a column need.
const matchStepsMax = 1 << 20

func (m *matcher) match(runes []rune, what string) matching {
	m.left--
	switch {
	case m.left < 0:
		return mayMatch
	case what == "":
		return matches
	case len(runes) == 0:
		return differs
	case runes[0] < utf8.RuneSelf && what[0] < utf8.RuneSelf:
		if byte(runes[0]) != what[0] {
			return differs
		}
		return m.match(runes[1:], what[1:])
	}
	for n := 1; n <= 2 && n <= len(what); n++ {
		if mayEqual(runes[0], what[:n]) && m.match(runes[1:], what[n:]) != differs {
			return mayMatch
		}
	}
	return differs
}

// mayEqual reports whether a collation may have a character outside ASCII equal to
// one or two in it: letters are equal to letters only.
func mayEqual(r rune, ascii string) bool {
	if !unicode.IsLetter(r) {
		return true
	}
	for i := range ascii {
		if c := ascii[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}
