package plan

import (
	"strings"

	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// Named is a table that a statement names, with the schema that it is looked for in.
type Named struct{ Schema, Table string }

// readsTables are the kinds of statements that hold values of an application's.
var readsTables = map[sql.Kind]bool{
	sql.Select: true, sql.SetOperation: true, sql.Insert: true, sql.Replace: true, sql.Update: true, sql.Delete: true,
}

// name notes which tables a plan of statements that are forwarded names, as far as
// they can be read. One that does not exist might have been meant to be protected.
// Where a name may be that of a common table expression, no name is noted.
func (k *knowledge) name(p *Plan, read []sql.Statement) {
	if k.catalog == nil || p.Action != Forward {
		return
	}
	for i := range read {
		if !readsTables[read[i].Kind] {
			continue
		}
		tree, err := read[i].Tree()
		if err != nil || hasWith(tree.Root()) {
			continue
		}
		for _, t := range resolve.Tables(tree.Root()) {
			named := Named{t.Qualifier.String(), t.Name.String()}
			if named.Schema == "" {
				named.Schema, p.OfSchema = k.schema, true
			}
			if named.Schema != "" && !ofServer[strings.ToLower(named.Schema)] && !strings.EqualFold(named.Table, "dual") {
				p.Names = append(p.Names, named)
			}
		}
	}
}

// ofServer are the schemas in which no client has tables.
var ofServer = map[string]bool{"information_schema": true, "performance_schema": true, "mysql": true, "sys": true}

func hasWith(root ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if _, ok := n.(*ast.With); ok {
			found = true
		}
		return !found, nil
	}, root)
	return found
}
