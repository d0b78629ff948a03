package eval

import (
	"tunic/internal/eval/program"
)

// A maker makes a node of a function's name and arguments.
type maker func(c *compiler, name string, args []*program.Node) (*program.Node, error)

// A function is called by a name, with arguments that have been compiled.
type function struct {
	least, most int // arguments; most is -1 for any number
	compile     maker
}

// takes is a function that takes so many arguments; most is -1 for any number.
func takes(least, most int, compile maker) function { return function{least, most, compile} }

// fits reports whether the function can be called with so many arguments.
func (f *function) fits(arguments int) bool {
	return arguments >= f.least && (f.most < 0 || arguments <= f.most)
}
