package plan

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
	"tunic/internal/plan/support"
	"tunic/internal/policy"
	"tunic/internal/resolve"
	"tunic/internal/sql"
)

// TestNamed: of a statement that is forwarded the tables are known, because one that
// is not there might have been meant to be protected.
func TestNamed(t *testing.T) {
	c := catalog.New(false)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	for statement, want := range map[string]string{
		"SELECT * FROM a WHERE x = 'secret'":                     "[{shop a}]",
		"SELECT * FROM b.a JOIN c USING (id)":                    "[{b a} {shop c}]",
		"INSERT INTO a SELECT * FROM b":                          "[{shop a} {shop b}]",
		"EXPLAIN INSERT INTO a VALUES ('secret')":                "[{shop a}]",
		"EXPLAIN FORMAT=JSON SELECT * FROM a WHERE x = 'secret'": "[{shop a}]",
		"DESCRIBE a": "[]",
		"WITH c AS (SELECT * FROM a) SELECT * FROM c, B.c":                     "[{shop a} {B c}]",
		"WITH RECURSIVE c AS (SELECT 1 UNION SELECT 2 FROM c) SELECT * FROM c": "[]",
		"WITH RECURSIVE c AS (SELECT 1 UNION SELECT 2 FROM C) SELECT * FROM c": "[{shop C}]",
		"INSERT INTO c (a) WITH c AS (SELECT 1) SELECT * FROM c":               "[{shop c}]",
		"USE b; SELECT * FROM a; USE d; SELECT * FROM a, c.a":                  "[{b a} {d a} {c a}]",
		"DELETE FROM a WHERE id IN (SELECT id FROM mysql.user, dual)":          "[{shop a}]",
		"SELECT * FROM information_schema.columns WHERE table_name = 'x'":      "[]",
		"SELECT 1; UPDATE a SET x = 'secret'":                                  "[{shop a}]",
	} {
		var fp sql.Fingerprinter
		if got := fmt.Sprint(p.Plan(&fp, []byte(statement), 0, "shop").Names); got != want {
			t.Errorf("%s: %s, want %s", statement, got, want)
		}
	}
}

// touch is what a statement of a kind has to do with tables.
type touch int

// What there is. Whoever adds a kind has to say which: a kind that may give values of a client's to rows of a table, or compare
// them, has to tell which table that is, since a rule may guard it; what a kind makes or changes may have to be protected.
const (
	neither    touch = iota + 1
	rows             // it reads or writes rows, by itself or in a query or a program that may be in it
	makesTable       // it makes or changes a table or a schema
	makesView        // it makes or changes a view
	runsTexts        // it runs a text, which is planned by itself
	unseen           // it may write rows of tables that it does not name
)

// touches says of every kind what it has to do with tables.
var touches = map[touch][]sql.Kind{
	rows: {
		sql.Select, sql.SelectIntoFile, sql.SetOperation, sql.Values, sql.Table, sql.Insert, sql.Replace, sql.Update, sql.Delete, sql.LoadData, sql.LoadXML,
		sql.Do, sql.Call, sql.Handler, sql.Explain, sql.Set, sql.SetStatement, sql.Compound, sql.Kill, sql.AnalyzeTable, sql.ChecksumTable,
		sql.CreateTrigger, sql.CreateProcedure, sql.CreateFunction, sql.CreateEvent, sql.AlterEvent, sql.CreatePackage, sql.TiDBStatement,
		sql.VitessStatement, sql.Unknown,
	},
	makesTable: {
		sql.CreateTable, sql.AlterTable, sql.DropTable, sql.RenameTable, sql.TruncateTable, sql.CreateIndex, sql.DropIndex, sql.CreateDatabase,
		sql.AlterDatabase, sql.DropDatabase,
	},
	makesView: {sql.CreateView, sql.AlterView, sql.DropView},
	runsTexts: {sql.Prepare, sql.Execute, sql.ExecuteImmediate},
	unseen:    {sql.Binlog},
	neither: {
		sql.Empty, sql.ImportTable, sql.Describe, sql.CreateSequence, sql.AlterSequence, sql.DropSequence, sql.DropTrigger, sql.AlterProcedure, sql.DropProcedure,
		sql.AlterFunction, sql.DropFunction, sql.CreateLoadableFunction, sql.DropEvent, sql.AlterPackage, sql.DropPackage, sql.CreateLibrary, sql.AlterLibrary,
		sql.DropLibrary, sql.Begin, sql.Commit, sql.Rollback, sql.Savepoint, sql.RollbackToSavepoint, sql.ReleaseSavepoint, sql.SetTransaction, sql.XA,
		sql.LockTables, sql.UnlockTables, sql.LockInstance, sql.UnlockInstance, sql.SetNames, sql.SetCharacterSet, sql.SetPassword, sql.SetRole,
		sql.SetDefaultRole, sql.SetResourceGroup, sql.Use, sql.Deallocate, sql.Signal, sql.Resignal, sql.GetDiagnostics, sql.Show, sql.ShowTables,
		sql.ShowColumns, sql.ShowIndex, sql.ShowCreateTable, sql.ShowCreateProgram, sql.ShowWarnings, sql.ShowProcesslist, sql.ShowBinlogEvents, sql.Help,
		sql.CreateUser, sql.AlterUser, sql.DropUser, sql.RenameUser, sql.CreateRole, sql.DropRole, sql.Grant, sql.Revoke, sql.CheckTable, sql.OptimizeTable,
		sql.RepairTable, sql.CheckView, sql.CacheIndex, sql.LoadIndex, sql.Flush, sql.Reset, sql.Shutdown, sql.Restart, sql.Clone, sql.Backup,
		sql.PurgeBinaryLogs, sql.Replication, sql.InstallPlugin, sql.UninstallPlugin, sql.InstallComponent, sql.UninstallComponent, sql.AlterInstance,
		sql.CreateServer, sql.AlterServer, sql.DropServer, sql.CreateTablespace, sql.AlterTablespace, sql.DropTablespace, sql.CreateResourceGroup,
		sql.AlterResourceGroup, sql.DropResourceGroup, sql.CreateSpatialReferenceSystem, sql.DropSpatialReferenceSystem,
	},
}

