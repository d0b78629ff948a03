package plan

import (
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// ofSequence are the kinds of statements about a sequence. Servers keep one as a table, so the names of both
// are of one name space: MariaDB's CREATE OR REPLACE SEQUENCE drops a table of its name, and a temporary
// sequence hides one (MariaDB manual, "CREATE SEQUENCE").
var ofSequence = map[sql.Kind]bool{sql.CreateSequence: true, sql.AlterSequence: true, sql.DropSequence: true}

// defineSequence plans a statement about sequences. It is the server's, unless one has a name of something
// that is protected, or of tunic's. No rule of the policy is about a sequence: its columns are the server's.
func (k *knowledge) defineSequence(p *Plan, s *sql.Statement, text []byte, m sql.Modes) {
	names, ok := s.DefinedTables()
	if !ok || sql.Noted(text, m, k.names.Protected) {
		p.refuse(sqlerr.StatementUnread())
		return
	}
	d := &Define{}
	p.Action = d
	for _, n := range names {
		if err := k.other(p, d, n, sqlerr.StatementRefused(s.Kind.String()+" with the name of a protected table")); err != nil {
			p.refuse(err)
			return
		}
	}
}
