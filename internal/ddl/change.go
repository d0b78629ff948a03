package ddl

import (
	"slices"
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/showcreate"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// change is what an ALTER TABLE does to a protected table: the definition that it
// leads to, and what of it the twin is to be told.
type change struct {
	old   *catalog.Table
	shown *showcreate.Table      // of the old definition
	d     *definition.Definition // the one to come
	// columns are what becomes of those that are there, and behind them those that come.
	columns []*coming
	// names are the old names of columns that go on, by their folded new ones.
	names map[string]string
	// touched are the columns that are defined anew, by folded names.
	touched map[string]bool
	gone    map[string]bool // foreign keys and CHECKs that go, by folded names
	// options are those for the twin; the table is to be told the counter.
	options []ast.AlterOption
	counter string
	// indexes and constraints are those that come.
	indexes     []*ast.IndexDefinition
	constraints []*ast.ConstraintDefinition
	// rowless says that a plain server makes it without a look at the rows.
	rowless bool
	flavor  value.Flavor
	// copies says that the statement wants the table to be copied.
	copies bool
	// filled says that what the old table was filling was filled for this change.
	filled bool
	// spares are the stored columns that hold the new forms of columns whose forms were
	// made anew, by the folded names that they are to have.
	spares map[string]string
}

// newChange begins with a table as it is, whose definition was parsed.
func newChange(old *catalog.Table, spec *ast.TableSpec) (*change, error) {
	account, err := showcreate.Read(old.Definition)
	if err != nil {
		return nil, err
	}
	c := &change{
		old: old, shown: account, names: map[string]string{}, touched: map[string]bool{}, gone: map[string]bool{},
		d: &definition.Definition{Schema: old.Schema, Table: old.Name, Spec: spec},
	}
	for _, def := range spec.Columns {
		c.columns = append(c.columns, &coming{old: def.Name.String(), def: def})
	}
	return c, nil
}

// apply takes over one option. What it does not know is refused.
func (c *change) apply(o ast.AlterOption) error {
	switch o := o.(type) {
	case *ast.AddColumns:
		for _, def := range o.Columns {
			c.columns = append(c.columns, &coming{def: def, touched: true})
		}
	case *ast.ModifyColumn:
		c.redefine(o.NewColDefinition.Name.String(), o.NewColDefinition)
	case *ast.ChangeColumn:
		c.redefine(o.OldColumn.Name.String(), o.NewColDefinition)
	case *ast.RenameColumn:
		c.renameColumn(o.OldName.Name.String(), o.NewName.Name.String())
	case *ast.DropColumn:
		c.dropColumn(o.Name.Name.String())
	case *ast.AlterColumn:
		if o.DropDefault && c.mayBeNull(o.Column.Name.String()) {
			return sqlerr.DefinitionForm(c.old.Name, "DROP DEFAULT of a plain column that may be NULL")
		}
		c.alterColumn(o)
	case *ast.DropKey:
		if c.dropKey(o) {
			return nil
		}
	case *ast.AddIndexDefinition:
		c.indexes = append(c.indexes, o.IndexDefinition)
	case *ast.AddConstraintDefinition:
		c.constraints = append(c.constraints, o.ConstraintDefinition)
	case ast.TableOptions:
		return c.tableOptions(o)
	case *ast.AlterCharset, *ast.RenameIndex, *ast.AlterIndex, ast.AlgorithmValue, *ast.LockOption, *ast.Force, *ast.KeyState:
	case *ast.AlterCheck:
		return sqlerr.DefinitionForm(c.old.Name, "ALTER CHECK")
	case *ast.RenameTableName:
		return sqlerr.DefinitionForm(c.old.Name, "RENAME together with another change")
	default:
		return sqlerr.DefinitionForm(c.old.Name, "this form of ALTER TABLE")
	}
	c.options = append(c.options, o)
	return nil
}

// index finds a column of the definition to come; -1 if there is none.
func (c *change) index(name string) int {
	for i, def := range c.d.Spec.Columns {
		if strings.EqualFold(def.Name.String(), name) {
			return i
		}
	}
	return -1
}

// mayBeNull reports whether a name is that of a plain column of MySQL's that may be NULL. Without its
// default it would have to be given a value, which no definition of a column says.
func (c *change) mayBeNull(name string) bool {
	at := c.old.Column(name)
	return c.flavor == value.MySQL && at >= 0 && !c.old.Columns[at].Protected() && !c.old.Columns[at].Type.NotNull
}

// alterColumn is of SET DEFAULT, DROP DEFAULT and SET VISIBLE.
func (c *change) alterColumn(o *ast.AlterColumn) {
	column := c.coming(o.Column.Name.String())
	if column == nil {
		column = c.added(o.Column.Name.String())
	}
	if column == nil {
		return // the server says so
	}
	def := ast.Clone(column.def)
	if def.Type.Options == nil {
		def.Type.Options = &ast.ColumnTypeOptions{}
	}
	if o.DropDefault || o.DefaultVal != nil {
		def.Type.Options.Default, def.Type.Options.DefaultLiteral = o.DefaultVal, o.DefaultLiteral
	}
	column.def, column.touched = def, true
}

// dropKey says that what is dropped is none of the twin's: a foreign key or a
// CHECK.
func (c *change) dropKey(o *ast.DropKey) bool {
	name := catalog.Folded(o.Name.String())
	switch o.Type {
	case ast.ForeignKeyType, ast.CheckKeyType, ast.ConstraintType:
	default:
		return false
	}
	known := false
	for i := range c.shown.ForeignKeys {
		known = known || o.Type != ast.CheckKeyType && catalog.Folded(c.shown.ForeignKeys[i].Name) == name
	}
	for i := range c.shown.Checks {
		known = known || o.Type != ast.ForeignKeyType && catalog.Folded(c.shown.Checks[i].Name) == name
	}
	if known {
		c.gone[name] = true
	}
	return known
}

// tableOptions are those of the table: the comment is the catalog's, the counter
// is the stored table's, the others are the twin's too.
func (c *change) tableOptions(options ast.TableOptions) error {
	var rest ast.TableOptions
	for _, o := range options {
		switch strings.ToUpper(o.Name) {
		case "COMMENT":
			c.setComment(o)
			continue
		case "AUTO_INCREMENT":
			if o.Value == nil {
				return sqlerr.DefinitionForm(c.old.Name, "this form of AUTO_INCREMENT")
			}
			if _, err := strconv.ParseUint(o.Value.Val, 10, 64); err != nil {
				return sqlerr.DefinitionForm(c.old.Name, "this form of AUTO_INCREMENT")
			}
			c.counter = o.Value.Val
			continue
		case "UNION", "TABLESPACE", "DATA DIRECTORY", "INDEX DIRECTORY":
			return sqlerr.DefinitionForm(c.old.Name, "this option of ALTER TABLE")
		}
		rest = append(rest, o)
	}
	if len(rest) > 0 {
		c.options = append(c.options, rest)
	}
	return nil
}

func (c *change) setComment(comment *ast.TableOption) {
	kept := c.d.Spec.Options[:0:0]
	for _, o := range c.d.Spec.Options {
		if !strings.EqualFold(o.Name, "COMMENT") {
			kept = append(kept, o)
		}
	}
	kept = append(kept, comment)
	c.d.Spec.Options = kept
}

// finish completes the definition to come: the constraints that stay and those that
// come, and the keys that come. Those that are there were accepted before.
func (c *change) finish() {
	spec := c.d.Spec
	var stay []*ast.ConstraintDefinition
	for _, k := range spec.Constraints {
		column, inColumn := tsql.ColumnOfCheck(k.Name.String())
		old, goesOn := c.names[catalog.Folded(column)]
		anew := inColumn && (!goesOn || c.touched[catalog.Folded(column)] || catalog.Folded(old) != catalog.Folded(column))
		if !c.gone[catalog.Folded(k.Name.String())] && !anew {
			stay = append(stay, k)
		}
	}
	spec.Constraints = slices.Concat(stay, c.constraints)
	spec.Indexes = c.indexes
}

// kept is what each column has already.
func (c *change) kept() map[string]definition.Kept {
	all := map[string]definition.Kept{}
	for name, old := range c.names {
		if at := c.old.Column(old); at >= 0 {
			k := definition.KeptOf(&c.old.Columns[at])
			k.Settled = !c.touched[name]
			all[name] = k
		}
	}
	return all
}

// own are the names by which an option of the twin's statement is proxied: each
// revision has its own.
func (c *change) own(t *definition.Twin, i int) string { return t.Name + "_n" + strconv.Itoa(i) }

// told is the statement that changes the copy of the twin; "" if there is nothing
// to tell.
func (c *change) told(t *definition.Twin, known *catalog.Catalog) *ast.AlterTable {
	stmt := &ast.AlterTable{
		Table:       ast.TableName{Qualifier: ast.Name(catalog.Schema), Name: ast.Name(t.Name)},
		FullyParsed: true,
	}
	for i, o := range c.options {
		if told := c.tell(t, i, ast.Clone(o), known); told != nil {
			stmt.AlterOptions = append(stmt.AlterOptions, told)
		}
	}
	return stmt
}

// tell hides in an option what the twin is not to know.
func (c *change) tell(t *definition.Twin, i int, o ast.AlterOption, known *catalog.Catalog) ast.AlterOption {
	hide := func(def *ast.ColumnDefinition) {
		if column := c.d.Column(def.Name.String()); column == nil || column.Protected() { // nil: the name is wrong
			t.Column(def)
		} else {
			t.Unread(c.d, def)
		}
		definition.HideComment(def)
		if r := def.Type.Options; r != nil && r.Reference != nil {
			t.Refer(c.d, r.Reference, known)
		}
	}
	switch o := o.(type) {
	case *ast.AddColumns:
		for _, def := range o.Columns {
			hide(def)
		}
	case *ast.ModifyColumn:
		hide(o.NewColDefinition)
	case *ast.ChangeColumn:
		hide(o.NewColDefinition)
	case *ast.AlterColumn:
		name := c.renamed(o.Column.Name.String())
		switch column := c.d.Column(name); {
		case o.DefaultVal == nil:
		case column == nil: // the name is wrong
			o.DefaultVal = &ast.NullVal{}
		case column.Protected() && !o.DefaultLiteral:
			t.HidingOf(name).HideDefault(o.DefaultVal)
		case column.Protected():
			o.DefaultVal = t.NeutralOf(column, o.DefaultVal)
		}
	case *ast.AddIndexDefinition:
		t.HideKeyComment(1000*int(t.Revision)+i, o.IndexDefinition)
	case *ast.AddConstraintDefinition:
		k := o.ConstraintDefinition
		name := k.Name.String()
		if _, inColumn := tsql.ColumnOfCheck(name); name != "" && !inColumn {
			t.Constraints[c.own(t, i)] = name
			k.Name = ast.Identifier(c.own(t, i))
		}
		if f, ok := k.Details.(*ast.ForeignKeyDefinition); ok {
			t.Refer(c.d, f.ReferenceDefinition, known)
		}
		t.HideCheck(c.d, k)
	case ast.AlgorithmValue, *ast.LockOption, *ast.Force, *ast.KeyState:
		return nil
	}
	return o
}

// learn tells a twin the labels of the columns that stay as they are.
func (c *change) learn(t *definition.Twin) {
	for i := range c.d.Columns {
		column := &c.d.Columns[i]
		if !column.Protected() || len(column.Type.EnumValues) == 0 {
			continue
		}
		labels := make([]string, len(column.Type.EnumValues))
		for j, l := range column.Type.EnumValues {
			labels[j] = showcreate.UnquoteString(l)
		}
		t.Labels[catalog.Folded(column.NameText())] = labels
	}
}
