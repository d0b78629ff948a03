package plan

import (
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// MariaDB's SET STATEMENT … FOR has a statement in it. Where data is protected, it is forwarded if
// what is in it would be by itself, and does no more than read and write rows. Others make tables,
// run a text, tell of stored names, or leave the session another one.

// insideKinds are the kinds of statements that may be in it.
var insideKinds = map[sql.Kind]bool{
	sql.Select: true, sql.SetOperation: true, sql.Insert: true, sql.Replace: true, sql.Update: true, sql.Delete: true,
}

// inside judges a text with a SET STATEMENT by what is in that, and reports whether it is refused.
func (k *knowledge) inside(p *Plan, text []byte, read []sql.Statement, m sql.Modes) (refused bool) {
	if k.catalog == nil {
		return false
	}
	for i := range read {
		if read[i].Kind != sql.SetStatement {
			continue
		}
		if err := k.judgeInside(p, text, &read[i], m, len(read) == 1); err != nil {
			p.refuse(err)
			return true
		}
	}
	return false
}

// judgeInside is the refusal of one; nil if it may be forwarded. The plan has the tables that it
// names then.
func (k *knowledge) judgeInside(p *Plan, text []byte, s *sql.Statement, m sql.Modes, alone bool) error {
	within, ok := s.Inside()
	if !ok {
		return sqlerr.StatementUnread()
	}
	refusal := sqlerr.StatementRefused(within.Kind.String() + " within SET STATEMENT")
	if !insideKinds[within.Kind] || !alone { // of several each is planned by itself
		return refusal
	}
	if _, err := within.Tree(); err != nil {
		return sqlerr.StatementUnread()
	}
	of := decideRead(text, []sql.Statement{within}, nil, m, *k, nil)
	switch a := of.Action.(type) {
	case *Refuse:
		return a.Refusal
	case *Forward:
		if a.Own != nil {
			return refusal
		}
		p.Names, p.OfSchema = of.Names, of.OfSchema
		p.Action = &Forward{Wording: a.Wording, Guesses: a.Guesses, AnyTable: a.AnyTable, MayDefine: a.MayDefine}
		return nil
	}
	return refusal
}
