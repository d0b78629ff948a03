package alteration

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// The options of an ALTER TABLE name columns as they are when it begins, in whatever order they
// stand: servers resolve all of them before they give any column another name, so that two
// columns can swap theirs, and one can get the name of another that goes. AFTER, keys and CHECKs
// name columns as they will be.

// Coming finds a column by the name that it has before; nil if none goes on that had it.
func (c *Change) Coming(name string) *coming {
	for _, column := range c.columns {
		if column.old != "" && column.def != nil && strings.EqualFold(column.old, name) {
			return column
		}
	}
	return nil
}

// added finds a column that another option adds, which MariaDB lets MODIFY, CHANGE and
// ALTER COLUMN be about; nil if there is none.
func (c *Change) added(name string) *coming {
	for _, column := range c.columns {
		if column.old == "" && strings.EqualFold(column.def.Name.String(), name) {
			return column
		}
	}
	return nil
}

// redefine gives a column another definition, and perhaps another name.
func (c *Change) redefine(name string, def *ast.ColumnDefinition) {
	column := c.Coming(name)
	if column == nil {
		column = c.added(def.Name.String())
	}
	if column != nil { // or the server says so
		column.def, column.touched = def, true
	}
}

func (c *Change) renameColumn(from, to string) {
	if column := c.Coming(from); column != nil {
		def := *column.def
		def.Name = ast.Identifier(to)
		column.def = &def
	}
}

func (c *Change) dropColumn(name string) {
	if column := c.Coming(name); column != nil {
		column.def = nil
	}
}

// renamed is the name that a column will have.
func (c *Change) renamed(name string) string {
	if column := c.Coming(name); column != nil {
		return column.def.Name.String()
	}
	return name
}

// SettleColumns gives the columns of the definition to come their names, after all options.
func (c *Change) SettleColumns() {
	c.Definition.Spec.Columns = nil
	for _, column := range c.columns {
		if column.def == nil {
			continue
		}
		name := catalog.Folded(column.def.Name.String())
		c.Definition.Spec.Columns = append(c.Definition.Spec.Columns, column.def)
		if column.old != "" {
			c.Names[name] = column.old
		}
		c.touched[name] = c.touched[name] || column.touched
	}
}

// Crosses says that a column gets the name that another one has until then, which goes or gets
// another name itself. Servers have to be told each thing that follows from it: what they would
// make of a name by themselves may be about either column.
func (c *Change) Crosses() bool {
	for _, column := range c.columns {
		if column.def == nil {
			continue
		}
		name := column.def.Name.String()
		for _, other := range c.columns {
			if other != column && other.old != "" && strings.EqualFold(other.old, name) {
				return true
			}
		}
	}
	return false
}

// GoesOn says that a column goes on under the name that it has.
func (c *Change) GoesOn(name string) bool {
	return catalog.Folded(c.Names[catalog.Folded(name)]) == catalog.Folded(name)
}

// RefuseCrossed refuses columns whose names cross if something that is kept as a text, or by
// the server, is about one of them: it would be about the other one, or about both.
func (c *Change) RefuseCrossed() error {
	if !c.Crosses() {
		return nil
	}
	if slices.ContainsFunc(c.options, c.settlesEither) {
		return sqlerr.DefinitionForm(c.Old.Name, "ALTER COLUMN of a name that one column gives up and another one gets")
	}
	texts := []string{c.shown.Options}
	for i := range c.shown.Columns {
		texts = append(texts, showcreate.BodyOf(c.shown.Columns[i].Text))
	}
	for i := range c.shown.Keys {
		for _, p := range c.shown.Keys[i].Parts {
			if p.Name == "" {
				texts = append(texts, p.Text)
			}
		}
	}
	for i := range c.shown.Checks {
		if k := &c.shown.Checks[i]; !c.gone[catalog.Folded(k.Name)] {
			texts = append(texts, k.Text)
		}
	}
	refused := slices.ContainsFunc(texts, c.tells)
	for i := range c.shown.ForeignKeys {
		k := &c.shown.ForeignKeys[i]
		names := k.Columns
		if k.Schema == "" && k.Table == c.Old.Name {
			names = slices.Concat(names, k.Referenced)
		}
		refused = refused || !c.gone[catalog.Folded(k.Name)] && slices.ContainsFunc(names, func(name string) bool { return !c.GoesOn(name) })
	}
	if refused {
		return sqlerr.DefinitionForm(c.Old.Name, "giving a column the name of another one while an expression, a CHECK or a foreign key is over one of them")
	}
	return nil
}

// settlesEither says that an option is an ALTER COLUMN of a name that one column gives up and an added
// one gets: MariaDB takes it for the added one (10.11).
func (c *Change) settlesEither(o ast.AlterOption) bool {
	of, ok := o.(*ast.AlterColumn)
	if !ok {
		return false
	}
	name := of.Column.Name.String()
	return !c.GoesOn(name) && c.Coming(name) != nil && c.added(name) != nil
}

// tells says that a text has the name of a column in it that goes or gets another name.
func (c *Change) tells(text string) bool {
	return slices.ContainsFunc(showcreate.Tokens(text), func(word showcreate.Token) bool {
		if word.Kind != showcreate.TokenName {
			return false
		}
		name := identifier.Unquoted(word.Of(text))
		return c.Old.Column(name) >= 0 && !c.GoesOn(name)
	})
}
