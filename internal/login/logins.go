package login

import (
	"context"
	"net"
	"sync"
	"time"

	"tunic/internal/config"
)

// Logins bounds the logins that are under way. Each has a connection of the server's,
// since the server's greeting has the challenge that the client answers and the number
// by which a session is killed: so the server is asked before the client has said
// anything, and whoever can connect could take all that it has. Who finds no place
// waits without one.
//
// It also slows down who guesses passwords. The answer of a login that was denied is
// what waits, so that others behind the same address do not.
type Logins struct {
	places    chan struct{}
	byAddress int
	waiters   int // that one address may have

	mu    sync.Mutex
	from  map[string]*origin
	swept time.Time
}

// origin is an address from which clients have come.
type origin struct {
	places chan struct{}
	users  int // logins that wait or are under way
	denied int // logins in a row, each soon after the one before
	last   time.Time
}

const (
	// deniedFree is how many denied logins are answered at once: somebody who mistypes,
	// and a pool of connections with an old password.
	deniedFree = 10
	// deniedStep is how long the next one waits; each one after that waits twice as
	// long, up to deniedMost, which is below the timeouts of drivers.
	deniedStep = 50 * time.Millisecond
	deniedMost = 3 * time.Second
	// deniedForgotten is how long after the last one they are forgotten.
	deniedForgotten = time.Minute
	// originsMax bounds the addresses that are remembered, about 10 MiB.
	originsMax = 1 << 16
	// networkBits are those of an IPv6 address that count: its owner has all of a /64.
	networkBits = 64
)

// NewLogins makes what all sessions share.
func NewLogins(l config.Limits) *Logins {
	return &Logins{
		places: make(chan struct{}, l.Logins), byAddress: l.LoginsByAddress,
		waiters: max(l.Connections/4, l.LoginsByAddress), from: map[string]*origin{},
	}
}

// Place is one login's among those under way.
type Place struct {
	of      *Logins
	address string
	origin  *origin
	vacated bool
}

// Vacate lets others log in: the login has no connection of the server's any more.
// It still counts for its address.
func (p *Place) Vacate() {
	if p != nil && !p.vacated {
		p.vacated = true
		<-p.of.places
	}
}

// Leave gives back all of it.
func (p *Place) Leave() {
	p.Vacate()
	if p != nil {
		<-p.origin.places
		p.of.depart(p.address, p.origin)
	}
}

// Enter waits for a place until ctx is done. It is nil if there was none, and at once
// where too many of that address wait.
func (l *Logins) Enter(ctx context.Context, address string) *Place {
	o := l.arrive(address)
	if o == nil {
		return nil
	}
	if !take(ctx, o.places) {
		l.depart(address, o)
		return nil
	}
	if !take(ctx, l.places) {
		<-o.places
		l.depart(address, o)
		return nil
	}
	return &Place{of: l, address: address, origin: o}
}

// take waits for a place among places.
func take(ctx context.Context, places chan struct{}) bool {
	select {
	case places <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// arrive counts a login of an address; nil if too many wait there.
func (l *Logins) arrive(address string) *origin {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.from[address]
	if o == nil {
		o = &origin{places: make(chan struct{}, l.byAddress)}
		l.from[address] = o
	}
	if o.users >= l.waiters {
		return nil
	}
	o.users++
	return o
}

// depart is the end of what arrive has begun. An address about which there is nothing
// to remember is forgotten.
func (l *Logins) depart(address string, o *origin) {
	l.mu.Lock()
	defer l.mu.Unlock()
	o.users--
	if o.users == 0 && (o.denied == 0 || len(l.from) > originsMax) {
		delete(l.from, address)
	}
	l.sweep()
}

// sweep forgets addresses whose last denied login was long ago, now and then.
func (l *Logins) sweep() {
	if time.Since(l.swept) < deniedForgotten {
		return
	}
	l.swept = time.Now()
	for address, o := range l.from {
		if o.users == 0 && time.Since(o.last) > deniedForgotten {
			delete(l.from, address)
		}
	}
}

// Deny counts a denied login, and says how long its answer is to wait.
func (l *Logins) Deny(address string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.from[address]
	if o == nil {
		if len(l.from) >= originsMax {
			return deniedMost
		}
		o = &origin{places: make(chan struct{}, l.byAddress)}
		l.from[address] = o
	}
	if time.Since(o.last) > deniedForgotten {
		o.denied = 0
	}
	o.denied, o.last = o.denied+1, time.Now()
	return penalty(o.denied)
}

// penalty is how long the answer of the n-th denied login waits.
func penalty(n int) time.Duration {
	if n <= deniedFree {
		return 0
	}
	wait := deniedStep
	for range n - deniedFree - 1 {
		if wait *= 2; wait >= deniedMost {
			return deniedMost
		}
	}
	return wait
}

// AddressOf names where a client is, without its port. All clients of a Unix socket
// are one.
func AddressOf(a net.Addr) string {
	if a.Network() == "unix" {
		return ""
	}
	if ip := ipOf(a); ip.Is6() {
		network, _ := ip.Prefix(networkBits)
		return network.String()
	}
	return hostOf(a)
}
