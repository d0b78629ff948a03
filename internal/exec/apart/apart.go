// Package apart knows when the rows of tables are fetched apart that the server could join.
//
// A row that is joined with many comes with each of them, and the server sends it as often. Where nothing chooses rows but
// conditions that are tunic's, each table's rows can come once instead, and be joined here. Whether that is less depends on how many
// rows the tables have that meet none: of ten rows joined with a million the server sends ten. So a plan begins with the join,
// and what that has come to bounds the rows that may come apart.
package apart

import (
	"sync/atomic"

	"tunic/internal/recipe"
)

const (
	// Least is how many rows of a join are many.
	Least = 2000
	// timesJoined is how many rows may come apart for each that was joined: there is one of the table that has most of them, and
	// less than one of all others.
	timesJoined = 2
	// anew is after how many executions the server joins the rows once more, as there may be fewer.
	anew = 32
)

// Known is what is known of the rows of a plan, by all sessions that it is carried out for. The zero value is nothing.
type Known struct {
	joined  atomic.Int64 // rows of the last join
	refused atomic.Int64 // those of a join for which too many came apart
	turns   atomic.Int64
}

// Joined takes how many rows the server has joined.
func (k *Known) Joined(rows int64) { k.joined.Store(rows) }

// Most is how many rows may come apart in the next execution; 0 if the server is to join them.
func (k *Known) Most() int64 {
	n := k.joined.Load()
	if n < Least || n > recipe.ApartMost || n < 2*k.refused.Load() || k.turns.Add(1)%anew == 0 {
		return 0
	}
	return min(timesJoined*n, recipe.ApartMost)
}

// Refused says that apart there were too many rows, or another thing that a join can do. It is tried again when there is twice as much to join.
func (k *Known) Refused() { k.refused.Store(k.joined.Load()) }
