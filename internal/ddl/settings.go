package ddl

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tunic/internal/backend"
	"tunic/internal/ddl/service"
)

// errSettings is of a session whose settings are not such as servers have them.
var errSettings = errors.New("ddl: the session's settings cannot be read")

// atUTC does something over the client's connection with UTC for its time zone and without
// a sql_mode, and gives it back what it had. Rows are read on by keys that are written as
// literals: where clocks are set back, a TIMESTAMP of the session's own zone may be two.
func (p *plainServer) atUTC(ctx context.Context, do func() error) (err error) {
	rows, err := p.client.Query(ctx, "SELECT @@session.time_zone, @@session.sql_mode")
	if err != nil {
		return err
	}
	if len(rows) != 1 || len(rows[0]) != 2 || !named(rows[0][0]) || !named(rows[0][1]) {
		return errSettings
	}
	if err := p.client.Exec(ctx, "SET SESSION time_zone = '+00:00', sql_mode = ''"); err != nil {
		return err
	}
	defer func() {
		again := fmt.Sprintf("SET SESSION time_zone = '%s', sql_mode = '%s'", *rows[0][0], *rows[0][1])
		err = errors.Join(err, p.client.Exec(context.WithoutCancel(ctx), again))
	}()
	return do()
}

// named reports whether a setting has only what names of zones and modes have, and needs no
// escaping.
func named(setting *string) bool { return setting != nil && !strings.ContainsAny(*setting, `'"\`) }

// now is the time of the statement, as the client's session has it.
func (p *plainServer) now(ctx context.Context) (time.Time, error) {
	rows, err := p.client.Query(ctx, "SELECT "+backend.StatementTime)
	if err != nil || len(rows) == 0 {
		return time.Time{}, errors.Join(err, service.NoRow(len(rows)))
	}
	seconds, micro, _ := strings.Cut(service.Text(rows[0][0]), ".")
	s, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}, err
	}
	us, err := strconv.ParseInt((micro + "000000")[:6], 10, 64)
	return time.Unix(s, us*int64(time.Microsecond)), err
}
