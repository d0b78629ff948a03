package bystander

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"tunic/internal/catalog"
)

// Sight is what an account lacks to see all programs and views of its server (manuals of MySQL and MariaDB,
// "The INFORMATION_SCHEMA ROUTINES Table" and its like: who lacks a privilege gets fewer rows, and no error).
// Privileges by a role are not known.
type Sight struct {
	// Lacks are privileges, as GRANT has them: SHOW VIEW, EVENT ON *.*.
	Lacks []string
	// Views are those that the account sees without their queries.
	Views []View
}

// Says is what the account does not see, in sentences.
func (s *Sight) Says() (all []string) {
	if len(s.Lacks) > 0 {
		all = append(all, s.LacksSay())
	}
	for i := range s.Views {
		all = append(all, s.Views[i].HiddenSays())
	}
	return all
}

// LacksSay is what it means that there are Lacks.
func (s *Sight) LacksSay() string {
	return "the service account cannot see all programs and views of the server: it lacks " + strings.Join(s.Lacks, " and ")
}

// HiddenSays is what it means that the query of a view is not seen.
func (v *View) HiddenSays() string {
	return "the service account cannot see what view " + v.Schema + "." + v.Name + " reads"
}

// HiddenSays is what it means that a program is Hidden.
func (p *Program) HiddenSays() string {
	return "the service account cannot see what " + p.Title() + " does"
}

// sightQuery is which privileges accounts have of those that count. Some accounts see those of others as well. Which
// are its own is seen here: MySQL finds no row by GRANTEE = ?.
const sightQuery = "SELECT GRANTEE, PRIVILEGE_TYPE FROM information_schema.USER_PRIVILEGES" +
	" UNION SELECT GRANTEE, 'PROC' FROM information_schema.SCHEMA_PRIVILEGES WHERE TABLE_SCHEMA = 'mysql' AND PRIVILEGE_TYPE = 'SELECT'" +
	" UNION SELECT GRANTEE, 'PROC' FROM information_schema.TABLE_PRIVILEGES WHERE TABLE_SCHEMA = 'mysql' AND TABLE_NAME = 'proc' AND PRIVILEGE_TYPE = 'SELECT'"

// Sees looks what an account sees.
func Sees(ctx context.Context, db *sql.DB) (s Sight, err error) {
	var account, version string
	if err := db.QueryRowContext(ctx, "SELECT CURRENT_USER(), @@version").Scan(&account, &version); err != nil {
		return s, fmt.Errorf("look at what the account sees: %w", err)
	}
	has, err := privileges(ctx, db, account)
	if err != nil {
		return s, err
	}
	var everywhere []string
	for _, privilege := range []string{"SHOW VIEW", "TRIGGER", "EVENT"} {
		if !has[privilege] {
			everywhere = append(everywhere, privilege)
		}
	}
	onMariaDB := strings.Contains(version, "MariaDB")
	seesRoutines := has["SELECT"] || has["SHOW_ROUTINE"] || onMariaDB && has["PROC"]
	if !seesRoutines && !onMariaDB {
		everywhere = append(everywhere, "SHOW_ROUTINE")
	}
	if len(everywhere) > 0 {
		s.Lacks = append(s.Lacks, strings.Join(everywhere, ", ")+" ON *.*")
	}
	if !seesRoutines && onMariaDB {
		s.Lacks = append(s.Lacks, "SELECT ON mysql.proc")
	}
	if !onMariaDB {
		except, err := revoked(ctx, db)
		if err != nil {
			return s, err
		}
		s.Lacks = append(s.Lacks, except...)
	}
	s.Views, err = unreadable(ctx, db)
	return s, err
}

// privileges are those of an account itself.
func privileges(ctx context.Context, db *sql.DB, account string) (has map[string]bool, err error) {
	own := account
	if at := strings.LastIndexByte(account, '@'); at >= 0 {
		own = "'" + account[:at] + "'@'" + account[at+1:] + "'"
	}
	has = make(map[string]bool)
	var grantee, privilege string
	err = eachRow(ctx, db, sightQuery, nil, []any{&grantee, &privilege}, func() {
		if grantee == own {
			has[privilege] = true
		}
	})
	return has, err
}

// revoked are the privileges that an account has everywhere but on some schemas (MySQL manual, "Privilege Restriction
// Using Partial Revokes"). SHOW GRANTS tells of them as of statements.
func revoked(ctx context.Context, db *sql.DB) (lacks []string, err error) {
	var grant string
	err = eachRow(ctx, db, "SHOW GRANTS", nil, []any{&grant}, func() {
		if schema, ok := revokedOn(grant); ok {
			lacks = append(lacks, "SELECT, SHOW VIEW, TRIGGER, EVENT ON "+schema)
		}
	})
	return lacks, err
}

// revokedOn is what a REVOKE among the rows of SHOW GRANTS is on.
func revokedOn(grant string) (schema string, ok bool) {
	what, isRevoke := strings.CutPrefix(grant, "REVOKE ")
	at, to := strings.Index(what, " ON "), strings.LastIndex(what, " FROM ")
	if !isRevoke || at < 0 || to < at {
		return "", false
	}
	return what[at+len(" ON ") : to], true
}

// unreadable are views that an account sees without their queries, but those of the servers' own schemas.
func unreadable(ctx context.Context, db *sql.DB) (all []View, err error) {
	const query = "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.VIEWS" +
		" WHERE COALESCE(VIEW_DEFINITION, '') = '' AND TABLE_SCHEMA NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema', ?) ORDER BY 1, 2"
	var v View
	err = eachRow(ctx, db, query, []any{catalog.Schema}, []any{&v.Schema, &v.Name}, func() { all = append(all, v) })
	return all, err
}

// eachRow calls do for each row of a query, whose columns are scanned.
func eachRow(ctx context.Context, db *sql.DB, query string, args, columns []any, do func()) (err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("look at what the account sees: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := rows.Scan(columns...); err != nil {
			return fmt.Errorf("look at what the account sees: %w", err)
		}
		do()
	}
	return rows.Err()
}
