package build

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/information"
	"tunic/internal/plan/shape"
	"tunic/internal/plan/views"
	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// Lacking is what has to be found out, or done, before a statement can be planned that is refused
// for want of it.
type Lacking struct {
	// Needs are tables beside protected ones whose definitions are not known, Via views that name
	// those that the statement itself does not.
	Needs []resolve.Name
	Via   map[resolve.Name]*catalog.Table
	// Outdated are views whose twins have to be made anew, or those of views that they are over.
	Outdated []*catalog.Table
}

// unknown notes tables whose definitions are not known, and is the refusal of a statement that
// names them beside protected ones.
func (b *Builder) unknown(needs []resolve.Name, via map[resolve.Name]*catalog.Table) *ending {
	if b.Lacks != nil {
		b.Lacks.Needs, b.Lacks.Via = needs, via
	}
	return beyond("a plain table beside a protected one")
}

// outdated notes views that have to be told anew, and is the refusal of a statement that names them.
func (b *Builder) outdated(views []*catalog.Table) *ending {
	if b.Lacks != nil {
		b.Lacks.Outdated = views
	}
	return refused(sqlerr.StatementRefused("a view whose table has changed"))
}

// plainTable is a table that is known to be plain, nil if it is not known.
func (b *Builder) plainTable(schema, name string) *catalog.Table {
	return b.Catalog.Among(b.Plain, schema, name)
}

// viewOver is the view that the statement names and by which it comes to a table that it
// does not name itself.
func (b *Builder) viewOver(n resolve.Name) *catalog.Table {
	var over func(v *catalog.Table, depth int) bool
	over = func(v *catalog.Table, depth int) bool {
		return slices.ContainsFunc(v.View.Over, func(of catalog.ViewOver) bool {
			if of.Schema == n.Schema && of.Name == n.Table {
				return true
			}
			inner := b.Catalog.View(of.Schema, of.Name)
			return inner != nil && depth > 0 && over(inner, depth-1)
		})
	}
	for _, v := range b.views {
		if over(v, views.DepthMax) {
			return v
		}
	}
	return nil
}

// knowsPlain finds out whether the definitions of all plain tables of a query are
// known.
func (b *Builder) knowsPlain(root ast.Statement) *ending {
	shared := shape.CommonNames(root)
	var needs []resolve.Name
	via := map[resolve.Name]*catalog.Table{}
	for _, n := range resolve.Tables(root) {
		schema, name := n.Qualifier.String(), n.Name.String()
		if schema == "" && (shared[strings.ToLower(name)] || shape.IsDual(n)) {
			continue
		}
		if schema == "" {
			schema = b.Schema
		}
		if information.OfServer(schema) {
			if end := b.readable(schema, name); end != nil {
				return end
			}
		}
		switch {
		case strings.EqualFold(schema, catalog.Schema) || b.Catalog.Table(schema, name) != nil || b.plainTable(schema, name) != nil:
		default:
			needs = append(needs, resolve.Name{Schema: schema, Table: name})
			if v := b.viewOver(resolve.Name{Schema: schema, Table: name}); v != nil {
				via[resolve.Name{Schema: schema, Table: name}] = v
			}
		}
	}
	if len(needs) > 0 {
		return b.unknown(needs, via)
	}
	return nil
}
