package session

import (
	"tunic/internal/catalog"
	"tunic/internal/exec"
	"tunic/internal/plan"
	"tunic/internal/wire"
)

// here is a statement that tunic carries out, explains or answers. What the server has of it may have
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
	// execute carries out an execution, and fetch has rows of it come.
	execute(x *exec.Session, m wire.Execute) error
	fetch(s *Session, m wire.Execute, payload []byte) error
	keeps() keeper
	sentAhead(payload []byte) []byte
	reset()
}

// carried is a statement that tunic carries out.
type carried struct{ *exec.Prepared }

func (c carried) numbered() *exec.Numbered        { return &c.Numbered }
func (c carried) run() *exec.Prepared             { return c.Prepared }
func (c carried) keeps() keeper                   { return c.Prepared }
func (c carried) sentAhead(payload []byte) []byte { return c.Command(payload) }
func (c carried) reset()                          { c.Reset() }
func (c carried) renews() bool                    { return false }

func (c carried) enter(s *Session, tables []*catalog.Table) error { return s.attempt.Enter(tables) }

func (c carried) outdated(version uint64, tables []*catalog.Table) bool {
	informed, ok := c.Informed()
	return ok && len(tables) > 0 && informed != version
}

func (c carried) renew(s *Session, p *plan.Plan) error {
	st, err := s.carrier().Statement(runOf(p))
	if err != nil {
		return unkeyed(err)
	}
	return s.carrier().Renew(c.Prepared, st, s.fingerprinter.Literals())
}

func (c carried) execute(x *exec.Session, m wire.Execute) error { return x.Execute(c.Prepared, m) }

func (c carried) fetch(s *Session, _ wire.Execute, payload []byte) error {
	return s.carrying(nil, func(x *exec.Session) error { return x.Fetch(c.Prepared, payload) })
}

// explained is an EXPLAIN, which is prepared as what it explains is.
type explained struct {
	carried
	by *exec.Explained
}

func (e explained) renew(s *Session, p *plan.Plan) error {
	st, err := s.carrier().Statement(runOf(p))
	if err != nil {
		return unkeyed(err)
	}
	return s.carrier().RenewExplain(e.by, p.Explained(), st, s.fingerprinter.Literals())
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
	return s.carrier().RenewAsked(a.Asked, s.told(p.Inquiry()))
}

func (a inquired) execute(x *exec.Session, m wire.Execute) error { return x.ExecuteAsked(a.Asked, m) }

func (a inquired) fetch(s *Session, m wire.Execute, _ []byte) error { return s.withoutCursor(m) }
