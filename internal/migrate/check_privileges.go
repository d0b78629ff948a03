package migrate

import (
	"context"
	"strings"

	"tunic/internal/ddl/remedy"
	"tunic/internal/identifier"
)

// checkPrivileges is about what the service account may do with the table. It is tried, so
// that roles count: an ALTER TABLE that alters nothing, and an UPDATE that is only explained.
func checkPrivileges(ctx context.Context, s *subject) (all []Finding, err error) {
	name := identifier.Quoted(s.Schema) + "." + identifier.Quoted(s.Table)
	column := s.names()
	if len(column) == 0 {
		return nil, nil
	}
	for _, try := range []struct{ needs, statement string }{
		{"SELECT", "SELECT 1 FROM " + name + " LIMIT 0"},
		{"UPDATE", "EXPLAIN UPDATE " + name + " SET " + identifier.Quoted(column[0]) + " = NULL WHERE FALSE"},
		{"ALTER", "ALTER TABLE " + name},
	} {
		if _, err := s.DB.ExecContext(ctx, try.statement); isDenied(err) {
			grant, err := s.grant(ctx, "SELECT, INSERT, UPDATE, CREATE, ALTER, DROP, SHOW VIEW")
			if err != nil {
				return nil, err
			}
			all = append(all, remedied(privilege, "the service account has no privilege "+try.needs+" on the table", "grant it, on its schema", grant))
		} else if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// grant gives the service account privileges on the schema.
func (s *subject) grant(ctx context.Context, privileges string) (r remedy.Remedy, err error) {
	schema := strings.NewReplacer("_", `\_`, "%", `\%`).Replace(s.Schema) // which are wildcards there
	return s.granting(ctx, privileges+" ON "+identifier.Quoted(schema)+".*")
}

// granting gives the service account privileges, each with what it is on.
func (s *subject) granting(ctx context.Context, privileges ...string) (r remedy.Remedy, err error) {
	var account string
	if err := s.DB.QueryRowContext(ctx, "SELECT CURRENT_USER()").Scan(&account); err != nil {
		return r, err
	}
	at := strings.LastIndexByte(account, '@')
	if at < 0 {
		return r, nil
	}
	text := func(part string) string { return "'" + strings.ReplaceAll(part, "'", "''") + "'" }
	for _, privilege := range privileges {
		r.Remove = append(r.Remove, "GRANT "+privilege+" TO "+text(account[:at])+"@"+text(account[at+1:]))
	}
	return r, nil
}
