package migrate

import (
	"context"
)

// checkPrivileges is about what the service account may do with the table. It is tried, so
// that roles count: an ALTER TABLE that alters nothing, and an UPDATE that is only explained.
func checkPrivileges(ctx context.Context, s *subject) (all []Finding, err error) {
	name := quoted(s.Schema) + "." + quoted(s.Table)
	column := s.names()
	if len(column) == 0 {
		return nil, nil
	}
	for _, try := range []struct{ needs, statement string }{
		{"SELECT", "SELECT 1 FROM " + name + " LIMIT 0"},
		{"UPDATE", "EXPLAIN UPDATE " + name + " SET " + quoted(column[0]) + " = NULL WHERE FALSE"},
		{"ALTER", "ALTER TABLE " + name},
	} {
		if _, err := s.DB.ExecContext(ctx, try.statement); isDenied(err) {
			all = append(all, Finding{Hinders: true, What: "the service account has no privilege " + try.needs + " on the table", Fix: "GRANT SELECT, INSERT, UPDATE, CREATE, ALTER, DROP, SHOW VIEW on its schema to the service account"})
		} else if err != nil {
			return nil, err
		}
	}
	return all, nil
}
