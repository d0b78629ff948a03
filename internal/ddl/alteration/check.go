package alteration

import (
	"tunic/internal/catalog"
	"tunic/internal/ddl/account"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// FollowChecks lets CHECKs go with their columns, as servers do. Where one is over other columns too
// the server says so, unless it is of the logical definition alone: that, and another name of its
// column, which MySQL refuses, is refused.
func (c *Change) FollowChecks(flavor value.Flavor) error {
	left := map[string]bool{} // the columns that were there and are to be
	for _, old := range c.Names {
		left[catalog.Folded(old)] = true
	}
	for i := range c.shown.Checks {
		k := &c.shown.Checks[i]
		if c.gone[catalog.Folded(k.Name)] {
			continue
		}
		stay, gone, renamed := c.columnsOf(k, left)
		switch ownOnly := account.OverProtected(c.Old, k.Text); {
		case gone == 0 && (renamed == 0 || !ownOnly):
		case ownOnly && (flavor == value.MariaDB || renamed > 0 || stay > 0):
			return sqlerr.DefinitionForm(c.Old.Name, "dropping a column with a CHECK, or giving it another name")
		case stay == 0 && renamed == 0:
			c.gone[catalog.Folded(k.Name)] = true
		}
	}
	return nil
}

// columnsOf counts the columns that a CHECK names: those that stay under their names, that go, and
// that get other names.
func (c *Change) columnsOf(k *showcreate.Check, left map[string]bool) (stay, gone, renamed int) {
	for _, word := range showcreate.Tokens(k.Text) {
		name := catalog.Folded(identifier.Unquoted(word.Of(k.Text)))
		switch {
		case word.Kind != showcreate.TokenName || c.Old.Column(name) < 0:
		case catalog.Folded(c.Names[name]) == name:
			stay++
		case left[name]:
			renamed++
		default:
			gone++
		}
	}
	return stay, gone, renamed
}
