package migrate

import (
	"context"
	"errors"
	"slices"
	"strings"

	"tunic/internal/sql"
)

// program is a trigger, an event or a routine of the server's.
type program struct {
	kind, schema, name string
	mode               string // sql_mode, by which its text is read
	body               string // "" where the account may not see it
}

// title is what an operator knows it by.
func (p *program) title() string { return p.kind + " " + p.schema + "." + p.name }

// programsQuery is all programs that the account sees, but those of the servers' own schemas
// and the triggers of the table itself.
const programsQuery = "SELECT * FROM (" +
	"SELECT LOWER(ROUTINE_TYPE) AS kind, ROUTINE_SCHEMA AS s, ROUTINE_NAME, SQL_MODE, ROUTINE_DEFINITION FROM information_schema.ROUTINES" +
	" UNION ALL SELECT 'event', EVENT_SCHEMA, EVENT_NAME, SQL_MODE, EVENT_DEFINITION FROM information_schema.EVENTS" +
	" UNION ALL SELECT 'trigger', TRIGGER_SCHEMA, TRIGGER_NAME, SQL_MODE, ACTION_STATEMENT FROM information_schema.TRIGGERS" +
	" WHERE NOT (EVENT_OBJECT_SCHEMA = ? AND EVENT_OBJECT_TABLE = ?)" +
	") AS p WHERE s NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema') ORDER BY 1, 2, 3"

// checkPrograms is about what the server runs by itself: it would read ciphertext, and write
// plaintext. An event that deletes old rows would find all of them old.
func checkPrograms(ctx context.Context, s *subject) (all []Finding, err error) {
	programs, modes, err := s.programs(ctx)
	for i := range programs {
		p := &programs[i]
		switch {
		case p.body == "":
			all = append(all, Finding{What: "the service account may not read " + p.title(), Fix: "look whether it names the table"})
		case s.namedIn(p, modes.WithSQLMode(p.mode)):
			all = append(all, Finding{
				Hinders: true, What: p.title() + " names the table, or may",
				Fix: "drop it, and do in the application what it does",
			})
		}
	}
	if err != nil {
		return nil, err
	}
	unseen, err := s.unseen(ctx)
	for _, privilege := range unseen {
		all = append(all, Finding{
			What: "the service account has no privilege " + privilege + " on the schema: it does not see the programs that need it",
			Fix:  "GRANT " + privilege + " on the schema to it, or look whether a trigger or an event names the table",
		})
	}
	return all, err
}

// checkHinderingPrograms is checkPrograms without what is only to be known.
func checkHinderingPrograms(ctx context.Context, s *subject) ([]Finding, error) {
	all, err := checkPrograms(ctx, s)
	return slices.DeleteFunc(all, func(f Finding) bool { return !f.Hinders }), err
}

// programs are those that the account sees.
func (s *subject) programs(ctx context.Context) (all []program, modes sql.Modes, err error) {
	var version string
	if err := s.DB.QueryRowContext(ctx, "SELECT @@version").Scan(&version); err != nil {
		return nil, 0, err
	}
	rows, err := s.DB.QueryContext(ctx, programsQuery, s.Schema, s.Table)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var p program
		var body *string
		if err := rows.Scan(&p.kind, &p.schema, &p.name, &p.mode, &body); err != nil {
			return nil, 0, err
		}
		if body != nil {
			p.body = *body
		}
		all = append(all, p)
	}
	return all, sql.Modes(0).WithServer(version).WithCharset("utf8mb4"), rows.Err()
}

// namedIn reports whether a program names the table: by its name alone in the table's own
// schema, or beside the schema's in another one. One of the same schema that runs text which
// cannot be seen may name it.
func (s *subject) namedIn(p *program, modes sql.Modes) bool {
	names := func(of string) bool {
		return sql.ProgramMentions([]byte(p.body), modes, func(name []byte) bool { return strings.EqualFold(string(name), of) })
	}
	if strings.EqualFold(p.schema, s.Schema) {
		return names(s.Table) || names("")
	}
	return names(s.Table) && names(s.Schema)
}

// unseen are the privileges without which the account does not see programs, and that it has
// not. Those that it has by a role are not known here.
func (s *subject) unseen(ctx context.Context) ([]string, error) {
	return s.strings(ctx, "SELECT p FROM (SELECT 'TRIGGER' AS p UNION ALL SELECT 'EVENT') AS needed"+
		" WHERE p NOT IN (SELECT PRIVILEGE_TYPE FROM information_schema.USER_PRIVILEGES)"+
		" AND p NOT IN (SELECT PRIVILEGE_TYPE FROM information_schema.SCHEMA_PRIVILEGES WHERE ? LIKE TABLE_SCHEMA)", s.Schema)
}
