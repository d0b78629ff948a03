package outcome

import (
	"tunic/internal/plan"
	"tunic/internal/sql"
)

// leaveWarnings are kinds of statements without tables, mayLeaveWarnings those that may have none.
var (
	leaveWarnings = map[sql.Kind]bool{
		sql.Do: true, sql.Set: true, sql.SetNames: true, sql.Use: true, sql.Begin: true, sql.Commit: true, sql.Rollback: true,
		sql.Savepoint: true, sql.RollbackToSavepoint: true, sql.ReleaseSavepoint: true, sql.UnlockTables: true, sql.ShowProcesslist: true,
		sql.ShowWarnings: true, sql.GetDiagnostics: true,
	}
	mayLeaveWarnings = map[sql.Kind]bool{
		sql.SetOperation: true, sql.Values: true, sql.Explain: true, sql.Flush: true, sql.Prepare: true, sql.Execute: true,
		sql.ExecuteImmediate: true, sql.Deallocate: true, sql.Kill: true,
	}
)

// PassesOver is after statements on MariaDB that have had no warnings of their own: those without tables leave the list of
// warnings as it is (MariaDB knowledge base, "SHOW WARNINGS"), also what it would have of a statement that tunic has refused.
func (l *Last) PassesOver(p *plan.Plan, m sql.Modes) {
	if m&sql.MariaDB == 0 || !l.IsPastRefused() {
		return
	}
	for _, st := range p.Statements {
		switch {
		case st.Tableless:
		case leaveWarnings[st.Kind] && len(p.Names) == 0:
			if len(p.Wording().Words) > 0 { // one may be that of a table
				l.Doubts()
			}
		case len(p.Names) == 0 && mayLeaveWarnings[st.Kind]:
			l.Doubts()
		default:
			l.Passes()
		}
	}
}
