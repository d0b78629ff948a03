package session

import (
	"slices"

	"tunic/internal/ddl/viewtext"
	"tunic/internal/exec"
	"tunic/internal/plan"
	"tunic/internal/plan/views"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// definingView executes a CREATE VIEW or ALTER VIEW. The server describes its query
// first, which is where it says what is wrong with it.
func (s *Session) definingView(p *plan.Plan, v *plan.DefinedView, text []byte) error {
	s.last.Anew()
	settings, err := s.settings()
	if err != nil {
		s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
		return s.tellFailed(err)
	}
	described, err := s.describeView(v)
	if err != nil {
		s.state.Apply(p, 0, true)
		return s.tellFailed(err)
	}
	defer s.shared.Existing.Forget()
	client := s.aside()
	s.attempt.Lands()
	result, err := s.shared.Definer.DoView(s.life, viewOf(v, described, text), s.definitionSession(settings), client)
	if err != nil || !result.Again {
		return s.haveDefined(p, client, result, err, s.resuming(p, func() error { return s.forwardText(p, text) }))
	}
	if at := slices.IndexFunc(v.Reads, func(r views.Read) bool { return s.transaction.Temporaries.Has(r.Table) }); at >= 0 {
		return s.failWith(overTemporary(v.Reads[at].Table.Name))
	}
	if refusal := s.attempt.Again(); refusal != nil { // what it reads has changed meanwhile
		return s.failWith(refusal)
	}
	again, err := s.plan(text)
	if err != nil {
		return err
	}
	switch a := again.Action.(type) {
	case *plan.Refuse:
		return s.refuse(a.Refusal)
	case *plan.DefineView:
		return s.definingView(again, a.View, text)
	default:
		return s.fail(sqlerr.NoLedger())
	}
}

// describeView is the query of a view as the server can be shown it; nil if it touches
// nothing protected.
func (s *Session) describeView(v *plan.DefinedView) (*exec.Described, error) {
	if v.Run == nil {
		return nil, nil //nolint:nilnil // the server makes such a view itself
	}
	if err := s.attempt.Enter(v.Run.Tables); err != nil {
		return nil, err
	}
	defer s.attempt.Leave()
	x := s.executor()
	st, err := x.Statement(v.Run)
	if err != nil {
		return nil, unkeyed(err)
	}
	s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
	d, err := x.DescribeView(st, v.Query, v.Literals)
	if err == nil && d == nil {
		return nil, sqlerr.StatementUnread()
	}
	return d, err
}

// viewOf is the view as the room ddl makes it.
func viewOf(v *plan.DefinedView, described *exec.Described, text []byte) *viewtext.View {
	out := &viewtext.View{View: v.View, Statement: string(text), Text: v.Text, Names: v.Names, Own: v.Own}
	if described != nil {
		out.Described, out.Literals = string(described.Statement), described.Literals
	}
	for _, r := range v.Reads {
		out.Reads = append(out.Reads, viewtext.Reads{ViewOver: r.ViewOver, Table: r.Table, Columns: r.Columns})
	}
	return out
}

// overTemporary is what servers say of a view over a temporary table (ER_VIEW_SELECT_TMPTABLE).
func overTemporary(table string) *sqlerr.Error {
	return &sqlerr.Error{Number: 1352, State: "HY000", Message: "View's SELECT refers to a temporary table '" + table + "'"}
}
