package grouping

import (
	"strings"

	"tunic/internal/eval/aggregate"
	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/documents"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// groupConcat compiles GROUP_CONCAT. Rows in which an argument is NULL are left out.
func groupConcat(c *compilation.Compilation, e *ast.GroupConcatExpr) (*aggregate.Aggregate, error) {
	a := &aggregate.Aggregate{Name: "GROUP_CONCAT", Distinct: e.Distinct}
	joined, s, err := joinedOf(c, a, e.Exprs)
	if err != nil {
		return nil, err
	}
	f := &aggregate.Concatenation{Text: joined}
	if f.Separator, err = separatorOf(c, e.Separator, s); err != nil {
		return nil, err
	}
	a.Family = f
	if a.Sorting, err = sortingOf(c, e, joined); err != nil {
		return nil, err
	}
	s.Nullable = true
	return a, finishAggregate(c, a, s)
}

// joinedOf compiles the arguments: each is an expression of its own, for DISTINCT, and
// has an evaluator that writes it as text of what they have in common.
func joinedOf(c *compilation.Compilation, a *aggregate.Aggregate, list []ast.Expr) (*aggregate.Joiner, class.Shape, error) {
	nodes := make([]*program.Node, len(list))
	for i, e := range list {
		sub := c.Part()
		x, err := coercion.Expression(sub, e)
		if err != nil {
			return nil, class.Shape{}, err
		}
		if err := c.Allow(a.Operation(), x.Root); err != nil {
			return nil, class.Shape{}, err
		}
		if a.Distinct {
			if err := tellsApart(a.Operation(), x.Root); err != nil {
				return nil, class.Shape{}, err
			}
		}
		x.Root.Ev = coercion.WithoutZeros(c, x.Root, x.Root.Ev, a.Name) // it is put into a table
		nodes[i], a.Args = x.Root, append(a.Args, x)
	}
	sub := c.Part()
	for _, x := range a.Args { // one numbering of slots, for the evaluators of all arguments
		sub.Leave(x)
	}
	evs, s, err := coercion.Texts(sub, a.Name, nodes...)
	if err != nil {
		return nil, s, err
	}
	for _, x := range a.Args {
		sub.Share(x)
	}
	return &aggregate.Joiner{Evs: evs}, s, sub.Refused()
}

// separatorOf is the separator of a tree, which has it as it is quoted there, in the
// character set of the result.
func separatorOf(c *compilation.Compilation, quoted string, s class.Shape) ([]byte, error) {
	if quoted == "" {
		quoted = "','"
	}
	set := coercion.SetOf(c, s)
	text := quoted[1 : len(quoted)-1]
	switch {
	case c.Session.NoBackslashEscapes && strings.Contains(text, `\`), set.BytesMin > 1:
		return nil, refusal.Of("GROUP_CONCAT with this separator")
	case !strings.Contains(text, `\`) && charset.IsASCII([]byte(text)):
		return []byte(text), nil
	}
	utf8mb4, _ := charset.CharsetByName(c.Session.Flavor, "utf8mb4")
	plain := unquoted(text)
	if s.Collation != nil && !charset.IsASCII([]byte(plain)) && (set != utf8mb4 || c.Session.Collation.Charset != utf8mb4) {
		return nil, refusal.Of("GROUP_CONCAT with this separator")
	}
	return []byte(plain), nil
}

// escapes are what the tree escapes in a string, and what it writes for it.
var escapes = strings.NewReplacer(`\0`, "\x00", `\'`, "'", `\"`, `"`, `\b`, "\b", `\n`, "\n", `\r`, "\r", `\t`, "\t", `\Z`, "\x1a", `\\`, `\`)

func unquoted(s string) string { return escapes.Replace(s) }

// sortingOf compiles the ORDER BY and the LIMIT of a GROUP_CONCAT; nil if it has
// neither.
func sortingOf(c *compilation.Compilation, e *ast.GroupConcatExpr, text *aggregate.Joiner) (*aggregate.Sorting, error) {
	by := e.OrderBy
	if len(by) == 0 && e.Distinct {
		for _, x := range e.Exprs {
			by = append(by, &ast.Order{Expr: x})
		}
	}
	if len(by) == 0 && e.Limit == nil {
		return nil, nil //nolint:nilnil // nothing is sorted
	}
	s := &aggregate.Sorting{Text: text}
	for _, o := range by {
		if err := sortedBy(c, s, o); err != nil {
			return nil, err
		}
	}
	return s, limitOf(c, e.Limit, s)
}

// sortedBy adds a key.
func sortedBy(c *compilation.Compilation, s *aggregate.Sorting, o *ast.Order) error {
	x, err := coercion.Expression(c.Part(), o.Expr)
	if err == nil {
		x.Root.Ev = coercion.WithoutZeros(c, x.Root, x.Root.Ev, "GROUP_CONCAT")
	}
	switch {
	case err != nil:
		return err
	case x.Constant():
		return refusal.Of("GROUP_CONCAT, sorted by a position or a constant,")
	}
	if err := c.Allow("GROUP_CONCAT ORDER BY", x.Root); err != nil {
		return err
	}
	var zero []byte
	ok := value.Ordered(x.Type())
	if ok {
		zero, ok = zeroOf(x.Type())
	}
	if !ok {
		return refusal.Of("GROUP_CONCAT, sorted by such values,")
	}
	s.By, s.Zeros, s.Descending = append(s.By, x), append(s.Zeros, zero), append(s.Descending, o.Direction == ast.DescOrder)
	return nil
}

// zeroOf is what the servers sort for NULL: what a column that is not set has.
func zeroOf(t *value.Type) ([]byte, bool) {
	switch k := t.Kind; {
	case k.IsText():
		return t.Collation.AppendWeights([]byte{}, nil), true
	case k.IsBytes():
		return []byte{}, true
	case k.IsInteger(), k.IsTemporal(), k == value.Year, k == value.Bit, k == value.Enum, k == value.Set,
		k == value.Float, k == value.Double:
		return make([]byte, 8), true
	case k == value.Decimal:
		return make([]byte, value.FixedBytes(t)), true
	}
	return nil, false
}

func limitOf(c *compilation.Compilation, l *ast.Limit, s *aggregate.Sorting) (err error) {
	if l == nil {
		return nil
	}
	if !c.Session.IsMariaDB() {
		return refusal.Of("GROUP_CONCAT with a LIMIT")
	}
	if l.Offset != nil {
		if s.Offset, err = coercion.Expression(c.Part(), l.Offset); err != nil {
			return err
		}
	}
	s.Most, err = coercion.Expression(c.Part(), l.Rowcount)
	return err
}

func jsonArrayAgg(c *compilation.Compilation, e *ast.JSONArrayAgg) (*aggregate.Aggregate, error) {
	a := &aggregate.Aggregate{Name: "JSON_ARRAYAGG", Nulls: true}
	sub := c.Part()
	p, n, opaque, err := documents.Value(sub, e.Expr, a.Name)
	if err != nil {
		return nil, err
	}
	a.Family = &aggregate.Arrays{Part: p, MariaDB: c.Session.IsMariaDB()}
	return a, finishJSON(c, a, sub, n, opaque)
}

func jsonObjectAgg(c *compilation.Compilation, e *ast.JSONObjectAgg) (*aggregate.Aggregate, error) {
	a := &aggregate.Aggregate{Name: "JSON_OBJECTAGG", Nulls: true}
	sub := c.Part()
	name, _, err := documents.Name(sub, e.Key, a.Name)
	if err != nil {
		return nil, err
	}
	p, n, opaque, err := documents.Value(sub, e.Value, a.Name)
	if err != nil {
		return nil, err
	}
	a.Family = &aggregate.Objects{Name: name, Part: p, MariaDB: c.Session.IsMariaDB()}
	return a, finishJSON(c, a, sub, n, opaque)
}

// finishJSON makes one argument of what is computed for a row, and finds the type of
// the results.
func finishJSON(c *compilation.Compilation, a *aggregate.Aggregate, sub *compilation.Compilation, n *program.Node, opaque bool) error {
	x, err := coercion.Finish(sub, n)
	if err != nil {
		return err
	}
	a.Args = []*program.Expression{x}
	s := documents.MadeShape(c, opaque)
	s.Nullable = true
	if err := finishAggregate(c, a, s); err != nil {
		return err
	}
	if c.Session.IsMariaDB() {
		a.Out.Result.Kind = value.LongText
	}
	return nil
}
