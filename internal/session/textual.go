package session

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"

	"tunic/internal/binding"
	"tunic/internal/dialogue"
	"tunic/internal/environment"
	"tunic/internal/exec/said"
	"tunic/internal/identifier"
	"tunic/internal/kill"
	"tunic/internal/outcome"
	"tunic/internal/plan"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/statements"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// byName executes a statement of SQL's own interface to prepared statements.
func (s *Session) byName(p *plan.Plan, q wire.Query) error {
	t := &plan.As[*plan.ByName](p).Textual
	if s.shared.Definer == nil {
		return s.unlessAnnotates(p, t, q)
	}
	if !s.keepsApart(t.Name) {
		return s.refuse(sqlerr.StatementRefused("a prepared statement with such a name"))
	}
	switch p.Statements[0].Kind {
	case sql.Prepare:
		return s.prepareText(p, t)
	case sql.Execute:
		return s.executeText(p, t, q)
	case sql.Deallocate:
		return s.deallocateText(p, t, q)
	default:
		return s.executeImmediate(p, t, q)
	}
}

// keepsApart reports whether it is known which names of prepared statements are the same to the server as this one. MySQL
// compares them by a collation, for which é is e, and a name with a space at its end is that without.
func (s *Session) keepsApart(name string) bool {
	return charset.IsASCII([]byte(name)) && (s.state.Modes()&sql.MariaDB != 0 || !strings.HasSuffix(name, " "))
}

// textOf is the text that is prepared: a string of the statement, or the value of a
// variable, which is in the client's character set then.
func (s *Session) textOf(t *sql.Textual) ([]byte, error) {
	if t.Variable == "" {
		return s.writtenText(t.Text)
	}
	all, err := owner{s}.Read([]string{t.Variable})
	if err != nil {
		return nil, err
	}
	v := &all[0]
	if v.Secret || v.Key && !s.variables.WasText(t.Variable) { // what is written out in it may be in plain places of it
		return nil, sqlerr.VariableSecret()
	}
	if v.Null || v.Source.Form != value.FormString || !charset.IsASCII(v.Source.Bytes) && !s.inClients(v) {
		return nil, sqlerr.StatementRefused("PREPARE of a variable that is no text in the client's character set")
	}
	return bytes.Clone(v.Source.Bytes), nil
}

// writtenText is a text that is written out as the server reads it.
func (s *Session) writtenText(text []byte) ([]byte, error) {
	if s.state.Modes()&sql.MariaDB != 0 || charset.IsASCII(text) {
		return text, nil
	}
	settings, err := s.settings()
	if err != nil {
		return nil, err
	}
	return environment.TextWrittenOut(text, settings.Client)
}

// inClients reports whether a text is in the character set of the client's statements.
func (s *Session) inClients(v *binding.Variable) bool {
	settings, err := s.settings()
	return err == nil && v.Source.Collation != nil && v.Source.Collation.Charset == settings.Client
}

// prepareText is PREPARE. A statement of the same name is gone, whatever comes of it.
func (s *Session) prepareText(p *plan.Plan, t *sql.Textual) error {
	if s.named.Forget(t.Name) {
		if err := s.takeAway(strings.ToLower(t.Name)); err != nil {
			return s.tellFailed(err)
		}
		s.named.KeepNone(t.Name)
	}
	text, err := s.textOf(t)
	if err != nil {
		return s.tellFailed(err)
	}
	inner, err := s.plan(text)
	if err != nil {
		return err
	}
	s.withholdText(t, inner)
	return wayOf(inner.Action).name(&named{t, p, inner, text, nil}, s)
}

// named is the text of a PREPARE or EXECUTE IMMEDIATE.
type named struct {
	*sql.Textual
	outer *plan.Plan // of the statement that has it
	plan  *plan.Plan
	text  []byte
	query []byte // the statement that has it, of an EXECUTE IMMEDIATE
}

// prepareForwarded prepares a text that is for the server, which has it unless it reads what only tunic has.
func (n *named) prepareForwarded(s *Session) error {
	if n.isLeftToServer(s) {
		return n.leaveToServer(s)
	}
	if done, err := n.missing(s); done {
		return err
	}
	said, err := s.tries(n.text)
	switch {
	case said != nil:
		return s.tellFailed(said)
	case err != nil:
		return s.tellFailed(err)
	}
	return n.keep(s)
}

