package bystander

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"tunic/internal/ledger"
	tsql "tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// Program is a trigger, an event or a routine of the server's.
type Program struct {
	Kind, Schema, Name string
	body               string // "" where the account may not see it
	modes              tsql.Modes
}

// Title is what an operator knows it by.
func (p *Program) Title() string { return p.Kind + " " + p.Schema + "." + p.Name }

// Hidden reports whether the account may not see what the program does.
func (p *Program) Hidden() bool { return p.body == "" }

// Names reports whether the program names a table: by its name alone in the table's own schema, or
// beside the schema's in another one.
func (p *Program) Names(schema, table string) bool {
	return p.says(table) && (strings.EqualFold(p.Schema, schema) || p.says(schema))
}

// RunsUnseen reports whether the program runs a text that is not to be read in it.
func (p *Program) RunsUnseen() bool { return p.says("") }

func (p *Program) says(word string) bool {
	return tsql.ProgramMentions([]byte(p.body), p.modes, func(name []byte) bool { return strings.EqualFold(string(name), word) })
}

// programsQuery is all programs that the account sees, but those of the servers' own schemas and
// the triggers of one table. A body that the account sees and that has none of the given words in it is left out.
const programsQuery = "SELECT * FROM (" +
	"SELECT LOWER(ROUTINE_TYPE) AS kind, ROUTINE_SCHEMA AS s, ROUTINE_NAME, SQL_MODE, ROUTINE_DEFINITION AS body FROM information_schema.ROUTINES" +
	" UNION ALL SELECT 'event', EVENT_SCHEMA, EVENT_NAME, SQL_MODE, EVENT_DEFINITION FROM information_schema.EVENTS" +
	" UNION ALL SELECT 'trigger', TRIGGER_SCHEMA, TRIGGER_NAME, SQL_MODE, ACTION_STATEMENT FROM information_schema.TRIGGERS" +
	" WHERE NOT (EVENT_OBJECT_SCHEMA = ? AND EVENT_OBJECT_TABLE = ?)" +
	") AS p WHERE s NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema') AND (? = '' OR LOCATE(?, LOWER(body)) > 0) ORDER BY 1, 2, 3"

// Programs are those that an account sees, but for a table's own triggers: those that may have its
// name in them, or all.
func Programs(ctx context.Context, db *sql.DB, schema, table string, all bool) (found []Program, err error) {
	var version string
	if err := db.QueryRowContext(ctx, "SELECT @@version").Scan(&version); err != nil {
		return nil, fmt.Errorf("look for programs: %w", err)
	}
	word := strings.ToLower(table)
	if all || strings.ContainsAny(word, "`\"") { // such a name is written otherwise in a text
		word = ""
	}
	rows, err := db.QueryContext(ctx, programsQuery, schema, table, word, word)
	if err != nil {
		return nil, fmt.Errorf("look for programs: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var p Program
		var mode string
		var body sql.NullString
		if err := rows.Scan(&p.Kind, &p.Schema, &p.Name, &mode, &body); err != nil {
			return nil, fmt.Errorf("look for programs: %w", err)
		}
		p.body, p.modes = body.String, tsql.Modes(0).WithServer(version).WithCharset("utf8mb4").WithSQLMode(mode)
		found = append(found, p)
	}
	return found, rows.Err()
}

// Unprogrammed refuses to give a protected table, or a view over one, a name that a program of the server's has in it:
// the program would read stored forms, and write values as they are. Programs that the service account may
// not see are not found, nor those that make the name when they run.
func Unprogrammed(ctx context.Context, db *sql.DB, steps []ledger.Step) error {
	for _, s := range steps {
		if !s.Comes() {
			continue
		}
		if err := UnprogrammedName(ctx, db, s.New.Schema, s.New.Name); err != nil {
			return err
		}
	}
	return nil
}

// UnprogrammedName is Unprogrammed for one name.
func UnprogrammedName(ctx context.Context, db *sql.DB, schema, name string) error {
	programs, err := Programs(ctx, db, schema, name, false)
	if err != nil {
		return err
	}
	for i := range programs {
		if p := &programs[i]; p.Names(schema, name) {
			return sqlerr.ProgramUnderneath(name, p.Kind, p.Name)
		}
	}
	return nil
}
