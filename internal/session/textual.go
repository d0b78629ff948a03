package session

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/dialogue"
	"tunic/internal/plan"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// textual is a statement that PREPARE has named and that the server does not have: its
// text speaks of protected tables. It is planned anew each time that it is executed.
type textual struct {
	text   []byte
	params int
	in     preparedIn
	binding.PriorTypes
}

// atServer is what is kept of a statement that PREPARE has named and that the server has.
type atServer struct {
	asks  []byte // its text, if it asks about the statement before it
	locks bool   // it may lock tables for the session, or run a program, which may
	kills uint64 // the connection of the KILL QUERY that it is; 0 if it is none
}

// preparedMax bounds the statements of PREPARE that are known by their names.
const preparedMax = 4096

// byName carries out a statement of SQL's own interface to prepared statements.
func (s *Session) byName(p *plan.Plan, t *sql.Textual, q wire.Query) error {
	if s.shared.Definer == nil {
		return s.unlessAnnotates(p, t, q)
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

// textOf is the text that is prepared: a string of the statement, or the value of a
// variable, which is in the client's character set then.
func (s *Session) textOf(t *sql.Textual) ([]byte, error) {
	if t.Variable == "" {
		return t.Text, nil
	}
	all, err := sessionVariables{s}.Read([]string{t.Variable})
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

// inClients reports whether a text is in the character set of the client's statements.
func (s *Session) inClients(v *binding.Variable) bool {
	settings, err := s.settings()
	return err == nil && v.Source.Collation != nil && v.Source.Collation.Charset == settings.Client
}

// prepareText is PREPARE. A statement of the same name is gone, whatever comes of it.
func (s *Session) prepareText(p *plan.Plan, t *sql.Textual) error {
	text, err := s.textOf(t)
	if err != nil {
		return s.carryFailed(err)
	}
	name := strings.ToLower(t.Name)
	delete(s.textuals, name)
	delete(s.atServer, name)
	if err := s.takeAway(name); err != nil {
		return s.carryFailed(err)
	}
	inner, err := s.plan(text)
	if err != nil {
		return err
	}
	s.withholdText(t, inner)
	switch {
	case plan.Is[*plan.Each](inner):
		return s.refuseSeveral(inner, text)
	case s.leftToServer(inner, text):
		return s.prepareForwarded(p, t, inner, text)
	case plan.Is[*plan.Forward](inner):
		if done, err := s.missingText(t, inner, text); done {
			return err
		}
	}
	if err := s.checkText(inner, text); err != nil {
		return s.carryFailed(err)
	}
	if s.prepared.count()+len(s.textuals) >= s.prepared.max {
		return s.fail(sqlerr.TooManyPrepared(s.prepared.max))
	}
	if err := s.idle(textNothing); err != nil {
		return s.carryFailed(err)
	}
	if s.textuals == nil {
		s.textuals = map[string]*textual{}
	}
	s.textuals[name] = &textual{
		text: bytes.Clone(text), params: sql.CountParams(text, s.state.Modes()), in: s.preparesIn(),
	}
	return s.tellOK("Statement prepared")
}

// withholdText keeps from the server the variable that a text comes from, unless all that is in
// the text is for the server: a text that is refused may have values of protected columns, too.
func (s *Session) withholdText(t *sql.Textual, inner *plan.Plan) {
	if !plan.Is[*plan.Forward](inner) {
		s.variables.IsText(t.Variable)
	}
}

// missingText is unlessMissingToPrepare for a text: what is meant for a table that is not there
// may not go to the server in the text's variable either.
func (s *Session) missingText(t *sql.Textual, inner *plan.Plan, text []byte) (done bool, err error) {
	if done, err = s.unlessMissingToPrepare(inner, text); done {
		s.variables.IsText(t.Variable)
	}
	return done, err
}

// leftToServer reports whether the server may have a statement that is prepared: it is
// of plain data, and reads no variable that may be kept when it is executed.
func (s *Session) leftToServer(inner *plan.Plan, text []byte) bool {
	switch a := inner.Action.(type) {
	case *plan.Forward:
		return len(a.Variables.Names) == 0 && !a.Variables.Any || sql.CountParams(text, s.state.Modes()) > 0
	case *plan.ByName:
		return true // servers do not prepare it, and say so
	default:
		return false
	}
}

// textByName stands for a text that servers do not prepare, whatever is in it: it may have
// values of protected columns.
const textByName = "'EXECUTE x'"

// prepareForwarded has the server prepare a statement.
func (s *Session) prepareForwarded(p *plan.Plan, t *sql.Textual, inner *plan.Plan, text []byte) error {
	if done, err := s.missingText(t, inner, text); done {
		return err
	}
	asks := s.asks(inner, text)
	if asks && len(s.atServer) >= preparedMax {
		return s.fail(sqlerr.TooManyPrepared(preparedMax))
	}
	prepare := append([]byte("PREPARE "+catalog.Quoted(t.Name)+" FROM "), sql.AppendString(nil, text, s.state.Modes())...)
	if plan.Is[*plan.ByName](inner) {
		prepare = []byte("PREPARE " + catalog.Quoted(t.Name) + " FROM " + textByName)
	}
	err := s.forwardText(&plan.Plan{Action: &plan.Forward{}, Statements: p.Statements}, prepare)
	if err == nil && !s.response.Failed {
		kills, _ := s.killedBy(inner, text)
		s.keepAtServer(strings.ToLower(t.Name), atServer{locks: inner.MayLock(), kills: kills}, asks, text)
	}
	return err
}

// keepAtServer keeps what is to be known of a statement; of one of many it is not known.
func (s *Session) keepAtServer(name string, st atServer, asks bool, text []byte) {
	if asks {
		st.asks = bytes.Clone(text)
	}
	switch {
	case s.atServer == nil:
		s.atServer = map[string]atServer{}
	case len(s.atServer) >= preparedMax:
		return
	}
	s.atServer[name] = st
}

// doubtNamed is after what may have been a program of the server's: it may have prepared other
// statements under the same names.
func (s *Session) doubtNamed() {
	for name, st := range s.atServer {
		st.locks, st.kills = true, 0
		s.atServer[name] = st
	}
}

// checkText finds out what is wrong with a statement that is prepared.
func (s *Session) checkText(inner *plan.Plan, text []byte) error {
	switch inner.Action.(type) {
	case *plan.Refuse:
		return s.unread(inner.Refusal(), inner, text, true)
	case *plan.Define, *plan.DefineView, *plan.Grant:
		return s.mistyped(inner, text)
	case *plan.Forward:
		said, err := s.tries(text)
		if said != nil {
			return said
		}
		return err
	case *plan.Execute:
		x := s.carrier()
		st, err := x.Statement(inner.Run())
		if err != nil {
			return unkeyed(err)
		}
		s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
		return x.Check(st, text, s.fingerprinter.Literals(), 0)
	default:
		return nil
	}
}

// errNoStatement is the server's error for a name that no statement has (ER_UNKNOWN_STMT_HANDLER).
const errNoStatement = 1243

// takeAway takes a statement of a name away from the server, if it may have one: tunic may refuse the
// next of that name, and then there is none. There is none already where the last PREPARE has failed.
func (s *Session) takeAway(name string) error {
	if _, known := s.textual[name]; !known {
		return nil
	}
	delete(s.textual, name)
	err := s.idle("DEALLOCATE PREPARE " + catalog.Quoted(name))
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
	client := &definitionClient{session: s}
	err := client.Exec(s.life, text)
	if client.broken != nil {
		return &dialogue.BrokenError{Err: client.broken}
	}
	s.leaveOutcome()
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
	kept := s.textuals[strings.ToLower(t.Name)]
	if kept == nil {
		return s.executeForwarded(p, t, q)
	}
	if !sql.ReadAlike(kept.text, kept.in.modes, s.state.Modes()) {
		return s.failAnew(plan.NeedsPreparing())
	}
	defer s.executesIn(&kept.in)()
	if len(t.Using) != kept.params {
		return s.failAnew(wrongUsing())
	}
	if s.asksCounts(nil, kept.text) {
		return s.outcomeUnknown()
	}
	return s.executeUsing(kept.text, t, kept)
}

// wrongUsing is what servers say of more or fewer values behind USING than parameters.
func wrongUsing() *sqlerr.Error {
	return &sqlerr.Error{Number: 1210, State: "HY000", Message: "Incorrect arguments to EXECUTE"}
}

// executeForwarded has the server execute a statement that it has.
func (s *Session) executeForwarded(p *plan.Plan, t *sql.Textual, q wire.Query) error {
	read := plan.VariablesOf(q.Text, s.state.Modes())
	read.Programs = true
	forwarded := &plan.Plan{Action: &plan.Forward{Variables: read}, Statements: p.Statements}
	if s.outlived(forwarded) {
		return s.failAnew(plan.NeedsPreparing())
	}
	if done, err := s.tellNamed(t); done {
		return err
	}
	if err := s.checkUsing(t); err != nil {
		return s.carryFailed(err)
	}
	if err := s.unkept(read); err != nil {
		return s.carryFailed(err)
	}
	locks := s.state.Held()
	named, known := s.atServer[strings.ToLower(t.Name)]
	s.kills(named.kills, 0)
	err := s.forwardText(forwarded, q.Text)
	if known && !named.locks {
		s.state.Relock(locks)
	} else {
		s.doubtNamed()
	}
	return err
}

// tellNamed answers a statement of the server's that asks about the one before it, if the
// server does not know all that there is to say.
func (s *Session) tellNamed(t *sql.Textual) (done bool, err error) {
	text := s.atServer[strings.ToLower(t.Name)].asks
	switch {
	case text == nil:
		return false, nil
	case len(t.Using) > 0 && s.asksCounts(nil, text):
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

// executeUsing carries out a text, which is kept's, with the values behind USING.
func (s *Session) executeUsing(text []byte, t *sql.Textual, kept *textual) error {
	using, err := s.usingOf(t)
	if err != nil {
		return s.carryFailed(err)
	}
	kept.PriorTypes.Note(using)
	inner, err := s.plan(text)
	if err != nil {
		return err
	}
	if s.moved() && !plan.Is[*plan.Execute](inner) && !plan.Is[*plan.Refuse](inner) {
		return s.failAnew(plan.NeedsPreparing())
	}
	s.keysUsed(using, text)
	defer s.variables.Gave()
	if len(using) > 0 {
		if plan.Is[*plan.Forward](inner) || inner.Defines() {
			return s.failAnew(plan.NeedsPreparing())
		}
		s.carrier().Using(using)
		defer s.carrier().Using(nil)
	}
	s.count(inner)
	if plan.Is[*plan.Forward](inner) {
		return s.forwardQuery(inner, wire.Query{Text: text})
	}
	return s.perform(inner, wire.Query{Text: text})
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
		return sessionVariables{s}.Read(run.Variables)
	}
	x := s.carrier()
	st, err := x.Statement(run)
	if err != nil {
		return nil, unkeyed(err)
	}
	s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
	return x.Assign(st, query, s.fingerprinter.Literals())
}

// deallocateText is DEALLOCATE PREPARE.
func (s *Session) deallocateText(p *plan.Plan, t *sql.Textual, q wire.Query) error {
	name := strings.ToLower(t.Name)
	if s.textuals[name] == nil {
		delete(s.textual, name)
		delete(s.atServer, name)
		return s.forwardText(&plan.Plan{Action: &plan.Forward{}, Statements: p.Statements}, q.Text)
	}
	delete(s.textuals, name)
	if err := s.idle(textNothing); err != nil {
		return s.carryFailed(err)
	}
	return s.tellOK("")
}