// prepareRun prepares a text that tunic executes, if nothing is wrong with it.
func (n *named) prepareRun(s *Session) error {
	x := s.executor()
	st, err := x.Statement(n.plan.Run())
	if err != nil {
		return s.tellFailed(unkeyed(err))
	}
	s.attempt.Concerns(tablesOf(n.plan))
	s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
	if err := x.Check(st, n.text, s.fingerprinter.Literals(), 0); err != nil {
		return s.tellFailed(err)
	}
	return n.keep(s)
}

// prepareDefinition prepares a definition.
func (n *named) prepareDefinition(s *Session) error {
	if err := s.mistyped(n.plan, n.text); err != nil {
		return s.tellFailed(err)
	}
	return n.keep(s)
}

// refuse refuses to prepare a text.
func (n *named) refuse(s *Session) error {
	return s.tellFailed(s.unread(n.plan.Refusal(), n.plan, n.text, true))
}

// refuseSeveral is for several statements.
func (n *named) refuseSeveral(s *Session) error { return s.refuseSeveral(n.plan, n.text) }

// keep keeps a text that is read when it is executed.
func (n *named) keep(s *Session) error {
	if s.prepared.IsFull(s.named.Texts()) {
		return s.fail(sqlerr.TooManyPrepared(s.prepared.Max))
	}
	if err := s.idle(textNothing); err != nil {
		return s.tellFailed(err)
	}
	s.last.PassesOver(n.plan, s.state.Modes())
	s.named.KeepText(n.Name, &statements.Text{
		Text: bytes.Clone(n.text), Params: sql.CountParams(n.text, s.state.Modes()), In: s.preparesIn(),
	})
	return s.tellOK("Statement prepared")
}

// withholdText keeps from the server the variable that a text comes from, unless all that is in
// the text is for the server: a text that is refused may have values of protected columns, too.
func (s *Session) withholdText(t *sql.Textual, inner *plan.Plan) {
	if !plan.Is[*plan.Forward](inner) {
		s.variables.IsText(t.Variable)
	}
}

// missing is unlessMissingToPrepare for a text: what is meant for a table that is not there
// may not go to the server in the text's variable either.
func (n *named) missing(s *Session) (done bool, err error) {
	if done, err = s.unlessMissingToPrepare(n.plan, n.text); done {
		s.variables.IsText(n.Variable)
	}
	return done, err
}

// isLeftToServer reports whether the server may have a statement of plain data that is prepared: it
// reads no variable that may be kept when it is executed.
func (n *named) isLeftToServer(s *Session) bool {
	read := n.plan.Variables()
	return len(read.Names) == 0 && !read.Any || sql.CountParams(n.text, s.state.Modes()) > 0
}

// textByName stands for a text that servers do not prepare, whatever is in it: it may have
// values of protected columns.
const textByName = "'EXECUTE x'"

// leaveToServer has the server prepare a statement. It prepares none of its own interface to them, and says so.
func (n *named) leaveToServer(s *Session) error {
	if done, err := n.missing(s); done {
		return err
	}
	asks := outcome.Asks(n.plan, n.text, s.state.Modes())
	if asks && s.named.IsFull() {
		return s.fail(sqlerr.TooManyPrepared(statements.NamedMax))
	}
	prepare := append([]byte("PREPARE "+identifier.Quoted(n.Name)+" FROM "), sql.AppendString(nil, n.text, s.state.Modes())...)
	if plan.Is[*plan.ByName](n.plan) {
		prepare = []byte("PREPARE " + identifier.Quoted(n.Name) + " FROM " + textByName)
	}
	err := s.forwardText(&plan.Plan{Action: &plan.Forward{}, Statements: n.outer.Statements}, prepare)
	if err == nil && !s.response.Failed {
		kills, _ := kill.Killed(n.plan, n.text, s.state.Modes())
		st := statements.AtServer{Plan: n.plan, Kills: kills}
		if asks {
			st.Asks = bytes.Clone(n.text)
		}
		s.named.KeepAtServer(n.Name, st)
	}
	return err
}

// errNoStatement is the server's error for a name that no statement has (ER_UNKNOWN_STMT_HANDLER).
const errNoStatement = 1243

