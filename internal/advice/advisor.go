package advice

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/metrics"
	"tunic/internal/policy"
)

// Mode is how much is done about layers that would pay.
type Mode uint8

// The modes.
const (
	Off    Mode = iota // who asks is told: tunic.layers
	Advise             // statements are told as well, and the log
	Auto               // layers are added, and the log says so
)

// Options are what an Advisor stands on.
type Options struct {
	Mode Mode
	Book *Book
	// Checker judges columns.
	Checker *Checker
	// Catalog is the current one.
	Catalog func() *catalog.Catalog
	// Jobs adds and drops layers; nil if nobody does, which makes Auto an Advise that tells
	// statements nothing.
	Jobs Jobs
	// Alone reports whether no other tunic is before the same database: only then is it
	// known that nobody uses a layer. nil is not alone.
	Alone func(context.Context) (bool, error)
	// After is how much time a layer has to have cost by not being there; 0 is DefaultAfter.
	After time.Duration
	Log   *slog.Logger
	// Metrics counts advice; nil counts nothing.
	Metrics *metrics.Metrics
}

// Jobs asks for work on layers.
type Jobs interface {
	// AddLayer and DropLayer ask for a job, and return when it is written down. Where there
	// is such a job, or the layer is as it is to be, nothing is asked for. The reason is kept
	// in the job.
	AddLayer(ctx context.Context, t *catalog.Table, column int, capability policy.Capabilities, reason string) error
	DropLayer(ctx context.Context, t *catalog.Table, column int, capability policy.Capabilities, reason string) error
}

// AutoReason begins the reason of every job that Auto asks for, by which it knows layers that
// it has added.
const AutoReason = "auto: "

// How often and how long.
const (
	lookEvery = time.Minute
	// looksBefore is how many looks in a row a layer has to pay before it is asked for: a
	// burst that ends is no reason.
	looksBefore = 2
	// againAfter is when a layer is thought of again that was refused or could not be asked
	// for.
	againAfter = 24 * time.Hour
	logEvery   = time.Hour
)

// Advisor looks at what is counted, and does what its mode says about it. Its methods are
// safe for concurrent use.
type Advisor struct {
	o Options
	// about is what is remembered of layers between two looks.
	looking sync.Mutex
	about   map[layerOf]*thought
}

// thought is what is remembered of a layer.
type thought struct {
	looks  int       // in a row in which it paid
	logged time.Time // when the log had it last
	again  time.Time // before when it is not asked for
}

// New makes an Advisor.
func New(o Options) *Advisor {
	if o.After <= 0 {
		o.After = DefaultAfter
	}
	return &Advisor{o: o, about: map[layerOf]*thought{}}
}

// Run looks every minute until ctx is done.
func (a *Advisor) Run(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			a.Look(ctx)
		}
	}
}

// Look looks once.
func (a *Advisor) Look(ctx context.Context) {
	a.looking.Lock()
	defer a.looking.Unlock()
	c := a.o.Catalog()
	a.o.Book.look(c)
	if a.o.Mode == Off {
		return
	}
	known := map[layerOf]bool{}
	for t := range c.Tables() {
		for i := range t.Columns {
			for _, capability := range policy.Each() {
				if ctx.Err() != nil {
					return
				}
				known[layerOf{t.Columns[i].ID, capability}] = true
				a.consider(ctx, c, t, i, capability)
			}
		}
	}
	for of := range a.about {
		if !known[of] {
			delete(a.about, of)
		}
	}
}

// consider thinks of one layer.
func (a *Advisor) consider(ctx context.Context, c *catalog.Catalog, t *catalog.Table, column int, capability policy.Capabilities) {
	one, ok := a.Of(t, column, capability)
	of := layerOf{t.Columns[column].ID, capability}
	th := a.about[of]
	if !ok || one.Advice == Nothing {
		if th != nil {
			th.looks = 0 // it has to pay in a row
		}
		return
	}
	if th == nil {
		th = &thought{}
		a.about[of] = th
	}
	if one.Advice == Add && one.Reason == reasonUnseen {
		one = a.look(ctx, t, column, capability, one)
	}
	if one.Advice == Nothing {
		th.looks = 0
		a.told(th, &one)
		return
	}
	th.looks++
	if a.o.Mode == Auto && a.o.Jobs != nil {
		a.act(ctx, c, th, t, column, &one)
		return
	}
	a.told(th, &one)
}

