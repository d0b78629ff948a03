package plan

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// Table says what is done with a command of the protocol that does to a table
// what a statement of kind k does: nil to forward it, or the error for the
// client, a *sqlerr.Error. The name is of the session's schema, as the client
// sends it, in a character set that may be any.
func (p *Planner) Table(k sql.Kind, schema string, name []byte) error {
	if p.catalog != nil && strings.EqualFold(schema, catalog.Schema) {
		return sqlerr.OwnSchema()
	}
	if !p.Protects() {
		return nil
	}
	if !NamesAlike(name) {
		name = nil // some server may read it as any name
	}
	known := p.know("")
	if !known.names.Protected(name) {
		return nil
	}
	return judged(k, nil)
}

// NamesAlike says that every server reads the bytes of name as the same name, in
// every character set of a client. Others may be escaped (#mysql50#) or be letters
// of a national set.
func NamesAlike(name []byte) bool {
	for _, c := range name {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
		if !letter && c != '_' && c != '$' {
			return false
		}
	}
	return true
}
