package ddl

import (
	"errors"
	"slices"
	"strings"

	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ddl/turn"
	"tunic/internal/ddl/viewtext"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// despiteStrict runs what describes a query. It is run again without strict mode where that may have
// failed it: the error may be about a literal that stands for the client's. Which columns may be NULL
// depends on the mode, too, so that this comes second. Only what comes of the second is told: the
// client does not know the literal.
func despiteStrict(run, relax func() error) error {
	err := run()
	if !mayBeStrict(err) {
		return err
	}
	if err := relax(); err != nil {
		return err
	}
	return run()
}

// mayBeStrict reports whether an error of the server's may be one that strict mode has made of a
// warning. MariaDB makes one of every warning. So what is known to be none is left out: what is over when
// it is tried later, and, by the class of its SQLSTATE, what is about names, privileges, the current
// schema, connections and transactions.
func mayBeStrict(err error) bool {
	said, ok := errors.AsType[*sqlerr.Error](err)
	if !ok || said.Code != 0 || turn.Passing(err) || len(said.State) != 5 {
		return false
	}
	return !slices.Contains([]string{"08", "28", "3D", "40", "42", "70"}, said.State[:2])
}

// derivation reads the columns that the server makes of a query.
type derivation struct {
	flavor value.Flavor
	modes  tsql.Modes
}

// read reads the server's account of a table of the query over twins.
func (r *derivation) read(m *viewtext.View, d *definition.Definition, f *definition.Facts) ([]*ast.ColumnDefinition, error) {
	spec, err := definition.Parse(f.Create, d.Table, r.modes)
	if err != nil {
		return nil, err
	}
	definition.AdoptJSON(spec)
	if len(spec.Columns) != len(m.OwnNames()) {
		return nil, sqlerr.CreateSelect(d.Table, "it is not certain what its columns are called")
	}
	definition.WithoutDefaultCollation(spec)
	from := m.Origins()
	overTwins := slices.ContainsFunc(m.Reads, func(of viewtext.Reads) bool { return of.Table != nil })
	for i, def := range spec.Columns {
		var of *viewtext.Origin
		if len(from) == len(spec.Columns) {
			of = from[i]
		}
		if _, given := d.Defines(def); given {
			continue
		}
		if r.withoutDefault(def) {
			return nil, sqlerr.CreateSelect(d.Table, "a column may be NULL and has no default, as behind an outer join; define it before the query")
		}
		if err := r.restore(d, def, of, overTwins); err != nil {
			return nil, err
		}
	}
	return spec.Columns, nil
}

// withoutDefault reports whether a column may be NULL and yet has no default, as servers
// have it of a column that is NOT NULL behind an outer join. No definition says that.
func (r *derivation) withoutDefault(def *ast.ColumnDefinition) bool {
	switch o := def.Type.Options; {
	case o == nil:
	case o.Default != nil, o.As != nil, o.Null != nil && !*o.Null:
		return false
	}
	name := strings.ToLower(def.Type.Type)
	long := strings.HasSuffix(name, "blob") || strings.HasSuffix(name, "text") || name == "json" || name == "geometry"
	return !long || r.flavor == value.MariaDB
}

// restore puts into a column of the query what stood in a twin by proxy: labels, the
// default and the comment of the column that it is.
func (r *derivation) restore(d *definition.Definition, def *ast.ColumnDefinition, of *viewtext.Origin, overTwins bool) error {
	o := def.Type.Options
	labels := len(def.Type.EnumValues) > 0
	constant := o != nil && o.Default != nil && !definition.SaysNothing(o.Default)
	comment := o != nil && o.Comment != nil
	switch {
	case !overTwins || !labels && !constant && !comment:
		return nil
	case of == nil && !labels && !comment && definition.IsZero(o.Default):
		return nil // MySQL gives it to what is computed
	case of == nil || of.Table.View != nil:
		return sqlerr.CreateSelect(d.Table, "a column has labels, a default or a comment that are not certain to be those of a column of a table")
	}
	spec, err := definition.Parse(of.Table.Definition, of.Table.Name, r.modes)
	if err != nil || of.Column >= len(spec.Columns) {
		return errors.Join(err, showcreate.ErrUnread)
	}
	was := spec.Columns[of.Column]
	if labels {
		def.Type.EnumValues = was.Type.EnumValues
	}
	if was.Type.Options == nil {
		return nil
	}
	// That of an AUTO_INCREMENT is 0, which the column that it is of has not.
	if constant && (was.Type.Options.Default != nil || !definition.IsZero(o.Default)) {
		o.Default, o.DefaultLiteral = was.Type.Options.Default, was.Type.Options.DefaultLiteral
	}
	if comment {
		o.Comment = was.Type.Options.Comment
		d.Annotate(def.Name.String(), o.Comment.Val)
	}
	return nil
}
