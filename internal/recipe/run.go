package recipe

import (
	"iter"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// Run is how a statement over a protected table is carried out: what is sent to
// the server, what is put into its slots, and what is done with the rows that come
// back. It is data, made without a key or a value, and nobody changes it.
type Run struct {
	Kind sql.Kind
	// Table is the table that it is about, the first of several. Tables are all of them,
	// and the views that it names or that those are over, each once.
	Table  *catalog.Table
	Tables []*catalog.Table
	// Actions is catalog.Catalog.Actions of the catalog that it was planned with.
	Actions uint64
	// Variables are the user variables that are read, in lower case: that of parameter
	// sql.FirstVariable + i is the i-th.
	Variables []string
	// Told says how many of them, the last ones, are no user variables, but what the
	// session says of itself: expressions that the server is asked for.
	Told int
	// InUTF8 says that constants of the statement's form are in UTF-8, and not all in
	// ASCII: those of views.
	InUTF8 bool
	// Does is what it does; it may be nil where nothing is sent.
	Does Operation
	// Ignore says IGNORE: errors of values are warnings.
	Ignore bool
	// Remote is the stored statement; nil if the statement cannot be right, which the server says
	// when it is asked to describe it. Fails is an error that the server has only when it runs the
	// statement; nil if there is none.
	Remote *sql.Printed
	Fails  *Failure
	// Asks are statements that are sent before, and read and write nothing: by its answers
	// the server tells whether the client may write to the view that they name, and read of
	// it what the statement reads.
	Asks []string
	// Slots are what the slots of Remote are filled with, by their numbers.
	Slots []Slot
	// Key is what the row has in its row key: of a query that returns it, and of an UPDATE, whose WHERE says that and nothing else;
	// nil of any other. Locks says that the statement locks that row for itself, Alone that an UPDATE with a Key changes no other
	// row of any table.
	Key   []KeyPart
	Locks bool
	Alone bool
	// Cells are the columns of what Remote returns, without the number of a leaf. Fetch are the values that
	// are read of them: those of the client's rows where nothing is finished locally.
	Cells []Cell
	Fetch []Fetch
	// Local are the steps that finish the rows, in their order. Without any, the
	// rows are opened and passed on as they come.
	Local []Step
	// Tree finishes the rows of several tables, in the place of Local; nil if there is
	// one, which is Table.
	Tree *Tree
	// Answer is what describes the answer.
	Answer Answer
	// Alternatives are other Runs of the same statement, each for executions that this one is not
	// for.
	Alternatives Alternatives
	// Missing are the layers with which the server would do what is finished locally, and Used
	// those that it reads.
	Missing []MissingLayer
	Used    []Used
	// layerNames are the columns of stored statements that may be layers.
	layerNames []string
}

// Answer is what the server is asked for so that it describes the answer of a statement.
type Answer struct {
	// Describe is the logical statement over the table's twin, whose columns are
	// those of the answer; nil if that has no rows. Its holes take values of
	// the same types, never the client's.
	Describe *sql.Printed
	// Acts says that Describe may do something where it is executed, over no rows even: it is
	// prepared only.
	Acts bool
	// Stars are how many columns each * of the list stands for, in their order. A query over
	// several tables has them in its first Block.
	Stars []int
	// Digits are literals of Describe that say how many digits or characters a
	// selected function leaves: the columns of the answer are described by them, so
	// short numbers there are the client's.
	Digits []sql.Place
	// DigitParams are parameters that say the same.
	DigitParams []int
	// Formats are literals of Describe that are formats of dates, or times that a
	// selected function adds: what they are made of decides how long a column is and
	// of which type, so their specifiers and what stands between numbers are the
	// client's.
	Formats []sql.Place
	// Keys are literals in GROUP BY and ORDER BY: the server compares these clauses
	// with what is selected.
	Keys []sql.Place
}

// Failure is an error that the server has only when it runs a statement.
type Failure struct {
	Error *sqlerr.Error
	// IfStrict says that it is an error in a strict sql_mode only. What comes of the
	// statement in others is not known here.
	IfStrict bool
}

// Alternatives are other Runs of a statement, by the condition that each is for: nil where there is
// none, or none is needed.
type Alternatives [conditions]*Run

// Slot is a place in a stored statement for one form of one value.
type Slot struct {
	Column int // of the table; the first of Members of a Record
	Form   Form
	// Layer is the layer of a Token.
	Layer policy.Capabilities
	Of    Operand // of a Record that is stored it is that of each of its Members
	Use   SlotUse
	// Members are, of a Record that is stored, all columns of its family.
	Members []Member
	// First are values that are converted before the slot is filled, in their order, so that what
	// is said of them comes in that of the client's statement; nil where the slots have it already.
	First []Member
	// Sought is not 0 for a token that the server finds rows by, and by it alone: the column's
	// value in each row has to be one of those of all slots with this number. See condition.
	Sought int
}

// Member is a column of a family and where its value in a record comes from.
type Member struct {
	Column int
	Of     Operand
}

// Operands are where the values of a slot come from.
func (s *Slot) Operands() iter.Seq[*Operand] {
	return func(yield func(*Operand) bool) {
		if s.Form != Record && !yield(&s.Of) {
			return
		}
		for i := range s.Members {
			if !yield(&s.Members[i].Of) {
				return
			}
		}
	}
}

// Form is what of a value is stored or compared.
type Form uint8

// The forms.
const (
	Value  Form = iota // of a plain column: the value itself
	Sealed             // the sealed form
	Token              // the token of a layer
	Record             // the sealed form of a family, which has the values of all its columns
	Bare               // of a protected column that is to be plain: the value itself, in its plain form
	Most               // of no value: how many rows a query asks for that are found or sorted by a column's tokens, see Query.First
)

// SlotUse is what the value in a slot is for, which decides how it is converted to
// the column's type.
type SlotUse uint8

// The uses.
const (
	Assign  SlotUse = iota // stored in the column, with the checks of an assignment
	Equal                  // compared for equality
	Less                   // the bound of column < bound and of column >= bound
	Greater                // the bound of column > bound and of column <= bound
	Around                 // a bound, together with all values that share its token
)

// Operand is where a value comes from.
type Operand struct {
	Kind OperandKind
	// Place is the literal's, of FromPlace; Param is the parameter's number, of
	// FromParam.
	Place sql.Place
	Param int
	// Literal is a constant that is part of the statement's form, of FromForm.
	Literal ast.Expr
	// Negative says that a minus sign stands before it.
	Negative bool
	// Computed is the expression, of FromComputed.
	Computed *Computed
	// Ignored says that the column is generated, so that what the client has written is
	// looked at and not stored: an error, or a warning where sql_mode makes one of it.
	Ignored bool
	// Among says that a column is compared with it in a list of rows.
	Among Among
	// Updated says, of FromDefault, that the statement names the column only behind ON
	// DUPLICATE KEY UPDATE. MariaDB takes it for one that has been given a value.
	Updated bool
}

// Among says of what rows a value is one that a column is compared with in a list of rows. With several MariaDB compares text
// without converting it to the character set of the column.
type Among uint8

// The lists of rows.
const (
	AmongNone     Among = iota // it is in none, or in one of one row
	AmongRows                  // the list has several rows
	AmongElements              // it has as many as there are elements of the value's group
)

// Computed is an expression of literals, parameters and the time of the statement,
// which is computed before the statement is sent.
type Computed struct {
	Expr ast.Expr
	// OnceARow says that the value is computed once for each row that it is stored in,
	// so that it may be another one each time: UUID().
	OnceARow bool
}

// OperandKind is the kind of an operand.
type OperandKind uint8

// The kinds of operands.
const (
	FromPlace    OperandKind = iota // a literal of the text
	FromParam                       // a parameter of the execution
	FromForm                        // a constant of the template: NULL, TRUE, a literal that is form
	FromDefault                     // the column's DEFAULT
	FromRow                         // the column's value in a row that was read
	FromSet                         // the value that is computed for the column of that row
	FromComputed                    // what an expression without a column comes to
	FromNew                         // the value of the column in the row that was to be inserted
)

// FormOf is what is stored in a layer.
func FormOf(l *catalog.Layer) Form {
	if l.Bare() {
		return Bare
	}
	return Token
}
