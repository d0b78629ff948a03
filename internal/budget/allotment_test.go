package budget

import (
	"testing"
	"time"

	"tunic/internal/metrics"
)

// allotted is a session's part of a memory of so many times what a packet of ReadBytes takes.
func allotted(t *testing.T, packets int64) (*Allotment, *Memory, *metrics.Memory) {
	t.Helper()
	m, counts := NewMemory(packets*ReadBytes*BytesForOne), new(metrics.Memory)
	m.Patience, m.Sending = time.Millisecond, time.Minute
	a := new(Allotment)
	a.Of(m, counts)
	return a, m, counts
}

const packetMax = 4 * ReadBytes

// TestAllotment: a packet takes what it may need, then what it needs, and nothing behind its statement.
func TestAllotment(t *testing.T) {
	a, m, counts := allotted(t, 4)
	if !a.Reserve(t.Context(), 2*ReadBytes, packetMax) || !a.Any() || m.Taken() != 2*ReadBytes*BytesForOne {
		t.Fatalf("%d is taken", m.Taken())
	}
	if !a.Correct(ReadBytes) || m.Taken() != ReadBytes*BytesForOne {
		t.Errorf("a packet that is smaller than announced: %d is taken", m.Taken())
	}
	if a.Relays(100) || !a.Relays(ReadBytes) || m.Taken() != ReadBytes*relayedForOne {
		t.Errorf("the packet as it is relayed, and not another one: %d is taken", m.Taken())
	}
	if a.Settle(); a.Any() || m.Taken() != 0 {
		t.Errorf("behind the statement %d is taken", m.Taken())
	}
	if !a.Correct(ReadBytes) {
		t.Error("a packet for which nothing was taken is refused")
	}
	if !a.Reserve(t.Context(), packetMax, packetMax) || m.Taken() != 4*ReadBytes*BytesForOne {
		t.Errorf("the largest packet: %d is taken", m.Taken())
	}
	other := new(Allotment)
	other.Of(m, counts)
	if other.Reserve(t.Context(), ReadBytes, packetMax) || other.Any() || counts.Waited.Value() != 1 || counts.Refused.Value() != 1 {
		t.Errorf("another session: %d have waited, %d were refused", counts.Waited.Value(), counts.Refused.Value())
	}
	if a.Release(); m.Taken() != 0 {
		t.Errorf("behind the session %d is taken", m.Taken())
	}
}

// TestLargerThanAll: the largest packet may be less than it could be, and is asked for by all memory; one that comes to
// need more is refused then.
func TestLargerThanAll(t *testing.T) {
	a, m, counts := allotted(t, 2)
	if !a.Reserve(t.Context(), packetMax, packetMax) || m.Taken() != m.Bytes() {
		t.Fatalf("%d is taken", m.Taken())
	}
	if a.Correct(3*ReadBytes) || counts.Refused.Value() != 1 {
		t.Error("a packet that needs more than all memory is not refused")
	}
	if a.Settle(); m.Taken() != 0 {
		t.Errorf("%d is taken", m.Taken())
	}
}

// TestAhead: what is sent ahead takes the memory of the largest packet once it is large, and keeps that while other
// statements come and go; its execution keeps what it needs.
func TestAhead(t *testing.T) {
	a, m, _ := allotted(t, 5)
	if !a.KeepAhead(t.Context(), ReadBytes-1, packetMax) || a.HasAhead() {
		t.Error("little that is sent ahead takes memory")
	}
	if !a.KeepAhead(t.Context(), 1, packetMax) || !a.HasAhead() || m.Taken() != packetMax*BytesForOne {
		t.Errorf("much: %d is taken", m.Taken())
	}
	if !a.Reserve(t.Context(), ReadBytes, packetMax) || m.Taken() != packetMax*BytesForOne {
		t.Errorf("a packet that has room in that: %d is taken", m.Taken())
	}
	if a.Settle(); m.Taken() != packetMax*BytesForOne {
		t.Errorf("behind another statement: %d is taken", m.Taken())
	}
	if a.KeepAhead(t.Context(), packetMax, packetMax) {
		t.Error("more than the largest packet is kept")
	}
	a.ForgetAhead(packetMax)
	if a.Executes(ReadBytes / 2); m.Taken() != packetMax*BytesForOne {
		t.Errorf("an execution of a part of it: %d is taken", m.Taken())
	}
	if a.Executes(ReadBytes); m.Taken() != ReadBytes*BytesForOne {
		t.Errorf("its execution: %d is taken", m.Taken())
	}
	a.ForgetAllAhead()
	if a.Settle(); a.Any() || a.HasAhead() || m.Taken() != 0 {
		t.Errorf("behind it: %d is taken", m.Taken())
	}
}

// TestUnbounded: without a bound nothing is taken and all is kept. A client has the longer the more it sends.
func TestUnbounded(t *testing.T) {
	a := new(Allotment)
	a.Of(nil, new(metrics.Memory))
	if !a.KeepAhead(t.Context(), 100*ReadBytes, packetMax) || a.Any() {
		t.Error("memory without a bound is refused, or counted")
	}
	if bounded, _, _ := allotted(t, 1); bounded.Sending(0) != time.Minute || bounded.Sending(10*slowestBytes) != time.Minute+10*time.Second {
		t.Errorf("%v, %v", bounded.Sending(0), bounded.Sending(10*slowestBytes))
	}
}
