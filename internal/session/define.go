package session

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"tunic/internal/ddl"
	"tunic/internal/ddl/service"
	"tunic/internal/dialogue"
	"tunic/internal/exec"
	"tunic/internal/plan"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/transaction"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// defining executes a text with a definition, which may be of protected tables
// or not.
func (s *Session) defining(p *plan.Plan, q wire.Query) error {
	return s.definingIn(p, q.Text, s.schema(), func() error { return s.forwardText(p, q.Text) })
}

// definingIn executes a definition whose names without a schema are of the given one.
// forward has the server do it as it is.
func (s *Session) definingIn(p *plan.Plan, text []byte, schema string, forward func() error) error {
	if s.mayNotDefine(p) {
		return s.refuse(sqlerr.AccountPlain())
	}
	if err := s.shared.Ledger.Await(s.life.Done()); err != nil {
		return s.fail(sqlerr.NoLedger())
	}
	if s.transaction.Plain.Full() && transaction.MayMakeTemporary(p) {
		return s.refuse(sqlerr.StatementRefused("one temporary table more, of so many in a session,"))
	}
	if err := s.unkeptOf(text); err != nil { // as in DEFAULT (@v)
		return s.tellFailed(err)
	}
	if done, err := s.unlessGuarded(p, text); done {
		return err
	}
	d, ok := p.Action.(*plan.Define)
	if (!ok || d.Statement != nil) && !s.definesPlain(p) {
		if done, err := s.commitFirst(p); done {
			return err
		}
	}
	switch a := p.Action.(type) {
	case *plan.Grant:
		return s.granting(p, a, text)
	case *plan.DefineView:
		return s.definingView(p, a.View, text)
	}
	if stmt, ok := d.Statement.(*ast.CreateTable); ok && d.Made != nil {
		current := ddl.Session{Schema: schema, Temporary: s.temporary}
		if s.shared.Definer.MayMake(stmt, d.Made.ReadsProtected, current) {
			return s.definingMade(p, stmt, d.Made, text)
		}
	}
	if d.Statement == nil { // it cannot be read, and names nothing protected
		if s.mayDefineProtected(p) {
			return s.refuseText(sqlerr.StatementUnread(), p, text, false)
		}
		if done, err := s.unlessLeased(false); done {
			return err
		}
		defer s.shared.Existing.Forget()
		return forward()
	}
	return s.definingRead(p, d.Statement, schema, forward)
}

// resuming forwards a definition that tunic has left to the server, unless it is late for that.
func (s *Session) resuming(p *plan.Plan, forward func() error) func() error {
	return func() error {
		if !s.attempt.Resumes(p) {
			return s.tellFailed(s.attempt.Late())
		}
		if done, err := s.unlessLeased(false); done {
			return err
		}
		return forward()
	}
}

// definingRead executes a definition of a table or schema that tunic has read.
func (s *Session) definingRead(p *plan.Plan, statement ast.Statement, schema string, forward func() error) error {
	s.last.Anew()
	settings, err := s.settings()
	if err != nil {
		s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
		return s.tellFailed(err)
	}
	defer s.shared.Existing.Forget()
	client := s.aside()
	session := s.definitionSession(settings)
	session.Schema = schema
	s.attempt.Lands()
	result, err := s.shared.Definer.Do(s.life, statement, session, client)
	return s.haveDefined(p, client, result, err, s.resuming(p, forward))
}

// commitFirst ends the transaction under way before a statement that does so by itself, whatever comes of
// the statement: servers do it first, and this one may be answered without them. If that fails, the client
// has been told, and done is true.
func (s *Session) commitFirst(p *plan.Plan) (done bool, err error) {
	if s.response.Status&wire.StatusInTransaction == 0 || len(p.Statements) != 1 || p.Statements[0].Effects.Tx&sql.TxImplicitCommit == 0 {
		return false, nil
	}
	client := s.aside()
	switch err := client.Exec(s.life, sql.TextCommit); {
	case client.Broken != nil:
		return true, s.brokenBefore(client.Broken)
	case err != nil:
		return true, s.definitionFailed(err)
	}
	s.transaction.Touched.Clear()
	return false, nil
}

// mayDefineProtected reports whether a definition that cannot be read might have to make a
// protected table.
func (s *Session) mayDefineProtected(p *plan.Plan) bool {
	if d, ok := p.Action.(*plan.Define); ok && d.MayDefine {
		return s.shared.Definer.MayProtect()
	}
	return slices.ContainsFunc(p.Names, func(n resolve.Name) bool { return s.shared.Definer.MayProtectTable(n.Schema, n.Table) })
}

