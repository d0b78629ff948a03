package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
)

// ViewMark is the name of the last column of a stored view. It says of a view what Mark
// says of a table: views have no comments.
func ViewMark(t *catalog.Table) string { return fmt.Sprintf("tunic$%s$%d", t.ID, t.Revision) }

// IsViewMark reports whether a name is that of the last column of some stored view.
func IsViewMark(name string) bool { return viewMarks.MatchString(name) }

var viewMarks = regexp.MustCompile(`^tunic\$[0-9a-f]{32}\$[0-9]+$`)

// markOf is the mark of a table or view.
func markOf(t *catalog.Table) string {
	if t.View != nil {
		return ViewMark(t)
	}
	return Mark(t)
}

// Errors of the server that say that there is no such view.
const (
	errNoSchema = 1049
	errNoTable  = 1146
	errNoView   = 1347 // it is a table
)

// viewMark is the mark that a view of a name has, "" if there is none or it has none. The
// server shows a view's definition also where its tables are gone.
func (l *Ledger) viewMark(ctx context.Context, t *catalog.Table) (string, error) {
	var name, shown, set, collation string
	err := l.conn.QueryRowContext(ctx, "SHOW CREATE VIEW "+identifier.Quoted(t.Schema)+"."+identifier.Quoted(t.Name)).Scan(&name, &shown, &set, &collation)
	if refusal, ok := errors.AsType[*mysql.MySQLError](err); ok {
		switch refusal.Number {
		case errNoSchema, errNoTable, errNoView:
			return "", nil
		}
	}
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", nil
	case Denied(err):
		return "", blind(t, err)
	case err != nil:
		return "", fmt.Errorf("%w: %w", ErrLost, err)
	}
	return markIn(shown), nil
}

// markIn finds the mark in a view's definition.
func markIn(shown string) string {
	at := strings.LastIndex(shown, "`tunic$")
	if at < 0 {
		return ""
	}
	mark, _, _ := strings.Cut(shown[at+1:], "`")
	return mark
}

// Retell writes down that a view has another twin, and what the server has said of that
// one. Nothing changes at the server for who does not speak through tunic, so there is
// nothing to be settled. It is ErrBusy if others change definitions until late is closed.
func (l *Ledger) Retell(ctx context.Context, late <-chan struct{}, old, now *catalog.Table) error {
	if err := l.Usable(); err != nil {
		return err
	}
	if old.View == nil || markOf(old) != markOf(now) || old.Schema != now.Schema || old.Name != now.Name {
		return fmt.Errorf("%w: a view is not told anew as another", catalog.ErrContent)
	}
	if err := now.Check(); err != nil {
		return err
	}
	end, err := l.begin(ctx, late)
	if err != nil {
		return err
	}
	defer end()
	return l.amend(ctx, Step{Old: old, New: now})
}
