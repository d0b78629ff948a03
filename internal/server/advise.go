package server

import (
	"context"
	"errors"

	"tunic/internal/advice"
	"tunic/internal/catalog"
	"tunic/internal/config"
	"tunic/internal/crypt"
	"tunic/internal/jobs"
	"tunic/internal/policy"
)

// layerModes are what the words of policy.layers mean.
var layerModes = map[config.PolicyLayers]advice.Mode{
	config.LayersOff: advice.Off, config.LayersAdvise: advice.Advise, config.LayersAuto: advice.Auto,
}

// advise has somebody look at what statements miss, until the protection is closed.
func (p *protection) advise(s *Server, book *advice.Book, ring *crypt.Ring) {
	p.advisor = advice.New(advice.Options{
		Mode: layerModes[s.cfg.Policy.Layers], After: s.cfg.Policy.LayersAfter,
		Jobs: asking{p.jobs},
		Book: book, Checker: advice.NewChecker(s.service.DB(), ring), Catalog: p.ledger.Catalog, Alone: p.ledger.Alone,
		Log: s.log, Metrics: s.metrics,
	})
	p.stopAdvising = background(p.advisor.Run)
}

// background runs something until stop is called, which waits for its end.
func background(run func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		run(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}

// asking asks a runner for work on layers.
type asking struct{ *jobs.Runner }

// AddLayer implements advice.Jobs.
func (a asking) AddLayer(ctx context.Context, t *catalog.Table, column int, capability policy.Capabilities, reason string) error {
	_, err := a.AskAdd(ctx, t, column, capability, policy.Grain{}, reason)
	return unlessAsked(err, jobs.ErrThere)
}

// DropLayer implements advice.Jobs.
func (a asking) DropLayer(ctx context.Context, t *catalog.Table, column int, capability policy.Capabilities, reason string) error {
	_, err := a.AskDrop(ctx, t, column, capability, reason)
	return unlessAsked(err, jobs.ErrAbsent)
}

// unlessAsked leaves out the errors of what is done already, or on its way: another tunic
// was first.
func unlessAsked(err, done error) error {
	if _, busy := errors.AsType[*jobs.BusyError](err); busy || errors.Is(err, done) {
		return nil
	}
	return err
}
