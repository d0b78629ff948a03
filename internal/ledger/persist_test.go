package ledger

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestPersist: who looks for what others write goes on after a look during which the process
// was stopped for longer than it would wait, and gives up where the ledger stays lost.
func TestPersist(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looks := 0
		stopped := func() (bool, error) {
			if looks++; looks == 1 {
				time.Sleep(time.Hour)
				return false, ErrLost
			}
			return looks > 3, nil
		}
		if !persist(nil, patient, stopped) || looks != 4 {
			t.Errorf("after a stop: given up after %d looks", looks)
		}
		began := time.Now()
		if persist(nil, patient, func() (bool, error) { return true, ErrLost }) || time.Since(began) > 2*patient {
			t.Errorf("a ledger that stays lost was waited for, %v", time.Since(began))
		}
		if persist(nil, patient, func() (bool, error) { return false, errors.New("another") }) {
			t.Error("another error was taken for what was looked for")
		}
	})
}
