package plan

import (
	"slices"
	"strings"

	"tunic/internal/plan/information"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// Own is the schema whose procedures are tunic's, and in which it has tables to be read:
// what there is to say of jobs and layers. None of that is at the server.
const Own = "tunic"

// ownTables are the tables of schema Own that a query stands for, by their names in lower
// case. Other names in it are the server's business.
var ownTables = map[string]information.How{"jobs": information.Own, "layers": information.Own}

// readsOwn reports whether a statement reads one of them.
func readsOwn(s *sql.Statement) bool {
	if !asksInformation[s.Kind] || !s.Mentions(func(name []byte) bool { return strings.EqualFold(string(name), Own) }) {
		return false
	}
	refs, ok := s.TableRefs()
	return ok && slices.ContainsFunc(refs, func(r sql.TableRef) bool { return !r.Qualifies && isOwn(r.Name) })
}

// describesOwn is the refusal of a statement that asks what one of them is like, or how it is
// read; nil of any other. The server would say that there is no such table.
func describesOwn(s *sql.Statement) error {
	if e, ok := s.Explained(); ok {
		if readsOwn(&e.Of) {
			return sqlerr.StatementRefused("EXPLAIN of a table of tunic's own")
		}
		return nil
	}
	if asked, ok := s.Asked(); ok && isOwn(asked.Table) {
		return sqlerr.StatementRefused(s.Kind.String() + " of a table of tunic's own")
	}
	return nil
}

// writesOwn refuses a text that would write, define or lock one of them: the server would say
// that there is no such schema, or do it to a table of that name that no query comes to.
func (k *knowledge) writesOwn(p *Plan, read []sql.Statement) bool {
	for i := 0; i < len(read) && k.catalog != nil; i++ {
		if name, ok := ownTarget(&read[i]); ok {
			p.refuse(sqlerr.OwnTable(strings.ToLower(name.Name)))
			return true
		}
	}
	return false
}

// ownTarget is the one of them that a statement is about otherwise than by reading it.
func ownTarget(s *sql.Statement) (found sql.TableName, ok bool) {
	writes := asksInformation[s.Kind] && carried[s.Kind] && s.Kind != sql.Select && s.Kind != sql.SetOperation
	if !writes && !defines[s.Kind] && !definesView[s.Kind] && s.Kind != sql.LoadData && s.Kind != sql.LockTables {
		return found, false
	}
	if !s.Mentions(func(name []byte) bool { return strings.EqualFold(string(name), Own) }) {
		return found, false
	}
	match := func(n sql.TableName) bool {
		found = n
		return isOwn(n)
	}
	if tree, err := s.Tree(); err == nil && writes {
		ok = slices.ContainsFunc(targets(tree.Root()), match)
	} else {
		ok = s.NamesTable(match)
	}
	return found, ok
}

// targets are the tables that a statement may write to: of an UPDATE of several all of them.
func targets(root ast.Statement) (all []sql.TableName) {
	var entries []ast.TableExpr
	var named ast.TableNames // those that a DELETE of several is of
	switch n := root.(type) {
	case *ast.Insert:
		entries = []ast.TableExpr{n.Table}
	case *ast.Update:
		entries = n.TableExprs
	case *ast.Delete:
		entries, named = n.TableExprs, n.Targets
	}
	for _, e := range entries {
		_ = ast.Walk(func(n ast.Node) (bool, error) {
			of, ok := n.(*ast.AliasedTableExpr)
			if !ok {
				return true, nil
			}
			name, ok := of.Expr.(ast.TableName)
			if ok && (named == nil || slices.ContainsFunc(named, func(t ast.TableName) bool { return aims(t, of, name) })) {
				all = append(all, sql.TableName{Schema: name.Qualifier.String(), Name: name.Name.String()})
			}
			return false, nil // what is in a query is read
		}, e)
	}
	return all
}

// aims reports whether a name in front of a DELETE's FROM is that of a table behind it.
func aims(target ast.TableName, entry *ast.AliasedTableExpr, name ast.TableName) bool {
	if !entry.As.IsEmpty() {
		return strings.EqualFold(target.Name.String(), entry.As.String())
	}
	return strings.EqualFold(target.Name.String(), name.Name.String())
}

// isOwn reports whether a name is that of one of them.
func isOwn(n sql.TableName) bool {
	return strings.EqualFold(n.Schema, Own) && ownTables[strings.ToLower(n.Name)] != 0
}

// OwnTable is what an Edit calls one of them.
func OwnTable(name string) string { return Own + "." + strings.ToLower(name) }

// procedures are those of schema Own that do something, by their names in lower case.
var procedures = map[string]bool{"add_layer": true, "drop_layer": true, "pause": true, "resume": true, "cancel": true}

// Call calls a procedure of schema Own.
type Call struct {
	Procedure string // in lower case
	Args      []sql.Arg
}

// calls plans a text that calls a procedure of schema Own. It reports false for any other.
func (k *knowledge) calls(p *Plan, read []sql.Statement) bool {
	if k.catalog == nil {
		return false
	}
	for i := range read {
		name, ok := read[i].CalledName()
		if !ok || !strings.EqualFold(name.Schema, Own) {
			continue
		}
		if len(read) > 1 {
			p.refuse(sqlerr.StatementRefused("CALL of tunic's own together with other statements"))
			return true
		}
		k.call(p, &read[i], strings.ToLower(name.Name))
		return true
	}
	return false
}

// call plans one such CALL.
func (k *knowledge) call(p *Plan, s *sql.Statement, procedure string) {
	call, ok := s.Called()
	does := procedures[procedure]
	switch told := ownTables[procedure] != 0; {
	case !does && !told:
		p.refuse(sqlerr.NoProcedure(procedure))
	case told && (!ok || len(call.Args) > 0):
		p.refuse(sqlerr.ProcedureArguments(procedure))
	case told:
		p.inquiry(&Inquiry{
			Catalog: k.catalog, Schema: k.schema, Own: true,
			Edits: []Edit{{From: s.Start, To: s.End, Relation: OwnTable(procedure), Whole: true}},
		}, nil, true)
	case !ok:
		p.refuse(sqlerr.ProcedureArguments(procedure))
	default:
		p.Action = &Call{Procedure: procedure, Args: call.Args}
	}
}
