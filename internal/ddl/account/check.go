package account

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
)

// notEnforced is behind a CHECK that MySQL does not look at.
const notEnforced = "/*!80016 NOT ENFORCED */"

// OverProtected reports whether a text has the name of a protected column in it.
func OverProtected(t *catalog.Table, text string) bool {
	return slices.ContainsFunc(showcreate.Tokens(text), func(word showcreate.Token) bool {
		at := -1
		if word.Kind == showcreate.TokenName {
			at = t.Column(identifier.Unquoted(word.Of(text)))
		}
		return at >= 0 && t.Columns[at].Protected()
	})
}

// Check is a CHECK of a protected table's logical definition that its stored table has
// not.
type Check struct {
	Name string
	// Column is a protected column that it is over.
	Column string
	// InColumn says that MariaDB has it in the definition of the column.
	InColumn bool
	// Clause is what has to hold, as servers show it.
	Clause string
	// Lax says that MySQL does not enforce it.
	Lax bool
}

// ChecksOf are the CHECKs over protected columns, but for those that MariaDB makes of
// the type JSON.
func ChecksOf(t *catalog.Table, account *showcreate.Table) (all []Check) {
	for i := range account.Columns {
		c, text := &t.Columns[i], account.Columns[i].Text
		if at := showcreate.PartsOf(text).Check; !at.Empty() && !c.ValidJSON && OverProtected(t, text[at.From:at.To]) {
			all = append(all, Check{Name: c.Name, Column: c.Name, InColumn: true, Clause: ClauseOf(text[at.From:at.To])})
		}
	}
	for i := range account.Checks {
		k := &account.Checks[i]
		for j := range t.Columns {
			if c := &t.Columns[j]; c.Protected() && OverProtected(t, k.Text) && strings.Contains(k.Text, identifier.Quoted(c.Name)) {
				all = append(all, Check{Name: k.Name, Column: c.Name, Clause: ClauseOf(k.Text), Lax: strings.Contains(k.Text, notEnforced)})
				break
			}
		}
	}
	return all
}

// ClauseOf is what stands in the parentheses of CHECK (…).
func ClauseOf(check string) string {
	all := showcreate.Tokens(check)
	end := showcreate.GroupEnd(check, all, 1)
	return check[all[1].To:all[end-1].From]
}
