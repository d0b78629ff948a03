package attempt

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ledger"
	"tunic/internal/plan"
	"tunic/internal/resolve"
	"tunic/internal/sqlerr"
	"tunic/internal/transaction"
	"tunic/internal/translation"
	"tunic/internal/waittest"
)

// fakeLedger is a ledger whose catalog gets a new version with each look at what others have written, as
// often as it is to.
type fakeLedger struct {
	known   *catalog.Catalog
	gate    ledger.Gate
	changes int
	lost    error
	late    bool // its lease is over
	renewed bool // who waits for a lease gets one
}

func (l *fakeLedger) Catalog() *catalog.Catalog   { return l.known }
func (l *fakeLedger) Version() uint64             { return l.known.Version }
func (l *fakeLedger) Usable() error               { return l.lost }
func (l *fakeLedger) Await(<-chan struct{}) error { return l.lost }
func (l *fakeLedger) Gate() *ledger.Gate          { return &l.gate }
func (l *fakeLedger) Leased() bool                { return !l.late }
func (l *fakeLedger) AwaitLease(<-chan struct{})  { l.late = l.late && !l.renewed }
func (l *fakeLedger) Barred() bool                { return false }

func (l *fakeLedger) Refresh(context.Context, []*catalog.Table) error {
	l.CatchUp(nil, nil, 0)
	return l.lost
}

func (l *fakeLedger) CatchUp(_ <-chan struct{}, _ []*catalog.Table, version uint64) bool {
	if l.changes > 0 {
		l.changes--
		l.known = l.known.Next(l.known.Version+1, nil, nil)
	}
	return l.known.Version > version
}

// fakeClient is a client outside of transactions, with no locks but one on all tables.
type fakeClient struct{ outside, holdsAll bool }

func (c fakeClient) Refusal(tables []*catalog.Table) *sqlerr.Error {
	if c.outside && slices.ContainsFunc(tables, func(t *catalog.Table) bool { return !t.Plain() }) {
		return sqlerr.AccountPlain()
	}
	return nil
}
func (fakeClient) Locks() bool                                 { return false }
func (fakeClient) Holds(*catalog.Table, *catalog.Catalog) bool { return false }
func (c fakeClient) HoldsAll() bool                            { return c.holdsAll }
func (fakeClient) InTransaction() bool                         { return false }
func (fakeClient) MayHold() bool                               { return false }

func fake() (*Attempt, *fakeLedger) {
	l := &fakeLedger{known: catalog.New(false).Next(1, nil, nil)}
	a := New(l, fakeClient{}, new(transaction.Client), slog.New(slog.DiscardHandler))
	a.Begin()
	return &a, l
}

// noColumn is what a server says of a name that is not there: of the column f.
func noColumn() *sqlerr.Error {
	return &sqlerr.Error{Number: 1054, State: "42S22", Message: "Unknown column 'f' in 'field list'"}
}

// isRedefined reports whether an error is that of a table that has changed too often.
func isRedefined(e *sqlerr.Error) bool { return e != nil && e.Number == translation.Redefined().Number }

