package session

import (
	"fmt"

	"tunic/internal/catalog"
	"tunic/internal/ddl"
	"tunic/internal/plan"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// A procedure of tunic's own is carried out here. Whether the client may is the server's to
// say, of the client's own account and roles: it is asked to alter the table in nothing,
// which takes the privilege to alter it, and ends the transaction, as any definition does.

// prepareCall prepares one. Its arguments are read when it is executed.
func (s *Session) prepareCall(p *plan.Plan, text []byte) error { return s.prepareReplayed(p, text) }

// call carries one out.
func (s *Session) call(p *plan.Plan) error {
	s.refused, s.noted = nil, false
	if s.outsider {
		return s.refuse(sqlerr.AccountPlain())
	}
	if err := s.shared.Ledger.Await(s.life.Done()); err != nil {
		return s.fail(sqlerr.NoLedger())
	}
	if frozen := s.frozen(); frozen != nil {
		return s.failWith(frozen)
	}
	s.readAnew()
	client := &definitionClient{session: s}
	c := &calling{
		client: client, catalog: s.shared.Ledger.Catalog, jobs: s.shared.Jobs, advisor: s.shared.Advisor, log: s.shared.Log,
		procedure: p.Called.Procedure, schema: s.schema(), utf8: s.readsUTF8,
	}
	job, err := c.do(s.life, p.Called.Args, s.carrier().Used())
	switch {
	case client.broken != nil:
		return s.brokenBefore(client.broken)
	case err != nil:
		s.state.Apply(p, 0, true)
		return s.definitionFailed(err)
	}
	s.state.Apply(p, 1, false)
	return s.called(job)
}

// readAnew reads what other tunics have written: a job may be asked for at one, and told what
// to do at another.
func (s *Session) readAnew() {
	s.shared.Ledger.CatchUp(s.life.Done(), nil, s.shared.Ledger.Catalog().Version)
}

// called tells the client of the job: its number is that of the last insert.
func (s *Session) called(job *catalog.Job) error {
	ok := wire.OK{
		Status: s.response.Status & sessionStatus, AffectedRows: 1, LastInsertID: job.ID,
		Info: fmt.Appendf(nil, "Job: %d  State: %s", job.ID, job.State),
	}
	s.client.ClosePacket(ok.AppendOK(s.client.OpenPacket(), s.caps))
	return s.write(nil)
}

// readsUTF8 reports whether texts of the client's are in UTF-8.
func (s *Session) readsUTF8() bool {
	settings, err := s.settings()
	return err == nil && inUTF8(settings.Client.Name)
}

// ownRows are the rows of tables of tunic's own.
func (s *Session) ownRows() *ownRows {
	return &ownRows{life: s.life, fresh: s.readAnew, catalog: s.shared.Ledger.Catalog, jobs: s.shared.Jobs, advisor: s.shared.Advisor}
}

// Who defines a key says nothing of what it tells the server, and may not know. A definition
// that has brought layers says so by notes, when it is made.

// tellLayers adds a note for each layer that a definition has brought.
func (s *Session) tellLayers(brought []ddl.NewLayer) {
	if len(brought) == 0 || !s.carrier().WantsNotes() {
		return
	}
	v := verdicts{advisor: s.shared.Advisor, catalog: s.shared.Ledger.Catalog, log: s.shared.Log, locked: s.state.IsLocked()}
	for i := range brought {
		s.carrier().AddNote(v.note(s.life, &brought[i]))
	}
}
