package build

import (
	"slices"
	"strconv"
	"strings"

	"tunic/internal/sql/ast"
)

// newRow is what the alias of the new row names, in MySQL's INSERT … AS new (a, b) ON
// DUPLICATE KEY UPDATE: the columns that the statement has values for and no others,
// under their own names or those of the alias. An unqualified name may be of it too; one
// that the table has as well is ambiguous (MySQL manual, "INSERT … ON DUPLICATE KEY
// UPDATE Statement").
type newRow struct {
	alias   string
	folds   bool
	columns map[string]int // columns of the table, by what they are called in lower case
}

// newRow is the alias of a statement that has values for the columns named; nil without
// one.
func (b *Builder) newRow(n *ast.Insert, named []int) (*newRow, *ending) {
	if n.RowAlias == nil {
		return nil, nil
	}
	r := &newRow{alias: n.RowAlias.TableName.String(), folds: b.Catalog.Folds(), columns: map[string]int{}}
	names := n.RowAlias.Columns
	if len(names) > 0 && len(names) != len(named) {
		return nil, &ending{wrong: "the alias of the new row has not as many columns as the row"}
	}
	own := ast.TableName{Name: n.RowAlias.TableName}
	for at, i := range named {
		name := ast.Identifier(b.scope.At(i).Name)
		if _, same := b.scope.Column(&ast.ColName{Name: name, Qualifier: own}); same {
			return nil, &ending{wrong: "the alias of the new row is the table's name"}
		}
		if len(names) > 0 {
			name = names[at]
		}
		if _, twice := r.columns[name.Lowered()]; twice {
			return nil, &ending{wrong: "two columns of the new row have one name"}
		}
		r.columns[name.Lowered()] = i
	}
	return r, nil
}

// newColumn is the column of the new row that a name means; nil if it means one of the row
// that is there.
func (b *Builder) newColumn(r *newRow, n *ast.ColName) (*ast.ColName, *ending) {
	_, old := b.scope.Column(n)
	if r == nil {
		if !old {
			return nil, unknown()
		}
		return nil, nil
	}
	i, there := r.columns[n.Name.Lowered()]
	isNew := there && r.qualifies(n.Qualifier)
	switch {
	case isNew == old:
		return nil, unknown() // none, or ambiguous
	case old:
		return nil, nil
	}
	return &ast.ColName{Name: ast.Identifier(b.scope.At(i).Name)}, nil
}

func (r *newRow) qualifies(q ast.TableName) bool {
	name := q.Name.String()
	return q.Qualifier.IsEmpty() && (name == "" || name == r.alias || r.folds && strings.EqualFold(name, r.alias))
}

// storedAlias is the alias for a stored statement, whose rows have more columns: those get
// names that are nobody's.
func (b *Builder) storedAlias(n *ast.Insert, named, left []int) (*ast.RowAlias, *ending) {
	if n.RowAlias == nil || len(n.RowAlias.Columns) == 0 {
		return n.RowAlias, nil
	}
	taken := map[string]bool{}
	for _, name := range n.RowAlias.Columns {
		taken[name.Lowered()] = true
	}
	for i := range b.scope.Table.Columns {
		taken[strings.ToLower(b.scope.At(i).Name)] = true
	}
	var columns ast.Columns
	last := 0
	free := func(count int) {
		for ; count > 0; count-- {
			for last++; taken["form"+strconv.Itoa(last)]; last++ {
			}
			columns = append(columns, ast.Identifier("form"+strconv.Itoa(last)))
		}
	}
	for at, i := range named {
		if b.scope.At(i).Family != "" {
			return nil, beyond("an alias of the new row with names for its columns, of a table with a family of columns,")
		}
		columns = append(columns, n.RowAlias.Columns[at])
		free(len(b.scope.StoredNames([]int{i})) - 1)
	}
	for _, i := range left {
		free(len(b.scope.StoredNames([]int{i})))
	}
	free(len(b.scope.Table.Families))
	if slices.ContainsFunc(named, func(i int) bool { return b.scope.Table.PlainShadow(i) >= 0 }) {
		return nil, beyond("an alias of the new row with names for its columns")
	}
	return &ast.RowAlias{TableName: n.RowAlias.TableName, Columns: columns}, nil
}
