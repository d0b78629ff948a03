package session

import (
	"tunic/internal/catalog"
	"tunic/internal/exec"
	"tunic/internal/plan"
	"tunic/internal/wire"
)

// here is a statement that tunic executes, explains or answers. What the server has of it may have
// another number than the client knows.
type here struct {
	of         carriable
	everywhere bool // it is planned for any current schema, as far as that can be
}

// carriable is such a statement by what is done with it.
type carriable interface {
	// numbered is what is prepared; run is the same of what has a run, else nil.
	numbered() *exec.Numbered
	run() *exec.Prepared
	// enter enters the gates of the tables that it is about.
	enter(s *Session, tables []*catalog.Table) error
	// outdated reports whether it is of an older version of the catalog, as far as that matters to one that is
	// about tables, or about none.
	outdated(version uint64, tables []*catalog.Table) bool
	// renews reports whether it is renewed for each execution.
	renews() bool
	// renew replaces it by what another plan of its text says.
	renew(s *Session, p *plan.Plan) error
	// execute does an execution, and fetch has rows of it come.
	execute(x *exec.Session, m wire.Execute) error
	fetch(s *Session, m wire.Execute, payload []byte) error
	keeps() keeper
	sentAhead(payload []byte) []byte
	reset()
}

func (*here) withholds(*Session, *statement) bool { return false }

// executable is a statement that tunic executes.
type executable struct{ *exec.Prepared }

func (c executable) numbered() *exec.Numbered        { return &c.Numbered }
func (c executable) run() *exec.Prepared             { return c.Prepared }
func (c executable) keeps() keeper                   { return c.Prepared }
func (c executable) sentAhead(payload []byte) []byte { return c.Command(payload) }
func (c executable) reset()                          { c.Reset() }
func (c executable) renews() bool                    { return false }

func (c executable) enter(s *Session, tables []*catalog.Table) error { return s.attempt.Enter(tables) }

func (c executable) outdated(version uint64, tables []*catalog.Table) bool {
	informed, ok := c.Informed()
	return ok && len(tables) > 0 && informed != version
}

func (c executable) renew(s *Session, p *plan.Plan) error {
	st, err := s.executor().Statement(runOf(p))
	if err != nil {
		return unkeyed(err)
	}
	return s.executor().Renew(c.Prepared, st, s.fingerprinter.Literals())
}

func (c executable) execute(x *exec.Session, m wire.Execute) error { return x.Execute(c.Prepared, m) }

func (c executable) fetch(s *Session, _ wire.Execute, payload []byte) error {
	return s.executeWith(nil, func(x *exec.Session) error { return x.Fetch(c.Prepared, payload) })
}

// explained is an EXPLAIN, which is prepared as what it explains is.
type explained struct {
	executable
	by *exec.Explained
}

func (e explained) renew(s *Session, p *plan.Plan) error {
	st, err := s.executor().Statement(runOf(p))
	if err != nil {
		return unkeyed(err)
	}
	return s.executor().RenewExplain(e.by, p.Explained(), st, s.fingerprinter.Literals())
}

func (e explained) execute(x *exec.Session, m wire.Execute) error { return x.ExecuteExplain(e.by, m) }

func (e explained) fetch(s *Session, m wire.Execute, _ []byte) error { return s.withoutCursor(m) }

// inquired is a question about tables.
type inquired struct{ *exec.Asked }

func (a inquired) numbered() *exec.Numbered        { return &a.Numbered }
func (a inquired) run() *exec.Prepared             { return nil }
func (a inquired) keeps() keeper                   { return nil }
func (a inquired) sentAhead(payload []byte) []byte { return a.LongData(payload) }
func (a inquired) reset()                          { a.Reset() }

// renews: a table of tunic's own says something else each time.
func (a inquired) renews() bool { return a.Inquiry().Own }

func (a inquired) enter(s *Session, tables []*catalog.Table) error {
	s.attempt.CatchUpToTell(tables)
	return s.attempt.EnterToTell(tables)
}

func (a inquired) outdated(version uint64, tables []*catalog.Table) bool {
	return len(tables) == 0 && version != a.Inquiry().Catalog.Version
}

func (a inquired) renew(s *Session, p *plan.Plan) error {
	return s.executor().RenewAsked(a.Asked, s.told(p.Inquiry()))
}

func (a inquired) execute(x *exec.Session, m wire.Execute) error { return x.ExecuteAsked(a.Asked, m) }

func (a inquired) fetch(s *Session, m wire.Execute, _ []byte) error { return s.withoutCursor(m) }
