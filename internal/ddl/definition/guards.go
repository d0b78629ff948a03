package definition

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/account"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/eval"
	"tunic/internal/guard"
	"tunic/internal/identifier"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// holdTo finds the CHECKs that tunic has to hold rows to, in the order in which servers
// look at them: MariaDB begins with those in the definitions of columns.
func (l *Logical) holdTo() {
	l.Table.Checks = nil
	for _, k := range account.ChecksOf(l.Table, l.Shown) {
		if k.Lax || alwaysHolds(l.Table, k.Clause) {
			continue
		}
		made := catalog.Check{Name: k.Name, Clause: k.Clause}
		if k.InColumn {
			made.Column = k.Name
		}
		l.Table.Checks = append(l.Table.Checks, made)
	}
}

// alwaysHolds reports whether every value of the protected column that a CHECK is over
// fulfils it, as servers show the CHECKs of holds.
func alwaysHolds(t *catalog.Table, clause string) bool {
	words := showcreate.Tokens(clause)
	at := slices.IndexFunc(words, func(w showcreate.Token) bool { return w.Kind == showcreate.TokenName })
	if at < 0 {
		return false
	}
	name := words[at].Of(clause)
	i := t.Column(identifier.Unquoted(name))
	if i < 0 {
		return false
	}
	c, bare := &t.Columns[i], strings.TrimSuffix(strings.TrimPrefix(clause, "("), ")")
	return c.Type.Unsigned && bare == name+" >= 0" || (c.ValidJSON || c.Type.Kind == value.JSON) && clause == "json_valid("+name+")"
}

// SessionOf is a session in which guards are tried: what is not known of the client's has
// its default.
func SessionOf(s *Surroundings) eval.Session {
	return eval.Session{
		Flavor: s.Env.Flavor, Version: s.Env.Version, Mode: s.Env.Mode, Collation: s.Literals,
		ConcatMax: 1024, DivPrecision: 4, EnglishNames: true, BlockMode: "aes-128-ecb",
	}
}

// notComputed is why a guard is refused.
const notComputed = "tunic does not compute its expression as the server does"

// computable refuses guards that are not known to come out as the server's.
func computable(t *catalog.Table, s *Surroundings) error {
	guards, err := guard.Of(t, s.Env.Flavor)
	if err != nil {
		return sqlerr.DefinitionForm(t.Name, "an expression that tunic cannot read in the form in which the server shows it")
	}
	bad := guards.Incomputable(SessionOf(s), s.Env)
	switch {
	case bad == nil:
		return nil
	case bad.Column >= 0 && t.Columns[bad.Column].Generated:
		return sqlerr.GeneratedColumn(t.Columns[bad.Column].Name, notComputed)
	case bad.Column >= 0:
		return sqlerr.DefaultExpression(t.Columns[bad.Column].Name, notComputed)
	case len(bad.Reads) > 0:
		return sqlerr.CheckOver(t.Columns[bad.Reads[0]].Name, notComputed)
	}
	return sqlerr.CheckOver("", notComputed)
}
