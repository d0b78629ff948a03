package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"tunic/internal/admission"
	"tunic/internal/backend"
	"tunic/internal/budget"
	"tunic/internal/config"
	"tunic/internal/keys"
	"tunic/internal/login"
	"tunic/internal/metrics"
	"tunic/internal/plan"
	"tunic/internal/session"
	"tunic/internal/socket"
	"tunic/internal/sqlerr"
	"tunic/internal/usage"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// Server accepts clients. New, Listen and Serve are called once each, in that
// order.
type Server struct {
	cfg      *config.Config                // as tunic was started
	live     atomic.Pointer[config.Config] // the same, with what was read again since
	metrics  *metrics.Metrics
	log      *slog.Logger
	refusals *slog.Logger // what anybody who connects can cause
	target   *backend.Target
	service  *backend.Service
	planner  *plan.Planner
	// usage knows what statements cost, refused which were refused last.
	usage   *usage.Top
	refused *usage.Refused
	flavor  value.Flavor
	// protection is nil without a key: then nothing is protected.
	protection *protection
	shared     *session.Shared
	memory     *budget.Memory
	tls        *certificates
	listener   net.Listener
	accepted   chan struct{} // closed when nobody is accepted any more

	life     context.Context // of the sessions; ended when they are cut off
	endLife  context.CancelFunc
	hurry    chan struct{} // closed when the drain is to be over
	hasten   func()        // closes hurry, once
	leaving  atomic.Bool   // nobody is to be accepted for much longer
	handed   atomic.Bool   // another tunic accepts
	draining atomic.Bool
	mu       sync.Mutex
	sessions map[*session.Session]watched
	done     sync.WaitGroup
}

// New checks the settings that need the outside world: TLS files, and the
// server, which it logs in to once with the service account. With a key it opens the
// ledger of protected tables; kek is nil without. Errors are *sqlerr.StartError.
func New(ctx context.Context, cfg *config.Config, kek *keys.KEK, m *metrics.Metrics, log *slog.Logger) (*Server, error) {
	s := &Server{cfg: cfg, metrics: m, log: log, refusals: newSampled(log), sessions: make(map[*session.Session]watched)}
	s.live.Store(cfg)
	s.accepted = make(chan struct{})
	s.life, s.endLife = context.WithCancel(context.Background())
	s.usage, s.refused = usage.NewTop(usage.Entries), new(usage.Refused)
	s.memory = memoryOf(cfg.Limits.Memory)
	s.hurry = make(chan struct{})
	s.hasten = sync.OnceFunc(func() { close(s.hurry) })
	var err error
	if s.tls, err = newCertificates(cfg.TLS); err != nil {
		return nil, err
	}
	if err = s.openBackend(); err != nil {
		return nil, err
	}
	if err := s.reach(ctx, kek); err != nil {
		_ = s.service.Close()
		return nil, err
	}
	if s.tls.made {
		log.Info("made a self-signed TLS pair for clients", "cert", s.certPath())
	}
	s.share()
	s.metrics.Reloaded.Set(1)
	s.metrics.ReloadedAt.Set(time.Now().Unix())
	s.watchMetrics()
	s.checkCertificate(time.Now())
	s.checkDescriptors()
	return s, nil
}

// reach makes sure of the server and of what is protected there.
func (s *Server) reach(ctx context.Context, kek *keys.KEK) (err error) {
	if err := s.probe(ctx); err != nil {
		return err
	}
	if kek == nil {
		return s.refuseUnkeyed(ctx)
	}
	s.protection, err = s.protect(ctx, kek, s.flavor)
	return err
}

// share makes what all sessions have in common.
func (s *Server) share() {
	cfg, options := s.cfg, plan.Options{Entries: s.cfg.PlanCache.Entries, Bytes: s.cfg.PlanCache.Bytes, Usage: s.usage}
	if s.protection != nil {
		options.Catalog, options.Policy = s.protection.ledger.Catalog, s.protection.definer.Policy
	}
	s.planner = plan.New(options)
	s.shared = &session.Shared{
		Door: admission.Door{
			Target: s.target, Service: s.service, Metrics: s.metrics, Log: s.log, Refusals: s.refusals,
			Proxies: cfg.ProxyProtocol, Compression: cfg.Compression, TLS: s.tls.config(), LoginKey: new(login.Key),
		},
		Planner: s.planner, Memory: s.memory, Refused: s.refused,
	}
	s.shared.Set(s.settingsOf(cfg, login.NewLogins(cfg.Limits)))
	if p := s.protection; p != nil {
		s.shared.Engine, s.shared.Ledger, s.shared.Definer, s.shared.Jobs, s.shared.Types = p.engine, p.ledger, p.definer, p.jobs, p.types
		s.shared.Advisor = p.advisor
	}
}

