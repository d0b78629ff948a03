package ledger

import (
	"testing"
	"time"

	"tunic/internal/catalog"
)

// quiesced asks to quiesce until the table is still.
func (b *bench) quiesced(l *Ledger, id catalog.ID) (end func()) {
	b.t.Helper()
	for {
		found, _, end, err := l.Quiesce(b.t.Context(), id, time.Second)
		if err != nil {
			b.t.Fatal(err)
		}
		if found == Still {
			return end
		}
		end()
	}
}

// TestQuiesce: a table is still when no transaction of any member's has used it, and as long as it
// is to be nobody begins to; then all go on. Other tables are used as ever.
func TestQuiesce(t *testing.T) {
	onServers(t, func(b *bench) {
		id := catalog.ID{1}
		first := b.open()
		b.quiesced(first, id)() // alone
		all := []*Ledger{first, b.open(), b.open()}
		for i, want := range []Stillness{Busy, Quiet} {
			use := all[i].Gate().Use(id)
			found, _, end, err := first.Quiesce(t.Context(), id, 50*time.Millisecond)
			if err != nil || found != want {
				t.Fatalf("with an open transaction of member %d: %d, %v", i, found, err)
			}
			end()
			use.End()
		}
		// That it is still may end by itself, where the machine is slow.
		for held := false; !held; {
			end := b.quiesced(first, id)
			held = true
			for _, l := range all {
				held = !enters(l, id, over()) && held
				if !enters(l, catalog.ID{2}, over()) {
					t.Error("another table is held")
				}
			}
			end()
		}
		for _, l := range all {
			if !enters(l, id, nil) {
				t.Error("a table is held for good")
			}
		}
	})
}

// TestQuiesceLeft: a quiet moment that its asker does not end ends by itself, and one from before is nobody's.
func TestQuiesceLeft(t *testing.T) {
	onServers(t, func(b *bench) {
		l, other := b.open(), b.open()
		id := catalog.ID{1}
		for held := false; !held; { // a member that is slow to look does not join
			_, forget, err := l.announceQuiesce(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			defer forget()
			for until := time.Now().Add(quiesceLongest); !held && time.Now().Before(until); {
				held = !enters(other, id, over())
			}
		}
		if !enters(other, id, nil) {
			t.Error("the table is held for good")
		}
		if !enters(b.open(), id, over()) {
			t.Error("a quiet moment from before is joined")
		}
		b.quiesced(l, id)()
	})
}

// over is closed.
func over() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// enters reports whether somebody who has not used a table enters its gate, and leaves it.
func enters(l *Ledger, id catalog.ID, done <-chan struct{}) bool {
	inside, ok := l.Gate().Enter(id, Passage{}, done)
	if ok {
		inside.Leave()
	}
	return ok
}