// takeAway takes a statement of a name away from the server, which may have one: tunic may refuse the
// next of that name, and then there is none. There is none already where the last PREPARE has failed.
func (s *Session) takeAway(name string) error {
	err := s.idle("DEALLOCATE PREPARE " + identifier.Quoted(name))
	if said, ok := errors.AsType[*sqlerr.Error](err); ok && said.Number == errNoStatement {
		return nil
	}
	return err
}

// textNothing is a statement that does nothing: after it the server says of the
// statement before what it says of one without warnings and rows.
const textNothing = "DO 0"

// idle has the server run a statement of which the client sees nothing.
func (s *Session) idle(text string) error {
	client := s.aside()
	err := client.Exec(s.life, text)
	if client.Broken != nil {
		return &dialogue.BrokenError{Err: client.Broken}
	}
	s.last.LeaveOwn(s.exec)
	s.last.Counts.LeaveChanged()
	return err
}

// tellOK tells the client of a statement that has been done.
func (s *Session) tellOK(info string) error {
	ok := wire.OK{Status: s.response.Status & sessionStatus, Info: []byte(info)}
	s.client.ClosePacket(ok.AppendOK(s.client.OpenPacket(), s.caps))
	return s.write(nil)
}

// executeText is EXECUTE.
func (s *Session) executeText(p *plan.Plan, t *sql.Textual, q wire.Query) error {
	kept := s.named.Text(t.Name)
	if kept == nil {
		return s.executeForwarded(p, t, q)
	}
	if !sql.ReadAlike(kept.Text, kept.In.Modes, s.state.Modes()) {
		return s.failAnew(plan.NeedsPreparing())
	}
	defer s.executesIn(&kept.In)()
	if len(t.Using) != kept.Params {
		return s.failAnew(binding.WrongUsing())
	}
	if s.last.AsksCounts(nil, kept.Text, s.state.Modes()) {
		return s.outcomeUnknown()
	}
	return s.executeUsing(kept.Text, t, kept)
}

// executeForwarded has the server execute a statement that it has.
func (s *Session) executeForwarded(p *plan.Plan, t *sql.Textual, q wire.Query) error {
	read := plan.VariablesOf(q.Text, s.state.Modes())
	read.Programs = true
	forwarded := &plan.Plan{Action: &plan.Forward{Variables: read}, Statements: p.Statements}
	if s.outlived(forwarded) {
		return s.failAnew(plan.NeedsPreparing())
	}
	named, known := s.named.AtServer(t.Name)
	if done, err := s.unlessLate(cmp.Or(named.Plan, forwarded)); done {
		return err
	}
	if done, err := s.tellNamed(t); done {
		return err
	}
	if err := s.checkUsing(t); err != nil {
		return s.tellFailed(err)
	}
	if err := s.unkept(read); err != nil {
		return s.tellFailed(err)
	}
	locks := s.state.Held()
	s.kills(named.Kills)
	s.attempt.IsFor(cmp.Or(named.Plan, forwarded))
	err := s.forwardText(forwarded, q.Text)
	if known && !named.MayLock() || s.named.IsNone(t.Name) {
		s.state.Relock(locks)
	} else {
		s.haveRunProgram()
	}
	return err
}

// tellNamed answers a statement of the server's that asks about the one before it, if the
// server does not know all that there is to say.
func (s *Session) tellNamed(t *sql.Textual) (done bool, err error) {
	named, _ := s.named.AtServer(t.Name)
	text := named.Asks
	switch {
	case text == nil:
		return false, nil
	case len(t.Using) > 0 && s.last.AsksCounts(nil, text, s.state.Modes()):
		return true, s.outcomeUnknown()
	case len(t.Using) > 0:
		return false, nil
	}
	inner, err := s.plan(text)
	if err != nil {
		return true, err
	}
	return s.tell(inner, text, true)
}

// executeUsing executes a text, which is kept's, with the values behind USING.
func (s *Session) executeUsing(text []byte, t *sql.Textual, kept *statements.Text) error {
	using, err := s.usingOf(t)
	if err != nil {
		return s.tellFailed(err)
	}
	kept.PriorTypes.Note(using)
	if err := s.limitsOf(using, text, false); err != nil {
		return s.tellFailed(err)
	}
	inner, err := s.plan(text)
	if err != nil {
		return err
	}
	if len(using) > 0 {
		s.executor().Using(using)
		defer s.executor().Using(nil)
	}
	if !s.fits(inner) {
		return s.failAnew(plan.NeedsPreparing())
	}
	s.keysUsed(using, text)
	defer s.variables.Gave()
	s.count(inner)
	if plan.Is[*plan.Forward](inner) {
		return s.forwardQuery(inner, s.queryOf(text))
	}
	return s.perform(inner, s.queryOf(text))
}

