package first

import (
	"errors"
	"sync/atomic"
)

// ErrTooFew says that there were not enough rows in a part of an answer.
var ErrTooFew = errors.New("too few rows")

// ErrTooMuch says that rows of a part do not fit into the budget twice; they may fit once.
var ErrTooMuch = errors.New("too much to be held")

// ErrNotCertain says that rows do not belong to the answer of which the server has said that
// they do for certain. To ask for more would tell it so.
var ErrNotCertain = errors.New("rows that are not what their tokens say")

// Of a client that wants WantedMost rows or less, OFFSET included, at most Most rows
// are asked for before all are.
const (
	WantedMost = 10_000
	Most       = 1 << 15
	// spareRows are rows for those that share their tokens with others, and stepBits
	// what each further statement asks for more: 1 << stepBits times as many rows.
	spareRows = 8
	stepBits  = 2
	// levels are the numbers of rows that are tried; the last one is all.
	levels = 7
	// All is the level of all rows.
	All = levels - 1
	// allAgain is how many executions ask for all rows at once, at most, after one that had to: it
	// is one, and twice as many each time that first rows are tried and are not enough again.
	allAgain = 128
)

// RowsAt is how many rows are asked for at a level, for a client that wants so many.
func RowsAt(wanted uint64, level int) uint64 {
	return (wanted + wanted/8 + spareRows) << (stepBits * level)
}

// Level is the level that the last execution of a statement has come to: the next one
// begins with it. Executions of one text differ in their values, so that one has to ask for all
// rows says little of the next one.
type Level struct{ level, since, patience atomic.Int32 }

// Begin is the level to begin with, for a client that wants so many rows.
func (f *Level) Begin(wanted uint64) int {
	level := int(f.level.Load())
	if level == All {
		if f.since.Add(1) <= f.patience.Load() {
			return level
		}
		f.since.Store(0)
		return 0
	}
	for level > 0 && RowsAt(wanted, level) > Most {
		level--
	}
	return level
}

// NeededAll notes that no level was enough.
func (f *Level) NeededAll() {
	f.patience.Store(min(max(2*f.patience.Load(), 1), allAgain))
	f.since.Store(0)
	f.level.Store(All)
}

// Took notes that so many rows were enough.
func (f *Level) Took(wanted, rows uint64) {
	level := 0
	for level < All-1 && RowsAt(wanted, level) < rows {
		level++
	}
	if f.level.Load() != int32(level) { // most executions leave it alone
		f.level.Store(int32(level))
	}
	if f.patience.Load() != 0 {
		f.patience.Store(0)
	}
}
