package plan

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/build"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// load plans LOAD DATA. A plan of it is for one text: literals are in it.
func (k *knowledge) load(p *Plan, s *sql.Statement, m sql.Modes) {
	file, ok := s.FileLoad()
	if !ok {
		p.refuse(sqlerr.StatementUnread())
		return
	}
	schema := k.schema
	if file.Table.Schema != "" {
		schema = file.Table.Schema
	}
	table := k.catalog.Table(schema, file.Table.Name)
	switch {
	case table == nil:
		if schema != "" && !strings.EqualFold(schema, catalog.Schema) && !ast.HasQuery(file.Set) {
			p.forward() // what is protected has another name there
		}
		return
	case table.View != nil:
		p.refuse(sqlerr.StatementRefused("LOAD DATA into a view"))
		return
	case !file.Local:
		p.refuse(sqlerr.StatementRefused("LOAD DATA of a file of the server's"))
		return
	}
	b := &build.Builder{Catalog: k.catalog, Schema: k.schema, Modes: m, Run: &recipe.Run{Kind: sql.Insert, Ignore: true}}
	if err := b.Load(&file); err != nil {
		p.refuse(refusalOf(err))
		return
	}
	b.Run.FindTables()
	b.Run.NoteActions(k.catalog)
	p.Action = &Execute{Run: b.Run}
}