// limitsOf makes numbers of rows of the values that are behind LIMIT in a text, as servers do: parameters of an
// execution, or what is behind USING.
func (s *Session) limitsOf(using []binding.Variable, text []byte, parameters bool) (err error) {
	if len(using) == 0 {
		return nil
	}
	flavor := environment.FlavorOf(s.state.Modes())
	for _, i := range sql.LimitParams(text, s.state.Modes()) {
		if i >= len(using) {
			break
		}
		if using[i], err = binding.LimitOf(using[i], flavor, parameters); err != nil {
			return err
		}
	}
	return nil
}

// keysUsed notes that variables behind USING are keys of ciphers in a text.
func (s *Session) keysUsed(using []binding.Variable, text []byte) {
	if len(using) == 0 {
		return
	}
	var names []string
	for _, i := range plan.KeyParams(text, s.state.Modes()) {
		if i < len(using) {
			names = append(names, using[i].From...)
		}
	}
	s.variables.Gives(names)
	for i := range using { // one may be a value of the same statement
		using[i].Key = using[i].Key || slices.ContainsFunc(using[i].From, func(name string) bool { return s.variables.WasKey(name) })
	}
}

// usingOf computes the values behind USING.
func (s *Session) usingOf(t *sql.Textual) ([]binding.Variable, error) {
	if len(t.Using) == 0 {
		return nil, nil
	}
	inner, query, err := s.planUsing(t)
	if err != nil {
		return nil, err
	}
	using, err := s.computeUsing(inner.Own().Run(), query, len(t.Using))
	for i, names := range inner.Own().Run().Selected() {
		if i < len(using) {
			using[i].From = names
		}
	}
	return using, err
}

// planUsing plans the query of the values behind USING, which has no table.
func (s *Session) planUsing(t *sql.Textual) (*plan.Plan, []byte, error) {
	query := append([]byte("SELECT "), bytes.Join(t.Using, []byte(", "))...)
	inner, err := s.planInto(query)
	switch {
	case err != nil:
		return nil, nil, err
	case !plan.Is[*plan.Forward](inner) || inner.Own() == nil:
		return nil, nil, sqlerr.StatementRefused("EXECUTE USING what is no value or user variable")
	}
	return inner, query, nil
}

// checkUsing refuses what the server is not to get behind USING: a query, which may be of
// protected tables.
func (s *Session) checkUsing(t *sql.Textual) error {
	if len(t.Using) == 0 {
		return nil
	}
	_, _, err := s.planUsing(t)
	return err
}

// computeUsing computes the values of a query of no table.
func (s *Session) computeUsing(run *recipe.Run, query []byte, columns int) ([]binding.Variable, error) {
	if len(run.Variables) == columns && run.OnlyVariables() {
		return owner{s}.Read(run.Variables)
	}
	x := s.executor()
	st, err := x.Statement(run)
	if err != nil {
		return nil, unkeyed(err)
	}
	s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
	return x.Assign(st, query, s.fingerprinter.Literals())
}

// deallocateText is DEALLOCATE PREPARE.
func (s *Session) deallocateText(p *plan.Plan, t *sql.Textual, q wire.Query) error {
	if s.named.Text(t.Name) == nil {
		s.named.Forget(t.Name)
		err := s.forwardText(&plan.Plan{Action: &plan.Forward{}, Statements: p.Statements}, q.Text)
		if err == nil && !s.response.Failed {
			s.named.KeepNone(t.Name)
		}
		return err
	}
	s.named.ForgetText(t.Name)
	if err := s.idle(textNothing); err != nil {
		return s.tellFailed(err)
	}
	return s.tellOK("")
}

// prepareByName refuses to prepare what servers prepare none of. Without a catalog they are asked, and
// count it.
func (s *Session) prepareByName(p *plan.Plan, payload []byte) error {
	if s.shared.Definer == nil {
		return s.forwardPrepare(p, payload)
	}
	s.shared.Metrics.Bytes.ClientIn.Add(len(payload))
	return s.failAnew(said.NotPreparable())
}
