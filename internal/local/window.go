package local

import (
	"slices"

	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// windowResults is what a compiler knows of the window functions of the steps before.
type windowResults struct {
	of *recipe.Window // nil if there was none
	// at are where in the rows the results of its functions are.
	at []int
}

// windows are window functions, those of one order of the rows together.
type windows struct {
	orders []windowOrder
	width  int // results
}

// windowOrder is how rows are divided and sorted, and what is computed of them.
type windowOrder struct {
	partition, order []sortKey
	// fine are those of all keys that are averages with all digits, which stand behind
	// the averages as they are shown.
	fine      []bool
	functions []windowFunction
}

// windowFunction is a compiled window function.
type windowFunction struct {
	// result is the number of its result among those of all functions, precise that of
	// the average with all digits, -1 for none.
	result, precise int
	start           windowStarter
}

// windowStarter begins an execution of a function.
type windowStarter func(x *Execution) (windowRun, error)

// windowRun computes a function for all rows of a partition.
type windowRun func(p *partition) error

// window compiles window functions.
func (c *compiler) window(s *recipe.Window) error {
	w := &windows{}
	var of []*ast.WindowSpecification
	types, hidden := make([]*value.Type, 0, len(s.Functions)), make([]bool, 0, len(s.Functions))
	digits := map[int]int{} // of averages
	for i, f := range s.Functions {
		spec := f.GetOverClause().WindowSpec
		at, err := c.windowOrder(w, spec, &of)
		if err != nil {
			return err
		}
		o := &w.orders[at]
		made, typ, err := c.windowFunction(f, o)
		if err != nil {
			return err
		}
		if a := made.aggregate; a != nil {
			if n, ok := a.Digits(); ok {
				digits[i] = n
			}
		}
		o.functions = append(o.functions, windowFunction{result: i, precise: -1, start: made.start})
		types, hidden = append(types, typ), append(hidden, c.hidesIn(f, typ))
	}
	if err := c.confuses(of); err != nil {
		return err
	}
	c.addWindowResults(w, s, types, hidden, digits)
	c.Grouped = true // rows are compared with each other, and computed in any order
	c.phases = append(c.phases, func(x *Execution, next Sink) (Sink, error) { return newWindower(x, w, next) })
	return nil
}

// addWindowResults adds the columns of the results to the rows, and behind them those
// of averages with all digits that servers compute with.
func (c *compiler) addWindowResults(w *windows, s *recipe.Window, types []*value.Type, hidden []bool, digits map[int]int) {
	at := make([]int, len(types))
	for i, t := range types {
		at[i] = c.scope.Add(Column{Typ: t.Unfilled(), result: true, hidden: hidden[i]})
	}
	w.width = len(types)
	for i := range types {
		if n, ok := digits[i]; ok {
			c.scope.Columns[at[i]].finer = c.scope.Add(Column{Typ: types[i], digits: n})
			w.precise(i)
		}
	}
	c.windowed = windowResults{of: s, at: at}
}

// precise gives a function a second result.
func (w *windows) precise(result int) {
	for i := range w.orders {
		for j := range w.orders[i].functions {
			if f := &w.orders[i].functions[j]; f.result == result {
				f.precise = w.width
				w.width++
			}
		}
	}
}

// windowOrder is the number of the order of a window, which is compiled if it is the
// first of its kind.
func (c *compiler) windowOrder(w *windows, spec *ast.WindowSpecification, known *[]*ast.WindowSpecification) (int, error) {
	bare := &ast.WindowSpecification{PartitionClause: spec.PartitionClause, OrderClause: spec.OrderClause}
	for i, other := range *known {
		if ast.Equal(bare, other) {
			return i, nil
		}
	}
	*known = append(*known, bare)
	var o windowOrder
	var err error
	for _, e := range spec.PartitionClause {
		if o.partition, err = c.windowKey(o.partition, e, false); err != nil {
			return 0, err
		}
	}
	for _, by := range spec.OrderClause {
		if o.order, err = c.windowKey(o.order, by.Expr, by.Direction == ast.DescOrder); err != nil {
			return 0, err
		}
	}
	for _, k := range slices.Concat(o.partition, o.order) {
		o.fine = append(o.fine, k.expression == nil && c.scope.Columns[k.column].digits > 0)
	}
	w.orders = append(w.orders, o)
	return len(w.orders) - 1, nil
}

// windowKey appends a key of PARTITION BY or ORDER BY, but for constants.
func (c *compiler) windowKey(to []sortKey, e ast.Expr, descending bool) ([]sortKey, error) {
	x, err := c.expression(e)
	if err != nil || x.Constant() {
		return to, err
	}
	if !value.Ordered(x.Type()) {
		return nil, sqlerr.ExpressionRefused("OVER", x.Type().Kind.String())
	}
	k := sortKey{expression: x, typ: x.Type(), descending: descending}
	i, ok := x.Column()
	if !ok {
		return append(to, k), nil
	}
	k.expression, k.column = nil, i
	to = append(to, k)
	if finer := c.scope.Columns[i].finer; finer > 0 {
		k.column = finer
		to = append(to, k)
	}
	return to, nil
}

// ofWindow is an expression with names of results in the place of window functions.
func (c *compiler) ofWindow(e ast.Expr) (ast.Expr, error) {
	of := c.windowed.of
	if of == nil {
		return e, nil
	}
	if i := of.Function(e); i >= 0 {
		return c.scope.named(c.windowed.at[i]), nil
	}
	var refusal error
	replaced, ok := ast.Rewrite(ast.CloneButNames(e), func(cursor *ast.Cursor) bool {
		f, ok := cursor.Node().(ast.WindowFunc)
		if !ok || f.GetOverClause() == nil {
			return true
		}
		i := of.Function(f)
		if i < 0 || !computes(c.scope.Columns[c.windowed.at[i]].Typ) {
			refusal = sqlerr.ExpressionRefused(f.WindowFuncName(), "such values, inside of an expression,")
			return false
		}
		cursor.Replace(c.scope.named(c.windowed.at[i]))
		return false
	}, nil).(ast.Expr)
	if !ok && refusal == nil {
		refusal = sqlerr.StatementUnread()
	}
	return replaced, refusal
}

// madeWindow is what a window function is compiled to.
type madeWindow struct {
	start     windowStarter
	aggregate *eval.Aggregate // nil if it is none
}
