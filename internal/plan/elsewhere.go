package plan

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/functions"
	"tunic/internal/plan/shape"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// PlanElsewhere is PlanWith for a prepared statement, and a session that is in another schema by now than
// the one that it was prepared in, which is schema: what the server gets names each table with its schema.
// What depends on the current schema by more than that is refused with the error of a statement that is to
// be prepared again. plain are tables as of PlanBeside.
func (p *Planner) PlanElsewhere(c *catalog.Catalog, plain []*catalog.Table, fp *sql.Fingerprinter, text []byte, m sql.Modes, schema string) *Plan {
	return p.planOnce(fp, text, m, knowledge{names: c, catalog: c, policy: p.rules(), schema: schema, plain: plain, elsewhere: true})
}

// NeedsPreparing is the servers' error for a prepared statement that is out of date (ER_NEED_REPREPARE).
func NeedsPreparing() *sqlerr.Error {
	return &sqlerr.Error{Number: 1615, State: "HY000", Message: "Prepared statement needs to be re-prepared"}
}

// qualify has the names of tables in a tree say their schema. It is false if something else in it is of
// the current schema.
func (k *knowledge) qualify(root ast.Node, m sql.Modes) bool {
	if k.schema == "" {
		return true // all names say it, or the statement was not prepared
	}
	common := shape.CommonNames(root)
	ok := !functions.Foreign(root, m) && !shape.NamesSchema(root)
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.AliasedTableExpr:
			name, is := n.Expr.(ast.TableName)
			if is && name.Qualifier.IsEmpty() && !shape.IsDual(name) {
				ok = ok && !common[strings.ToLower(name.Name.String())]
				name.Qualifier = ast.Name(k.schema)
				n.Expr = name
			}
		case *ast.Delete:
			ok = ok && len(n.Targets) == 0 // they may be aliases
		case *ast.Nextval:
			ok = false
		}
		return ok, nil
	}, root)
	return ok
}
