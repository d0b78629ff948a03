package plan

import (
	"bytes"
	"errors"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/build"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// Fold computes calls of ciphers in a text that read no column, whose keys the server is not
// to have: they are computed here, and what they come to is sent in their places. It is for
// the one text that it was made of.
type Fold struct {
	// Query is a SELECT of what the calls come to, in their order.
	Query []byte
	// Calls are where they are in the text.
	Calls []sql.CipherCall
	// Params is where parameters are in the text, those in calls too.
	Params []int
	// Rows says that the text is a query, which returns rows.
	Rows bool
}

// ciphers looks for calls of AES_ENCRYPT and AES_DECRYPT in what the plan would send as it
// came, and that have a key in the text. Such a call is computed here: in a query that is
// finished here, or by itself, if it reads no column.
func (k *knowledge) ciphers(p *Plan, read []sql.Statement, text []byte, m sql.Modes, l *sql.Literals) {
	if k.catalog == nil || !sql.ContainsFold(text, "aes_encrypt") && !sql.ContainsFold(text, "aes_decrypt") || Is[*SetVariables](p) || Is[*ByName](p) {
		return
	}
	for i := range read {
		c := read[i].Ciphers()
		if !c.Keyed && !c.Unclear {
			continue
		}
		p.Keys = append(p.Keys, c.Keys...)
		if Is[*Execute](p) || Is[*Explain](p) || Is[*Refuse](p) && !errors.Is(p.Refusal(), errKeySent) {
			continue // no key is in what is sent, or nothing is
		}
		if len(read) > 1 || c.Unclear || !k.cipher(p, &read[i], &c, m, l) {
			*p = Plan{
				Action: &Refuse{Refusal: errKeySent}, Statements: p.Statements, Quiet: p.Quiet, OfSchema: p.OfSchema, Keys: p.Keys, rule: ruleCipher,
			}
			return
		}
		p.rule = ruleCipher
	}
}

// KeyParams are the parameters of a text that are in keys of ciphers, by their numbers: all
// of them, where that cannot be told.
func KeyParams(text []byte, m sql.Modes) (all []int) {
	if !sql.ContainsFold(text, "aes_encrypt") && !sql.ContainsFold(text, "aes_decrypt") {
		return nil
	}
	read, err := sql.Parse(text, m)
	if err != nil || len(read) != 1 {
		return everyParam(sql.CountParams(text, m))
	}
	c := read[0].Ciphers()
	if c.Unclear {
		return everyParam(len(c.Params))
	}
	return c.KeyParams
}

func everyParam(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// errKeySent is the refusal of a statement that would give the server the key of a cipher.
var errKeySent = sqlerr.KeySent()

// cipher plans a statement with keys of ciphers in it, if it can.
func (k *knowledge) cipher(p *Plan, s *sql.Statement, c *sql.Ciphers, m sql.Modes, l *sql.Literals) bool {
	if !foldedKinds[s.Kind] {
		return false
	}
	rows := returnsRows[s.Kind]
	tree, err := s.TreeWithPlaces(l)
	if l == nil || err != nil {
		return !rows && k.fold(p, s, c, m)
	}
	if n, ok := tree.Root().(*ast.Select); ok && shape.Bare(n) {
		if run, err := build.OwnRun(tree, n, m); err == nil {
			p.Action = &Execute{Run: run}
			return true
		}
	}
	mayFold := !rows || !k.apart && !k.into && !selectsCipher(tree.Root())
	if mayFold && k.fold(p, s, c, m) {
		return true
	}
	return (rows || shape.InsertedQuery(tree.Root()) != nil) && k.finish(p, tree, m)
}

// foldedKinds are the kinds of statements in which a literal may be in the place of a call;
// returnsRows are queries.
var (
	foldedKinds = map[sql.Kind]bool{
		sql.Select: true, sql.SetOperation: true, sql.Insert: true, sql.Replace: true, sql.Update: true, sql.Delete: true,
		sql.Do: true, sql.Set: true, sql.Call: true,
	}
	returnsRows = map[sql.Kind]bool{sql.Select: true, sql.SetOperation: true}
)

// fold has the calls computed by themselves, if none reads anything of a row.
func (k *knowledge) fold(p *Plan, s *sql.Statement, c *sql.Ciphers, m sql.Modes) bool {
	if c.Assigns || len(c.Calls) == 0 || sql.AsksIn(s.Text(), m).Any() {
		return false
	}
	f := &Fold{Calls: c.Calls, Params: c.Params, Rows: returnsRows[s.Kind] || s.Mentions(isReturning)}
	var calls [][]byte
	for _, call := range c.Calls {
		calls = append(calls, s.Text()[call.From:call.To])
	}
	f.Query = append([]byte("SELECT "), bytes.Join(calls, []byte(", "))...)
	read, err := sql.Parse(f.Query, m)
	if err != nil || len(read) != 1 {
		return false
	}
	tree, err := read[0].Tree()
	if err != nil {
		return false
	}
	n, ok := tree.Root().(*ast.Select)
	if !ok || !shape.Bare(n) || len(n.SelectExprs.Exprs) != len(calls) || shape.HasColumn(n) || shape.HasSubquery(n) || shape.HasAggregate(n.SelectExprs) || shape.Differs(n) {
		return false
	}
	for i := range f.Calls { // in the text, not in the statement
		f.Calls[i].From, f.Calls[i].To = f.Calls[i].From+s.Start, f.Calls[i].To+s.Start
	}
	for i := range f.Params {
		f.Params[i] += s.Start
	}
	p.Action = f
	return true
}

func isReturning(name []byte) bool { return bytes.EqualFold(name, []byte("RETURNING")) }

// selectsCipher reports whether a query returns a column that has such a call in it: a
// literal would have another name and type.
func selectsCipher(root ast.Statement) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if e, ok := n.(*ast.AliasedExpr); ok {
			found = found || resolve.Ciphers(e.Expr)
		}
		return !found, nil
	}, root)
	return found
}

