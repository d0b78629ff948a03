package plan

import (
	"errors"
	"strings"

	"tunic/internal/catalog"
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
	b := &builder{catalog: k.catalog, schema: k.schema, modes: m, run: &recipe.Run{Kind: sql.Insert, Ignore: true}}
	err := b.load(&file)
	if _, wrong := errors.AsType[*Wrong](err); wrong {
		err = b.loadWrong(&file)
	}
	if err != nil {
		p.refuse(refusalOf(err))
		return
	}
	b.run.FindTables()
	b.run.NoteActions(k.catalog)
	p.Action = &Execute{Run: b.run}
}