// look has the values judged, and says what to do now that they are.
func (a *Advisor) look(ctx context.Context, t *catalog.Table, column int, capability policy.Capabilities, one Advice) Advice {
	of := layerOf{t.Columns[column].ID, capability}
	verdict, err := a.o.Checker.Check(ctx, t, column, capability)
	_, counter := a.o.Book.counted(of)
	if counter != nil {
		counter.unwanted.Store(err != nil || verdict.Refused)
	}
	if err != nil {
		a.o.Log.Warn("a column's values cannot be looked at for advice", "column", name(&one), "error", err)
		one.Advice, one.Reason = Nothing, reasonWanted
		return one
	}
	one.Advice, one.Reason = a.adding(t, column, capability, &one.Counts)
	return one
}

// told says it in the log, if it was not said lately.
func (a *Advisor) told(th *thought, one *Advice) {
	now := a.o.Book.now()
	if now.Sub(th.logged) < logEvery {
		return
	}
	th.logged = now
	message := "a layer would pay"
	switch one.Advice {
	case Nothing:
		message = "a layer would save time, and is not advised"
	case Drop:
		message = "a layer is not used"
	}
	if a.o.Metrics != nil {
		a.o.Metrics.Advice.Add(1)
	}
	a.o.Log.Info(message, "column", name(one), "layer", one.Layer.String(), "reason", one.Reason,
		"statements", one.Statements, "rows", one.Rows, "seconds", one.Spent.Seconds())
}

// act asks for a job.
func (a *Advisor) act(ctx context.Context, c *catalog.Catalog, th *thought, t *catalog.Table, column int, one *Advice) {
	now := a.o.Book.now()
	if th.looks < looksBefore || now.Before(th.again) || len(c.JobsOf(t.ID)) > 0 {
		return
	}
	ask := a.o.Jobs.AddLayer
	if one.Advice == Drop {
		if ask = a.o.Jobs.DropLayer; !a.added(c, t, column, one.Layer) || !a.alone(ctx) {
			a.told(th, one)
			return
		}
	}
	th.again = now.Add(againAfter)
	err := ask(ctx, t, column, one.Layer, AutoReason+one.Reason)
	if err != nil {
		a.o.Log.Warn("a layer cannot be asked for", "column", name(one), "layer", one.Layer.String(), "advice", one.Advice, "error", err)
		return
	}
	if a.o.Metrics != nil {
		a.o.Metrics.LayersAsked.Add(1)
	}
	a.o.Log.Info("asked for a job", "job", one.Advice+"_layer", "column", name(one), "layer", one.Layer.String(), "reason", one.Reason,
		"statements", one.Statements, "rows", one.Rows, "seconds", one.Spent.Seconds())
}

// Check says what the values of a column speak against a layer: see Checker.Check.
func (a *Advisor) Check(ctx context.Context, t *catalog.Table, column int, capability policy.Capabilities) (Verdict, error) {
	return a.o.Checker.Check(ctx, t, column, capability)
}

func (a *Advisor) alone(ctx context.Context) bool {
	if a.o.Alone == nil {
		return false
	}
	alone, err := a.o.Alone(ctx)
	return err == nil && alone
}

// added reports whether a layer is there because Auto asked for it.
func (a *Advisor) added(c *catalog.Catalog, t *catalog.Table, column int, capability policy.Capabilities) bool {
	last := ""
	for _, j := range c.Jobs() {
		if j.Table == t.ID && j.Column == t.Columns[column].ID && j.Layer == capability && j.State == catalog.JobDone {
			last = j.Reason
		}
	}
	return strings.HasPrefix(last, AutoReason)
}

// name is the full name of a column.
func name(of *Advice) string { return of.Schema + "." + of.Table + "." + of.Column }
