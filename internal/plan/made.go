package plan

import (
	"bytes"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/build"
	"tunic/internal/plan/shape"
	"tunic/internal/plan/views"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// MadeTable is a CREATE TABLE … SELECT, as far as it can be worked out without a
// connection. Whether tunic makes the table is for the policy to say.
type MadeTable struct {
	sql.Made
	// View is the query, described as that of a view is, with Run nil where Refusal is
	// why it cannot be planned. The Run is never carried out: rows are inserted when the
	// table is there.
	View DefinedView
	// ReadsProtected says that the query reads something protected.
	ReadsProtected bool
	// Flows says of each column of the query whether it has values of protected columns in it, or computed from those.
	Flows   []bool
	Refusal error
	// Needs and Outdated are as those of a Plan.
	Needs    []resolve.Name
	Outdated []*catalog.Table
}

// made plans the query of a CREATE TABLE … SELECT.
func (k *knowledge) made(s *sql.Statement, m sql.Modes) *MadeTable {
	made := &MadeTable{}
	var ok bool
	if made.Made, ok = s.Made(); !ok {
		made.ReadsProtected, made.Refusal = s.Mentions(k.names.Protected), sqlerr.StatementUnread()
		return made
	}
	made.Query = bytes.Clone(made.Query) // a prepared definition outlives the packet that its text is in
	made.View = DefinedView{View: sql.View{Query: made.Query}, Catalog: k.catalog}
	lacks := &build.Lacking{}
	if err := k.planMade(made, lacks, m); err != nil {
		made.View.Run, made.Refusal, made.Needs, made.Outdated = nil, refusalOf(err), lacks.Needs, lacks.Outdated
	}
	return made
}

// planMade plans the query as one whose rows are inserted.
func (k *knowledge) planMade(made *MadeTable, lacks *build.Lacking, m sql.Modes) error {
	made.ReadsProtected = true // until it is known
	var fp sql.Fingerprinter
	fp.Record(true)
	if !fp.Fingerprint(made.Query, m).Clean {
		return sql.ErrUnclean
	}
	all, err := sql.Parse(made.Query, m)
	if err != nil || len(all) != 1 {
		return sql.ErrUnclean
	}
	tree, err := all[0].TreeWithPlaces(fp.Literals())
	if err != nil {
		return err
	}
	root := tree.Root()
	if _, ok := root.(ast.TableStatement); !ok || tree.Kind() != sql.Select && tree.Kind() != sql.SetOperation {
		return &resolve.Beyond{What: "CREATE TABLE of the rows of this statement"}
	}
	made.ReadsProtected = k.about(root) || k.namesView(root)
	if namesOwn(root) {
		return sqlerr.OwnSchema()
	}
	if err := namedAll(root); err != nil {
		return err
	}
	b := &build.Builder{Catalog: k.catalog, Schema: k.schema, Modes: m, Tree: tree, Plain: k.plain, Lacks: lacks}
	right, err := b.StartMade()
	if err != nil {
		return err
	}
	made.View.Run, made.View.Literals = b.Run, fp.Literals()
	if !right {
		return nil
	}
	made.Flows = build.ProtectedColumns(b.Run)
	return k.readView(&made.View, m)
}

// namedAll refuses a column that the server would name by an expression with a literal in
// it: the name would be in the stored table, and the literal in the name.
func namedAll(root ast.Statement) error {
	q := sql.FirstSelect(root)
	if q == nil {
		return &resolve.Beyond{What: "CREATE TABLE of the rows of this statement"}
	}
	tells := slices.ContainsFunc(q.SelectExprs.Exprs, func(e ast.SelectExpr) bool {
		item, ok := e.(*ast.AliasedExpr)
		return ok && item.As.IsEmpty() && shape.HasLiteral(item.Expr)
	})
	if tells {
		return &resolve.Beyond{What: "a column without an alias that is named by an expression with a literal"}
	}
	return nil
}

// PlanMade plans the query of a CREATE TABLE … SELECT again, whose plan has said which
// plain tables it needs; plain are those of them that are there.
func (p *Planner) PlanMade(c *catalog.Catalog, plain []*catalog.Table, text []byte, m sql.Modes, schema string) *MadeTable {
	known := knowledge{names: c, catalog: c, policy: p.rules(), schema: schema, plain: plain}
	all, err := sql.Parse(text, m)
	if err != nil || len(all) != 1 {
		return &MadeTable{ReadsProtected: true, Refusal: sqlerr.StatementUnread()}
	}
	return known.made(&all[0], m)
}

// namesView reports whether a tree names a view over protected tables.
func (k *knowledge) namesView(root ast.Node) bool {
	x := views.Expander{Catalog: k.catalog, Schema: k.schema}
	return x.Names(root)
}
