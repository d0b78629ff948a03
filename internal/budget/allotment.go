package budget

import (
	"context"
	"time"

	"tunic/internal/metrics"
)

const (
	// ReadBytes is from which size a statement counts for the budget of memory, before it is read. Smaller
	// ones never wait: a thousand sessions with one each have less than a few large ones.
	ReadBytes = 1 << 20
	// BytesForOne is how much memory a byte of a large statement takes at its peak, where it is
	// about a protected table: as it came, joined from its frames, as literals, sealed,
	// and as it is sent. The client's session takes it before it reads the statement. Without a
	// bound, 20 sessions of 60 MiB each took seven times that, with the room of the garbage
	// collector, which the limit of the runtime bounds.
	BytesForOne = 8
	// relayedForOne is BytesForOne of what is passed on as it came: its packet, in a buffer that
	// may be half as large again.
	relayedForOne = 2
	// slowestBytes is how many bytes of a large statement are to come in a second, beside
	// [Memory.Sending]: what others wait for is not to be held by who sends nothing.
	slowestBytes = 64 << 10
)

// Allotment is the memory that one session has taken for what its client sends: for the statement under way, and for
// parameters that were sent ahead of executions (COM_STMT_SEND_LONG_DATA). Of those, less than ReadBytes count
// for nothing. From there on the memory of the largest packet is taken, at once: of
// several sessions that took it as the parts come, each would wait for the others.
type Allotment struct {
	memory *Memory // nil has no bound
	counts *metrics.Memory
	taken  int64
	ahead  struct {
		bytes int   // of all that was sent ahead
		taken int64 // of the Allotment
	}
}

// Of has the memory be a part of all.
func (a *Allotment) Of(all *Memory, counts *metrics.Memory) { a.memory, a.counts = all, counts }

// Any reports whether something is taken, and HasAhead whether it is for what was sent ahead.
func (a *Allotment) Any() bool      { return a.taken > 0 }
func (a *Allotment) HasAhead() bool { return a.ahead.taken > 0 }

// most is how much memory a packet of so many bytes takes. One of as many as a packet may have
// has perhaps less.
func (a *Allotment) most(bytes, packetMax int) int64 {
	need := int64(bytes) * BytesForOne
	if bytes == packetMax {
		need = min(need, a.memory.Bytes())
	}
	return need
}

// Reserve takes the memory of a packet before it is read, for which it waits. Where the packet's size is not known yet
// that is the most: of several that have a part each none could go on.
func (a *Allotment) Reserve(ctx context.Context, bytes, packetMax int) bool {
	return a.covers(bytes) || a.take(ctx, a.most(bytes, packetMax))
}

// covers reports whether what was taken for what was sent ahead is enough for a packet of so many bytes as well.
func (a *Allotment) covers(bytes int) bool {
	return int64(a.ahead.bytes+bytes)*BytesForOne <= a.ahead.taken
}

// take takes so much memory, for which it waits.
func (a *Allotment) take(ctx context.Context, need int64) bool {
	m := a.memory
	ctx, cancel := context.WithTimeout(ctx, m.Patience)
	defer cancel()
	if !m.TryTake(need) {
		a.counts.Waited.Inc()
		if !m.Take(ctx, need) {
			a.counts.Refused.Inc()
			return false
		}
	}
	a.taken += need
	return true
}

// Sending is how long a client may take to send so many bytes.
func (a *Allotment) Sending(bytes int) time.Duration {
	return a.memory.Sending + time.Duration(bytes/slowestBytes)*time.Second
}

// Correct corrects what was taken for a packet by how large it has come to be. It is false if the packet needs more
// than that, which is more than all memory.
func (a *Allotment) Correct(bytes int) bool {
	own := a.taken - a.ahead.taken
	if own == 0 {
		return true // nothing was taken for it alone
	}
	need := int64(bytes) * BytesForOne
	if need > own {
		a.counts.Refused.Inc()
		return false
	}
	a.give(own - need)
	return true
}

// Relays gives back what the packet under way does not need while the server is at it, as it was
// passed on as it came. It is false for another packet, as one of a command of tunic's own.
func (a *Allotment) Relays(bytes int) bool {
	n := int64(bytes)
	if a.taken-a.ahead.taken != n*BytesForOne {
		return false
	}
	a.give(n * (BytesForOne - relayedForOne))
	return true
}

// ReserveAhead takes the memory of what is sent ahead, unless the session has it.
func (a *Allotment) ReserveAhead(ctx context.Context, packetMax int) bool {
	if a.memory == nil || a.ahead.taken > 0 {
		return true
	}
	before := a.taken
	if !a.take(ctx, a.most(packetMax, packetMax)) {
		return false
	}
	a.ahead.taken = a.taken - before
	return true
}

// KeepAhead counts bytes that were sent ahead. It is false if there is no memory for them; they are to be forgotten then.
func (a *Allotment) KeepAhead(ctx context.Context, bytes, packetMax int) bool {
	a.ahead.bytes += bytes
	return a.memory == nil || a.ahead.bytes < ReadBytes || a.ReserveAhead(ctx, packetMax) && a.covers(0)
}

// ForgetAhead is after so many bytes that were sent ahead are no more.
func (a *Allotment) ForgetAhead(bytes int) { a.ahead.bytes -= bytes }

// ForgetAllAhead is after all that was sent ahead is no more.
func (a *Allotment) ForgetAllAhead() { a.ahead.bytes = 0 }

// Executes gives back what an execution does not need for which so many bytes were sent ahead, if nothing else was.
func (a *Allotment) Executes(bytes int) {
	if need := int64(bytes) * BytesForOne; bytes == a.ahead.bytes && a.ahead.taken > need {
		a.give(a.ahead.taken - need)
		a.ahead.taken = need
	}
}

// Settle gives back what the statement before has taken, but for what was sent ahead of
// others.
func (a *Allotment) Settle() {
	if a.ahead.bytes == 0 {
		a.ahead.taken = 0
	}
	a.give(a.taken - a.ahead.taken)
}

// Release gives back everything, at the end of the session.
func (a *Allotment) Release() { a.memory.Give(a.taken) }

func (a *Allotment) give(n int64) {
	a.memory.Give(n)
	a.taken -= n
}
