package plan

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"tunic/internal/catalog"
	"tunic/internal/plan/views"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// DefinedView is a CREATE VIEW or ALTER VIEW, as far as it can be worked out without a
// connection.
type DefinedView struct {
	sql.View
	// Catalog is the version by which it was planned.
	Catalog *catalog.Catalog
	// Run is how the view's query would be carried out; nil for one that touches nothing
	// protected, where nothing that follows is set.
	Run *recipe.Run
	// Literals are those of Query.
	Literals *sql.Literals
	// Text is the view's query as the catalog keeps it (catalog.View).
	Text string
	// Names are those of its columns, Own those that they have by the query itself, without
	// the statement's list of them.
	Names, Own []string
	// Reads are the tables and views that it reads, and which of their columns.
	Reads []views.Read
}

// defineView plans a CREATE VIEW or an ALTER VIEW, and reports whether it has: one that
// names nothing protected is the server's.
func (k *knowledge) defineView(p *Plan, s *sql.Statement, m sql.Modes) bool {
	if !s.Mentions(k.names.Protected) {
		return false
	}
	v, ok := s.View()
	if !ok || !utf8.Valid(v.Query) {
		p.refuse(sqlerr.StatementUnread())
		return true
	}
	if strings.EqualFold(v.Name.Schema, catalog.Schema) || v.Name.Schema == "" && strings.EqualFold(k.schema, catalog.Schema) {
		p.refuse(sqlerr.OwnSchema())
		return true
	}
	v.Query = bytes.Clone(v.Query) // a prepared definition outlives the packet that its text is in
	k.planView(p, &DefinedView{View: v, Catalog: k.catalog}, m)
	return true
}

// PlanRetold plans the query of a view that is outdated, so that its twin can be made
// anew. plain are as those of PlanBeside.
func (p *Planner) PlanRetold(c *catalog.Catalog, plain []*catalog.Table, v *catalog.Table, m sql.Modes) *Plan {
	known := knowledge{names: c, catalog: c, policy: p.rules(), schema: v.Schema, plain: plain, kept: true}
	view := sql.View{Name: sql.TableName{Schema: v.Schema, Name: v.Name}, Query: []byte(v.View.Query)}
	for i := range v.Columns {
		view.Columns = append(view.Columns, v.Columns[i].Name)
	}
	made := &Plan{}
	known.planView(made, &DefinedView{View: view, Catalog: c}, views.OwnModes(m))
	return made
}

// planView plans the query of a view.
func (k *knowledge) planView(p *Plan, v *DefinedView, m sql.Modes) {
	p.Action, p.OfSchema = &DefineView{View: v}, true
	var fp sql.Fingerprinter
	fp.Record(true)
	var literals *sql.Literals
	if fp.Fingerprint(v.Query, m).Clean {
		literals = fp.Literals()
	}
	query := decide(v.Query, m, *k, literals)
	run := query.Run()
	switch {
	case Is[*Refuse](query):
		p.Action = query.Action
	case run != nil && run.Informs():
		p.refuse(sqlerr.StatementRefused("a view over information_schema"))
	case run != nil && (run.Kind == sql.Select || run.Kind == sql.SetOperation):
		v.Run, v.Literals = run, literals
		if run.Remote == nil {
			return // the server says what is wrong
		}
		if err := k.readView(v, m); err != nil {
			p.refuse(viewRefusal(err))
		}
	case !Is[*Forward](query):
		p.refuse(sqlerr.StatementRefused("a view of this statement"))
	}
}

// viewRefusal is what a client is told of a view that cannot be kept.
func viewRefusal(err error) error {
	if beyond, ok := errors.AsType[*resolve.Beyond](err); ok {
		return sqlerr.StatementRefused(beyond.Error())
	}
	return sqlerr.StatementUnread()
}

// readView finds out what the catalog keeps of a view's query.
func (k *knowledge) readView(v *DefinedView, m sql.Modes) error {
	all, err := sql.Parse(v.Query, m)
	if err != nil || len(all) != 1 {
		return &resolve.Beyond{What: "a view of several statements"}
	}
	tree, err := all[0].Tree()
	if err != nil {
		return err
	}
	q, ok := tree.Root().(ast.TableStatement)
	if !ok || parameters(v.Run) > 0 {
		return &resolve.Beyond{What: "a view of this statement"}
	}
	r := views.Reader{Catalog: k.catalog, Schema: k.schema, Plain: k.plain, Modes: m}
	read, err := r.Read(tree, q, v.Query)
	if err != nil {
		return err
	}
	v.Names, v.Own, v.Reads, v.Text = read.Names, read.Names, read.Reads, read.Text
	if len(v.Columns) > 0 {
		v.Names = v.Columns // of another number of columns, the server says so
	}
	return nil
}

// parameters are how many a statement has.
func parameters(run *recipe.Run) (n int) {
	if run.Answer.Describe == nil {
		return 1
	}
	for _, h := range run.Answer.Describe.Holes() {
		if h.Kind == sql.HoleParam {
			n++
		}
	}
	return n
}
