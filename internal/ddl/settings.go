package ddl

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// errSettings is of a session whose settings are not such as servers have them.
var errSettings = errors.New("ddl: the session's settings cannot be read")

// atUTC does something over the client's connection with UTC for its time zone and without
// a sql_mode, and gives it back what it had. Rows are read on by keys that are written as
// literals: where clocks are set back, a TIMESTAMP of the session's own zone may be two.
func (w *work) atUTC(ctx context.Context, do func() error) (err error) {
	rows, err := w.client.Query(ctx, "SELECT @@session.time_zone, @@session.sql_mode")
	if err != nil {
		return err
	}
	if len(rows) != 1 || len(rows[0]) != 2 || !named(rows[0][0]) || !named(rows[0][1]) {
		return errSettings
	}
	if err := w.client.Exec(ctx, "SET SESSION time_zone = '+00:00', sql_mode = ''"); err != nil {
		return err
	}
	defer func() {
		again := fmt.Sprintf("SET SESSION time_zone = '%s', sql_mode = '%s'", *rows[0][0], *rows[0][1])
		err = errors.Join(err, w.client.Exec(context.WithoutCancel(ctx), again))
	}()
	return do()
}

// named reports whether a setting has only what names of zones and modes have, and needs no
// escaping.
func named(setting *string) bool { return setting != nil && !strings.ContainsAny(*setting, `'"\`) }