// finish plans a statement over plain tables as one over protected ones is: what has a key
// in it is computed here.
func (k *knowledge) finish(p *Plan, tree *sql.Tree, m sql.Modes) bool {
	if k.about(tree.Root()) || namesOwn(tree.Root()) {
		return false // the rules have decided
	}
	lacks := &build.Lacking{}
	b := &build.Builder{Catalog: k.catalog, Schema: k.schema, Modes: m, Tree: tree, Asked: tree, Plain: k.plain, Into: k.into, Lacks: lacks}
	b.Run = &recipe.Run{Kind: tree.Kind(), Variables: tree.Variables()}
	err := b.Finish()
	if err != nil && len(lacks.Needs) > 0 {
		*p = Plan{
			Action:     refuseLacking(lacks, errKeySent),
			Statements: p.Statements, Quiet: p.Quiet, OfSchema: true, Keys: p.Keys,
		}
		return true
	}
	if err != nil {
		return false
	}
	b.Run.NoteActions(k.catalog)
	p.Action, p.OfSchema = &Execute{Run: b.Run, Tells: Is[*Introspect](p)}, true
	return true
}

// PlanApart is PlanWith for a query that is prepared, whose plan says Fold: what it has of
// ciphers is computed with its rows. plain are tables as of PlanBeside.
func (p *Planner) PlanApart(c *catalog.Catalog, plain []*catalog.Table, fp *sql.Fingerprinter, text []byte, m sql.Modes, schema string) *Plan {
	return p.planOnce(fp, text, m, knowledge{names: c, catalog: c, policy: p.rules(), schema: schema, plain: plain, apart: true})
}

// Within reports whether a place in the text is in a call.
func (f *Fold) Within(at int) bool {
	return slices.ContainsFunc(f.Calls, func(c sql.CipherCall) bool { return at >= c.From && at < c.To })
}

// Prepared is the text with, in the place of each call, what is NULL and has its parameters:
// it is prepared to find out what is wrong with it, and never executed.
func (f *Fold) Prepared(text []byte) (out []byte) {
	from := 0
	for _, c := range f.Calls {
		out = append(append(out, text[from:c.From]...), "COALESCE(NULL, NULL"...)
		for _, at := range f.Params {
			if at >= c.From && at < c.To {
				out = append(out, ", ?"...)
			}
		}
		out, from = append(out, ')'), c.To
	}
	return append(out, text[from:]...)
}
