package build

import (
	"slices"
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/twin"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// source is what a name before a dot can mean in a block.
type source struct {
	alias  string
	schema string // that qualifies it, too, if it is a table without an alias
	unique string
	// columns are their names; hidden are those that * does not stand for.
	columns []string
	hidden  []bool
	leaf    *leaf // nil if it is a query
	// merged are plain columns that a join is USING together with what may be protected:
	// the server is not asked about them, as what they are compared with may be a value of
	// the other one.
	merged map[int]bool
	made   *recipe.Source
}

// column is a column of a source.
type column struct {
	of *source
	at int
}

// name is the unique name of a column.
func (c column) name() *ast.ColName {
	return &ast.ColName{Name: ast.Identifier(c.of.columns[c.at]), Qualifier: ast.TableName{Name: ast.Name(c.of.unique)}}
}

// scope is what names can mean in a block.
type scope struct {
	parent  *scope
	sources []*source
	// visible are the columns that a name without a qualifier can mean, in the order of
	// *: those that a join is USING are there once.
	visible []column
	// outer are the columns of blocks around this one that it reads.
	outer []*ast.ColName
	// stars are how many columns each * of its list stands for.
	stars []int
	// lock is that of the rows of its tables.
	lock ast.Lock
	// shared are the common table expressions that are defined here.
	shared map[string]*shared
	tree   *treeBuilder
}

// shared is a common table expression.
type shared struct {
	relation recipe.Relation // Shared, or Working where it is being made
	columns  []string
}

// unique makes a name that no other source of the tree has.
func (t *treeBuilder) unique(alias string) string {
	t.names++
	return alias + twin.Mark + strconv.Itoa(t.names)
}

func isUnique(n *ast.ColName) bool {
	q := n.Qualifier.Name.String()
	return strings.Contains(q, twin.Mark) || q == recipe.Attached
}

// find is the column that a name means in this block; nil if it means none, and an
// ending if it means several.
func (s *scope) find(n *ast.ColName) (*column, *ending) {
	name := n.Name.String()
	if n.Qualifier.Name.IsEmpty() {
		return found(s.visible, name)
	}
	var all []column
	for _, of := range s.sources { // several, of one name in several schemas
		if !s.qualifies(of, n.Qualifier) {
			continue
		}
		for i := range of.columns {
			all = append(all, column{of, i})
		}
	}
	return found(all, name) // nil: a block around this one may have it
}

func found(among []column, name string) (*column, *ending) {
	var one *column
	for _, c := range among {
		if !strings.EqualFold(c.of.columns[c.at], name) {
			continue
		}
		if one != nil {
			return nil, &ending{wrong: "a name is that of several columns"}
		}
		one = &c
	}
	return one, nil
}

// qualifies reports whether what stands before a dot is the source.
func (s *scope) qualifies(of *source, q ast.TableName) bool {
	same := s.tree.Catalog.SameName
	if schema := q.Qualifier.String(); schema != "" && (of.schema == "" || !same(schema, of.schema)) {
		return false
	}
	return same(q.Name.String(), of.alias)
}

// resolve is the unique name of what a name means, here or in a block around.
func (s *scope) resolve(n *ast.ColName) (*ast.ColName, *ending) {
	if isUnique(n) {
		return n, nil
	}
	c, end := s.find(n)
	if end != nil {
		return nil, end
	}
	if c != nil {
		return c.name(), nil
	}
	if s.parent == nil {
		return nil, unknown()
	}
	name, end := s.parent.resolve(n)
	if end != nil {
		return nil, end
	}
	s.reads(name)
	return name, nil
}

// hasSource reports whether a block, or one around it, has a source with an alias.
func (s *scope) hasSource(alias string) bool {
	if s == nil {
		return false
	}
	return slices.ContainsFunc(s.sources, func(of *source) bool { return s.tree.Catalog.SameName(of.alias, alias) }) || s.parent.hasSource(alias)
}

// reads notes that the block reads a column of one around it.
func (s *scope) reads(name *ast.ColName) {
	for _, known := range s.outer {
		if sameName(known, name) {
			return
		}
	}
	s.outer = append(s.outer, name)
}

func sameName(a, b *ast.ColName) bool {
	return a.Qualifier.Name.String() == b.Qualifier.Name.String() && a.Name.Equal(b.Name)
}

// owns reports whether a unique name is that of a column of this block.
func (s *scope) owns(n *ast.ColName) *source {
	q := n.Qualifier.Name.String()
	for _, of := range s.sources {
		if of.unique == q {
			return of
		}
	}
	return nil
}

// number numbers the columns of the block, and those outside of it, apart from each
// other; -1 for a name that means none.
func (s *scope) number(n *ast.ColName) int {
	name, end := s.resolve(n)
	if end != nil {
		return -1
	}
	key := name.Qualifier.Name.String() + "." + name.Name.Lowered()
	i, ok := s.tree.numbers[key]
	if !ok {
		i = len(s.tree.numbers)
		s.tree.numbers[key] = i
	}
	return i
}

// typeOf is the catalog's column that a unique name is, nil for one of a query.
func (s *scope) typeOf(n *ast.ColName) *catalog.Column {
	of := s.owns(n)
	if of == nil {
		if s.parent != nil {
			return s.parent.typeOf(n)
		}
		return nil
	}
	if of.leaf == nil {
		return nil
	}
	if i := of.leaf.table.Column(n.Name.String()); i >= 0 {
		return &of.leaf.table.Columns[i]
	}
	return nil
}

// follows refuses a node that is not followed in a tree.
func (s *scope) follows(n ast.Node) *ending {
	switch n := n.(type) {
	case *ast.Default:
		return beyond("DEFAULT in a query over several tables")
	case *ast.IsExpr:
		name, ok := n.Left.(*ast.ColName)
		if !ok || n.Right != ast.IsNullOp {
			return nil
		}
		unique, end := s.resolve(name)
		if end != nil {
			return end
		}
		c := s.typeOf(unique)
		if c != nil && c.Type.NotNull && (c.Type.Kind == value.Date || c.Type.Kind == value.DateTime) {
			return beyond("IS NULL on a NOT NULL DATE or DATETIME")
		}
	}
	return nil
}
