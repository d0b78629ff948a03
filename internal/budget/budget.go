package budget

import (
	"sync/atomic"

	"tunic/internal/sqlerr"
)

// Budget bounds what is done locally.
type Budget struct {
	// Rows is how many rows a statement may read to finish them; 0 means
	// DefaultLocalRows.
	Rows int64
	// Bytes is how much memory it may keep of them, to sort, group or compare; 0
	// means DefaultLocalBytes.
	Bytes int64
	// TotalBytes is the same of all statements together; 0 means
	// DefaultLocalTotalBytes.
	TotalBytes int64
}

// The defaults.
const (
	DefaultLocalRows       = 10_000_000
	DefaultLocalBytes      = 256 << 20
	DefaultLocalTotalBytes = 1 << 30
)

// WithDefaults has a bound where there was none.
func (b Budget) WithDefaults() Budget {
	if b.Rows == 0 {
		b.Rows = DefaultLocalRows
	}
	if b.Bytes == 0 {
		b.Bytes = DefaultLocalBytes
	}
	if b.TotalBytes == 0 {
		b.TotalBytes = DefaultLocalTotalBytes
	}
	return b
}

// Account is what one statement has used of the budget. What it keeps it has
// reserved of the total in advance, a piece at a time, so that sessions seldom meet.
type Account struct {
	Budget   *Budget
	Total    *atomic.Int64
	Memory   *Memory       // of the process, that the same is reserved of
	Hint     func() string // what would help, for the refusal
	Rows     int64
	Kept     int64
	reserved int64
	// Again is how many rows were looked at again for the frames of windows.
	Again int64
	// Within is the account that this is a part of, nil for that of a statement.
	Within *Account
}

// Inner is a part of the account, for what is given back before the statement ends.
func (a *Account) Inner() Account { return Account{Within: a} }

// ReserveBytes is a piece of the total.
const ReserveBytes = 256 << 10

// Read counts a row that was read.
func (a *Account) Read() error {
	if a.Rows++; a.Rows > a.Budget.Rows {
		return sqlerr.LocalRows(a.Budget.Rows, a.Hint())
	}
	return nil
}

// Keep counts memory that is kept, or given back if n is negative.
func (a *Account) Keep(n int) error {
	a.Kept += int64(n)
	if a.Within != nil {
		return a.Within.Keep(n)
	}
	switch {
	case a.Kept > a.Budget.Bytes:
		return sqlerr.LocalBytes(a.Budget.Bytes, a.Hint())
	case a.Kept <= a.reserved:
		return nil
	}
	piece := (a.Kept - a.reserved + ReserveBytes - 1) / ReserveBytes * ReserveBytes
	if !a.Memory.TryTake(piece) {
		return sqlerr.MemoryTaken(a.Memory.Bytes())
	}
	a.reserved += piece
	if a.Total.Add(piece) > a.Budget.TotalBytes {
		return sqlerr.LocalTotal(a.Budget.TotalBytes, a.Hint())
	}
	return nil
}

// Close gives back what was reserved.
func (a *Account) Close() {
	if a.Within != nil {
		_ = a.Within.Keep(int(-a.Kept)) // less is never too much
		a.Kept = 0
		return
	}
	a.Total.Add(-a.reserved)
	a.Memory.Give(a.reserved)
	a.Kept, a.reserved = 0, 0
}
