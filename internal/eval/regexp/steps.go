package regexp

import (
	"regexp/syntax"
	"unicode/utf8"
)

// steps counts what a matcher that tries one alternative after the other does with
// a text, as those of the servers do: for some patterns that grows with the power
// of the text's length, or faster, and they give up. Package regexp does not.
type steps struct {
	prog *syntax.Prog
	left int // steps that are left
	// stack are the alternatives that are left to try.
	stack []untried
}

// untried is an instruction and where in the text it goes on.
type untried struct {
	pc uint32
	at int
}

// newSteps compiles a pattern to count with.
func newSteps(pattern string) (*steps, error) {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	prog, err := syntax.Compile(tree.Simplify())
	return &steps{prog: prog}, err
}

// stepsMax is how many steps a text may take. MySQL gives up after more than twice
// as many, with the default of regexp_time_limit, and MariaDB much later. For what
// is counted within what is counted MySQL takes more steps than are counted here,
// and gives up after some ten times as many as nestedStepsMax.
const (
	stepsMax       = 250_000
	nestedStepsMax = 4_000
)

// enough reports whether the servers come to an end with a text. counts is how many
// pieces of the pattern have a count, and nests whether one is within another.
func (c *steps) enough(s []byte, counts int, nests bool) bool {
	if nests {
		return c.within(s, nestedStepsMax)
	}
	most := len(c.prog.Inst) * (len(s) + 1)
	if counts > 0 {
		most *= len(s) + 1
	}
	return counts <= 1 && most <= stepsMax || c.within(s, stepsMax)
}

// within reports whether trying every place of a text takes no more steps than
// most.
func (c *steps) within(s []byte, most int) bool {
	c.left = most
	for at := 0; at <= len(s); at++ {
		if at < len(s) && !utf8.RuneStart(s[at]) {
			continue
		}
		if c.try(s, at); c.left <= 0 {
			return false
		}
	}
	return true
}

// try matches at one place, alternatives in their order, until one has matched.
func (c *steps) try(s []byte, at int) {
	c.stack = append(c.stack[:0], untried{uint32(c.prog.Start), at})
	for len(c.stack) > 0 && c.left > 0 {
		next := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		if c.follow(s, next) {
			return
		}
	}
}

// follow goes on from one instruction until it fails or has matched.
func (c *steps) follow(s []byte, t untried) (matched bool) {
	for ; c.left > 0; c.left-- {
		i := &c.prog.Inst[t.pc]
		switch i.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstFail:
			return false
		case syntax.InstAlt, syntax.InstAltMatch:
			c.stack = append(c.stack, untried{i.Arg, t.at})
		case syntax.InstCapture, syntax.InstNop:
		case syntax.InstEmptyWidth:
			if !emptyWidth(s, t.at, syntax.EmptyOp(i.Arg)) {
				return false
			}
		default:
			if t.at >= len(s) {
				return false
			}
			r, n := utf8.DecodeRune(s[t.at:])
			if !i.MatchRune(r) {
				return false
			}
			t.at += n
		}
		t.pc = i.Out
	}
	return false
}

func emptyWidth(s []byte, at int, want syntax.EmptyOp) bool {
	before, after := rune(-1), rune(-1)
	if at > 0 {
		before, _ = utf8.DecodeLastRune(s[:at])
	}
	if at < len(s) {
		after, _ = utf8.DecodeRune(s[at:])
	}
	return syntax.EmptyOpContext(before, after)&want == want
}