// TestLeased: without a lease the names are known only to who keeps all tables from being written to, and reads what was
// written before.
func TestLeased(t *testing.T) {
	for name, c := range map[string]struct {
		late, holdsAll bool
		changes        int
		lost           error
		want           bool
	}{
		"leased":                         {want: true},
		"late":                           {late: true},
		"late, and all held":             {late: true, holdsAll: true, want: true},
		"changed before all were held":   {late: true, holdsAll: true, changes: 1},
		"all held, and nothing readable": {late: true, holdsAll: true, lost: ledger.ErrLost},
	} {
		l := &fakeLedger{known: catalog.New(false).Next(1, nil, nil)}
		a := New(l, fakeClient{holdsAll: c.holdsAll}, new(transaction.Client), slog.New(slog.DiscardHandler))
		a.Begin()
		l.late, l.changes, l.lost = c.late, c.changes, c.lost
		if got := a.Leased(); got != (c.want && !c.late) {
			t.Errorf("%s: %t of what may give the lock back", name, got)
		}
		if got := a.LeasedToRead(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
		plain := &catalog.Table{Schema: "test", Name: "free"}
		if !plain.Plain() {
			t.Fatal("a table without protected columns is not plain")
		}
		if err := a.Enter([]*catalog.Table{plain}); (err == nil) != c.want {
			t.Errorf("%s: a statement over a plain table: %v", name, err)
		}
	}
}

// TestResumesAfterItsOwnChange: a definition that has dropped a protected table itself, and goes to the server then, is of the
// catalog without it. Only what changes after that is another's.
func TestResumesAfterItsOwnChange(t *testing.T) {
	a, l := fake()
	l.renewed = true
	p := &plan.Plan{Action: &plan.Define{}, Names: []resolve.Name{{Schema: "shop", Table: "r"}}}
	a.IsFor(p)
	a.Lands()
	l.known = l.known.Next(l.known.Version+1, nil, nil)
	if !a.Resumes(p) {
		t.Fatal("it does not go on")
	}
	l.late = true
	if !a.Leased() {
		t.Error("it is refused for what it has changed itself")
	}
	l.known, l.late = l.known.Next(l.known.Version+1, nil, nil), true
	if a.Leased() {
		t.Error("it goes on by a catalog that somebody has changed since")
	}
}

// TestRetry: what the server refuses is planned again as often as somebody has changed something, and no
// oftener than the limit; what nobody has changed anything about is told in the server's words.
func TestRetry(t *testing.T) {
	for name, c := range map[string]struct {
		changes, tries int
		said           *sqlerr.Error
		lost           error
		want           func(*sqlerr.Error) bool
	}{
		"nothing has changed":  {0, 1, noColumn(), nil, func(e *sqlerr.Error) bool { return e.Number == 1054 }},
		"changed twice":        {2, 3, noColumn(), nil, func(e *sqlerr.Error) bool { return e.Number == 1054 }},
		"changes all the time": {10 * Limit, Limit + 1, noColumn(), nil, isRedefined},
		"the fence is gone":    {0, 1, &sqlerr.Error{Number: 1054, State: "42S22", Message: "Unknown column 't." + fenceName(t) + "' in 'where clause'"}, nil, isRedefined},
		"the ledger is lost":   {0, 1, noColumn(), errors.New("lost"), func(e *sqlerr.Error) bool { return errors.Is(e, sqlerr.LedgerLost()) }},
	} {
		t.Run(name, func(t *testing.T) {
			a, l := fake()
			l.changes, l.lost = c.changes, c.lost
			tries := 0
			do := func() error {
				tries++
				return a.Stale(c.said)
			}
			refusal, err := a.Retry(do, func(refused bool) error {
				if !refused {
					t.Error("nobody has refused it")
				}
				return do()
			})
			if err != nil || refusal == nil || !c.want(refusal) || tries != c.tries {
				t.Errorf("%d tries, then %v, %v", tries, refusal, err)
			}
		})
	}
}

// fenceName is the name of a fence.
func fenceName(t *testing.T) string {
	t.Helper()
	table := &catalog.Table{Schema: "shop", Name: "t", Revision: 1, Fenced: true}
	if !catalog.IsFence(table.Fence()) {
		t.Fatalf("%q is no fence", table.Fence())
	}
	return table.Fence()
}

// TestRetryOthers: what is answered, and what ends a session, is not done again.
func TestRetryOthers(t *testing.T) {
	a, _ := fake()
	ended := errors.New("ended")
	for _, want := range []error{nil, ended} {
		refusal, err := a.Retry(func() error { return want }, func(bool) error { t.Error("it is done again"); return nil })
		if refusal != nil || !errors.Is(err, want) {
			t.Errorf("%v, %v; want %v", refusal, err, want)
		}
	}
}

// TestLimit: there is one limit, whoever plans a statement again, and however its parts are planned.
func TestLimit(t *testing.T) {
	a, l := fake()
	l.changes = 10 * Limit
	planned := 0
	again := func(bool) error {
		a.Begin() // as for a statement that is prepared
		for range 3 {
			if e := a.Again(); e != nil {
				return e
			}
			planned++
		}
		return a.Stale(noColumn())
	}
	refusal, err := a.Retry(func() error { return a.Stale(noColumn()) }, again)
	if e, ok := errors.AsType[*sqlerr.Error](err); !isRedefined(refusal) && (!ok || !isRedefined(e)) {
		t.Errorf("%v, %v", refusal, err)
	}
	if planned > Limit {
		t.Errorf("planned %d times", planned)
	}
	a.Begin()
	if e := a.Again(); e != nil {
		t.Errorf("another statement: %v", e)
	}
}

// TestGates: a statement is inside of the gates of its protected tables until it is planned again, or over.
func TestGates(t *testing.T) {
	a, l := fake()
	table := &catalog.Table{ID: catalog.ID{1}, Schema: "shop", Name: "t", Twin: "t1"}
	plain := catalog.NewPlain("shop", "p", nil)
	for name, leave := range map[string]func(){"planned again": func() { _ = a.Again() }, "over": a.Leave} {
		if err := a.Enter([]*catalog.Table{table, plain}); err != nil {
			t.Fatal(err)
		}
		if n := l.gate.Busy(table.ID); n != 1 {
			t.Errorf("%s: %d inside", name, n)
		}
		if leave(); l.gate.Busy(table.ID) != 0 {
			t.Errorf("%s: still inside", name)
		}
	}
	a.client = fakeClient{outside: true}
	if err := a.Enter([]*catalog.Table{table}); !errors.Is(err, sqlerr.AccountPlain()) || l.gate.Busy(table.ID) != 0 {
		t.Errorf("who reaches no values: %v", err)
	}
	if err := a.EnterToTell([]*catalog.Table{table}); err != nil || l.gate.Busy(table.ID) != 1 {
		t.Errorf("who is told of tables: %v", err)
	}
	a.Leave()
	a.client = fakeClient{}
	l.lost = errors.New("lost")
	if err := a.Enter([]*catalog.Table{table}); !errors.Is(err, sqlerr.LedgerLost()) {
		t.Errorf("without a ledger: %v", err)
	}
}

// TestGateClosed: a statement that waits at a gate is in flight only when it goes on, and is planned anew where a table that
// it names has become protected meanwhile.
func TestGateClosed(t *testing.T) {
	table := &catalog.Table{ID: catalog.ID{1}, Schema: "shop", Name: "t", Twin: "t1"}
	adopted := &catalog.Table{ID: catalog.ID{2}, Schema: "shop", Name: "p", Twin: "p1"}
	names := func(name string) *plan.Plan {
		return &plan.Plan{Action: &plan.Forward{}, Names: []resolve.Name{{Schema: "shop", Table: name}}}
	}
	for name, c := range map[string]struct {
		plan     *plan.Plan
		changes  bool
		outdated bool
	}{
		"nothing has changed":               {plan: names("p")},
		"nothing has, before it is planned": {},
		"another table has":                 {plan: names("q"), changes: true},
		"its table has":                     {plan: names("p"), changes: true, outdated: true},
		"one has, before it is planned":     {changes: true, outdated: true},
	} {
		a, l := fake()
		a.IsFor(c.plan)
		version := l.known.Version + 1
		open, ok := l.gate.Close([]catalog.ID{table.ID}, nil, nil)
		if !ok {
			t.Fatal("the gate is not closed")
		}
		later := l.known.Next(version, nil, []*catalog.Table{adopted})
		if _, behind := a.Flight().Behind(version, later); behind != (c.plan == nil || c.plan.Outlived(later)) {
			t.Fatalf("%s: before, in flight is %t", name, behind)
		}
		_, err := a.Retry(func() error {
			entered := make(chan error)
			go func() { entered <- a.Enter([]*catalog.Table{table}) }()
			waittest.Until(t, "the statement is not in flight", func() bool { return a.Flight().Left() == nil })
			if c.changes {
				l.known = later
			}
			open()
			err := <-entered
			if IsOutdated(err) != c.outdated || err != nil && !c.outdated {
				t.Errorf("%s: %v", name, err)
			}
			if _, behind := a.Flight().Behind(version+1, later.Next(version+1, nil, nil)); err == nil && c.plan != nil && behind != c.plan.Outlived(later) {
				t.Errorf("%s: after, in flight is %t", name, behind)
			}
			return nil
		}, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOutdated: what is found out at the gates is planned again without the server's word, as often as what the
// server refuses.
func TestOutdated(t *testing.T) {
	for _, until := range []int{3, 10 * Limit} {
		a, _ := fake()
		tries := 0
		refusal, err := a.Retry(a.Outdated, func(refused bool) error {
			if tries++; refused || tries == until {
				return nil
			}
			return a.Outdated()
		})
		if want := min(until, Limit); err != nil || tries != want || isRedefined(refusal) != (until > Limit) {
			t.Errorf("%d tries, then %v, %v", tries, refusal, err)
		}
	}
}
