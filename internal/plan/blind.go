package plan

import (
	"bytes"

	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// Protects says whether anything may be protected. If not, no plan depends on
// how a text is read.
func (p *Planner) Protects() bool { return p.catalog != nil || !p.names.Empty() }

// PlanBlind is Plan for a session of which nobody knows in which modes the
// server reads its texts; m is a guess. A text that all servers read alike in
// all modes gets its plan; any other might name something protected, and is
// refused if anything is.
func (p *Planner) PlanBlind(fp *sql.Fingerprinter, text []byte, m sql.Modes, schema string) *Plan {
	if !p.Protects() || readsAlike(text) {
		return p.Plan(fp, text, m, schema)
	}
	return unread
}

// unread is the plan of a text that cannot be read.
var unread = &Plan{
	Action:     &Refuse{Refusal: sqlerr.StatementUnread()},
	Statements: []Statement{{Kind: sql.Unknown, Effects: sql.Effects{Stale: true}}},
}

// readsAlike says that the bytes of text are read alike under every sql_mode and
// in every character set of a client. Left out are the quotes that modes turn
// into each other, the backslash, and what is a letter in a national set of 7
// bits or a part of a character in a set of several bytes.
func readsAlike(text []byte) bool {
	for _, c := range text {
		if c >= 0x7f || bytes.IndexByte([]byte("\"\\`[]{}|^~"), c) >= 0 {
			return false
		}
	}
	return true
}