// Close gives back what New and Listen have taken, for a start that goes no
// further, and after Serve.
func (s *Server) Close() {
	if s.listener != nil {
		_ = s.listener.Close()
	}
	s.protection.close()
	_ = s.service.Close()
}

// probe connects as a client's session would, then logs in with the service
// account, so that a mistake shows at start.
func (s *Server) probe(ctx context.Context) error {
	address := s.cfg.Backend.Address
	conn, err := s.target.Dial(ctx)
	if errors.Is(err, backend.ErrGreeting) {
		return sqlerr.StartBackendGreeting(address, err)
	}
	if refusal, ok := errors.AsType[*backend.GreetingError](err); ok {
		return sqlerr.StartBackendGreeting(address, refusal)
	}
	if err != nil {
		return sqlerr.StartBackendDown(address, err)
	}
	s.flavor = flavorOf(conn.Handshake.Version)
	err = conn.CheckTLS(ctx)
	_ = conn.Close()
	if err != nil {
		return sqlerr.StartBackendTLS(string(s.cfg.Backend.TLS), noOffer(err))
	}
	bytes, err := s.service.PacketBytes(ctx)
	switch {
	case backend.Refused(err):
		return sqlerr.StartAccount(s.account(), err)
	case err != nil:
		return sqlerr.StartBackendDown(address, err)
	case bytes > s.cfg.Limits.PacketBytes:
		s.log.Warn("the server takes longer packets than tunic", "server_bytes", bytes, "limit_bytes", s.cfg.Limits.PacketBytes,
			"fix", "raise --max-packet")
	}
	return s.probeLookup(ctx)
}

// probeLookup checks that the service account may look up accounts, where every
// login will need it to: it looks for one that is nobody's.
func (s *Server) probeLookup(ctx context.Context) error {
	if s.target.Network() != "unix" {
		return nil
	}
	_, err := s.service.PasswordOnly(ctx, "", "")
	switch {
	case backend.Refused(err):
		return sqlerr.StartLookup(s.account(), err)
	case err != nil:
		return sqlerr.StartBackendDown(s.cfg.Backend.Address, err)
	}
	return nil
}

// account is the service account as errors name it.
func (s *Server) account() sqlerr.Account {
	c := s.cfg.Service
	return sqlerr.Account{User: c.User, UserFrom: c.UserFrom, PasswordFrom: c.PasswordFrom}
}

// noOffer is nil for a server without TLS, which StartBackendTLS words itself.
func noOffer(err error) error {
	if errors.Is(err, backend.ErrNoTLS) {
		return nil
	}
	return err
}

// Addr is where the server listens.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Ready reports why the server would not serve a new client now, or nil.
func (s *Server) Ready(ctx context.Context) error {
	if s.draining.Load() {
		return errors.New("draining")
	}
	if limit := s.live.Load().Limits.Connections; s.connected() >= limit {
		return fmt.Errorf("all %d connections of --max-connections are taken", limit)
	}
	if err := s.service.Ping(ctx); err != nil {
		return fmt.Errorf("the database server: %w", err)
	}
	if s.protection != nil {
		return s.protection.ledger.Usable()
	}
	return nil
}

// Limits are the current ones.
func (s *Server) Limits() config.Limits { return s.live.Load().Limits }

// connected is how many clients are.
func (s *Server) connected() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sessions)
}

// Serve accepts clients until ctx is done, and for Limits.DrainDelay after that. Then it
// listens no more, and drains: sessions end when they are idle, at the latest after Limits.Drain.
func (s *Server) Serve(ctx context.Context) error {
	watch, stopWatch := context.WithCancel(context.Background())
	defer stopWatch()
	go s.watchSessions(watch)
	defer s.Close()
	drained := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(drained)
		s.leave()
		s.drain()
	})
	err := s.accept()
	close(s.accepted)
	if stop() { // nobody has asked for the end
		_ = s.listener.Close()
		s.drain()
		return err
	}
	<-drained
	return nil
}

