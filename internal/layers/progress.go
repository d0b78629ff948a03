package layers

import (
	"context"
	"database/sql"
)

// Progress keeps how far a Job has come, so that who takes it over goes on there.
type Progress interface {
	// Load is the last place that was saved and committed; nil if there is none.
	Load(ctx context.Context) (place []byte, err error)
	// Save writes down a place on the connection of the job, in the transaction that has
	// brought the rows so far. A place is for who loads it, and has values of the table's
	// key in it, so it is not to be kept in the open.
	Save(ctx context.Context, link Link, at Mark) error
}

// Mark is how far a Job has come.
type Mark struct {
	Place []byte
	// Done is how many rows have been gone through, of about Expected: each row is gone
	// through twice, to be backfilled and to be looked at.
	Done, Expected int64
}

// Link is a connection that is within a transaction.
type Link interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}
