package session

import (
	"bytes"

	"tunic/internal/exec/said"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/wire"
)

// definition is one that the client has prepared. What it is of, and who makes it, is
// decided at each execution.
type definition struct {
	numbered
	text   []byte
	schema string // of names without one
	modes  sql.Modes
	// atServer says that the server has prepared the text; else it has something else of as
	// many parameters and columns, for its number.
	atServer bool
}

// prepareDefinition prepares a definition. One with parameters, which are in the query
// that it makes a table of, is the server's if it is of a plain table and names nothing
// protected.
func (s *Session) prepareDefinition(p *plan.Plan, payload []byte) error {
	s.shared.Metrics.Bytes.ClientIn.Add(len(payload))
	text := payload[1:]
	if p.View() != nil && p.View().Alter && s.state.Modes()&sql.MariaDB == 0 {
		return s.failWith(said.NotPreparable())
	}
	if err := s.mistyped(p, text); err != nil {
		return s.tellFailed(err)
	}
	plain := s.definesPlain(p)
	if plain && sql.CountParams(text, s.state.Modes()) > 0 {
		return s.forwardPrepare(p, payload)
	}
	d := &definition{text: bytes.Clone(text), schema: s.state.Schema(), modes: s.state.Modes(), atServer: plain || keepsPartitions(p)}
	if !d.atServer {
		payload = append([]byte{byte(wire.ComStmtPrepare)}, textNothing...)
	}
	if err := s.exchangeCommand(wire.ComStmtPrepare, payload); err != nil || !s.response.Described {
		return err
	}
	s.keep(&statement{prepared: d, plan: p})
	return nil
}

// definesPlain reports whether a definition names nothing protected, and could make nothing
// that is: the server may read it before it is made.
func (s *Session) definesPlain(p *plan.Plan) bool {
	d, ok := p.Action.(*plan.Define)
	return ok && !d.MayDefine && !s.mayDefineProtected(p)
}

// keepsPartitions reports whether a definition looks after partitions of a plain table. Its
// answer has rows, and there is no value in its text.
func keepsPartitions(p *plan.Plan) bool {
	d, ok := p.Action.(*plan.Define)
	if !ok || d.MayDefine {
		return false
	}
	stmt, ok := d.Statement.(*ast.AlterTable)
	return ok && stmt.PartitionSpec != nil && len(stmt.PartitionSpec.Definitions) == 0 && stmt.PartitionSpec.TableName.IsEmpty() && len(stmt.AlterOptions) == 0
}

// execute makes what a definition says. Its names mean what they meant when it was prepared.
func (d *definition) execute(s *Session, st *statement, m wire.Execute, payload []byte) error {
	s.attempt.Begin()
	moved := d.schema != s.state.Schema() || d.modes != s.state.Modes()
	switch {
	case m.Command == wire.ComStmtBulkExecute:
		return s.failAnew(said.NotPreparable())
	case moved && (!d.atServer || makesOfQuery(st.plan)):
		return s.failAnew(plan.NeedsPreparing())
	case moved:
		return d.define(s, st, m, payload)
	}
	do := func() error { return d.planned(s, st, m, payload) }
	return s.retrying(do, do)
}

// planned makes it as it is planned now: what it reads or names may be protected since it was prepared.
func (d *definition) planned(s *Session, st *statement, m wire.Execute, payload []byte) error {
	p, err := s.plan(d.text)
	if err != nil {
		return err
	}
	if p.ActionNumber() != st.plan.ActionNumber() {
		return s.failAnew(plan.NeedsPreparing())
	}
	st.plan = p
	return d.define(s, st, m, payload)
}

// define makes it by the plan that the statement has.
func (d *definition) define(s *Session, st *statement, m wire.Execute, payload []byte) error {
	if d.atServer {
		return s.definingIn(st.plan, d.text, d.schema, func() error { return s.passLocking(st.plan, m.Command, payload) })
	}
	return s.defining(st.plan, s.queryOf(d.text))
}
