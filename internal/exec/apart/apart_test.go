package apart

import (
	"testing"

	"tunic/internal/recipe"
)

// TestKnown: rows come apart once a join has had many, and no longer where that was too much.
func TestKnown(t *testing.T) {
	var k Known
	is := func(want int64) {
		t.Helper()
		if got := k.Most(); got != want {
			t.Fatalf("%d rows may come apart, want %d", got, want)
		}
	}
	is(0)
	k.Joined(Least - 1)
	is(0)
	k.Joined(Least)
	is(timesJoined * Least)
	k.Refused()
	is(0)
	k.Joined(2*Least - 1)
	is(0)
	k.Joined(2 * Least)
	is(timesJoined * 2 * Least)
	k.Joined(recipe.ApartMost - 1)
	is(recipe.ApartMost)
	k.Joined(recipe.ApartMost + 1)
	is(0)
	k.Joined(2 * Least)
	k.turns.Store(0)
	joins := 0
	for range 2 * anew {
		if k.Most() == 0 {
			joins++
		}
	}
	if joins != 2 {
		t.Errorf("the server joins the rows anew %d times in %d executions, want 2", joins, 2*anew)
	}
}
