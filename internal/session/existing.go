package session

import (
	"slices"

	"tunic/internal/plain"
	"tunic/internal/plan"
	"tunic/internal/policy"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// unlessMissing finds out, before a statement is forwarded, whether the tables that it
// names are there. A table that is not, and that the policy would protect, was meant
// to be protected: what the statement has to say to it is not for the server. Then
// the client gets the server's error, and done is true. The same goes for a table that the
// client may not see, which may be there or not: the server would deny it the statement
// too, and its logs would have it.
//
// To find out takes a statement of tunic's own. One that asks how the statement before
// it went would be told of that, so it is refused when it is the first to name a table.
//
// A program that may define tables when it runs would define them plain.
func (s *Session) unlessMissing(p *plan.Plan, text []byte) (done bool, err error) {
	return s.unlessMissingAs(p, text, plain.Denied)
}

// unlessMissingToPrepare is unlessMissing for a statement that is to be prepared.
func (s *Session) unlessMissingToPrepare(p *plan.Plan, text []byte) (done bool, err error) {
	if s.state.Modes()&sql.MariaDB == 0 && plain.LoadsData(p) {
		return s.unlessMissingAs(p, text, plain.Unpreparable)
	}
	return s.unlessMissing(p, text)
}

// unlessMissingAs is unlessMissing with what it says of such a table.
func (s *Session) unlessMissingAs(p *plan.Plan, text []byte, words plain.Words) (done bool, err error) {
	f, forwards := p.Action.(*plan.Forward)
	if forwards && f.MayDefine && s.shared.Definer.MayProtect() {
		return true, s.refuse(sqlerr.StatementRefused("a program that defines tables, or runs statements from text,"))
	}
	if forwards && s.guessesProtected(f) {
		return true, s.refuseText(sqlerr.StatementUnread(), p, text, false)
	}
	if done, err := s.unlessGuarded(p, text); done {
		return true, err
	}
	if s.outlived(p) {
		return true, s.tellFailed(s.syntaxFirst(plan.NeedsPreparing(), p, text))
	}
	if done, err := s.unlessLate(p); done {
		return true, err
	}
	looked, rules := false, s.rules(p)
	for _, name := range p.Names {
		guarded := forwards && slices.Contains(f.Guarded, name)
		if !guarded && (s.shared.Existing.Has(name, s.attempt.CaughtUp(), rules) || !s.shared.Definer.MayProtectTable(name.Schema, name.Table)) {
			continue
		}
		looked = true
		refusal, err := s.asker(rules).Missing(&s.shared.Existing, s.attempt.CaughtUp(), name)
		if err == nil && refusal == nil && guarded {
			refusal = sqlerr.StatementPlain(name.Table)
		}
		switch {
		case err != nil:
			return true, err
		case refusal != nil:
			if done, err := s.commitFirst(p); done {
				return true, err
			}
			s.state.Apply(p, 0, true)
			s.last.Forgets()        // that was of a statement before
			s.last.Counts.Disturb() // the server was asked something else meanwhile
			return true, s.failWith(words(refusal, p, name))
		}
	}
	if !looked {
		return false, nil // the text is not read: each statement that is relayed comes here
	}
	if asked := s.asked(text); asked.Rows || asked.Warnings {
		return true, s.refuse(sqlerr.OutcomeUnknown())
	}
	return false, nil
}

// unlessLate refuses what the server may come to a plain table by, while other tunics may have protected it without this
// one.
func (s *Session) unlessLate(p *plan.Plan) (done bool, err error) {
	if s.shared.Ledger == nil || !p.MayReachPlain() {
		return false, nil
	}
	return s.unlessLeased(onlyReads(p))
}

// unlessLeased refuses what goes to the server while other tunics may have protected tables without this one.
func (s *Session) unlessLeased(reads bool) (done bool, err error) {
	leased := s.attempt.Leased
	if reads {
		leased = s.attempt.LeasedToRead
	}
	if leased() {
		return false, nil
	}
	return true, s.fail(sqlerr.LedgerLost())
}

// onlyReads reports whether a plan is that of one query, which gives no lock back.
func onlyReads(p *plan.Plan) bool {
	return len(p.Statements) == 1 && (p.Statements[0].Kind == sql.Select || p.Statements[0].Kind == sql.SetOperation)
}

// guessesProtected reports whether a text that cannot be read may name a table that is to
// be protected.
func (s *Session) guessesProtected(p *plan.Forward) bool {
	if len(p.Guesses) == 0 {
		return false
	}
	if p.AnyTable {
		return s.shared.Definer.MayProtect()
	}
	for _, schema := range append([]string{s.schema()}, p.Guesses...) {
		for _, table := range p.Guesses {
			if s.shared.Definer.MayProtectTable(schema, table) {
				return true
			}
		}
	}
	return false
}

// rules is the policy by which the tables of a plan are looked for; nil if it names none.
func (s *Session) rules(p *plan.Plan) *policy.Policy {
	if len(p.Names) == 0 {
		return nil
	}
	return s.shared.Definer.Policy()
}

// outlived reports whether a plan is to execute a statement that PREPARE has made, of which a table may be
// protected since.
func (s *Session) outlived(p *plan.Plan) bool {
	return s.named.AnyAtServer() && s.named.Outlived(p, s.attempt.Fenced())
}
