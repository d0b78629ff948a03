package eval

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

func (s *Session) isMariaDB() bool { return s.Flavor == value.MariaDB }

// Expression is a compiled expression. It is not changed by its runs and may be
// used by any number of them at a time.
type Expression struct {
	root    *node
	result  value.Type
	session Session
	slots   int
	consts  []constant
	lists   []itemList
	eager   []evaluator
	states  int
	truth   evaluator // of the root as a condition; nil if it cannot be one
	refusal error     // why it cannot
	column  int       // the row's column that the expression is, or -1
}

// Type is the type of the results: Kind, UNSIGNED, precision and scale, collation
// and whether it can be NULL are those of the server's result. Length is that of
// text in characters only as far as it is known, and display widths are not.
func (x *Expression) Type() *value.Type { return &x.result }

// Column reports which column of the row the expression simply is.
func (x *Expression) Column() (index int, ok bool) { return x.column, x.column >= 0 }

// Constant reports whether the expression has the same value for every row of a
// run.
func (x *Expression) Constant() bool { return x.root.constant }

// Guessed reports whether results are decimals of as many digits after the point as the
// values have that they are computed from: servers do not tell how many.
func (x *Expression) Guessed() bool { return x.root.guessed && x.root.Class == class.Decimal }

// Fits reports whether a run with these inputs has values of the forms that the
// expression was compiled for. Start fails with ErrShape for others.
func (x *Expression) Fits(in *Inputs) bool {
	for i := range x.consts {
		if k := &x.consts[i]; k.bind >= 0 && !k.sameShape(&in.Binds[k.bind]) {
			return false
		}
	}
	for i := range x.lists {
		list := &x.lists[i]
		for j := range in.Lists[list.index] {
			if form := in.Lists[list.index][j].Form; form != value.FormNull && list.proto(form) == nil {
				return false
			}
		}
	}
	return true
}

// node is an expression that has been compiled.
type node struct {
	class.Shape
	ev       evaluator
	constant bool
	mayFill  bool        // a number that servers may fill up with zeros where it is text: see Filler
	literal  bool        // a literal or parameter itself
	param    bool        // a parameter itself
	column   *value.Type // if the node is a column
	index    int         // its index
	varies   bool        // a constant that stands for many: an item of a list
	guessed  bool        // a user variable whose digits after the point servers do not tell: a decimal
	// defaulted says that the node is DEFAULT(c).
	defaulted bool
	example   *value.Source
	fixed     int // 1 + index into the compiler's constants; 0 for none
	// truth evaluates the node where it is a condition, nil if that is what ev does.
	truth evaluator
}

// operand is the class as the list of what is supported writes it: constants have
// a mark, because the servers treat them otherwise. Bytes that functions have made of
// constants are bytes like those of a column: what makes a difference is that a
// literal can be read as a number, a date or a label once for the statement, and
// nobody reads AES_ENCRYPT('a', 'b') as one.
func (n *node) operand() string {
	if n.constant && (n.Class != class.Bytes || n.literal) {
		return n.Class.String() + "'"
	}
	return n.Class.String()
}

// constant is a datum that is made once a run: from a literal of the tree, or
// from a bind.
type constant struct {
	slot    int
	bind    int // -1 for a literal
	literal value.Source
	shape   class.Shape
	pinned  bool // the value itself decided what was compiled
}

// isComputedDate reports whether a node is a date or time that is neither a column
// nor a literal: servers keep some as text, and others with a fraction.
func (n *node) isComputedDate() bool { return n.Class.IsTemporal() && n.column == nil && !n.literal }

// isTextConstant reports whether n is text that has one value for the run.
func (n *node) isTextConstant() bool { return n.constant && n.Class == class.Text }

// derive makes a node of others that is constant if they are.
func derive(s class.Shape, ev evaluator, from ...*node) *node {
	n := &node{Shape: s, ev: ev, constant: true}
	for _, f := range from {
		n.constant = n.constant && f.constant
		n.Nullable = n.Nullable || f.Nullable
	}
	return n
}

// castable marks the result of a cast, which may be NULL whatever is cast.
func castable(n *node) *node {
	n.Nullable = true
	return n
}

func notNullable(n *node) *node {
	n.Nullable = false
	return n
}
