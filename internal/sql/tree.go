package sql

import (
	"vitess.io/vitess/go/vt/sqlparser"

	"tunic/internal/sql/ast"
)

// Tree is what the parser library makes of a statement. Its nodes are those of
// [tunic/internal/sql/ast]. Whoever changes a tree changes it for everybody.
type Tree struct {
	root      sqlparser.Statement
	returning *sqlparser.SelectExprs
	kind      Kind
	marks     map[Place]Mark
	// marked says that names in the tree stand for what the library has not: IF EXISTS,
	// and the column of a CHECK.
	marked bool
	// params is how many parameters a tree with places has, variables are the user
	// variables that it reads, by the number of the read.
	params    int
	variables []string
}

// Variables are the user variables that a tree with places reads, in lower case: that
// of parameter [FirstVariable] + i is the i-th.
func (t *Tree) Variables() []string { return t.variables }

// NewTree makes a tree of nodes that were not parsed. returning is nil but for
// a MariaDB server. A root that is no statement of MySQL is of kind [Unknown].
func NewTree(root ast.Statement, returning *ast.SelectExprs) *Tree {
	kind, _ := treeKind(root)
	return &Tree{root: root, returning: returning, kind: kind}
}

// WithRoot is the tree with another statement of the same kind, whose places and
// parameters are among those of the tree's own.
func (t *Tree) WithRoot(root ast.Statement) *Tree {
	other := *t
	other.root = root
	return &other
}

// Root is the statement's node. All of the statement is in it but for what
// Returning has.
func (t *Tree) Root() ast.Statement { return t.root }

// Returning is the list after RETURNING, which MariaDB has in INSERT, REPLACE
// and DELETE and the parser library has not. It is nil without one.
func (t *Tree) Returning() *ast.SelectExprs { return t.returning }

// FirstSelect is the SELECT that names the columns of a query; nil if it is none of SELECTs.
func FirstSelect(query ast.Statement) *ast.Select {
	for {
		switch q := query.(type) {
		case *ast.Select:
			return q
		case *ast.Union:
			query = q.Left
		default:
			return nil
		}
	}
}

// Kind is the statement's kind.
func (t *Tree) Kind() Kind { return t.kind }

var parser = mustParser()

func mustParser() *sqlparser.Parser {
	p, err := sqlparser.New(sqlparser.Options{})
	if err != nil {
		panic(err) // the options are constant
	}
	return p
}

// Tree parses the statement. It fails where the library does, where the
// library is known to lose what it parses, and where it takes the statement
// for another kind than [Parse] does. It costs some ten microseconds.
func (s *Statement) Tree() (*Tree, error) {
	text, err := respell(s.text[s.Start:s.End], s.Kind, s.modes)
	if err != nil {
		return nil, err
	}
	return parseRespelled(text, s.Kind)
}

// parseRespelled gives a respelled statement of the kind to the library.
func parseRespelled(text spelled, of Kind) (*Tree, error) {
	root, err := parseOne(text.text)
	if err != nil {
		return nil, err
	}
	kind, whole := treeKind(root)
	switch {
	case !whole:
		return nil, ErrNoTree
	case !kind.covers(of):
		return nil, ErrTreeSyntax
	}
	if tooDeep(root) {
		return nil, ErrTreeTooLarge
	}
	t := &Tree{root: root, kind: of, marked: text.marked}
	t.joinWindows()
	if err := t.joinSets(); err != nil {
		return nil, err
	}
	t.nameTypes()
	if text.returning == "" {
		return t, nil
	}
	list, err := parseOne("SELECT " + text.returning)
	if err != nil {
		return nil, err
	}
	// What the list is followed by would be lost.
	q, ok := list.(*sqlparser.Select)
	if !ok || !sqlparser.Equals.RefOfSelect(q, &sqlparser.Select{SelectExprs: q.SelectExprs, From: dual}) {
		return nil, ErrTreeSyntax
	}
	t.returning = q.SelectExprs
	return t, nil
}

// tooDeep reports whether nodes are deeper in one another than a goroutine's stack should
// have to hold: parentheses are counted before, operators make a level each without any.
func tooDeep(root sqlparser.SQLNode) bool {
	depth, deepest := 0, 0
	sqlparser.Rewrite(root, func(*sqlparser.Cursor) bool {
		if depth++; depth > deepest {
			deepest = depth
		}
		return depth <= treeLevelsMax
	}, func(*sqlparser.Cursor) bool {
		depth--
		return deepest <= treeLevelsMax
	})
	return deepest > treeLevelsMax
}

// dual is what the library makes of a query without FROM.
var dual = mustParse("SELECT 1").From

func mustParse(text string) *sqlparser.Select {
	root, err := parser.Parse(text)
	if q, ok := root.(*sqlparser.Select); ok && err == nil {
		return q
	}
	panic("sql: the parser does not parse " + text)
}

func parseOne(text string) (root sqlparser.Statement, err error) {
	defer func() {
		if recover() != nil {
			root, err = nil, ErrTreeSyntax // the library panics on some texts
		}
	}()
	// Strict: the library's usual entry accepts definitions that it understood
	// in part, and writes them to a log of its own.
	root, err = parser.ParseStrictDDL(text)
	if err != nil || root == nil {
		return nil, ErrTreeSyntax
	}
	return root, nil
}

