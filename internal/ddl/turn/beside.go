package turn

import (
	"context"
	"time"

	"tunic/internal/ddl/service"
)

// InPlace is behind a definition that is not to keep clients from writing: if the server
// cannot, it is to say so. Behind one with InPlaceAlone they may read.
const (
	InPlace      = ", ALGORITHM=INPLACE, LOCK=NONE"
	InPlaceAlone = ", ALGORITHM=INPLACE, LOCK=SHARED"
)

// Beside is Brief of a statement that is not to keep clients from writing. Where the server cannot do it
// so, as with a FULLTEXT key, it makes the table anew as it can: clients who write wait for that long, and nothing of
// the values is left behind.
func (u *Turns) Beside(ctx context.Context, statement, how string, wait time.Duration) error {
	err := u.Brief(ctx, statement+how, wait)
	if service.Said(err, service.NotSupported, service.NotSupportedReason) {
		return u.BriefIn(ctx, keepsValues, statement, wait)
	}
	return err
}

// keepsValues is the mode in which a server copies a table: it changes no value, and takes each that is there.
const keepsValues = ", sql_mode = 'STRICT_ALL_TABLES,ALLOW_INVALID_DATES'"
