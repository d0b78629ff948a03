package plain

import (
	"slices"
	"strings"

	"tunic/internal/exec/said"
	"tunic/internal/plan"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// Words are the error for a table that is not there, or that the client may not see.
type Words func(e *sqlerr.Error, p *plan.Plan, name resolve.Name) *sqlerr.Error

// errTableAccess is the server's error for a table that an account has no privilege on
// (MySQL's error reference, ER_TABLEACCESS_DENIED_ERROR).
const errTableAccess = 1142

// deniedCommands are the privileges that a statement needs on the table that it writes, as
// servers name them. What it reads needs SELECT, which is what is asked for first.
var deniedCommands = map[sql.Kind]string{
	sql.Insert: "INSERT", sql.Replace: "INSERT, DELETE", sql.Update: "UPDATE", sql.Delete: "DELETE",
}

// Denied is the error for a table that the client may not see, in the words that the
// server would have for the statement.
func Denied(e *sqlerr.Error, p *plan.Plan, name resolve.Name) *sqlerr.Error {
	const reads = "SELECT command denied"
	rest, ok := strings.CutPrefix(e.Message, reads)
	if e.Number != errTableAccess || !ok || len(p.Statements) != 1 || len(p.Names) == 0 || p.Names[0] != name {
		return e
	}
	kind := p.Statements[0].Kind
	command, writes := deniedCommands[kind]
	if !writes || (kind == sql.Update || kind == sql.Delete) && len(p.Names) > 1 {
		return e
	}
	return &sqlerr.Error{Number: e.Number, State: e.State, Message: command + " command denied" + rest}
}

// LoadsData reports whether one of the statements is LOAD DATA, which MySQL does not prepare.
func LoadsData(p *plan.Plan) bool {
	return slices.ContainsFunc(p.Statements, func(st plan.Statement) bool { return st.Kind == sql.LoadData })
}

// Unpreparable is what MySQL says to the preparation of such a statement before it looks for the
// table. An error of tunic's own stays.
func Unpreparable(e *sqlerr.Error, _ *plan.Plan, _ resolve.Name) *sqlerr.Error {
	if e.Code != 0 {
		return e
	}
	return said.NotPreparable()
}
