package plan

import (
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/functions"
	"tunic/internal/plan/support"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/usage"
)

// Plan is what is done with a text and what it does to the session. It is
// shared: nobody changes it.
type Plan struct {
	Action Action
	// Statements are those of the text, in their order; none if the text is
	// empty.
	Statements []Statement
	// Template counts what statements with the text's template cost. It is not part of what is
	// done; nil where nobody counts.
	Template *usage.Template
	// Names are the tables that are named by statements to be forwarded, or made and changed
	// by a definition.
	Names []resolve.Name
	// Keys are the user variables in keys of ciphers, in lower case: the server is not to
	// have them from now on.
	Keys []string
	// Functions says that a statement may call a stored function, which may set variables of
	// the session.
	Functions bool
	// OfSchema says that the plan is of sessions with one default schema.
	OfSchema bool
	// Quiet says that no statement has an effect on the session.
	Quiet bool
	// rule is the name of the rule that has decided.
	rule string
}

// Statement is what a plan keeps of one statement: nothing of its text.
type Statement struct {
	Kind    sql.Kind
	Effects sql.Effects
	// Tableless says that it is a query of no table, as those are by which pools ask whether
	// a connection is alive.
	Tableless bool
}

// MayPrepare reports whether a statement may run a program of the server's, which may prepare statements; of EXECUTE it is known
// what it runs.
func (st Statement) MayPrepare() bool {
	return st.Effects.Stale && st.Kind != sql.Prepare && st.Kind != sql.Execute && st.Kind != sql.Deallocate
}

// Names says which names may belong to protected data. Its answers hold for
// the life of a Planner. It is safe for concurrent use.
type Names interface {
	// Empty says that Protected is false for every name.
	Empty() bool
	// Protected says whether name, an identifier without its quotes, may be that
	// of a protected table, of a view or a stored program that touches one, or of
	// a schema with one. The empty name stands for what cannot be read. True
	// where in doubt.
	Protected(name []byte) bool
}

// Nothing is the Names of a server without protected tables.
type Nothing struct{}

// Empty is true.
func (Nothing) Empty() bool { return true }

// Protected is false for every name.
func (Nothing) Protected([]byte) bool { return false }

// decide makes the plan of a text. Its literals are those that were recorded of it,
// nil if it cannot be read with certainty.
func decide(text []byte, m sql.Modes, known knowledge, l *sql.Literals) *Plan {
	read, err := sql.Parse(text, m)
	p := decideRead(text, read, err, m, known, l)
	known.guard(p, read)
	p.Functions = known.catalog != nil && functions.MayCall(read, m)
	if len(read) > 1 && (known.catalog != nil || Is[*Refuse](p) && known.names.Empty()) {
		p.severally(read)
	}
	return p
}

// severally makes Each of a plan for several statements, where one of them may be for tunic:
// it keeps the strings that user variables are set to, and the statements that have names.
func (p *Plan) severally(read []sql.Statement) {
	switch {
	case Is[*Refuse](p):
		p.Action, p.rule = &Each{Refusal: p.Refusal()}, ruleSeveral
	case Is[*Forward](p) && slices.ContainsFunc(read, keptHere) && !slices.ContainsFunc(read, readsFile):
		p.Action, p.rule = &Each{Refusal: sqlerr.StatementUnread()}, ruleSeveral
	}
}

// readsFile reports whether a statement may read a file of the client's.
func readsFile(s sql.Statement) bool { return s.Kind.ReadsFile() }

// keptHere reports whether what a statement sets or names may be kept in tunic.
func keptHere(s sql.Statement) bool {
	_, named := s.Textual()
	return named || len(s.Effects.UserVariables) > 0
}

// tablelessBytesMax is the longest text that is looked at. Whoever asks whether a connection is
// alive does it in fewer.
const tablelessBytesMax = 256

// tableless reports whether a statement is a short query of no table.
func tableless(s *sql.Statement, text []byte) bool {
	return s.Kind == sql.Select && s.End-s.Start <= tablelessBytesMax && !hasFrom(text[s.Start:s.End])
}

