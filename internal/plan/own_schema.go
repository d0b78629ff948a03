package plan

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// namesNothing are the kinds of statements that name no table, whatever is in them.
var namesNothing = map[sql.Kind]bool{
	sql.Begin: true, sql.Commit: true, sql.Rollback: true, sql.Savepoint: true, sql.RollbackToSavepoint: true, sql.ReleaseSavepoint: true,
	sql.SetTransaction: true, sql.XA: true, sql.UnlockTables: true, sql.SetNames: true, sql.SetCharacterSet: true, sql.SetRole: true,
	sql.Use: true, sql.Deallocate: true, sql.Kill: true, sql.Empty: true, sql.ShowProcesslist: true,
}

// judgedByName are the kinds whose names without a schema others hold to tunic's own: the questions about
// tables, and the definitions that can be read.
func judgedByName(s *sql.Statement) bool {
	if asks[s.Kind] || s.Kind == sql.LockTables {
		return !s.HasQuery()
	}
	_, err := s.Tree()
	return ofSequence[s.Kind] || defines[s.Kind] && err == nil
}

// withinOwn refuses, where tunic's own schema is the current one, what may be of its tables without saying so:
// the names of those are no words that are looked for, as others may have the same.
func (k *knowledge) withinOwn(p *Plan, read []sql.Statement) bool {
	within := strings.EqualFold(k.schema, catalog.Schema)
	for i := 0; i < len(read) && k.catalog != nil; i++ {
		s := &read[i]
		if within && !namesNothing[s.Kind] && !judgedByName(s) && !computesOnly(s) {
			p.refuse(sqlerr.OwnSchema())
			return true
		}
		if s.Kind == sql.Use && s.Effects.Schema != "" {
			within = strings.EqualFold(s.Effects.Schema, catalog.Schema)
		}
	}
	return false
}

// computesOnly reports whether a statement is one that reads tables only by a word which is not in it.
func computesOnly(s *sql.Statement) bool {
	switch s.Kind {
	case sql.Select, sql.Set, sql.Do, sql.Show, sql.GetDiagnostics:
		return !s.Mentions(func(name []byte) bool { return len(name) == 0 || namesBehind[strings.ToLower(string(name))] })
	default:
		return false
	}
}
