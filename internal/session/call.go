package session

import (
	"fmt"

	"tunic/internal/catalog"
	"tunic/internal/ddl"
	"tunic/internal/plan"
	"tunic/internal/procedure"
	"tunic/internal/sqlerr"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// prepareCall prepares a call. Its arguments are read when it is executed.
func (s *Session) prepareCall(p *plan.Plan, payload []byte) error {
	s.shared.Metrics.Bytes.ClientIn.Add(len(payload))
	return s.prepareReplayed(p, payload[1:])
}

// call executes a procedure of tunic's own.
func (s *Session) call(p *plan.Plan, _ wire.Query) error {
	of := plan.As[*plan.Call](p)
	s.last.Begins()
	if s.entry.Outsider {
		return s.refuse(sqlerr.AccountPlain())
	}
	if err := s.shared.Ledger.Await(s.life.Done()); err != nil {
		return s.fail(sqlerr.NoLedger())
	}
	if frozen := s.frozen(); frozen != nil {
		return s.failWith(frozen)
	}
	s.attempt.CatchUp(nil)
	client := s.aside()
	c := &procedure.Call{
		Client: client, Catalog: s.shared.Ledger.Catalog, Jobs: s.shared.Jobs, Advisor: s.shared.Advisor, Log: s.shared.Log,
		Procedure: of.Procedure, Schema: s.schema(), UTF8: s.readsUTF8,
	}
	job, err := c.Do(s.life, of.Args, s.executor().Used())
	switch {
	case client.Broken != nil:
		return s.brokenBefore(client.Broken)
	case err != nil:
		s.state.Apply(p, 0, true)
		return s.definitionFailed(err)
	}
	s.state.Apply(p, 1, false)
	return s.called(job)
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
	return err == nil && charset.InUTF8(settings.Client.Name)
}

// tellLayers adds a note for each layer that a definition has brought.
func (s *Session) tellLayers(brought []ddl.NewLayer) {
	if len(brought) == 0 || !s.executor().WantsNotes() {
		return
	}
	v := procedure.Verdicts{Advisor: s.shared.Advisor, Catalog: s.shared.Ledger.Catalog, Log: s.shared.Log, Locked: s.state.IsLocked()}
	for i := range brought {
		s.executor().AddNote(v.Note(s.life, &brought[i]))
	}
}

// tellUnannotated adds a note for each annotation that a change has taken from a protected column.
func (s *Session) tellUnannotated(lost []ddl.LostAnnotation) {
	if !s.executor().WantsNotes() {
		return
	}
	for _, l := range lost {
		s.executor().AddNote(sqlerr.AnnotationLost(l.Column, l.Annotation))
	}
}
