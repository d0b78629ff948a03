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
// so, it makes the table anew as it can: clients who write wait for that long, and nothing of the values is left
// behind. So it is with a FULLTEXT key. And MySQL says 1845 of every new name of a column where a CHECK reads one of
// a type like MEDIUMBLOB or LONGTEXT, of any size but that of BLOB, as tunic's own does for long values.
func (u *Turns) Beside(ctx context.Context, statement, how string, wait time.Duration) error {
	err := u.Brief(ctx, statement+how, wait)
	if service.Said(err, service.NotSupported, service.NotSupportedReason) {
		return u.Brief(ctx, statement, wait)
	}
	return err
}