// nodes are all nodes that are in no other.
func (t *Tree) nodes() []sqlparser.SQLNode {
	if t.returning == nil {
		return []sqlparser.SQLNode{t.root}
	}
	return []sqlparser.SQLNode{t.root, t.returning}
}

// treeKind is the kind of a tree's root; whole is false where the library
// keeps less than the statement says. Every type of statement that the library
// has is here.
func treeKind(root sqlparser.Statement) (k Kind, whole bool) {
	switch node := root.(type) {
	case *sqlparser.Select:
		return Select, true
	case *sqlparser.Union:
		return SetOperation, true
	case *sqlparser.ValuesStatement:
		return Values, true
	case *sqlparser.Insert:
		if node.Action == sqlparser.ReplaceAct {
			return Replace, true
		}
		return Insert, true
	case *sqlparser.Update:
		return Update, true
	case *sqlparser.Delete:
		return Delete, true
	case *sqlparser.Load:
		return LoadData, false
	case *sqlparser.CallProc:
		return Call, true
	case *sqlparser.ExplainStmt:
		return Explain, true
	case *sqlparser.ExplainTab:
		return Describe, true
	case *sqlparser.CommentOnly:
		return Empty, false
	case *sqlparser.Show:
		return Show, true
	case *sqlparser.Kill:
		return Kill, true
	case *sqlparser.Flush:
		return Flush, true
	case *sqlparser.PurgeBinaryLogs:
		return PurgeBinaryLogs, true
	case *sqlparser.Analyze:
		return AnalyzeTable, true
	case *sqlparser.OtherAdmin:
		return OptimizeTable, false
	}
	if k, ok := treeKindOfSession(root); ok {
		return k, true
	}
	return treeKindOfDefinition(root)
}

// treeKindOfSession is treeKind for transactions and the session's state.
func treeKindOfSession(root sqlparser.Statement) (Kind, bool) {
	switch root.(type) {
	case *sqlparser.Begin:
		return Begin, true
	case *sqlparser.Commit:
		return Commit, true
	case *sqlparser.Rollback:
		return Rollback, true
	case *sqlparser.SRollback:
		return RollbackToSavepoint, true
	case *sqlparser.Savepoint:
		return Savepoint, true
	case *sqlparser.Release:
		return ReleaseSavepoint, true
	case *sqlparser.LockTables:
		return LockTables, true
	case *sqlparser.UnlockTables:
		return UnlockTables, true
	case *sqlparser.Set:
		return Set, true
	case *sqlparser.Use:
		return Use, true
	case *sqlparser.PrepareStmt:
		return Prepare, true
	case *sqlparser.ExecuteStmt:
		return Execute, true
	case *sqlparser.DeallocateStmt:
		return Deallocate, true
	}
	return Unknown, false
}

// treeKindOfDefinition is treeKind for what defines things, and for what is
// not MySQL's.
func treeKindOfDefinition(root sqlparser.Statement) (Kind, bool) {
	switch root.(type) {
	case *sqlparser.CreateDatabase:
		return CreateDatabase, true
	case *sqlparser.AlterDatabase:
		return AlterDatabase, true
	case *sqlparser.DropDatabase:
		return DropDatabase, true
	case *sqlparser.CreateTable:
		return CreateTable, true
	case *sqlparser.AlterTable: // CREATE INDEX and DROP INDEX are this, too
		return AlterTable, true
	case *sqlparser.DropTable:
		return DropTable, true
	case *sqlparser.RenameTable:
		return RenameTable, true
	case *sqlparser.TruncateTable:
		return TruncateTable, true
	case *sqlparser.CreateView:
		return CreateView, true
	case *sqlparser.AlterView:
		return AlterView, true
	case *sqlparser.DropView:
		return DropView, true
	case *sqlparser.CreateProcedure:
		return CreateProcedure, true
	case *sqlparser.DropProcedure:
		return DropProcedure, true
	case *sqlparser.Stream, *sqlparser.VStream, *sqlparser.VExplainStmt, *sqlparser.AlterVschema,
		*sqlparser.AlterMigration, *sqlparser.RevertMigration, *sqlparser.ShowMigrationLogs,
		*sqlparser.ShowThrottledApps, *sqlparser.ShowThrottlerStatus:
		return VitessStatement, false
	}
	return Unknown, false
}

// covers says that a statement that Parse takes for kind read can have a tree
// of kind k: the library makes fewer distinctions.
func (k Kind) covers(read Kind) bool {
	switch k {
	case read:
		return true
	case Select:
		return read == Table || read == SelectIntoFile
	case SetOperation:
		return read == SelectIntoFile
	case AlterTable:
		return read == CreateIndex || read == DropIndex
	case Set:
		return read == SetNames || read == SetCharacterSet || read == SetTransaction
	case Show:
		return read == ShowTables || read == ShowColumns || read == ShowIndex || read == ShowCreateTable ||
			read == ShowCreateProgram || read == ShowWarnings || read == ShowProcesslist || read == ShowBinlogEvents
	}
	return false
}
