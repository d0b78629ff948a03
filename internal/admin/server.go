package admin

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"tunic/internal/metrics"
	"tunic/internal/status"
)

// Limits of one request, so that a peer that stalls holds nothing for long. A
// CPU profile of 30 s, pprof's default, fits in the time to answer.
const (
	headerTimeout   = 5 * time.Second
	requestTimeout  = 10 * time.Second
	answerTimeout   = 90 * time.Second
	idleTimeout     = 2 * time.Minute
	headerBytesMax  = 16 << 10
	shutdownTimeout = 2 * time.Second
)

// Options are what the pages show.
type Options struct {
	Metrics *metrics.Metrics
	// Ready is nil when a new client could be served, else says why not; it is
	// asked at most once a second, with a deadline.
	Ready func(context.Context) error
	// Draining reports whether clients are to go elsewhere; it is asked each
	// time, so that balancers see a drain at once.
	Draining func() bool
	// Status makes what /status and /status.json show; nil serves neither.
	Status *status.Gatherer
	// Token is what it takes to see them, "" if nothing. Loopback says that the address is
	// one of this machine for itself: with any other they are not shown without a token.
	Token    string
	Loopback bool
	// Pprof also serves /debug/pprof.
	Pprof bool
	Log   *slog.Logger
}

// Server is the side door. Make it with New, then Serve.
type Server struct {
	http *http.Server
}

// New makes a server of the pages.
func New(o Options) *Server {
	return &Server{http: &http.Server{
		Handler:           newPages(o),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       requestTimeout,
		WriteTimeout:      answerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    headerBytesMax,
		ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
	}}
}

// Serve answers on l, which it closes, until ctx is done; then it waits a
// moment for answers that are being written. It returns nil when it ended for
// ctx's sake.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	served := make(chan error, 1)
	go func() { served <- s.http.Serve(l) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if s.http.Shutdown(stop) != nil {
		_ = s.http.Close() // a profile is being taken: it is cut off
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
