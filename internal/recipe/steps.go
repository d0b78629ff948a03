package recipe

import (
	"slices"

	"tunic/internal/sql/ast"
)

// Step is something that is done with rows locally. Names in its expressions are
// columns: aliases and positions have been replaced by what they stand for.
type Step interface {
	// expressions adds all expressions of the step: who looks whether something is in a
	// run looks at these.
	expressions(to []ast.Node) []ast.Node
}

// The steps, in the order in which a plan can have them.
type (
	// Filter keeps the rows for which the condition is true.
	Filter struct{ Where ast.Expr }
	// Group makes one row of those with equal keys, or one of all if there are no
	// keys.
	Group struct {
		By []ast.Expr
		// Aggregates are those of all steps behind this one, each once.
		Aggregates []ast.AggrFunc
		// Rollup says that there is a row more for the groups that agree in their first
		// keys, and one for all: WITH ROLLUP. The keys are columns then.
		Rollup bool
	}
	// Having is Filter on groups.
	Having struct{ Where ast.Expr }
	// Project computes the columns of the answer.
	Project struct{ Items []Item }
	// Distinct drops rows that are equal to one before.
	Distinct struct{}
	// Sort sorts the rows.
	Sort struct{ By []Key }
	// Limit skips and stops. All says that the rows behind are counted, too:
	// SQL_CALC_FOUND_ROWS.
	Limit struct {
		Of  *ast.Limit
		All bool
	}
)

// Key is a key that rows are sorted by.
type Key struct {
	Expr ast.Expr
	// Item is the item that it is, -1 for none.
	Item       int
	Descending bool
}

// Item is a column of the answer.
type Item struct {
	Expr ast.Expr
	As   ast.IdentifierCI // its alias
	// Column is the column of the table that it is, -1 for an expression.
	Column int
}

// Window is a step that computes window functions for each row, and adds the result
// of each as a column behind the row's. It is behind the step that groups.
type Window struct {
	// Functions are those of all steps behind this one, each once. Each says itself
	// what its window is, and names none.
	Functions []ast.WindowFunc
}

// Attach is a step that computes subqueries for each row, and adds the result of each
// as a column behind the row's.
type Attach struct{ Subqueries []*Subquery }

// Attached is the qualifier of columns that an Attach has added; the name of one is
// its number in the Tree, in decimal.
const Attached = "attached "

func (s *Filter) expressions(to []ast.Node) []ast.Node { return add(to, s.Where) }

func (s *Group) expressions(to []ast.Node) []ast.Node {
	to = add(to, s.By...)
	for _, a := range s.Aggregates {
		to = append(to, a)
	}
	return to
}

func (s *Having) expressions(to []ast.Node) []ast.Node { return add(to, s.Where) }

func (s *Project) expressions(to []ast.Node) []ast.Node {
	for _, it := range s.Items {
		to = add(to, it.Expr)
	}
	return to
}

func (*Distinct) expressions(to []ast.Node) []ast.Node { return to }

func (s *Sort) expressions(to []ast.Node) []ast.Node {
	for _, k := range s.By {
		to = add(to, k.Expr)
	}
	return to
}

func (s *Limit) expressions(to []ast.Node) []ast.Node { return add(to, s.Of.Offset, s.Of.Rowcount) }

func (w *Window) expressions(to []ast.Node) []ast.Node {
	for _, f := range w.Functions {
		to = append(to, f)
	}
	return to
}

// expressions of an Attach are none of its own: the relations of its subqueries have theirs.
func (*Attach) expressions(to []ast.Node) []ast.Node { return to }

// add adds the expressions that are there.
func add(to []ast.Node, all ...ast.Expr) []ast.Node {
	for _, e := range all {
		if e != nil {
			to = append(to, e)
		}
	}
	return to
}

// Function is the number of a window function among the step's, -1 if it is none of
// them.
func (w *Window) Function(of ast.Node) int {
	for i, f := range w.Functions {
		if ast.Equal(f, of) {
			return i
		}
	}
	return -1
}

// Aggregate is the number of an aggregate function among the step's, -1 if it is
// none of them.
func (g *Group) Aggregate(of ast.Node) int {
	for i, a := range g.Aggregates {
		if ast.Equal(a, of) {
			return i
		}
	}
	return -1
}

// OfItems reports whether all keys are selected.
func (s *Sort) OfItems() bool {
	return !slices.ContainsFunc(s.By, func(k Key) bool { return k.Item < 0 })
}

// Expressions are all expressions of steps.
func Expressions(steps []Step) (all []ast.Node) {
	for _, s := range steps {
		all = s.expressions(all)
	}
	return all
}
