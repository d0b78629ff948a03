package alteration

import (
	"slices"
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/showcreate"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// RenameOnly is the new name, of a statement that does nothing else.
func RenameOnly(stmt *ast.AlterTable) (to ast.TableName, alone bool) {
	for _, o := range stmt.AlterOptions {
		switch o := o.(type) {
		case *ast.RenameTableName:
			to, alone = o.Table, true
		case ast.AlgorithmValue, *ast.LockOption:
		default:
			return to, false
		}
	}
	return to, alone
}

// Passive says that a statement changes nothing that the catalog knows. A copy brings back the CHECK
// that a table lacks.
func Passive(t *catalog.Table, stmt *ast.AlterTable) bool {
	if t.Unchecked && AsksCopy(stmt) {
		return false
	}
	if len(stmt.AlterOptions) == 0 {
		return stmt.PartitionSpec == nil && stmt.PartitionOption == nil
	}
	engine := ""
	if account, err := showcreate.Read(t.Definition); err == nil {
		engine, _ = showcreate.OptionEngine(account.Options)
	}
	for _, o := range stmt.AlterOptions {
		switch o := o.(type) {
		case *ast.KeyState, *ast.Force, ast.AlgorithmValue, *ast.LockOption:
		case ast.TableOptions:
			for _, option := range o {
				same := strings.EqualFold(option.Name, "ENGINE") && strings.EqualFold(option.String, engine)
				if !same && !strings.EqualFold(option.Name, "AUTO_INCREMENT") {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// Rowless says that a plain server makes a change without copying rows: of keys, names
// and defaults, of columns that come and go, and of a column's
// definition where its type stays or becomes a VARCHAR whose length takes as many
// bytes as before (MySQL manual, "Online DDL Operations").
func Rowless(stmt *ast.AlterTable, c *Change, next *catalog.Table) bool {
	if c.Copies {
		return false
	}
	for _, o := range stmt.AlterOptions {
		switch o := o.(type) {
		case *ast.ModifyColumn:
			if !c.keepsType(o.NewColDefinition.Name.String(), next) {
				return false
			}
		case *ast.ChangeColumn:
			if !c.keepsType(o.NewColDefinition.Name.String(), next) {
				return false
			}
		case *ast.AddConstraintDefinition:
			if _, inColumn := tsql.ColumnOfCheck(o.ConstraintDefinition.Name.String()); !inColumn {
				return false
			}
		case *ast.DropKey:
			if o.Type == ast.PrimaryKeyType && !slices.ContainsFunc(next.Keys, func(k catalog.Key) bool { return k.Kind == catalog.Primary }) {
				return false
			}
		case *ast.AlterCharset, ast.TableOptions, *ast.Force:
			return false
		}
	}
	return true
}

// keepsType is rowless of one column, by its name to come.
func (c *Change) keepsType(name string, next *catalog.Table) bool {
	at, old := next.Column(name), c.Before(name)
	if at < 0 || old == nil {
		return false
	}
	now := &next.Columns[at]
	if now.Type.NotNull != old.Type.NotNull {
		return false
	}
	if now.CollationName != old.CollationName {
		return c.collatesAnew(old, now, next)
	}
	lengthBytes := func(t *value.Type) bool { return t.Length*t.Collation.Charset.BytesMax > 255 }
	longer := now.Type.Kind == value.VarChar && old.Type.Kind == value.VarChar && now.Type.Length >= old.Type.Length &&
		lengthBytes(&now.Type) == lengthBytes(&old.Type)
	return longer || now.TypeText == old.TypeText
}

// collatesAnew says that a column whose forms were made anew has another collation and nothing
// else, and is in no key: a plain server then changes the definition alone.
func (c *Change) collatesAnew(old, now *catalog.Column, next *catalog.Table) bool {
	keyed := func(t *catalog.Table, column string) bool {
		return slices.ContainsFunc(t.Keys, func(k catalog.Key) bool { return revision.Over(&k, column) })
	}
	return c.Shadowed(old.Name) && now.TypeText == old.TypeText && now.Type.Collation != nil && old.Type.Collation != nil &&
		now.Type.Collation.Charset.Name == old.Type.Collation.Charset.Name && !keyed(next, now.Name) && !keyed(c.Old, old.Name)
}

// ConvertsJSON says that a statement gives a JSON column of MariaDB another character
// set or collation: it would be a LONGTEXT with a CHECK, and JSON no more.
func ConvertsJSON(stmt *ast.AlterTable, spec *ast.TableSpec) bool {
	isJSON := func(def *ast.ColumnDefinition) bool { return def.Type.Type == "json" }
	return slices.ContainsFunc(stmt.AlterOptions, func(o ast.AlterOption) bool {
		to, ok := o.(*ast.AlterCharset)
		return ok && !strings.EqualFold(to.Collate, definition.JsonCollation) && slices.ContainsFunc(spec.Columns, isJSON)
	})
}

// LearnAnnotations notes the annotations of the columns that go on, under their names to come.
func (c *Change) LearnAnnotations() {
	for to, from := range c.Names {
		if at := c.shown.Place(from); at >= 0 {
			text := c.shown.Columns[at].Text
			comment := showcreate.PartsOf(text).Comment
			c.Definition.Annotate(to, showcreate.UnquoteString(text[comment.From:comment.To]))
		}
	}
}

// Apply takes over one option. What it does not know is refused.
func (c *Change) Apply(o ast.AlterOption) error {
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
			return sqlerr.DefinitionForm(c.Old.Name, "DROP DEFAULT of a plain column that may be NULL")
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
		return sqlerr.DefinitionForm(c.Old.Name, "ALTER CHECK")
	case *ast.RenameTableName:
		return sqlerr.DefinitionForm(c.Old.Name, "RENAME together with another change")
	default:
		return sqlerr.DefinitionForm(c.Old.Name, "this form of ALTER TABLE")
	}
	c.options = append(c.options, o)
	return nil
}

// mayBeNull reports whether a name is that of a plain column of MySQL's that may be NULL. Without its
// default it would have to be given a value, which no definition of a column says.
func (c *Change) mayBeNull(name string) bool {
	at := c.Old.Column(name)
	return c.Flavor == value.MySQL && at >= 0 && !c.Old.Columns[at].Protected() && !c.Old.Columns[at].Type.NotNull
}

// alterColumn is of SET DEFAULT, DROP DEFAULT and SET VISIBLE.
func (c *Change) alterColumn(o *ast.AlterColumn) {
	column := c.Coming(o.Column.Name.String())
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
func (c *Change) dropKey(o *ast.DropKey) bool {
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
func (c *Change) tableOptions(options ast.TableOptions) error {
	var rest ast.TableOptions
	for _, o := range options {
		switch strings.ToUpper(o.Name) {
		case "COMMENT":
			c.setComment(o)
			continue
		case "AUTO_INCREMENT":
			if o.Value == nil {
				return sqlerr.DefinitionForm(c.Old.Name, "this form of AUTO_INCREMENT")
			}
			if _, err := strconv.ParseUint(o.Value.Val, 10, 64); err != nil {
				return sqlerr.DefinitionForm(c.Old.Name, "this form of AUTO_INCREMENT")
			}
			c.Counter = o.Value.Val
			continue
		case "UNION", "TABLESPACE", "DATA DIRECTORY", "INDEX DIRECTORY":
			return sqlerr.DefinitionForm(c.Old.Name, "this option of ALTER TABLE")
		}
		rest = append(rest, o)
	}
	if len(rest) > 0 {
		c.options = append(c.options, rest)
	}
	return nil
}

func (c *Change) setComment(comment *ast.TableOption) {
	kept := c.Definition.Spec.Options[:0:0]
	for _, o := range c.Definition.Spec.Options {
		if !strings.EqualFold(o.Name, "COMMENT") {
			kept = append(kept, o)
		}
	}
	kept = append(kept, comment)
	c.Definition.Spec.Options = kept
}

// Finish completes the definition to come: the constraints that stay and those that
// come, and the keys that come. Those that are there were accepted before.
func (c *Change) Finish() {
	spec := c.Definition.Spec
	var stay []*ast.ConstraintDefinition
	for _, k := range spec.Constraints {
		column, inColumn := tsql.ColumnOfCheck(k.Name.String())
		old, goesOn := c.Names[catalog.Folded(column)]
		anew := inColumn && (!goesOn || c.touched[catalog.Folded(column)] || catalog.Folded(old) != catalog.Folded(column))
		if !c.gone[catalog.Folded(k.Name.String())] && !anew {
			stay = append(stay, k)
		}
	}
	spec.Constraints = slices.Concat(stay, c.constraints)
	spec.Indexes = c.indexes
}

// Kept is what each column has already.
func (c *Change) Kept() map[string]definition.Kept {
	all := map[string]definition.Kept{}
	for name, old := range c.Names {
		if at := c.Old.Column(old); at >= 0 {
			k := definition.KeptOf(&c.Old.Columns[at])
			k.Settled = !c.touched[name]
			all[name] = k
		}
	}
	return all
}

// own are the names by which an option of the twin's statement is proxied: each
// revision has its own.
func (c *Change) own(t *definition.Twin, i int) string { return t.Name + "_n" + strconv.Itoa(i) }

// Told is the statement that changes the copy of the twin; "" if there is nothing
// to tell.
func (c *Change) Told(t *definition.Twin, known *catalog.Catalog) *ast.AlterTable {
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
func (c *Change) tell(t *definition.Twin, i int, o ast.AlterOption, known *catalog.Catalog) ast.AlterOption {
	hide := func(def *ast.ColumnDefinition) {
		if column := c.Definition.Column(def.Name.String()); column == nil || column.Protected() { // nil: the name is wrong
			t.Column(def)
		} else {
			t.Unread(c.Definition, def)
		}
		definition.HideComment(def)
		if r := def.Type.Options; r != nil && r.Reference != nil {
			t.Refer(c.Definition, r.Reference, known)
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
		switch column := c.Definition.Column(name); {
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
			t.Refer(c.Definition, f.ReferenceDefinition, known)
		}
		t.HideCheck(c.Definition, k)
	case ast.AlgorithmValue, *ast.LockOption, *ast.Force, *ast.KeyState:
		return nil
	}
	return o
}

// Learn tells a twin the labels of the columns that stay as they are.
func (c *Change) Learn(t *definition.Twin) {
	for i := range c.Definition.Columns {
		column := &c.Definition.Columns[i]
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

// A change of a table with a fence is made while clients go on, if the server can: in place,
// without a lock, and with the gates open. What is planned for the table as it was is right
// until the server has changed it, and names another fence from then on. Where the server
// cannot, it says so before it has done anything, and copies the table then, which lets nobody
// write.

// AsksCopy says that a statement wants the table to be copied.
func AsksCopy(stmt *ast.AlterTable) bool {
	return slices.ContainsFunc(stmt.AlterOptions, func(o ast.AlterOption) bool {
		algorithm, ok := o.(ast.AlgorithmValue)
		return ok && catalog.Folded(string(algorithm)) == "copy"
	})
}
