package session

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/sqlerr"
)

// TestViewThatIsWaitedFor: who waits for a view in vain is told of the lock, and not that the view is invalid.
func TestViewThatIsWaitedFor(t *testing.T) {
	refusal, ended := new(Session).wrongWith(&catalog.Table{Schema: "shop", Name: "v"}, sqlerr.LockWait())
	if e, ok := refusal.(*sqlerr.Error); ended != nil || !ok || !e.IsLockWait() { //nolint:errorlint // it is not wrapped
		t.Errorf("told %v, ended by %v", refusal, ended)
	}
}
