package compilation

import (
	"tunic/internal/eval/program"
)

// A Maker makes a node of a function's name and arguments.
type Maker func(c *Compilation, name string, args []*program.Node) (*program.Node, error)

// A Function is called by a name, with arguments that have been compiled.
type Function struct {
	least, most int // arguments; most is -1 for any number
	Compile     Maker
}

// Takes is a function that takes so many arguments; most is -1 for any number.
func Takes(least, most int, compile Maker) Function { return Function{least, most, compile} }

// Fits reports whether the function can be called with so many arguments.
func (f *Function) Fits(arguments int) bool {
	return arguments >= f.least && (f.most < 0 || arguments <= f.most)
}
