package program

import (
	"tunic/internal/eval/class"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// Session is what of a session changes the meaning of an expression, beside what
// value.Env has. An Expression is compiled for one, and a plan depends on it.
type Session struct {
	Flavor value.Flavor
	// Version is major*10000 + minor*100 + patch.
	Version int
	Mode    value.Mode
	// NoUnsignedSubtraction and NoBackslashEscapes are modes of sql_mode that change
	// results: the type of a difference, the escape character of LIKE.
	NoUnsignedSubtraction bool
	NoBackslashEscapes    bool
	// Collation is collation_connection: that of literals and of numbers as text.
	Collation *charset.Collation
	// ConcatMax is group_concat_max_len: how many bytes a GROUP_CONCAT has at most.
	ConcatMax int
	// DivPrecision is div_precision_increment, 4 by default.
	DivPrecision int
	// WeekMode is default_week_format, 0 by default.
	WeekMode int
	// EnglishNames says that lc_time_names is en_US, its default. Months and days
	// have no names otherwise.
	EnglishNames bool
	// BlockMode is block_encryption_mode, aes-128-ecb by default. MariaDB has none
	// before 11.2, and that one.
	BlockMode string
	// RegexFlags is MariaDB's default_regex_flags, empty by default.
	RegexFlags string
}

// IsMariaDB reports whether the server is one.
func (s *Session) IsMariaDB() bool { return s.Flavor == value.MariaDB }

// Expression is a compiled expression. It is not changed by its runs and may be
// used by any number of them at a time.
type Expression struct {
	Root    *Node
	Result  value.Type
	Session Session
	Slots   int
	Consts  []Constant
	Lists   []ItemList
	Eager   []Evaluator
	States  int
	Truth   Evaluator // of the root as a condition; nil if it cannot be one
	Refusal error     // why it cannot
	At      int       // the row's column that the expression is, or -1
}

// Type is the type of the results: Kind, UNSIGNED, precision and scale, collation
// and whether it can be NULL are those of the server's result. Length is that of
// text in characters only as far as it is known, and display widths are not.
func (x *Expression) Type() *value.Type { return &x.Result }

// Column reports which column of the row the expression simply is.
func (x *Expression) Column() (index int, ok bool) { return x.At, x.At >= 0 }

// Constant reports whether the expression has the same value for every row of a
// run.
func (x *Expression) Constant() bool { return x.Root.Constant }

// Guessed reports whether results are decimals of as many digits after the point as the
// values have that they are computed from: servers do not tell how many.
func (x *Expression) Guessed() bool { return x.Root.Guessed && x.Root.Class == class.Decimal }

// Fits reports whether a run with these inputs has values of the forms that the
// expression was compiled for. Start fails with ErrShape for others.
func (x *Expression) Fits(in *Inputs) bool {
	for i := range x.Consts {
		if k := &x.Consts[i]; k.Bind >= 0 && !k.sameShape(&in.Binds[k.Bind]) {
			return false
		}
	}
	for i := range x.Lists {
		list := &x.Lists[i]
		for j := range in.Lists[list.Index] {
			if form := in.Lists[list.Index][j].Form; form != value.FormNull && list.Proto(form) == nil {
				return false
			}
		}
	}
	return true
}

// Node is an expression that has been compiled.
type Node struct {
	class.Shape
	Ev       Evaluator
	Constant bool
	MayFill  bool        // a number that servers may fill up with zeros where it is text: see Filler
	Literal  bool        // a literal or parameter itself
	Param    bool        // a parameter itself
	Column   *value.Type // if the node is a column
	Index    int         // its index
	Varies   bool        // a constant that stands for many: an item of a list
	Guessed  bool        // a user variable whose digits after the point servers do not tell: a decimal
	// Defaulted says that the node is DEFAULT(c).
	Defaulted bool
	Example   *value.Source
	Fixed     int // 1 + index into the compiler's constants; 0 for none
	// Truth evaluates the node where it is a condition, nil if that is what ev does.
	Truth Evaluator
}

// Operand is the class as the list of what is supported writes it: constants have
// a mark, because the servers treat them otherwise. Bytes that functions have made of
// constants are bytes like those of a column: what makes a difference is that a
// literal can be read as a number, a date or a label once for the statement, and
// nobody reads AES_ENCRYPT('a', 'b') as one.
func (n *Node) Operand() string {
	if n.Constant && (n.Class != class.Bytes || n.Literal) {
		return n.Class.String() + "'"
	}
	return n.Class.String()
}

// Constant is a datum that is made once a run: from a literal of the tree, or
// from a bind.
type Constant struct {
	Slot    int
	Bind    int // -1 for a literal
	Literal value.Source
	Shape   class.Shape
	Pinned  bool // the value itself decided what was compiled
}

// IsComputedDate reports whether a node is a date or time that is neither a column
// nor a literal: servers keep some as text, and others with a fraction.
func (n *Node) IsComputedDate() bool { return n.Class.IsTemporal() && n.Column == nil && !n.Literal }

// IsTextConstant reports whether n is text that has one value for the run.
func (n *Node) IsTextConstant() bool { return n.Constant && n.Class == class.Text }

// Derive makes a node of others that is constant if they are.
func Derive(s class.Shape, ev Evaluator, from ...*Node) *Node {
	n := &Node{Shape: s, Ev: ev, Constant: true}
	for _, f := range from {
		n.Constant = n.Constant && f.Constant
		n.Nullable = n.Nullable || f.Nullable
	}
	return n
}

// Castable marks the result of a cast, which may be NULL whatever is cast.
func Castable(n *Node) *Node {
	n.Nullable = true
	return n
}

// NotNullable marks a node that is never NULL.
func NotNullable(n *Node) *Node {
	n.Nullable = false
	return n
}
