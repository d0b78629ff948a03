package session

import (
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// behindPlain is what is said of a statement that the server would do with another table.
const behindPlain = "a statement while the session has a plain temporary table of that name"

// hides reports whether the session may have a plain temporary table of a name: the server takes that one
// for a protected table of the same name.
func (s *Session) hides(schema, table string) bool {
	return s.transaction.Plain.Any() && s.transaction.Plain.Has(schema, table, s.attempt.Catalog().Folds())
}

// unlessHidden is a plan that refuses its text if that names a protected table in whose place the server
// would take a plain temporary one of the session's, or comes to it by a view. DROP TABLE is left: it is for
// that one. Where in doubt the text is refused.
func (s *Session) unlessHidden(p *plan.Plan, text []byte) *plan.Plan {
	if plan.Is[*plan.Refuse](p) || plan.Is[*plan.Each](p) || drops(p) { // each statement has a plan of its own
		return p
	}
	for _, t := range append(tablesOf(p), tablesDefined(p)...) {
		if s.hides(t.Schema, t.Name) && !s.transaction.Temporaries.Has(t) && !t.Plain() {
			return refusedBy(p, sqlerr.DefinitionForm(t.Name, behindPlain))
		}
	}
	hidden := s.transaction.Plain.Hidden(s.attempt.Catalog())
	if len(hidden) == 0 {
		return p
	}
	read, err := sql.Parse(text, s.state.Modes())
	if err != nil && len(read) == 0 {
		return refusedBy(p, sqlerr.DefinitionForm(hidden[0].Table, behindPlain))
	}
	var found *resolve.Name
	match := func(word []byte) bool {
		at := slices.IndexFunc(hidden, func(n resolve.Name) bool { return len(word) == 0 || strings.EqualFold(n.Table, string(word)) })
		if at >= 0 {
			found = &hidden[at]
		}
		return at >= 0
	}
	for i := range read {
		if read[i].Mentions(match) || read[i].NamesByString(match) {
			return refusedBy(p, sqlerr.DefinitionForm(found.Table, behindPlain))
		}
	}
	return p
}

// drops reports whether a plan is that of a DROP TABLE that tunic has read.
func drops(p *plan.Plan) bool {
	d, ok := p.Action.(*plan.Define)
	if !ok {
		return false
	}
	_, ok = d.Statement.(*ast.DropTable)
	return ok
}

// tablesDefined are the protected tables that the query of a definition reads.
func tablesDefined(p *plan.Plan) []*catalog.Table {
	switch a := p.Action.(type) {
	case *plan.DefineView:
		return tablesOfRun(a.View.Run)
	case *plan.Define:
		if a.Made != nil {
			return tablesOfRun(a.Made.View.Run)
		}
	}
	return nil
}

// haveDropped is after tunic has had the server do a definition, which may have failed. Of one table that
// is not there it is known that it is not.
func (s *Session) haveDropped(p *plan.Plan, err error) {
	if !s.transaction.Plain.Any() {
		return
	}
	if said, ok := errors.AsType[*sqlerr.Error](err); err != nil && (!ok || said.Number != sqlerr.UnknownTable || !dropsOne(p)) {
		return
	}
	s.transaction.Plain.Drop(p, s.schema(), s.attempt.Catalog().Folds())
}

// dropsOne reports whether a plan is that of a DROP of one table.
func dropsOne(p *plan.Plan) bool {
	e := &p.Statements[0].Effects
	return len(e.TemporaryDropped)+len(e.MaybeDropped) == 1
}
