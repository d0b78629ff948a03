package repeat

import "sync/atomic"

// roomMost is how many statements all sessions of a process have prepared here: a quarter of what the server's
// max_prepared_stmt_count is by default. The others are left to clients, those of plain tables as well.
const roomMost = 4096

// Room is what all sessions of a process have prepared. The zero value is nothing. It is safe for concurrent use.
type Room struct{ taken atomic.Int64 }

// isFull reports whether no more is to be prepared. Sessions that ask at once may all be told that there is room.
func (r *Room) isFull() bool { return r != nil && r.taken.Load() >= roomMost }

func (r *Room) take(n int64) {
	if r != nil {
		r.taken.Add(n)
	}
}
