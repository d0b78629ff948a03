package login

import (
	"context"
	"net"
	"testing"
	"time"

	"tunic/internal/config"
)

func bounded() *Logins {
	return NewLogins(config.Limits{Connections: 16, Logins: 3, LoginsByAddress: 2})
}

// over is a context in which nobody waits.
func over() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// TestLoginsAreBounded: an address has its share, all together have theirs, and places
// that are given back are somebody's again.
func TestLoginsAreBounded(t *testing.T) {
	l := bounded()
	one, two := l.Enter(t.Context(), "a"), l.Enter(t.Context(), "a")
	if one == nil || two == nil {
		t.Fatal("an address does not get its share")
	}
	if l.Enter(over(), "a") != nil {
		t.Error("an address gets more than its share")
	}
	other := l.Enter(t.Context(), "b")
	if other == nil {
		t.Fatal("one address takes the places of another")
	}
	if l.Enter(over(), "c") != nil {
		t.Error("there are more logins than places")
	}
	got := make(chan *Place)
	go func() { got <- l.Enter(t.Context(), "c") }()
	one.Vacate()
	late := <-got
	if l.Enter(over(), "a") != nil {
		t.Error("a login whose answer waits does not count for its address any more")
	}
	for _, p := range []*Place{one, two, other, late} {
		p.Leave()
	}
	if len(l.places) != 0 || len(l.from) != 0 {
		t.Errorf("%d places and %d addresses are left", len(l.places), len(l.from))
	}
}

// TestLoginsWaitInBounds: an address has only so many that wait.
func TestLoginsWaitInBounds(t *testing.T) {
	l := bounded()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan *Place)
	for range l.waiters {
		go func() { done <- l.Enter(ctx, "a") }()
	}
	held := []*Place{<-done, <-done}
	for users := 0; users < l.waiters; {
		l.mu.Lock()
		users = l.from["a"].users
		l.mu.Unlock()
	}
	if l.Enter(t.Context(), "a") != nil { // would wait for ever
		t.Error("there is a place too many")
	}
	cancel()
	for range l.waiters - len(held) {
		if <-done != nil {
			t.Error("there is a place too many")
		}
	}
	for _, p := range held {
		p.Leave()
	}
}

// TestDenialsAreSlowedDown: the first are not, and an address that was quiet for a while
// begins anew.
func TestDenialsAreSlowedDown(t *testing.T) {
	l := bounded()
	for range deniedFree {
		if wait := l.Deny("a"); wait != 0 {
			t.Fatalf("one of the first waits %s", wait)
		}
	}
	for _, want := range []time.Duration{deniedStep, 2 * deniedStep, 4 * deniedStep} {
		if wait := l.Deny("a"); wait != want {
			t.Errorf("waits %s, want %s", wait, want)
		}
	}
	for range 100 {
		l.Deny("a")
	}
	if wait := l.Deny("a"); wait != deniedMost {
		t.Errorf("waits %s, want %s", wait, deniedMost)
	}
	if wait := l.Deny("b"); wait != 0 {
		t.Errorf("another address waits %s", wait)
	}
	l.from["a"].last = time.Now().Add(-2 * deniedForgotten)
	if wait := l.Deny("a"); wait != 0 {
		t.Errorf("waits %s after a while", wait)
	}
	l.from["a"].last = time.Now().Add(-2 * deniedForgotten)
	l.swept = time.Time{}
	l.Enter(t.Context(), "c").Leave()
	if l.from["a"] != nil {
		t.Error("an old address is not forgotten")
	}
}

// TestAddressOf: a network of IPv6 is one, and so are all clients of a socket.
func TestAddressOf(t *testing.T) {
	for _, c := range []struct {
		addr net.Addr
		want string
	}{
		{&net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 1}, "192.0.2.7"},
		{&net.TCPAddr{IP: net.ParseIP("2001:db8:1:2:3::4"), Port: 1}, "2001:db8:1:2::/64"},
		{&net.UnixAddr{Name: "@", Net: "unix"}, ""},
	} {
		if got := AddressOf(c.addr); got != c.want {
			t.Errorf("%s is %q, want %q", c.addr, got, c.want)
		}
	}
}
