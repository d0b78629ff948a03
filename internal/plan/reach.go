package plan

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
)

// Outlived reports whether what the server gets by the plan may read or write a table as a plain one, or as one without
// a fence, that is more by a newer catalog: the server does not refuse that. It is true where in doubt. A program of
// the server's that names the table is not in the plan: none may be there when the table becomes protected. One that runs then is
// HoldsBack's.
func (p *Plan) Outlived(c *catalog.Catalog) bool {
	for _, n := range p.Names {
		if c.Table(n.Schema, n.Table) != nil || c.View(n.Schema, n.Table) != nil {
			return true
		}
	}
	switch a := p.Action.(type) {
	case *Forward:
		return a.AnyTable || anyProtected(c, a.Words) || anyProtected(c, a.Guesses) || slices.ContainsFunc(p.Statements, isNamed)
	case *Execute:
		return runsUnfenced(a.Run, c)
	case *Explain:
		return runsUnfenced(a.Explained.Run, c)
	case *Define:
		return a.isOutlived(c)
	case *DefineView:
		return anyProtected(c, a.Words)
	case *Introspect:
		return p.keepsAnswer()
	case *Refuse, *Grant, *Call, *Each: // each statement of a text has a plan of its own
		return false
	default:
		return true
	}
}

// HoldsBack reports whether a statement that the server has by the plan keeps what is coming by a newer catalog from coming: it is
// Outlived, or has a program run. MariaDB lets a procedure be dropped while it runs; and it may come to any table.
func (p *Plan) HoldsBack(c *catalog.Catalog) bool {
	return p.Outlived(c) || len(c.Coming()) > 0 && slices.ContainsFunc(p.Statements, Statement.MayPrepare)
}

// MayReachPlain reports whether the server may come to a plain table by what it gets by the plan. It is true where in doubt.
// Who executes a statement over plain tables beside protected ones has them in its Run.
func (p *Plan) MayReachPlain() bool {
	if len(p.Names) > 0 || p.keepsAnswer() {
		return true
	}
	f, forwards := p.Action.(*Forward)
	return forwards && (f.AnyTable || len(f.Words) > 0 || len(f.Guesses) > 0 || slices.ContainsFunc(p.Statements, mayRun))
}

// mayRun reports whether what a statement does may be in another one, which it names, or in a program.
func mayRun(st Statement) bool { return isNamed(st) || st.MayPrepare() }

// keepsAnswer reports whether what tunic tells of tables is written to a plain one, whose name is not in the plan.
func (p *Plan) keepsAnswer() bool {
	return Is[*Introspect](p) && slices.ContainsFunc(p.Statements, func(st Statement) bool { return st.Kind == sql.Insert || st.Kind == sql.Replace })
}

// MayEndFirst reports whether the server may end the transaction under way within a text that is forwarded, before it has done
// with the text.
func (p *Plan) MayEndFirst() bool {
	return Is[*Forward](p) && (len(p.Statements) > 1 || slices.ContainsFunc(p.Statements, func(st Statement) bool { return st.Effects.Stale }))
}

// isNamed reports whether what a statement does is in another one, which PREPARE has named, or cannot be read.
func isNamed(st Statement) bool { return st.Kind == sql.Execute || st.Kind == sql.Unknown }

// anyProtected reports whether one of some words may be the name of a protected table or view.
func anyProtected(c *catalog.Catalog, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return c.Protected([]byte(w)) })
}

// runsUnfenced reports whether a statement is carried out over a table as one without a fence that has one now, or as a
// plain one that is protected.
func runsUnfenced(run *recipe.Run, c *catalog.Catalog) bool {
	return slices.ContainsFunc(run.Tables, func(o *catalog.Table) bool {
		if o.Fenced {
			return false
		}
		now := c.Table(o.Schema, o.Name)
		return now != nil && (now.Fenced || o.Plain()) || o.Plain() && c.View(o.Schema, o.Name) != nil
	})
}

// isOutlived reports whether one of what a definition names otherwise is protected by a newer catalog.
func (d *Define) isOutlived(c *catalog.Catalog) bool {
	return anyProtected(c, d.Words) || slices.ContainsFunc(d.Others, func(n resolve.Name) bool {
		return c.Table(n.Schema, n.Table) != nil || c.View(n.Schema, n.Table) != nil
	})
}
