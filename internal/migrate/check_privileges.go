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
			grant, err := s.grant(ctx, s.Schema)
			if err != nil {
				return nil, err
			}
			all = append(all, remedied(privilege, "the service account has no privilege "+try.needs+" on the table", "grant it, on its schema", grant))
		} else if err != nil {
			return nil, err
		}
	}
	if s.denied == "" || len(all) > 0 {
		return all, nil
	}
	grant, err := s.grantReferred(ctx)
	return append(all, remedied(privilege, "the service account has no privilege "+s.denied+" on the table, or on one that a foreign key refers to", "grant it, on the schemas of both", grant)), err
}

// Privileges are those that the service account needs on a schema; docs/operating.md lists them.
const Privileges = "SELECT, INSERT, UPDATE, CREATE, ALTER, DROP, REFERENCES, SHOW VIEW, TRIGGER, EVENT"

// grantReferred is grant for the schema, and those of the tables that foreign keys refer to.
func (s *subject) grantReferred(ctx context.Context) (r remedy.Remedy, err error) {
	others, err := s.strings(ctx, "SELECT DISTINCT REFERENCED_TABLE_SCHEMA FROM information_schema.KEY_COLUMN_USAGE"+
		" WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND REFERENCED_TABLE_SCHEMA IS NOT NULL AND REFERENCED_TABLE_SCHEMA <> TABLE_SCHEMA ORDER BY 1", s.Schema, s.Table)
	if err != nil {
		return r, err
	}
	for _, schema := range append([]string{s.Schema}, others...) {
		one, err := s.grant(ctx, schema)
		if err != nil {
			return r, err
		}
		r.Remove = append(r.Remove, one.Remove...)
	}
	return r, nil
}

// grant gives the service account its privileges on a schema.
func (s *subject) grant(ctx context.Context, schema string) (r remedy.Remedy, err error) {
	schema = strings.NewReplacer("_", `\_`, "%", `\%`).Replace(schema) // which are wildcards there
	return s.granting(ctx, Privileges+" ON "+identifier.Quoted(schema)+".*")
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
