package attempt

import (
	"context"
	"log/slog"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/inflight"
	"tunic/internal/ledger"
	"tunic/internal/plan"
	"tunic/internal/sqlerr"
	"tunic/internal/transaction"
)

// Ledger is what attempts need of a ledger.Ledger.
type Ledger interface {
	Catalog() *catalog.Catalog
	Version() uint64
	Usable() error
	Await(done <-chan struct{}) error
	Gate() *ledger.Gate
	CatchUp(done <-chan struct{}, tables []*catalog.Table, version uint64) bool
	Leased() bool
	AwaitLease(done <-chan struct{})
	Refresh(ctx context.Context, tables []*catalog.Table) error
	Barred() bool
}

// Client is whose statements they are.
type Client interface {
	// Refusal is why it may not have values of some tables; nil if it may.
	Refusal(tables []*catalog.Table) *sqlerr.Error
	// Locks reports whether LOCK TABLES may hold tables, Holds whether it holds this one of a catalog, and HoldsAll whether
	// FLUSH TABLES WITH READ LOCK keeps all from being written to.
	Locks() bool
	Holds(t *catalog.Table, c *catalog.Catalog) bool
	HoldsAll() bool
	// InTransaction reports whether a transaction is under way, and MayHold whether the server may keep
	// definitions as they are for it.
	InTransaction() bool
	MayHold() bool
}

// Attempt is the statement under way of one client. It is for one goroutine.
type Attempt struct {
	ledger Ledger
	client Client
	of     *transaction.Client
	log    *slog.Logger
	life   context.Context
	flight *inflight.Statement[plan.Plan]
	server *ledger.Connection
	base   *catalog.Catalog // of all, when the statement was begun

	waiting  bool       // for a change, and so not in flight …
	waitsFor *plan.Plan // … with this plan; nil if it is not planned

	planned  uint64           // a version of the catalog that it was planned by, or by a later one
	caughtUp uint64           // the ledger's version when it was planned, or a later one
	entered  []*catalog.Table // that it is about
	inside   []*ledger.Inside // the gates that it is inside of
	again    int              // how often it has been planned again
	retries  bool             // it can be planned again if it is stale
	unfenced bool             // it is planned without fences; see package exec
	stale    *sqlerr.Error    // what the server has said of it, with errStale
}

// New makes the attempts of a client; of is what is known of its transaction. Without a ledger
// nothing is protected, and nothing is ever planned again.
func New(l Ledger, c Client, of *transaction.Client, log *slog.Logger) Attempt {
	return Attempt{ledger: l, client: c, of: of, log: log, life: context.Background(), flight: inflight.New((*plan.Plan).HoldsBack)}
}

// Lives has nothing be waited for any longer than a client is there.
func (a *Attempt) Lives(life context.Context) { a.life = life }

// Over tells by which connection statements come to the server.
func (a *Attempt) Over(c *ledger.Connection) { a.server = c }

// Begin is before a statement is planned for the first time, or for the first time by other means.
func (a *Attempt) Begin() {
	if !a.retries {
		a.again = 0
	}
	a.notes()
}

// notes notes the version of the catalog before a statement is planned. One that comes while the statement is
// under way may be that of which it knows nothing.
//
// It is planned by a catalog that has all names of protected tables, unless there is no
// coming by one: then nothing is forwarded that names a table.
func (a *Attempt) notes() {
	if a.ledger == nil {
		return
	}
	if !a.ledger.Leased() && !a.ledger.Barred() {
		a.ledger.AwaitLease(a.life.Done())
	}
	a.begins()
	a.planned, a.caughtUp = a.Fenced().Version, a.ledger.Catalog().Version
}

// begins begins a statement that is planned by the catalog as it is now, or by a later one.
func (a *Attempt) begins() {
	version := a.ledger.Version()
	if a.Passes() { // it goes by a catalog without something that is coming
		version = 0
	}
	a.flight.Begin(version)
	a.base = a.ledger.Catalog()
}

// Catalog is that by which the statement is planned now.
func (a *Attempt) Catalog() *catalog.Catalog { return a.of.Of(a.ledger.Catalog(), a.unfenced) }

// Fenced is the same for whoever may name fences, and begins no earlier than now.
func (a *Attempt) Fenced() *catalog.Catalog { return a.of.Fenced(a.ledger.Catalog()) }

// HasOwnCatalog reports whether the statement may have to be planned by another catalog than that of all.
func (a *Attempt) HasOwnCatalog() bool {
	return a.ledger != nil && (a.unfenced || a.of.Owns(a.ledger.Catalog()))
}

// Passes reports whether the statement goes by a catalog without something that is coming.
func (a *Attempt) Passes() bool { return a.ledger != nil && a.of.Passes(a.ledger.Catalog()) }

// Planned is a version of the catalog that the statement was planned by, or by a later one.
func (a *Attempt) Planned() uint64 { return a.planned }

// CaughtUp is the ledger's version when the statement was planned, or a later one.
func (a *Attempt) CaughtUp() uint64 { return a.caughtUp }

// Unfenced reports whether the statement is planned without the fences of its tables.
func (a *Attempt) Unfenced() bool { return a.unfenced }

// Leased reports whether no name has become that of a protected table since the statement was planned, and none will until
// the server has answered it. For that the connection to the server has to be on record, too.
func (a *Attempt) Leased() bool {
	if a.isLeased() {
		return true
	}
	if a.server != nil && !a.server.Known(a.life.Done()) {
		return false
	}
	a.ledger.AwaitLease(a.life.Done()) // it was stopped just now
	return a.ledger.Leased() && a.ledger.Catalog().Version == a.caughtUp
}

func (a *Attempt) isLeased() bool {
	return a.ledger.Leased() && (a.server == nil || a.server.IsKnown())
}

// LeasedToRead is Leased for a statement that only reads. Who has FLUSH TABLES WITH READ LOCK, as a backup has, keeps it for such a
// statement, and nobody writes to the ledger meanwhile.
func (a *Attempt) LeasedToRead() bool {
	if !a.isLeased() && a.client.HoldsAll() {
		return a.ledger.Refresh(a.life, nil) == nil && a.ledger.Catalog().Version == a.caughtUp
	}
	return a.Leased()
}

// Knows reports whether protected tables are still defined as a plan has them.
func (a *Attempt) Knows(tables []*catalog.Table) bool {
	for _, t := range tables {
		if !t.Plain() && !a.Catalog().Knows(t) {
			return false
		}
	}
	return true
}

// Concerns keeps the tables that a statement is about.
func (a *Attempt) Concerns(tables []*catalog.Table) { a.entered = append(a.entered[:0], tables...) }

// CatchUp reads what other tunics have written. A change of some tables that is under way is waited for.
func (a *Attempt) CatchUp(tables []*catalog.Table) {
	a.ledger.CatchUp(a.life.Done(), tables, a.ledger.Catalog().Version)
}

// CatchUpToTell is CatchUp before a question about definitions is answered. No fence is in a question, by
// which the server would refuse one that was planned before another tunic's change, and the answer would be of
// two times: columns as they are, with types and keys as they were. A change that is under way is waited for,
// but not in a transaction, for which the change may be waiting.
func (a *Attempt) CatchUpToTell(tables []*catalog.Table) {
	if a.client.InTransaction() {
		tables = nil
	}
	a.CatchUp(tables)
}

// namesFence reports whether a statement about these tables names a fence.
func namesFence(tables []*catalog.Table) bool {
	return slices.ContainsFunc(tables, func(t *catalog.Table) bool { return t.Fence() != "" })
}
