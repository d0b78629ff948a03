package usage

import "time"

// Phase is a part of the time that a statement takes.
type Phase uint8

// The phases of a statement.
const (
	// Server is waiting for the database server, and sending to it.
	Server Phase = iota
	// Open is opening sealed values of the rows that come.
	Open
	// Local is all else that tunic does: planning, sealing, and finishing rows locally.
	Local
	// Send is writing to the client, or waiting for the file that it sends.
	Send
	// Phases is how many there are.
	Phases
)

var phaseNames = [Phases]string{Server: "server", Open: "open", Local: "local", Send: "send"}

// String is the name of the phase in a status.
func (p Phase) String() string { return phaseNames[p] }

// Clock times one statement of a session by phase. While it is off, Start costs a test of
// a bit. It is for one goroutine.
type Clock struct {
	on    bool
	spent [Phases]time.Duration
}

// Begin starts a statement, which is timed if on is true.
func (c *Clock) Begin(on bool) {
	if c.on = on; on {
		c.spent = [Phases]time.Duration{}
	}
}

// On reports whether a statement is being timed.
func (c *Clock) On() bool { return c != nil && c.on }

// Spent is where what is spent on a phase is added up, for who times it; nil while the
// clock is off.
func (c *Clock) Spent(p Phase) *time.Duration {
	if !c.On() {
		return nil
	}
	return &c.spent[p]
}

// Start is when something begins; the zero time while the clock is off.
func (c *Clock) Start() time.Time {
	if !c.On() {
		return time.Time{}
	}
	return time.Now()
}

// Stop counts what has passed since Start to a phase.
func (c *Clock) Stop(p Phase, since time.Time) {
	if c.On() {
		c.spent[p] += time.Since(since)
	}
}

// End ends a statement that took so long, and adds its phases to its template. What no
// phase has counted is Local.
func (c *Clock) End(t *Template, took time.Duration) {
	if !c.on {
		return
	}
	c.on = false
	rest := took
	for p, d := range c.spent {
		if Phase(p) != Local {
			rest -= d
		}
	}
	c.spent[Local] = max(rest, 0)
	t.AddPhases(&c.spent)
}
