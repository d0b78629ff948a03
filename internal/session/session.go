package session

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync/atomic"
	"time"

	"tunic/internal/admission"
	"tunic/internal/advice"
	"tunic/internal/attempt"
	"tunic/internal/backend"
	"tunic/internal/budget"
	"tunic/internal/catalog"
	"tunic/internal/ddl"
	"tunic/internal/exec"
	"tunic/internal/failure"
	"tunic/internal/inflight"
	"tunic/internal/jobs"
	"tunic/internal/kill"
	"tunic/internal/ledger"
	"tunic/internal/outcome"
	"tunic/internal/parting"
	"tunic/internal/plain"
	"tunic/internal/plan"
	"tunic/internal/socket"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/state"
	"tunic/internal/statements"
	"tunic/internal/transaction"
	"tunic/internal/usage"
	"tunic/internal/variables"
	"tunic/internal/wire"
)

// Shared is what all sessions of a process have in common. Only its Settings change
// while sessions run.
type Shared struct {
	admission.Door
	Planner *plan.Planner
	Engine  *exec.Engine // executes what is planned; nil where nothing is protected
	// Ledger, Definer and Jobs are there if and only if the Planner has a catalog.
	Ledger  Ledger
	Definer *ddl.Definer
	Jobs    *jobs.Runner
	// Advisor knows what layers statements miss; nil where nobody counts.
	Advisor *advice.Advisor
	Types   catalog.Types // reads the types of plain tables' columns
	// Existing are plain tables that were looked for.
	Existing plain.Known
	// Kills are the sessions that can be told of a KILL QUERY.
	Kills kill.Registry
	// Refused keeps which template was refused last; nil keeps nothing.
	Refused  *usage.Refused
	settings atomic.Pointer[Settings]
	// Memory is what large statements may take together; nil has no bound.
	Memory *budget.Memory
	cutOff atomic.Int64 // see CutOff
}

// Ledger is what sessions need of a ledger.Ledger.
type Ledger interface {
	attempt.Ledger
	InFlight() *inflight.Registry
	Connection(number uint32, port int) *ledger.Connection
	FenceOf(ctx context.Context, t *catalog.Table) (string, error)
}

// Session is one client. Run is its goroutine; the other exported methods may
// be called from any.
type Session struct {
	shared  *Shared
	current *Settings // of shared, by which the session goes
	log     *slog.Logger
	mark    marker

	entry      *admission.Entry // which has let the client in, and knows its account
	socket     net.Conn         // the client's, before TLS
	client     *wire.Conn
	caps       wire.Capability // agreed on with the client
	memory     budget.Allotment
	server     *backend.Conn
	owned      atomic.Pointer[backend.Conn]      // server, for Close
	connection atomic.Pointer[ledger.Connection] // the same, as other tunics know it; nil without a ledger

	response      wire.Response
	passed        *plan.Plan // of the statement under way; nil for other commands
	fingerprinter sql.Fingerprinter
	state         state.State
	prepared      statements.Numbered[*statement]
	last          outcome.Last

	exec *exec.Session // made when it is first needed
	// renumbers says that the frames of the answer under way are not numbered as the
	// server's are.
	renumbers bool

	// rest is the statement under way and those behind it, if it is one of several in a text.
	rest []byte

	// attributes are the query attributes of the command under way, as a COM_QUERY has them.
	attributes []byte

	// in is what the statement under way was prepared in; nil if it is not prepared.
	in *statements.In

	named       statements.Named
	variables   variables.Kept
	attempt     attempt.Attempt // the statement under way
	transaction transaction.Client
	life        context.Context // of Run

	// template is that of the command under way, nil if it has none; clock times its phases.
	template *usage.Template
	clock    usage.Clock
	// accepted says that the statement under way was counted as one that is not refused.
	accepted bool

	killable kill.Target
	killings kill.Pending // of the command under way

	parting parting.Track

	ending parting.Ending
}

// New makes a session of an accepted connection, which it then owns.
func New(shared *Shared, socket net.Conn) *Session {
	s := &Session{shared: shared, current: shared.Settings(), socket: socket}
	s.ending.Of(socket, &shared.cutOff)
	s.memory.Of(shared.Memory, &shared.Metrics.Memory)
	s.entry = admission.New(&shared.Door, &s.current.Rules, socket, admission.Host{
		Ending: &s.ending, Owned: &s.owned, Fail: s.fail, Protects: shared.Engine != nil,
	})
	s.client, s.log = s.entry.Client, s.entry.Log
	s.attempt = attempt.New(shared.Ledger, attempting{s}, &s.transaction, s.log)
	s.prepared.Max = s.current.Limits.PreparedStatements
	return s
}

