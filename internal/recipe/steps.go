package recipe

import (
	"slices"

	"tunic/internal/sql/ast"
)

// Step is something that is done with rows locally. Names in its expressions are
// columns: aliases and positions have been replaced by what they stand for.
type Step interface{ step() }

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

func (*Filter) step()   {}
func (*Group) step()    {}
func (*Having) step()   {}
func (*Project) step()  {}
func (*Distinct) step() {}
func (*Sort) step()     {}
func (*Limit) step()    {}
func (*Window) step()   {}
func (*Attach) step()   {}

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
func Expressions(steps []Step) []ast.Node {
	var all []ast.Node
	add := func(e ast.Expr) {
		if e != nil {
			all = append(all, e)
		}
	}
	for _, s := range steps {
		switch s := s.(type) {
		case *Filter:
			add(s.Where)
		case *Group:
			for _, e := range s.By {
				add(e)
			}
			for _, a := range s.Aggregates {
				all = append(all, a)
			}
		case *Having:
			add(s.Where)
		case *Project:
			for _, it := range s.Items {
				add(it.Expr)
			}
		case *Sort:
			for _, k := range s.By {
				add(k.Expr)
			}
		case *Limit:
			add(s.Of.Offset)
			add(s.Of.Rowcount)
		case *Window:
			for _, f := range s.Functions {
				all = append(all, f)
			}
		case *Distinct:
		}
	}
	return all
}
