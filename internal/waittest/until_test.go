package waittest

import (
	"testing"
	"testing/synctest"
	"time"
)

// failing keeps what a test is ended with.
type failing struct {
	testing.TB
	said string
}

func (f *failing) Helper() {}

func (f *failing) Fatalf(format string, _ ...any) {
	f.said = format
	panic(f)
}

func TestUntil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		Until(t, "time passes", func() bool { return time.Since(began) >= time.Second })
		if took := time.Since(began); took > time.Second+looksLast {
			t.Errorf("looked again after %v", took)
		}
	})
}

func TestNever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &failing{TB: t}
		began := time.Now()
		defer func() {
			if recover() != f || f.said == "" || time.Since(began) < limit {
				t.Errorf("ended after %v, with %q", time.Since(began), f.said)
			}
		}()
		Until(f, "never", func() bool { return false })
	})
}