// hasFrom reports whether the letters of FROM are in a text.
func hasFrom(text []byte) bool {
	const lower = 0x20
	for i := 0; i+4 <= len(text); i++ {
		if text[i]|lower == 'f' && text[i+1]|lower == 'r' && text[i+2]|lower == 'o' && text[i+3]|lower == 'm' {
			return true
		}
	}
	return false
}

// refuseQueries refuses statements that are no queries, nor made of them, but have a query
// in them and name something protected: what the query says would be sent as it came.
func (k *knowledge) refuseQueries(p *Plan, read []sql.Statement, m sql.Modes) bool {
	for i := 0; i < len(read) && !k.names.Empty(); i++ {
		s := &read[i]
		if (support.Of(s.Kind).Class == support.Forward || asks[s.Kind] || k.catalog != nil && (defines[s.Kind] || s.Kind == sql.DropView)) &&
			s.Mentions(k.names.Protected) && (s.HasQuery() || defines[s.Kind] && definesWithQuery(s)) && !k.setsFromOthers(s, m) {
			p.refuse(sqlerr.StatementRefused(s.Kind.String() + " with a query in it, on protected tables,"))
			return true
		}
	}
	return false
}

// setsFromOthers reports whether a statement is a SET whose values are of nothing protected: the
// names in it are those of variables, of scopes, and of what is plain.
func (k *knowledge) setsFromOthers(s *sql.Statement, m sql.Modes) bool {
	if s.Kind != sql.Set || k.catalog == nil {
		return false
	}
	tree, err := s.Tree()
	return err == nil && !k.about(tree.Root()) && !functions.Foreign(tree.Root(), m)
}

// namesNoTable are the kinds of statements whose names, but in a query, are words and variables.
var namesNoTable = map[sql.Kind]bool{sql.ShowWarnings: true, sql.GetDiagnostics: true}

// asks are the kinds of statements that ask about tables, or how the last one went.
var asks = map[sql.Kind]bool{
	sql.ShowTables: true, sql.ShowColumns: true, sql.ShowIndex: true, sql.ShowCreateTable: true, sql.ShowWarnings: true, sql.Describe: true,
}

// judge decides about a statement that names something protected and that is not
// planned.
func (p *Plan) judge(k sql.Kind, unread error) {
	if refusal := judged(k, unread); refusal != nil {
		p.refuse(refusal)
		return
	}
	p.forward()
}

// judged is the refusal of such a statement, nil to forward it.
func judged(k sql.Kind, unread error) error {
	switch {
	case unread != nil || k == sql.Unknown:
		return sqlerr.StatementUnread()
	case support.Of(k).Class == support.Forward:
		return nil
	}
	return sqlerr.StatementRefused(k.String() + " on protected tables")
}

// refusalOf is the error for the client of a statement that cannot be planned.
func refusalOf(err error) error {
	if beyond, ok := errors.AsType[*resolve.Beyond](err); ok {
		return sqlerr.StatementRefused(beyond.Error())
	}
	if own, ok := errors.AsType[*sqlerr.Error](err); ok {
		return own
	}
	return sqlerr.StatementUnread()
}

// carried are the kinds of statements that Build knows.
var carried = map[sql.Kind]bool{
	sql.Select: true, sql.SetOperation: true, sql.Table: true, sql.Insert: true, sql.Replace: true, sql.Update: true, sql.Delete: true,
}

// namesOwn reports whether a tree names a table of tunic's own schema.
func namesOwn(root ast.Node) (own bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		name, ok := n.(ast.TableName)
		own = own || ok && strings.EqualFold(name.Qualifier.String(), catalog.Schema)
		return !own, nil
	}, root)
	return own
}

// about reports whether a tree names a protected table, or one of tunic's own.
// Every name that is followed by a dot, or that could be a table's, is looked at.
func (k *knowledge) about(root ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		name, ok := n.(ast.TableName)
		if !ok || name.Name.IsEmpty() {
			return true, nil
		}
		schema := k.schema
		if !name.Qualifier.IsEmpty() {
			schema = name.Qualifier.String()
		}
		found = found || k.catalog.Table(schema, name.Name.String()) != nil || k.catalog.View(schema, name.Name.String()) != nil || strings.EqualFold(schema, catalog.Schema) ||
			k.schema == "" && name.Qualifier.IsEmpty()
		return !found, nil
	}, root)
	return found
}
