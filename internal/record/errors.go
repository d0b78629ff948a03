package record

import "errors"

var (
	// ErrLayout means that there is no layout of these fields.
	ErrLayout = errors.New("no record has this layout")

	// ErrValue means that a value is not one of its field: the caller encoded it for
	// another type.
	ErrValue = errors.New("the value does not fit its field of the record")

	// ErrRecord means that the bytes are not what Append makes of any values. If they
	// are authentic, they are of another layout: an alarm, and nothing of them is used.
	ErrRecord = errors.New("the bytes are no record of this layout")
)
