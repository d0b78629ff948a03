package exec

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

// withDefaults has a bound where there was none.
func (b Budget) withDefaults() Budget {
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

// account is what one statement has used of the budget. What it keeps it has
// reserved of the total in advance, a piece at a time, so that sessions seldom meet.
type account struct {
	budget   *Budget
	total    *atomic.Int64
	memory   *Memory       // of the process, that the same is reserved of
	hint     func() string // what would help, for the refusal
	rows     int64
	kept     int64
	reserved int64
	// again is how many rows were looked at again for the frames of windows.
	again int64
	// within is the account that this is a part of, nil for that of a statement.
	within *account
}

// inner is a part of the account, for what is given back before the statement ends.
func (a *account) inner() account { return account{within: a} }

// reserveBytes is a piece of the total.
const reserveBytes = 256 << 10

// read counts a row that was read.
func (a *account) read() error {
	if a.rows++; a.rows > a.budget.Rows {
		return sqlerr.LocalRows(a.budget.Rows, a.hint())
	}
	return nil
}

// keep counts memory that is kept, or given back if n is negative.
func (a *account) keep(n int) error {
	a.kept += int64(n)
	if a.within != nil {
		return a.within.keep(n)
	}
	switch {
	case a.kept > a.budget.Bytes:
		return sqlerr.LocalBytes(a.budget.Bytes, a.hint())
	case a.kept <= a.reserved:
		return nil
	}
	piece := (a.kept - a.reserved + reserveBytes - 1) / reserveBytes * reserveBytes
	if !a.memory.TryTake(piece) {
		return sqlerr.MemoryTaken(a.memory.Bytes())
	}
	a.reserved += piece
	if a.total.Add(piece) > a.budget.TotalBytes {
		return sqlerr.LocalTotal(a.budget.TotalBytes, a.hint())
	}
	return nil
}

// close gives back what was reserved.
func (a *account) close() {
	if a.within != nil {
		_ = a.within.keep(int(-a.kept)) // less is never too much
		a.kept = 0
		return
	}
	a.total.Add(-a.reserved)
	a.memory.Give(a.reserved)
	a.kept, a.reserved = 0, 0
}
