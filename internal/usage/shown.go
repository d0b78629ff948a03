package usage

import (
	"errors"
	"strings"

	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// Names says which names may be shown.
type Names struct {
	// BuiltIn reports whether a name, in lower case, is that of a function of the servers'.
	BuiltIn func(name string) bool
	// Protected are the names of protected tables, and of their schemas and columns, of
	// which the table is named by one of the words; all in lower case.
	Protected func(words map[string]bool) map[string]bool
}

// Text is what may be shown of a template: it holds no literal, no comment, and no name
// that a client chose but those of tables and columns. Those of protected tables are
// known; those of others are shown once the server has accepted a statement.
func (t *Template) Text(n Names) string {
	if t == nil {
		return ""
	}
	shown := map[string]bool{}
	if n.Protected != nil {
		shown = n.Protected(sql.Words(t.text, t.modes))
	}
	var accepted names
	if t.accepted.Load() {
		accepted = namesOf(t.text, t.modes)
	}
	return sql.Shape(t.text, t.modes, func(name string, call bool) bool {
		name = strings.ToLower(name)
		return call && n.BuiltIn != nil && n.BuiltIn(name) || shown[name] || accepted.used[name] && !accepted.declared[name]
	})
}

// names are those of a statement, in lower case.
type names struct {
	// used are names of tables and columns that are read or written, declared those that
	// the statement gives itself.
	used, declared map[string]bool
}

// namesOf are the names of tables and columns in a template, as far as it can be read.
func namesOf(template []byte, m sql.Modes) names {
	n := names{used: map[string]bool{}, declared: map[string]bool{}}
	all, err := sql.Parse(sql.Readable(template), m)
	if err != nil {
		return n
	}
	for i := range all {
		tree, err := all[i].Tree()
		if err != nil {
			continue
		}
		switch tree.Root().(type) {
		case *ast.Select, *ast.Union, *ast.Insert, *ast.Update, *ast.Delete,
			*ast.CreateTable, *ast.AlterTable, *ast.DropTable, *ast.TruncateTable:
			if ast.Walk(n.visit, tree.Root()) != nil {
				return names{}
			}
		default: // a word may be a value, as in SET
		}
	}
	return n
}

// errOwnColumns is a JSON_TABLE: its columns are the statement's own.
var errOwnColumns = errors.New("a table whose columns the statement names")

// visit takes the names of a node.
func (n *names) visit(node ast.Node) (into bool, err error) {
	switch x := node.(type) {
	case *ast.ColName:
		n.use(x.Name.String())
	case ast.TableName:
		n.use(x.Name.String())
		n.use(x.Qualifier.String())
	case *ast.ColumnDefinition:
		n.use(x.Name.String())
	case *ast.Insert:
		n.useAll(x.Columns)
		if x.RowAlias != nil {
			n.declare(x.RowAlias.TableName.String())
			n.declareAll(x.RowAlias.Columns)
		}
	case *ast.AliasedExpr:
		if of, column := x.Expr.(*ast.ColName); !column || !of.Name.EqualString(x.As.String()) {
			n.declare(x.As.String())
		}
	case *ast.AliasedTableExpr:
		n.declare(x.As.String())
		n.declareAll(x.Columns)
	case *ast.CommonTableExpr:
		n.declare(x.ID.String())
		n.declareAll(x.Columns)
	case *ast.JoinCondition:
		n.useAll(x.Using)
	case *ast.JSONTableExpr:
		return false, errOwnColumns
	}
	return true, nil
}

func (n *names) use(name string)     { n.used[strings.ToLower(name)] = true }
func (n *names) declare(name string) { n.declared[strings.ToLower(name)] = true }

func (n *names) useAll(columns ast.Columns) {
	for _, c := range columns {
		n.use(c.String())
	}
}

func (n *names) declareAll(columns ast.Columns) {
	for _, c := range columns {
		n.declare(c.String())
	}
}
