package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
	"tunic/internal/sqlerr"
)

// What has become of a change is told from its tables, by the service account. A server shows an account nothing of a
// table for which it has no privilege: information_schema has no row of it, as if it were not there. A table that was
// given a name in a schema that the account does not see would be taken for dropped, and clients would be served its
// stored forms. So a change is announced only if the account has what it takes to settle it, for each name that is in it;
// and while it is settled, a name of which nothing is shown is free only if the server says so to an account that may know.

// errBlind says that the service account may not know whether a table or view is there.
var errBlind = errors.New("what has become of a definition is not known")

// blind is the error of a table or view that the service account may not see; err is what the server has said.
func blind(t *catalog.Table, err error) error {
	needs := "SELECT and ALTER"
	if t.View != nil {
		needs = "SELECT and SHOW VIEW"
	}
	return fmt.Errorf("%w: %w: the service account needs %s on %s: %w", ErrLost, errBlind, needs, t.FullName(), err)
}

// isFree makes sure that there is no table of a name of which information_schema shows none.
func (l *Ledger) isFree(ctx context.Context, t *catalog.Table) error {
	err := tried(ctx, l.conn, "SHOW CREATE TABLE "+quoted(t))
	_, answered := errors.AsType[*mysql.MySQLError](err)
	switch {
	case Denied(err):
		return blind(t, err)
	case err != nil && !answered, passes(err):
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return nil // there is nothing, or what is no table
}

func quoted(t *catalog.Table) string {
	return identifier.Quoted(t.Schema) + "." + identifier.Quoted(t.Name)
}

// tried is what a server says to a statement, whatever its rows are.
func tried(ctx context.Context, by Querier, statement string) error {
	rows, err := by.QueryContext(ctx, statement)
	if err != nil {
		return err
	}
	return errors.Join(rows.Close(), rows.Err())
}

// sight is what the service account may see and do, as it is found out for one change.
type sight struct {
	db      *sql.DB
	schemas map[string]bool // whether it may do with all tables of a schema what it takes
}

// maySettle refuses steps that the service account could not settle.
func (l *Ledger) maySettle(ctx context.Context, steps []Step) error {
	ctx, cancel := context.WithTimeout(ctx, patient)
	defer cancel()
	s := &sight{db: l.o.DB, schemas: map[string]bool{}}
	for _, step := range steps {
		for _, t := range []*catalog.Table{step.Old, step.New} {
			if t == nil || t == step.New && !step.Comes() {
				continue
			}
			switch err := s.covers(ctx, t); {
			case ctx.Err() != nil: // somebody has the table for himself, for whom the definition would wait, too
				return sqlerr.LockWait()
			case err != nil:
				return err
			}
		}
	}
	return nil
}

// covers refuses a table or view that the account could not find again. What servers say else is left to the definition.
func (s *sight) covers(ctx context.Context, t *catalog.Table) error {
	if t.View != nil {
		return refusal(sqlerr.AccountViewBlind(t.FullName()), tried(ctx, s.db, "SHOW CREATE VIEW "+quoted(t)))
	}
	all, known := s.schemas[t.Schema]
	if !known {
		var err error
		if all, err = s.coversSchema(ctx, t.Schema); err != nil {
			return err
		}
		s.schemas[t.Schema] = all
	}
	if all {
		return nil
	}
	for _, try := range []func(context.Context, *catalog.Table) error{s.alters, s.shows} {
		if err := refusal(sqlerr.AccountTableBlind(t.FullName()), try(ctx, t)); err != nil {
			return err
		}
	}
	return nil
}

// refusal is what is told of what a server has said, if it has denied something: jobs and commands tell what from its error.
// Where it has said nothing, nothing is known.
func refusal(told *sqlerr.Error, said error) error {
	_, answered := errors.AsType[*mysql.MySQLError](said)
	switch {
	case Denied(said):
		return fmt.Errorf("%w: %w", told, said)
	case said != nil && !answered:
		return fmt.Errorf("%w: %w", ErrLost, said)
	}
	return nil
}

func (s *sight) shows(ctx context.Context, t *catalog.Table) error {
	return tried(ctx, s.db, "SHOW CREATE TABLE "+quoted(t))
}

// noTable is the name of a table that there is not. Of one that is not there a server speaks only to who may see the schema's.
const noTable = "tunic$none"

// coversSchema reports whether the account has its privileges on a whole schema, and not by way of a role.
func (s *sight) coversSchema(ctx context.Context, schema string) (bool, error) {
	if Denied(tried(ctx, s.db, "SHOW CREATE TABLE "+identifier.Quoted(schema)+"."+identifier.Quoted(noTable))) {
		return false, nil
	}
	const granted = "PRIVILEGE_TYPE = 'ALTER' AND GRANTEE = CONCAT('''', REPLACE(CURRENT_USER(), '@', '''@'''), '''')"
	var alters int
	err := s.db.QueryRowContext(ctx, "SELECT (SELECT COUNT(*) FROM information_schema.USER_PRIVILEGES WHERE "+granted+
		") + (SELECT COUNT(*) FROM information_schema.SCHEMA_PRIVILEGES WHERE "+granted+" AND ? LIKE TABLE_SCHEMA)", schema).Scan(&alters)
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrLost, err)
	}
	return alters > 0, nil
}

// alters is what the server says to an ALTER TABLE that alters nothing, and which does not wait for long. So roles count, and
// privileges for one table.
func (s *sight) alters(ctx context.Context, t *catalog.Table) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer letGo(conn) // it waits for others as nobody else is to
	if err := tried(ctx, conn, "SET SESSION lock_wait_timeout = 1"); err != nil {
		return err
	}
	return tried(ctx, conn, await(t))
}
