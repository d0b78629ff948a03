package recipe

import (
	"bytes"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/sql/ast"
)

// Tree is how a query over several tables, or with queries in it, is finished. Its
// tables are leaves: Remote returns the rows of all of them, one SELECT of a UNION ALL
// for each, so that they are of one moment. Relations make the answer of them.
//
// A row of Remote has the columns of all leaves, as Run.Fetch has them, NULL but for
// those of the leaf that the row is of, and the leaf's number behind them.
type Tree struct {
	// Tables are the tables that are named, one that is named twice twice. Slot.Column and
	// Fetch.Column count the columns of all of them, one table after the other.
	Tables []*catalog.Table
	Leaves []Leaf
	Root   Relation
	// Informs says that Remote reads tables of information_schema: InformationOf is what
	// stands in their places.
	Informs bool
	// NamesTwice says that Remote names some tables a second time, in order to leave out rows of others.
	NamesTwice bool
	// Mixed are the equalities that rows are found by of a column that is protected and one that is plain, which the
	// server cannot compare.
	Mixed []Mixed
	// Skipped is the OFFSET before which Remote skips the rows, nil if there is none: how many there were
	// is known if any come behind them.
	Skipped ast.Expr
}

// Mixed are two columns of an equality, of which one is protected.
type Mixed struct{ Protected, Plain NamedColumn }

// NamedColumn is a column and the table that it is of.
type NamedColumn struct{ Table, Column string }

func (c NamedColumn) String() string { return c.Table + "." + c.Column }

// Leaf is a table of the query, or several that the server joins: From and To bound
// its columns in Run.Fetch.
type Leaf struct {
	From, To int
	// Meets are what its rows have to meet, each of them: others are of no use to the query.
	Meets []Meet
}

// Meet says that the token in the cell Own of a row is to be that in the cell Other of a row of another leaf, all of whose rows
// come before, and which is not left out itself.
type Meet struct{ Own, Leaf, Other int }

// Relation is something that has rows: one of the types below.
//
// Names in expressions are of columns of the row that the expression is computed from
// and have a qualifier that is unique in the Tree, whatever the statement calls them:
// that of a Source, of an outer column's Source, or of Attached.
type Relation interface{ relation() }

type (
	// Scan are the rows of a leaf.
	Scan struct{ Leaf int }
	// Block is a SELECT.
	//
	// Its rows start as the values of Outer and, behind them, the columns of the
	// sources of From in their order there, from left to right.
	Block struct {
		// Outer are columns of the rows of the block around this one that it reads, or
		// those inside of it.
		Outer []*ast.ColName
		From  From // nil for one row without columns
		// Steps are what is done with the rows; there is a Project.
		Steps []Step
		// Stars is as that of an Answer.
		Stars []int
	}
	// Set is UNION, INTERSECT or EXCEPT of relations with as many columns. Outer is that
	// of both.
	Set struct {
		Outer       []*ast.ColName
		Kind        SetKind
		Distinct    bool
		Left, Right Relation
		// Steps sort and limit. The names in their keys are Items.
		Steps []Step
	}
	// Shared is a common table expression, whose rows are made once however often it
	// is named. References to one have the same pointer.
	Shared struct{ Of Relation }
)

// Recursive is a common table expression that names itself. Its rows are those of Seed
// and, as often as that makes more, those of Steps for the rows that the round before
// has made. Its columns have the types of Seed's (MySQL manual, "WITH (Common Table
// Expressions)").
type Recursive struct {
	Seed  Relation
	Steps []Relation
	// Distinct says that a row comes once.
	Distinct bool
	// Limit is how many rows there are at most; nil for any number.
	Limit *ast.Limit
}

// Working are the rows of the last round, for the Steps.
type Working struct{ Of *Recursive }

func (*Scan) relation()      {}
func (*Block) relation()     {}
func (*Set) relation()       {}
func (*Shared) relation()    {}
func (*Recursive) relation() {}
func (*Working) relation()   {}

// OuterOf are the outer columns that a relation reads.
func OuterOf(r Relation) []*ast.ColName {
	switch r := r.(type) {
	case *Block:
		return r.Outer
	case *Set:
		return r.Outer
	case *Shared:
		return OuterOf(r.Of)
	}
	return nil
}

// SetKind is what is done with two relations.
type SetKind uint8

// The kinds.
const (
	Union SetKind = iota
	Intersect
	Except
)

// From is where the rows of a Block come from: a *Source or a *Join.
type From interface{ from() }

type (
	// Source has rows under a name.
	Source struct {
		Name string // the qualifier of its columns
		// Columns are the names of the columns of Of: of a Scan, those of Run.Fetch.
		Columns []string
		// Qualifiers are those of the columns of tables that the server joins; nil if Name
		// is that of all.
		Qualifiers []string
		Of         Relation
		// Lateral says that Of reads columns of sources to the left: its Outer. It is
		// made anew for each row of them.
		Lateral bool
		// Where is decided by a row of the source alone; nil if there is nothing.
		Where ast.Expr
		// Keys are equalities of an expression of the source's columns (Left) and one
		// of columns of sources to the left, or outer ones (Right).
		Keys []*ast.ComparisonExpr
	}
	// Join is rows of Left with those of Right for which On is true, and what is in
	// Right's Keys. On may be nil.
	Join struct {
		Left, Right From
		// Outer says that rows of Left without any of Right come once, with NULLs.
		Outer bool
		On    ast.Expr
	}
)

func (*Source) from() {}
func (*Join) from()   {}

// Subquery is a query in an expression.
type Subquery struct {
	Number int // in the Tree; the column is named by it
	Kind   SubqueryKind
	// Operands are what is compared with the columns of the rows, of Compared.
	Operands []ast.Expr
	Operator ast.ComparisonExprOperator // of Compared: =, <>, <, <=, >, >=, <=>
	// Every says ALL: the result is whether the comparison is true for all rows;
	// without it, for any. NOT IN is <> ALL.
	Every bool
	// Of has, as its Outer, the columns that it reads of the row. Without any, its rows
	// are the same for every row.
	Of Relation
}

// SubqueryKind is what the result of a subquery is.
type SubqueryKind uint8

// The kinds.
const (
	// Scalar is the value of the one row, NULL if there is none. More are an error.
	Scalar SubqueryKind = iota
	// Exists is whether there is a row: 1 or 0.
	Exists
	// Compared is what comparisons of Operands with the rows come to: 1, 0 or NULL.
	Compared
)

// tables are the tables, each once, in the order of their IDs: in which everybody enters
// their gates.
func (t *Tree) tables() []*catalog.Table { return uniqueTables(slices.Clone(t.Tables)) }

func uniqueTables(all []*catalog.Table) []*catalog.Table {
	slices.SortFunc(all, func(a, b *catalog.Table) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	return slices.Compact(all)
}
