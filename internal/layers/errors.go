package layers

import "errors"

// Errors of backfilling.
var (
	// ErrNoKey says that the table has no key by which its rows can be told apart.
	ErrNoKey = errors.New("layers: the table has no key that tells its rows apart")
	// ErrForeign says that a stored value does not open, or is that of another row: tunic has not stored it there.
	ErrForeign = errors.New("layers: a stored value does not open")
	// ErrForeignWrite says that a row has not what it was given, or was written without.
	// Somebody writes to the table around tunic.
	ErrForeignWrite = errors.New("layers: a row has not what it was given")
	// ErrMoved says that the server has the table in another revision: it is to be read
	// anew, and the work goes on.
	ErrMoved = errors.New("layers: the table has another definition by now")
)