// namesT are statements that name the table t, of kinds of which the example of the statement table does not.
var namesT = map[sql.Kind]string{
	sql.Values: "VALUES (1, (SELECT a FROM t))", sql.Do: "DO (SELECT a FROM t)", sql.Call: "CALL p((SELECT a FROM t))", sql.Set: "SET @a = (SELECT a FROM t)",
	sql.Compound: "BEGIN NOT ATOMIC DELETE FROM t; END", sql.Kill: "KILL QUERY (SELECT a FROM t)", sql.CreatePackage: "CREATE PACKAGE BODY k AS PROCEDURE p AS BEGIN DELETE FROM t; END; END",
	sql.AnalyzeTable: "ANALYZE TABLE t UPDATE HISTOGRAM ON a USING DATA '{}'",
}

// TestKindsAreClassified: of every kind it has been decided what it has to do with tables, once.
func TestKindsAreClassified(t *testing.T) {
	seen := map[sql.Kind]touch{}
	for of, kinds := range touches {
		for _, k := range kinds {
			if seen[k] != 0 {
				t.Errorf("%v is there twice", k)
			}
			seen[k] = of
		}
	}
	for _, k := range sql.Kinds() {
		if seen[k] == 0 {
			t.Errorf("%v: say in touches whether it reads or writes rows of tables, or makes or changes tables", k)
		}
	}
}

// TestKindsTellTables: a statement of whatever kind that may read or write rows of a table is known to name it,
// so that a table that a rule guards is not reached by a kind that nobody has thought of.
func TestKindsTellTables(t *testing.T) {
	eachPlan(t, touches[rows], func(text string, got *Plan) {
		if !regexp.MustCompile(`\bt\b`).MatchString(text) {
			t.Errorf("%s does not name t (namesT)", text)
		}
		if !slices.Contains(got.Names, resolve.Name{Schema: "shop", Table: "t"}) && !slices.Contains(got.Wording().Words, "t") && !Is[*SetVariables](got) {
			t.Errorf("%s: the names are %v, the words %v: t is not told (mayHoldQuery, namesBehind)", text, got.Names, got.Wording().Words)
		}
	})
	eachPlan(t, touches[unseen], func(text string, got *Plan) {
		if !Is[*Refuse](got) {
			t.Errorf("%s may be of any table, and is not refused", text)
		}
	})
}

// TestKindsDefine: a statement of whatever kind that makes or changes a table or a schema is planned as a definition
// also where it names nothing protected: what it makes may have to be. A view is of what there is.
func TestKindsDefine(t *testing.T) {
	eachPlan(t, touches[makesTable], func(text string, got *Plan) {
		if !Is[*Define](got) {
			t.Errorf("%s: %s (defines)", text, got.ActionName())
		}
	})
	protecting := New(Options{Catalog: func() *catalog.Catalog { return plantest.Tables(t) }})
	kinds := slices.DeleteFunc(slices.Clone(touches[makesView]), func(k sql.Kind) bool { return k == sql.DropView }) // it has no query
	eachPlan(t, kinds, func(text string, got *Plan) {
		if !slices.Contains(got.Wording().Words, "t") {
			t.Errorf("%s: t is not told", text)
		}
		text = viewedT.ReplaceAllString(text, "SELECT id, name FROM person")
		if got := protecting.Plan(new(sql.Fingerprinter), []byte(text), 0, "test"); !Is[*DefineView](got) {
			t.Errorf("%s: %s (definesView)", text, got.ActionName())
		}
	})
}

// viewedT is the query that the examples of views have.
var viewedT = regexp.MustCompile(`SELECT \w+ FROM t\b`)

// eachPlan plans statements of some kinds, where no table is protected and all may be guarded.
func eachPlan(t *testing.T, kinds []sql.Kind, look func(text string, p *Plan)) {
	t.Helper()
	rule, err := policy.ParseRule("*.*.ssn", "sealed")
	if err != nil {
		t.Fatal(err)
	}
	none, rules := catalog.New(false), &policy.Policy{Rules: []policy.Rule{rule}}
	p := New(Options{Catalog: func() *catalog.Catalog { return none }, Policy: func() *policy.Policy { return rules }})
	for _, kind := range kinds {
		text := support.Of(kind).Example
		if namesT[kind] != "" {
			text = namesT[kind]
		}
		for _, m := range []sql.Modes{0, sql.MariaDB} {
			read, err := sql.Parse([]byte(text), m)
			if err != nil || len(read) != 1 || read[0].Kind != kind {
				t.Fatalf("%s is not %v: %v", text, kind, err)
			}
			look(text, p.Plan(new(sql.Fingerprinter), []byte(text), m, "shop"))
		}
	}
}