// Run serves the client until it leaves, is told to leave, or one of the two
// connections fails. Both are closed when it returns.
func (s *Session) Run(ctx context.Context) {
	defer s.leaveFlights()
	defer s.Close()
	defer s.release()
	s.life = ctx
	s.attempt.Lives(ctx)
	if !s.arrives(ctx) {
		return
	}
	connection := s.server.Handshake.ConnectionID
	s.shared.Kills.Enter(connection, &s.killable)
	defer s.shared.Kills.Leave(connection, &s.killable)
	s.enterFlights()
	if err := s.serve(); !errors.Is(err, errQuit) {
		s.log.Debug("session ended", "reason", failure.Reason(err))
	}
}

// arrives has the client come in. It is false if the client was not let in.
func (s *Session) arrives(ctx context.Context) bool {
	if !s.entry.Arrive() {
		return false
	}
	s.client, s.log = s.entry.Client, s.entry.Log // behind a balancer they are others
	s.mark.set(PhaseLogin)
	m, ok := s.entry.Login(ctx)
	if s.server, s.caps = s.entry.Server, s.entry.Caps; !ok {
		return false
	}
	if s.shared.Memory != nil {
		s.client.SetAdmit(budget.ReadBytes, s.reserve)
	}
	s.response = wire.Response{Status: s.entry.Status}
	s.state.Begin(string(m.Database), uint16(m.Charset), string(s.server.Handshake.Version))
	return true
}

// release gives back what the session was counted for.
func (s *Session) release() {
	s.memory.Release()
	s.shared.Metrics.Prepared.Add(-s.prepared.Count())
	s.forgetPrepared()
	s.forgetTemporaries()
	s.transaction.Touched.Clear()
}

// Close closes both connections, which ends Run.
func (s *Session) Close() {
	_ = s.socket.Close()
	s.closeServer()
}

// Mark is what the session is doing.
func (s *Session) Mark() Mark { return s.mark.load() }

// Ending is how others tell the session to end, beside Drain and Cut.
func (s *Session) Ending() *parting.Ending { return &s.ending }

// Drain asks the session to end when it is idle and nothing is lost by it, but not later
// than the given time.
func (s *Session) Drain(until time.Time) {
	s.ending.BeginDrain(until)
	if p := s.Mark().Phase(); p == PhaseIdle || p == PhaseTransaction {
		s.ending.Wake()
	}
}

// Cut ends a session whose time to drain is over. A client that waits for an
// answer is told so where the protocol lets an error stand; it has a moment to
// take that. The statement under way is ended at the server if the service account
// may do that; what it has done there is not known.
func (s *Session) Cut() {
	s.ending.CutOff()
	s.closeServer()
}

// CutOff is how many sessions have ended because their time to drain was over: those that noticed
// it themselves, and those that were Cut.
func (s *Shared) CutOff() int64 { return s.cutOff.Load() }

// ClientGone reports whether the client has closed its side of the connection. A
// session that waits for the server would notice only when it next reads.
func (s *Session) ClientGone() bool { return socket.HungUp(s.socket) }

// ServerGone reports whether the server has closed its side of the connection. A
// session that waits for its client would notice only when it next writes.
func (s *Session) ServerGone() bool {
	server := s.owned.Load()
	return server != nil && server.HungUp()
}

// leaving reports whether nobody waits for an answer any more: whoever computes one
// for long asks.
func (s *Session) leaving() bool {
	return s.life.Err() != nil || s.ending.IsCut() || s.ClientGone() || s.ServerGone()
}

// fail sends the client an error of tunic's own as the next packet.
func (s *Session) fail(e *sqlerr.Error) error {
	s.shared.Metrics.Refusal(uint16(e.Code)).Inc()
	s.shared.Refused.Note(uint16(e.Code), s.template)
	if s.accepted {
		s.accepted = false
		s.shared.Metrics.RefusedLate.Inc()
	}
	s.last.Refuses(e)
	s.client.WriteMessage(wire.Err{Number: e.Number, State: e.State, Message: []byte(e.Message)})
	return s.write(nil)
}