// open gives a connection its session, or the reason why it gets none.
func (s *Server) open(conn net.Conn) {
	s.metrics.Connections.Accepted.Inc()
	limit := s.live.Load().Limits.Connections
	s.mu.Lock()
	full := len(s.sessions) >= limit
	draining := s.draining.Load()
	var client *session.Session
	if !full && !draining {
		client = session.New(s.shared, socket.New(conn))
		s.sessions[client] = watched{}
		s.done.Add(1)
	}
	s.mu.Unlock()
	switch {
	case draining:
		s.turnAway(conn, metrics.RefusedDrain, sqlerr.ShuttingDown())
	case full:
		s.turnAway(conn, metrics.RefusedLimit, sqlerr.TooManyConnections(limit))
	default:
		s.metrics.Connections.Open.Inc()
		go s.run(client)
	}
}

// run is a session's goroutine. A defect in one session ends that session, and
// not the others.
func (s *Server) run(client *session.Session) {
	defer s.done.Done()
	defer s.metrics.Connections.Open.Dec()
	defer func() {
		s.mu.Lock()
		delete(s.sessions, client)
		s.mu.Unlock()
	}()
	defer func() {
		if defect := recover(); defect != nil {
			client.Close()
			s.log.Error("a session ended by a defect of tunic", "stack", stack())
		}
	}()
	client.Run(s.life)
}

// turnAway greets a client with an error. The packet fits into the socket's
// buffer, so it does not hold up the next client.
func (s *Server) turnAway(conn net.Conn, why metrics.ConnectionRefusal, e *sqlerr.Error) {
	s.metrics.Connections.Refused(why).Inc()
	s.metrics.Refusal(uint16(e.Code)).Inc()
	s.refusals.Info("connection refused", "client", conn.RemoteAddr().String(), "code", e.Code.String())
	_ = conn.SetWriteDeadline(time.Now().Add(farewell))
	_ = wire.NewConn(conn, 0).Send(wire.Err{Number: e.Number, State: e.State, Message: []byte(e.Message)})
	_ = conn.Close()
}

// farewell is the time for a last packet to a client.
const farewell = time.Second

// lastAccepts is how long tunic accepts at last, so that nobody is reset who has connected
// already.
const lastAccepts = 20 * time.Millisecond

// leave ends the listening: for Limits.DrainDelay all goes on, and balancers hear from Ready's page
// to send nobody any more. Another tunic that listens at the same socket accepts at once.
func (s *Server) leave() {
	s.leaving.Store(true)
	if delay := s.live.Load().Limits.DrainDelay; delay > 0 && !s.handed.Load() {
		over(nil, s.hurry, delay)
	}
	s.stopAccepting(time.Now().Add(lastAccepts))
}

// HandOver has this tunic accept nobody any more: another one does, at the same socket. Serve goes
// on until its context is done.
func (s *Server) HandOver() {
	s.handed.Store(true)
	s.leaving.Store(true)
	s.stopAccepting(time.Now())
}

// Left is closed when nobody is accepted any more.
func (s *Server) Left() <-chan struct{} { return s.accepted }

// stopAccepting ends accept, not before a time unless that fails, and closes the listener.
func (s *Server) stopAccepting(at time.Time) {
	if l, ok := s.listener.(interface{ SetDeadline(t time.Time) error }); ok && l.SetDeadline(at) == nil {
		<-s.accepted
	}
	_ = s.listener.Close()
}

// CutOff ends a drain that is under way, or to come, as if Limits.Drain were over.
func (s *Server) CutOff() { s.hasten() }

// drain ends all sessions: at their next pause, after Limits.Drain or CutOff with an
// error in place of their answers, and a moment later by closing their sockets.
func (s *Server) drain() {
	s.draining.Store(true)
	until := time.Now().Add(s.live.Load().Limits.Drain)
	for _, client := range s.all() {
		client.Drain(until)
	}
	finished := make(chan struct{})
	go func() { s.done.Wait(); close(finished) }()
	defer s.endLife()
	if over(finished, s.hurry, time.Until(until)) {
		s.tellCutOff() // sessions that have noticed the end before this did
		return
	}
	for _, client := range s.all() {
		client.Cut()
	}
	s.tellCutOff()
	s.endLife()
	if over(finished, nil, 2*farewell) {
		return
	}
	for _, client := range s.all() {
		client.Close()
	}
	<-finished
}

// tellCutOff logs how many sessions were cut off, if any were.
func (s *Server) tellCutOff() {
	if sessions := s.shared.CutOff(); sessions > 0 {
		s.log.Warn("sessions cut off at the end of draining", "sessions", sessions)
	}
}

// over waits for done, not longer than limit or until hurry, and reports whether it
// is.
func over(done, hurry <-chan struct{}, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-hurry:
	case <-timer.C:
	}
	return false
}

func (s *Server) all() []*session.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*session.Session, 0, len(s.sessions))
	for client := range s.sessions {
		list = append(list, client)
	}
	return list
}
