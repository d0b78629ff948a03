package ddl

import (
	"database/sql/driver"
	"fmt"
	"log/slog"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
	"tunic/internal/layers"
	"tunic/internal/sqlerr"
)

// TestBackfillErrors: what a client is told of rows that could not be filled. A server that is not
// there is no fault of the rows, nor is another change of the table.
func TestBackfillErrors(t *testing.T) {
	table := &catalog.Table{Schema: "shop", Name: "t"}
	away, rows := sqlerr.NoLedger().Code, sqlerr.CannotBackfill("t", "").Code
	for _, c := range []struct {
		err  error
		want sqlerr.Code
	}{
		{driver.ErrBadConn, away},
		{fmt.Errorf("read: %w", mysql.ErrInvalidConn), away},
		{&mysql.MySQLError{Number: 1053}, away},
		{&mysql.MySQLError{Number: 1927}, away},
		{fmt.Errorf("fill: %w: %w", layers.ErrMoved, &mysql.MySQLError{Number: 1054}), away},
		{fmt.Errorf("fill: %w", &mysql.MySQLError{Number: 1114}), rows},
		{&mysql.MySQLError{Number: 1142}, rows},
		{layers.ErrForeign, rows},
		{layers.ErrConversion, rows},
	} {
		told, ok := backfillError(slog.New(slog.DiscardHandler), table, c.err).(*sqlerr.Error) //nolint:errorlint // it is told as it is
		if !ok || told.Code != c.want {
			t.Errorf("%v: %v, not %v", c.err, told, c.want)
		}
	}
}
