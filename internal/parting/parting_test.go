package parting

import (
	"testing"
	"time"

	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// TestKeeps: what statements have left in a session is kept in mind until it is gone; ! before a text says that it has
// failed.
func TestKeeps(t *testing.T) {
	for _, c := range []struct {
		texts []string
		keeps bool
	}{
		{nil, false},
		{[]string{"SELECT 1", "COMMIT"}, false},
		{[]string{"SELECT GET_LOCK('a', 1)"}, true},
		{[]string{"SELECT GET_LOCK('a', 1)", "SELECT RELEASE_LOCK('a')"}, false},
		{[]string{"SELECT GET_LOCK('a', 1)", "SELECT GET_LOCK('b', 1)", "SELECT RELEASE_LOCK('a')"}, true},
		{[]string{"SELECT GET_LOCK('a', 1)", "SELECT GET_LOCK('b', 1)", "SELECT RELEASE_ALL_LOCKS()"}, false},
		{[]string{"CREATE TEMPORARY TABLE t (id INT)"}, true},
		{[]string{"!CREATE TEMPORARY TABLE t (id INT)"}, false},
		{[]string{"CREATE TEMPORARY TABLE t (id INT)", "DROP TABLE T"}, false},
		{[]string{"XA START 'x'", "XA END 'x'", "XA PREPARE 'x'"}, true},
		{[]string{"XA START 'x'", "XA END 'x'", "XA PREPARE 'x'", "XA COMMIT 'x'"}, false},
	} {
		var track Track
		follow(&track, c.texts)
		if got := track.Keeps(); got != c.keeps {
			t.Errorf("%q: %t, want %t", c.texts, got, c.keeps)
		}
		if track.Reset(); track.Keeps() {
			t.Errorf("%q: something is kept behind a reset", c.texts)
		}
	}
}

func follow(track *Track, texts []string) {
	var fp sql.Fingerprinter
	planner := plan.New(plan.Options{})
	for _, text := range texts {
		failed := text[0] == '!'
		if failed {
			text = text[1:]
		}
		p := planner.Plan(&fp, []byte(text), 0, "")
		track.Begins()
		track.Does(p)
		track.Follow(p, failed)
		track.Answered(wire.StatusAutocommit)
	}
}

// TestEndsBehindWork: a session ends with the answer of a piece of work that has come while it is to end, and once only.
func TestEndsBehindWork(t *testing.T) {
	var track Track
	track.Arrives(wire.StatusAutocommit)
	follow(&track, []string{"INSERT INTO t VALUES (1)"})
	if track.Ends() {
		t.Error("it ends behind work from before")
	}
	track.Comes()
	follow(&track, []string{"INSERT INTO t VALUES (1)"})
	if !track.Ends() || track.Ends() {
		t.Error("it does not end, or twice, behind work")
	}
}

// TestSilent: a client that is silent is waited for, longer behind a command that has come meanwhile.
func TestSilent(t *testing.T) {
	now := time.Now()
	for _, heard := range []bool{false, true} {
		var track Track
		if heard {
			track.Comes()
		}
		until, enough := track.Silent(now)
		if want := map[bool]time.Duration{false: quietFor, true: busyFor}[heard]; enough || !until.Equal(now.Add(want)) {
			t.Errorf("heard %t: it is waited for %v, enough %t", heard, until.Sub(now), enough)
		}
		if again, enough := track.Silent(until); !enough || !again.Equal(until) {
			t.Errorf("heard %t: it is waited for %v more", heard, again.Sub(until))
		}
	}
}