// haveDefined tells the client what has come of a definition, unless it is to be forwarded.
func (s *Session) haveDefined(p *plan.Plan, client *dialogue.Aside, result ddl.Result, err error, forward func() error) error {
	if kind := p.Statements[0].Kind; loosens[kind] || kind == sql.AlterTable && !result.Forward {
		s.state.Loosen()
	}
	switch {
	case client.Broken != nil:
		return s.brokenBefore(client.Broken)
	case err == nil && result.Forward && client.Lost == nil:
		return forward()
	}
	s.transaction.Temporaries.Change(result)
	s.haveDropped(p, err)
	if err == nil && client.Lost != nil {
		err = client.Lost
	}
	if err != nil {
		s.state.Apply(p, 0, true)
		return s.definitionFailed(err)
	}
	s.state.Apply(p, 1, false)
	return s.defined(result, client)
}

// definitionSession is what a definition's meaning depends on.
func (s *Session) definitionSession(settings exec.Settings) ddl.Session {
	literals := settings.Literals
	if !charset.InUTF8(settings.Client.Name) {
		literals = settings.Client.Default() // so that what is not ASCII is refused
	}
	return ddl.Session{
		Schema: s.schema(), Modes: s.state.Modes(), Env: settings.Env, Collation: literals, Connection: settings.Literals, Charset: settings.Client.Name,
		Locked: s.state.IsLocked(), Frozen: s.frozen(), Temporary: s.temporary, Hides: s.hides, Annotates: s.entry.Annotates, Adopt: s.adoptView, Clips: settings.Clips,
	}
}

// definitionFailed tells the client of a definition that was not made.
func (s *Session) definitionFailed(err error) error {
	if e, ok := errors.AsType[*sqlerr.Error](err); ok {
		return s.failWith(e)
	}
	return s.fail(sqlerr.NoLedger())
}

// errDuplicateIndex is the server's number for a key over the same columns as another one
// (ER_DUP_INDEX).
const errDuplicateIndex = 1831

// defined tells the client of one that was.
func (s *Session) defined(result ddl.Result, client *dialogue.Aside) error {
	notices := s.executor().Notices()
	for _, w := range result.Warnings {
		notices.Add(w.Level, w.Number, []byte(w.Message))
	}
	s.tellLayers(result.Layers)
	s.tellUnannotated(result.Lost)
	if result.Heard || slices.ContainsFunc(result.Warnings, func(w service.Warning) bool { return w.Number == errDuplicateIndex }) {
		notices.HaveHeard() // the server says of the stored table, too, that a key is there twice
	}
	s.last.Notes(notices.Count() > 0)
	ok := wire.OK{
		Status: s.response.Status & sessionStatus, Warnings: uint16(min(notices.Count(), 1<<16-1)), Info: client.Info,
		AffectedRows: client.Affected, LastInsertID: client.Generated,
	}
	if head, of := bytes.CutSuffix(ok.Info, []byte("Warnings: 0")); of {
		ok.Info = fmt.Appendf(bytes.Clone(head), "Warnings: %d", notices.Count())
	}
	if result.Rowless || result.Looked {
		ok.AffectedRows = 0
		if result.Looked {
			ok.AffectedRows = result.Rows
		}
		ok.Info = fmt.Appendf(nil, "Records: %d  Duplicates: 0  Warnings: %d", ok.AffectedRows, notices.Count())
	}
	s.client.ClosePacket(ok.AppendOK(s.client.OpenPacket(), s.caps))
	return s.write(nil)
}

// forwardText has the server run a text as the client has written it.
func (s *Session) forwardText(p *plan.Plan, text []byte) error {
	return s.passLocking(p, wire.ComQuery, s.queryOf(text).AppendQuery(nil, s.server.Capabilities))
}

// mayNotDefine refuses a definition to who may reach plain tables only, unless tunic has no part in
// it: one adds layers, which tell the server of values, and makes tables that the account could not
// use.
func (s *Session) mayNotDefine(p *plan.Plan) bool {
	d, ok := p.Action.(*plan.Define)
	return s.entry.Outsider && (!ok || d.MayDefine || d.Made != nil && d.Made.ReadsProtected || s.mayDefineProtected(p))
}
