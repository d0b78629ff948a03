package build

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/functions"
	"tunic/internal/plan/shape"
	"tunic/internal/plan/twin"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// describedTree is a query over the twins of its tables, if nothing would be told by it.
func (b *Builder) describedTree(root ast.Statement) (*sql.Printed, *ending) {
	clone, end := b.overTwins(root)
	if end != nil {
		return nil, end
	}
	if end := refused(twin.Silent(clone)); end != nil {
		return nil, end
	}
	twin.Mute(clone, b.Modes)
	b.Run.Answer.Acts = functions.Acts(clone, b.Modes)
	return b.print(clone)
}

// overTwins is a statement as it was read, over the twins of its tables.
func (b *Builder) overTwins(root ast.Statement) (ast.Statement, *ending) {
	clone := ast.Clone(root)
	var failed *ending
	var wrong bool
	var unknown resolve.Name
	names := shape.CommonNames(clone)
	schemas := map[string]bool{}
	again := twin.Namesakes{}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		again.Enter(n)
		switch n := n.(type) {
		case *ast.AliasedTableExpr:
			of, end := b.lookUp(n, names)
			if end != nil || of.unknown {
				failed, wrong, unknown = end, true, of.name
			}
			table := of.table
			if table == nil {
				return true, nil
			}
			schemas[strings.ToLower(table.Schema)] = true
			if n.As.IsEmpty() {
				n.As = ast.Name(again.Alias(n, table))
			}
			n.Expr = ast.TableName{Qualifier: ast.Name(catalog.Schema), Name: ast.Name(table.Twin)}
			switch {
			case table.Plain():
				n.Expr = ast.TableName{Qualifier: ast.Name(table.Schema), Name: ast.Name(table.Name)}
			case table.View == nil && b.Run.Table == nil:
				b.Run.Table = table
			}
			n.Hints = nil
		case *ast.Select:
			n.Lock = ast.NoLock
		case *ast.Delete:
			for i := range n.Targets { // which have become aliases
				n.Targets[i].Qualifier = ast.Name("")
			}
		}
		return !wrong, nil
	}, clone)
	if wrong && failed == nil {
		failed = b.unknown([]resolve.Name{unknown}, nil)
	}
	if failed != nil {
		return nil, failed
	}
	again.Rename(clone, b.Catalog)
	twin.LeaveSchemas(clone, func(schema string) bool { return schemas[strings.ToLower(schema)] })
	return clone, nil
}

// fromEntry is what an entry of FROM names: a table, protected or plain, or one of which the definition is
// not known; neither if it is a query, or nothing.
type fromEntry struct {
	table   *catalog.Table
	name    resolve.Name
	unknown bool
}

// tableOf is the table that an entry of FROM is, protected or plain; nil if it is a
// query, or nothing.
func (b *Builder) tableOf(n *ast.AliasedTableExpr, shared map[string]bool) (*catalog.Table, *ending) {
	of, end := b.lookUp(n, shared)
	if end == nil && of.unknown {
		end = b.unknown([]resolve.Name{of.name}, nil)
	}
	return of.table, end
}

// lookUp finds out what an entry of FROM names.
func (b *Builder) lookUp(n *ast.AliasedTableExpr, shared map[string]bool) (fromEntry, *ending) {
	name, ok := n.Expr.(ast.TableName)
	switch {
	case !ok:
		return fromEntry{}, nil // a query
	case name.Qualifier.String() == catalog.Schema:
		return fromEntry{}, nil // a twin
	case name.Qualifier.IsEmpty() && shape.IsDual(name):
		return fromEntry{}, nil // nothing
	case name.Qualifier.IsEmpty() && shared[strings.ToLower(name.Name.String())]:
		if b.Catalog.Table(b.Schema, name.Name.String()) != nil {
			return fromEntry{}, beyond("a common table expression with the name of a table")
		}
		return fromEntry{}, nil // a common table expression
	case len(n.Partitions) > 0:
		return fromEntry{}, beyond("PARTITION")
	case len(n.Columns) > 0:
		return fromEntry{}, beyond("a list of columns after an alias")
	}
	schema := b.Schema
	if s := name.Qualifier.String(); s != "" {
		schema = s
	}
	if table := b.Catalog.Table(schema, name.Name.String()); table != nil {
		return fromEntry{table: table}, nil
	}
	if view := b.Catalog.View(schema, name.Name.String()); view != nil {
		return fromEntry{table: view}, nil
	}
	if table := b.plainTable(schema, name.Name.String()); table != nil {
		return fromEntry{table: table}, nil
	}
	return fromEntry{name: resolve.Name{Schema: schema, Table: name.Name.String()}, unknown: true}, nil
}
